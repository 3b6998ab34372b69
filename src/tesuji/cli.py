"""The command line: `tesuji COMMAND`. Each command is a file in `commands`."""

from __future__ import annotations

import signal
import sys
from typing import Annotated

import typer

from tesuji import __version__
from tesuji.commands.analyze import analyze
from tesuji.commands.bench import bench
from tesuji.commands.check import check
from tesuji.commands.cluster import cluster
from tesuji.commands.common import INTERRUPTED, USAGE_ERROR, error_console, example
from tesuji.commands.doctor import doctor
from tesuji.commands.gtp import gtp
from tesuji.commands.learn import learn
from tesuji.commands.match import match
from tesuji.commands.play import play
from tesuji.commands.regress import regress
from tesuji.commands.reproduce import reproduce
from tesuji.commands.store import store
from tesuji.commands.tournament import tournament
from tesuji.commands.tree import tree
from tesuji.commands.tune import tune
from tesuji.commands.web import web
from tesuji.engines import engine_help

app = typer.Typer(name="tesuji", add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tesuji {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001  the callback has done its work by then
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Monte-Carlo tree search for Go, Othello and Havannah: play, analyse, measure."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def engines() -> None:
    """List the parts of the engine-spec language."""
    typer.echo(engine_help())


app.command(epilog=example("tesuji play go --size 9 --side second --engine 'uct(c=0.4)' --seconds 2"))(play)
app.command(
    epilog=example(
        "tesuji analyze othello --moves 'f5 d6 c3' --playouts 50000",
        "tesuji analyze othello --playouts 100000 --save-tree opening.tree",
        "tesuji analyze --sgf game.sgf --move 40",
        "tesuji analyze --sgf game.sgf --plot chances.png --annotate annotated.sgf",
        "tesuji analyze deceptive-tree --depth 5 --trace --engine uct --engine 'accelerated(k=2)' --plot trap.png",
    )
)(analyze)
app.command(
    epilog=example(
        "tesuji match havannah 'uct(c=0.7)' uct --size 5 --playouts 1000 --games 200",
        "tesuji match othello uct uct --playouts 2000,1000 --json",
        "tesuji match go uct @gnugo --games 1000 --openings random:4 --store results.db",
    )
)(match)
app.command(
    epilog=example(
        "tesuji gtp --game go --seconds 5",
        "tesuji gtp --game havannah --size 5 --engine 'uct+rave' --playouts 10000",
        "tesuji gtp --game othello --nboard",
    )
)(gtp)
app.command(epilog=example("tesuji tournament othello uct 'uct(c=0.5)' ucb-tuned1 --games 200 --store results.db"))(
    tournament
)
app.command(
    epilog=example("tesuji tune othello uct --parameter c=0.1..2:log --playouts 500 --games 1000 --store tune.db")
)(tune)
app.command(
    epilog=example(
        "tesuji reproduce",
        "tesuji reproduce accelerated-table1 --scale medium --only othello,k=3",
        "tesuji reproduce scalability-table2 --estimate",
        "tesuji reproduce my-own.toml --output report --cluster tcp://scheduler:8786",
    )
)(reproduce)
app.command(
    epilog=example(
        "tesuji regress tests.tst --engine 'best+final=value' --playouts 10000 --json > new.json",
        "tesuji regress tests.tst --playouts 10000 --compare new.json",
        "tesuji regress tests.tst --playouts 10000 --json --import broken-off.json > whole.json",
        "tesuji regress tests.jsonl.xz --gtp 'gnugo --mode gtp --level 10'",
    )
)(regress)
app.command(
    epilog=example(
        "tesuji learn go --records games/ --out go19.model --threads 2",
        "tesuji learn go --show go19.model",
    )
)(learn)
app.command(
    epilog=example(
        "tesuji analyze othello --playouts 100000 --save-tree opening.tree",
        "tesuji tree opening.tree",
        "tesuji tree opening.tree other.tree",
        "tesuji tree opening.tree --write dot --max-depth 3 > opening.dot",
    )
)(tree)
app.add_typer(store, name="store")
app.add_typer(cluster, name="cluster")
app.command(
    epilog=example(
        "tesuji web",
        "tesuji web --store results.db --port 8000",
        "tesuji web --host 0.0.0.0",
    )
)(web)
app.command(
    epilog=example("tesuji check examples/connect_four.py:ConnectFour", "tesuji check my_package.my_game:start")
)(check)
app.command(
    epilog=example(
        "tesuji bench --json > bench.json",
        "tesuji bench --threads 2 --game go --engine uct --engine uct+parallel=mutex",
    )
)(bench)
app.command(epilog=example("tesuji doctor"))(doctor)
app.command(epilog=example("tesuji engines"))(engines)


def main() -> None:
    """The entry point. Usage errors take one line here, where typer would draw a box."""
    try:
        code = app(prog_name="tesuji", standalone_mode=False)
    except KeyboardInterrupt:
        # Whoever presses Ctrl-C again and again wants no traceback from Python's own end.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        error_console.print("interrupted")
        sys.exit(INTERRUPTED)
    except Exception as error:
        # The class of usage errors has changed its home between typer's versions; what it can do has not.
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        line = f"error: {message()} ('tesuji --help' says more)"
        error_console.print(line, highlight=False, soft_wrap=True)
        sys.exit(getattr(error, "exit_code", USAGE_ERROR))
    if code == INTERRUPTED:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # as above
    sys.exit(code if isinstance(code, int) else 0)
