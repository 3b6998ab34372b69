"""`tesuji web`: the page to play on, to watch the search, to learn and to follow matches."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from tesuji.arena.result import cores
from tesuji.arena.store import Store
from tesuji.checks import check_integer, check_memory
from tesuji.commands.common import console, ends_cleanly
from tesuji.errors import ArgumentError
from tesuji.search import MAX_THREADS, MIN_MEMORY

DEFAULT_PORT = 8361


@ends_cleanly
def web(
    *,
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes any free one.")] = DEFAULT_PORT,
    host: Annotated[
        str, typer.Option(help="Address to listen on; beyond this machine only with a token.")
    ] = "127.0.0.1",
    searchers: Annotated[
        int | None, typer.Option(help="Searches at the same time; as many as processors if not given.")
    ] = None,
    sessions: Annotated[int, typer.Option(help="Pages that may be open at the same time.")] = 64,
    memory: Annotated[
        str, typer.Option(help="What all search trees together may take; each page an equal part.")
    ] = "4GB",
    store: Annotated[Path | None, typer.Option(help="A store of matches to follow; it is only read.")] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve a page to play on, to watch the search think, to learn why it is deceived, and to follow matches."""
    count = check_integer("sessions", sessions, low=1, high=10_000)
    threads = cores() if searchers is None else check_integer("searchers", searchers, low=1, high=MAX_THREADS)
    room = check_memory(memory, low=2 * MIN_MEMORY * count)
    check_integer("port", port, low=0, high=65_535)
    if store is not None:
        Store(store, read_only=True).close()  # a wrong name shows before anything else
    try:
        from tesuji.web.app import Limits  # noqa: PLC0415  an extra, and slow to load
        from tesuji.web.guard import Guard, is_loopback, new_token  # noqa: PLC0415  as above
        from tesuji.web.server import serve  # noqa: PLC0415  as above
    except ModuleNotFoundError as error:
        raise ArgumentError(f"the page needs {error.name}: pip install 'tesuji[web]'") from None

    def announce(address: str) -> None:
        console.print(f"tesuji is at {address}  (Ctrl-C ends it)", highlight=False, soft_wrap=True)
        if open_browser:
            webbrowser.open(address)

    guard = Guard(host=host, token=None if is_loopback(host) else new_token())
    limits = Limits(searchers=threads, sessions=count, memory=room)
    try:
        serve(guard=guard, port=port, limits=limits, store=store, announce=announce)
    except KeyboardInterrupt:  # the usual end of a server
        console.print("stopped")
