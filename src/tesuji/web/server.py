"""Runs the site until Ctrl-C."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final

import uvicorn

from tesuji.errors import ArgumentError
from tesuji.web.app import Limits, create_app
from tesuji.web.connections import BriefConnection, MeasuredWebSocket
from tesuji.web.guard import Guard
from tesuji.web.messages import MAX_MESSAGE
from tesuji.web.pool import Pool

_WAITING: Final = 2048


def serve(*, guard: Guard, port: int, limits: Limits, store: Path | None, announce: Callable[[str], None]) -> None:
    """Listens on the guard's host; with port 0 on any free one. `announce` is told the address to open."""
    listener = _listen(guard.host, port)
    pool = Pool(limits.searchers)
    config = uvicorn.Config(
        create_app(guard, limits, pool, store),
        log_level="warning",
        access_log=False,
        http=BriefConnection,
        ws=MeasuredWebSocket,
        ws_max_size=MAX_MESSAGE,
        ws_max_queue=16,
        ws_per_message_deflate=False,  # the loopback is fast, and a small message cannot unfold to a large one
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    try:
        announce(_address(listener, guard.token))
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        pool.close()
        listener.close()


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with contextlib.ExitStack() as unless_all_is_well:
            listener = unless_all_is_well.enter_context(socket.socket(family, kind, protocol))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(_WAITING)  # now: whoever is told the address may come at once
            unless_all_is_well.pop_all()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ArgumentError(
            f"cannot listen on {host}, port {port} ({reason}): try another with --port or --host"
        ) from None
    return listener


def _address(listener: socket.socket, token: str | None) -> str:
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if listener.family == socket.AF_INET6 else host
    return f"http://{shown}:{port}/" + ("" if token is None else f"?token={token}")
