"""`tesuji regress`: test positions, and how many of them a player gets right."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from tesuji.arena.catalog import COMMAND_PREFIX, load_engines
from tesuji.arena.match import choose_seed
from tesuji.arena.players import Budget
from tesuji.best_engines import BEST
from tesuji.commands.common import (
    INTERRUPTED,
    JsonOption,
    PlayoutsOption,
    SecondsOption,
    SeedOption,
    ThreadsOption,
    budget,
    ends_cleanly,
    error_console,
    interrupts_ignored,
    print_json,
)
from tesuji.commands.match_options import EnginesOption, JobsOption, TimeoutOption, check_jobs
from tesuji.errors import ArgumentError
from tesuji.provenance import provenance

DEFAULT_PLAYOUTS = 1000
PLAYER_HELP = "an engine spec, a name in engines.toml, or 'gtp:COMMAND LINE'."


@ends_cleanly
def regress(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Test positions: .tst, .jsonl or .jsonl.xz.")],
    *,
    engine: Annotated[str | None, typer.Option(help=f"Who is asked: {PLAYER_HELP}", show_default=BEST)] = None,
    gtp: Annotated[str | None, typer.Option(help="The command line of a program that speaks GTP, instead.")] = None,
    playouts: PlayoutsOption = None,
    seconds: SecondsOption = None,
    threads: ThreadsOption = 1,
    jobs: JobsOption = None,
    seed: SeedOption = None,
    timeout: TimeoutOption = None,
    engines: EnginesOption = None,
    compare_with: Annotated[
        Path | None, typer.Option("--compare", metavar="OLD.json", help="An earlier run, written with --json.")
    ] = None,
    import_from: Annotated[
        Path | None,
        typer.Option("--import", metavar="OLD.json", help="Go on from a run of the same player, printed with --json."),
    ] = None,
    failures: Annotated[bool, typer.Option("--failures", help="List every test that failed.")] = False,
    json: JsonOption = False,
) -> None:
    """Ask an engine or a program for its move in test positions, and count the right ones suite by suite.

    Without a budget an engine of ours has 1,000 playouts a position. docs/regress.md has the forms of the files.
    """
    # pydantic and scipy are slow to load, and no other command needs them.
    from tesuji.commands.regress_view import print_comparison, print_run, progress_bar, watch  # noqa: PLC0415  slow to load
    from tesuji.regress.files import files_without_tests, read_problems  # noqa: PLC0415  slow to load
    from tesuji.regress.resume import outcomes_of  # noqa: PLC0415  slow to load
    from tesuji.regress.run import plan_run, run_plan  # noqa: PLC0415  slow to load
    from tesuji.regress.summary import check_comparable, compare, read_run, to_dict  # noqa: PLC0415  slow to load

    if engine is not None and gtp is not None:
        raise ArgumentError("--engine and --gtp both name who is asked: give one of them")
    player = f"{COMMAND_PREFIX}{gtp}" if gtp is not None else BEST if engine is None else engine
    catalog = load_engines(engines)
    is_program = player.startswith((COMMAND_PREFIX, "@")) or player in catalog
    if timeout is not None and not is_program:
        raise ArgumentError(f"--timeout is for another program: {player} is an engine of ours, and keeps to its budget")
    if is_program and playouts is None and seconds is None:
        limits = None  # it plays as strongly as it plays
    else:
        limits = Budget(**budget(playouts, seconds, default=DEFAULT_PLAYOUTS), threads=threads)
    old = None if compare_with is None else read_run(compare_with)
    earlier = None if import_from is None else read_run(import_from)
    workers = check_jobs(jobs)
    problems = read_problems(files)
    for file in files_without_tests(files, problems):
        error_console.print(f"note: {file} holds no test", highlight=False, soft_wrap=True)
    if old is not None:
        check_comparable(problems, old)
    plan = plan_run(
        problems, player, budget=limits, catalog=catalog, timeout=timeout, seed=choose_seed(seed, keeps=True)
    )
    made_by = [provenance()]  # now: the checkout may have changed when the last position is asked
    known = {} if earlier is None else outcomes_of(earlier, plan)
    if earlier is not None and known:
        made_by = [*(facts for facts in earlier.made_by if facts not in made_by), *made_by]
        _say_what_is_known(f"{len(known)} of {len(problems)} positions were asked before: {import_from}", made_by)
    with ExitStack() as end:
        with progress_bar() as progress:
            run = run_plan(
                plan,
                jobs=workers,
                progress=watch(progress, len(problems) - len(known)),
                ended=lambda: end.enter_context(interrupts_ignored()),
                known=known,
            )
        comparison = None if old is None else compare(run, old)
        if json:
            print_json(
                to_dict(run, made_by=made_by) | ({} if comparison is None else {"comparison": comparison.to_dict()})
            )
        else:
            print_run(run, failures=failures)
            if comparison is not None:
                print_comparison(comparison)
    if run.interrupted:
        kept = "--import goes on from what was printed" if json else "with --json --import could go on from them"
        error_console.print(
            f"interrupted: {len(run.outcomes)} of {run.count} positions are counted; {kept}", soft_wrap=True
        )
        raise typer.Exit(INTERRUPTED)


def _say_what_is_known(text: str, made_by: list[dict[str, str]]) -> None:
    error_console.print(text, highlight=False, soft_wrap=True)
    if len({facts.get("commit") for facts in made_by}) > 1:
        error_console.print("note: they were asked by another commit of tesuji", highlight=False, soft_wrap=True)
