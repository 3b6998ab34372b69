"""The match of `tesuji cluster match`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tesuji.arena.catalog import load_engines
from tesuji.arena.cluster_player import MachinesPlayer
from tesuji.arena.match import MAX_GAMES, as_player, choose_seed, make_budgets
from tesuji.arena.openings import as_openings
from tesuji.arena.plan import MatchPlan
from tesuji.arena.players import needed
from tesuji.arena.store import Store
from tesuji.arena.venues import make_venue
from tesuji.checks import check_integer
from tesuji.cluster.schemes import describe
from tesuji.commands.match import RunOptions, run_shown
from tesuji.commands.match_options import DEFAULT_PLAYOUTS, parse_pair
from tesuji.commands.match_view import report
from tesuji.engines import parse_engine
from tesuji.games.position import Position

if TYPE_CHECKING:
    from tesuji.commands.cluster import Machines


def play_match(
    start: Position,
    a: str,
    b: str,
    *,
    together: Machines,
    playouts: str | None,
    seconds: str | None,
    threads: int,
    games: int,
    openings: str | None,
    store: Path | None,
    seed: int | None,
    json: bool,
) -> None:
    """The cluster against a player on its first machine, game after game."""
    if playouts is None and seconds is None:
        playouts = DEFAULT_PLAYOUTS
    budgets = make_budgets(
        playouts=parse_pair("--playouts", playouts, int),
        seconds=parse_pair("--seconds", seconds, float),
        threads=threads,
    )
    count = together.machine.communicator.size
    first = MachinesPlayer(
        engine=parse_engine(a, position=start),
        budget=needed(budgets[0]),
        description=f"{describe(together.scheme)} on {count} machines, {together.period:g} s",
        make=together.search,
    )
    second = as_player(b, budgets[1], catalog=load_engines(), start=start)
    plan = MatchPlan(
        start=start,
        players=(first, second),
        seed=choose_seed(seed, keeps=store is not None),
        openings=as_openings(openings, start),
    )
    plan.check()
    options = RunOptions(games=check_integer("games", games, low=1, high=MAX_GAMES))
    with Store(store) as opened, make_venue(jobs=1, cluster=None, games=games) as venue:
        result = run_shown(start.game, plan, opened, venue, options)
    report([(start.game, result)], json=json)
