"""`tesuji check`: plays random games of a game of the user's own and says what is wrong with it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

from tesuji.commands.common import JsonOption, console, ends_cleanly, print_json
from tesuji.errors import ArgumentError, TesujiError, shown
from tesuji.games.check import DEFAULT_MAX_PLIES, check_game
from tesuji.games.registry import make_game

FOUND_WRONG = 1


@ends_cleanly
def check(
    game: Annotated[
        str, typer.Argument(help="FILE.py:NAME, MODULE:NAME, or a game's name.", metavar="GAME", show_default=False)
    ],
    games: Annotated[int, typer.Option(help="Random games.")] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the random games.")] = 0,
    max_plies: Annotated[int, typer.Option(help="A game longer than this never ends.")] = DEFAULT_MAX_PLIES,
    json: JsonOption = False,
) -> None:
    """Play random games of a game of your own and say what is wrong with it; exit code 1 if something is.

    NAME is a position, or a class or function that makes one without arguments.
    """
    found = check_game(load_game(game), games=games, seed=seed, max_plies=max_plies)
    if json:
        print_json({**asdict(found), "ok": found.ok})
    else:
        console.print(str(found), highlight=False, soft_wrap=True)
    if not found.ok:
        raise typer.Exit(FOUND_WRONG)


def load_game(text: str) -> Any:
    """The position that FILE.py:NAME or MODULE:NAME means."""
    source, colon, name = text.rpartition(":")
    if not colon:
        return make_game(text)
    module = _load(source)
    if not hasattr(module, name):
        raise ArgumentError(f"there is no {shown(name)} in {source}")
    maker = getattr(module, name)
    if not callable(maker):
        return maker
    try:
        return maker()
    except TesujiError:
        raise
    except Exception as error:
        raise ArgumentError(f"{name}() raised {type(error).__name__}: {error}") from error


def _load(source: str) -> ModuleType:
    """A file or a module, which may import what lies beside it, as if it were run."""
    path = Path(source)
    is_file = path.suffix == ".py"
    if is_file and not path.is_file():
        raise ArgumentError(f"there is no file {source}")
    sys.path.insert(0, str(path.parent if is_file else Path.cwd()))
    try:
        return _load_file(path) if is_file else importlib.import_module(source)
    except (Exception, SystemExit) as error:
        raise ArgumentError(f"{source} cannot be imported: {type(error).__name__}: {error}") from error


def _load_file(path: Path) -> ModuleType:
    """By its place and not by its name: there may be a module `random` or `chess` elsewhere."""
    spec = importlib.util.spec_from_file_location(f"_checked_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError("Python does not know how to read it")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where pickle looks for its classes
    spec.loader.exec_module(module)
    return module
