"""`tesuji gtp`: our engines at somebody else's board."""

from __future__ import annotations

import functools
import sys
from typing import Annotated, TextIO

import typer

from tesuji.best_engines import BEST
from tesuji.checks import check_integer, check_number, check_positive, check_seed
from tesuji.commands.common import KomiOption, SecondsOption, SeedOption, ends_cleanly
from tesuji.endgame import final_status
from tesuji.errors import ArgumentError
from tesuji.games.go import Go
from tesuji.games.registry import make_game
from tesuji.gtp.clock import MAX_SECONDS, NO_LIMIT, TimeSettings
from tesuji.gtp.lines import LineReader, write_all
from tesuji.gtp.nboard import check_game, serve_nboard
from tesuji.gtp.server import serve
from tesuji.gtp.session import DEFAULT_LAG, DEFAULT_RESIGN, Session
from tesuji.gtp.table import Table
from tesuji.gtp.thinker import DEFAULT_PLAYOUTS, Settings, Thinker
from tesuji.search import DEFAULT_MEMORY, MAX_PLAYOUTS


@ends_cleanly
def gtp(
    *,
    game: Annotated[str, typer.Option(help="go, othello or havannah.")] = "go",
    engine: Annotated[
        str, typer.Option(help="Engine spec; `tesuji engines` lists the parts, and what is best on which board.")
    ] = BEST,
    playouts: Annotated[
        int | None, typer.Option(help=f"Playouts a move ({DEFAULT_PLAYOUTS:,} where no clock runs).")
    ] = None,
    seconds: SecondsOption = None,
    game_seconds: Annotated[
        float | None, typer.Option(help="Seconds for the whole game, until the controller sets a clock.")
    ] = None,
    threads: Annotated[int, typer.Option(help="Threads of the search.")] = 1,
    size: Annotated[int | None, typer.Option(help="Board size until the controller sets another.")] = None,
    komi: KomiOption = None,
    rules: Annotated[str, typer.Option(help="chinese, japanese, aga, new-zealand or tromp-taylor.")] = "chinese",
    seed: SeedOption = None,
    max_memory: Annotated[str | None, typer.Option(help="The most that the tree may take, such as 512MB.")] = None,
    resign: Annotated[float, typer.Option(help="Resign below this value; 0 never does.")] = DEFAULT_RESIGN,
    lag: Annotated[float, typer.Option(help="Seconds lost with every move on the way.")] = DEFAULT_LAG,
    ponder: Annotated[bool, typer.Option("--ponder", help="Think while the opponent does.")] = False,
    no_reuse: Annotated[bool, typer.Option("--no-reuse", help="Begin every search anew.")] = False,
    no_early_stop: Annotated[
        bool, typer.Option("--no-early-stop", help="Go on even if the best move cannot change any more.")
    ] = False,
    no_more_time: Annotated[
        bool, typer.Option("--no-more-time", help="Take no more time where the root is unstable.")
    ] = False,
    nboard: Annotated[bool, typer.Option("--nboard", help="Speak NBoard's protocol, for Othello.")] = False,
) -> None:
    """Speak GTP on standard input and output: for Sabaki, GoGui, Lizzie, and for matches."""
    table = Table(make_game(game, size=size, komi=komi))
    table.set_rules(rules=rules)
    settings = Settings(
        engine=engine,
        playouts=None if playouts is None else check_integer("playouts", playouts, low=1, high=MAX_PLAYOUTS),
        seconds=None if seconds is None else check_positive("seconds", seconds),
        threads=check_integer("threads", threads, low=1),
        seed=check_seed(seed),
        max_memory=DEFAULT_MEMORY if max_memory is None else max_memory,
        reuse=not no_reuse,
        early_stop=not no_early_stop,
        more_time=not no_more_time,
        ponder=ponder,
    )
    habits = {
        "lag": check_number("lag", lag, low=0, high=60),
        "resign": check_number("resign", resign, low=0, high=1),
    }
    clock = NO_LIMIT
    if game_seconds is not None:
        main = check_number("game-seconds", game_seconds, low=0.001, high=MAX_SECONDS)
        clock = TimeSettings(kind="absolute", main=main)
    speak(table, settings, clock=clock, nboard=nboard, **habits)


def speak(
    table: Table, settings: Settings, *, clock: TimeSettings = NO_LIMIT, nboard: bool = False, **habits: float
) -> None:
    """Until the controller ends it."""
    if nboard:
        check_game(table)
    Thinker(settings).search_of(table.position)  # what is wrong with the engine is said at once
    _load_what_is_slow(table)
    write = functools.partial(write_all, _descriptor(sys.stdout, "output"))
    reader = LineReader(_descriptor(sys.stdin, "input"))
    session = Session(table, settings, reader=reader, write=write, **habits)
    session.player.set_time(clock)
    (serve_nboard if nboard else serve)(session)


def _descriptor(stream: TextIO | None, name: str) -> int:
    if stream is None:
        raise ArgumentError(f"the standard {name} is closed, and GTP is spoken there")
    return stream.fileno()


def _load_what_is_slow(table: Table) -> None:
    """While no clock runs."""
    if isinstance(table.position, Go):
        final_status(table.position, seed=0, playouts=1)
