"""`best` in a spec: one engine for each game and board size."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from tests.gtp.conversation import answers
from tesuji import Go, Havannah, Othello, Search, TicTacToe, match, parse_engine, trace
from tesuji.best_engines import BEST_ENGINES, best_engine
from tesuji.cli import app
from tesuji.errors import SpecError
from tesuji.games.position import Position
from tesuji.games.registry import make_game

BOARDS = [(game, size) for game, sizes in BEST_ENGINES.items() for size in sizes]


@pytest.mark.parametrize(("game", "size"), BOARDS)
def test_every_entry_plays_its_board(game: str, size: int) -> None:
    position = make_game(game, size=None if game == "othello" else size)
    result = Search(position, "best", seed=1).run(playouts=20)
    assert result.playouts == 20
    assert result.engine == parse_engine(BEST_ENGINES[game][size])


@pytest.mark.parametrize("position", [*map(Go, range(5, 20)), *map(Havannah, range(3, 11)), Othello()], ids=repr)
def test_every_board_has_one(position: Position) -> None:
    expected = best_engine(position.game, getattr(position, "size", None))
    assert Search(position, "best", seed=1).engine == parse_engine(expected)


def test_a_size_without_an_entry_has_the_nearest_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BEST_ENGINES, "go", {9: "uct(c=0.1)", 13: "uct(c=0.2)", 19: "uct(c=0.3)"})
    found = {size: best_engine("go", size) for size in (5, 9, 10, 11, 12, 13, 15, 16, 19)}
    nine, thirteen, nineteen = BEST_ENGINES["go"].values()
    assert found == {
        **dict.fromkeys((5, 9, 10), nine),
        **dict.fromkeys((11, 12, 13, 15), thirteen),
        **dict.fromkeys((16, 19), nineteen),
    }


def test_parts_beside_it_replace_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BEST_ENGINES["othello"], 8, "uct(c=0.4)+final=value")
    board = Othello()
    assert parse_engine(" Best ", position=board) == parse_engine("uct(c=0.4)+final=value")
    assert parse_engine("solver+best", position=board) == parse_engine("uct(c=0.4)+final=value+solver")
    assert parse_engine("best+final=lcb", position=board) == parse_engine("uct(c=0.4)+final=lcb")
    assert parse_engine("best+ucb-tuned1", position=board) == parse_engine("ucb-tuned1+final=value")
    assert parse_engine("best+rave", position=board) == parse_engine("uct(c=0.4)+rave+final=value")


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("best", None, "best in 'best' is another engine in each game, and no game is known here"),
        ("best+uct", TicTacToe(), "no engine is known to be the best in tic-tac-toe.*there is a best one in go, hav"),
        ("best+best", Othello(), "best is given twice"),
        ("best(c=1)", Othello(), r"best is written without parameters, not 'best\(c=1\)'"),
        ("best=3", Othello(), "best is written without parameters"),
        ("bets", Othello(), "did you mean 'best'"),
        ("best+uct+puct", Othello(), "uct and puct are both selection rules"),
    ],
)
def test_what_is_wrong_is_said(text: str, position: Position | None, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        parse_engine(text, position=position)


def test_a_match_names_what_it_means() -> None:
    result = match(Othello(), "best", "best+expand=2", games=2, playouts=10, seed=1)
    assert result.a.name == str(parse_engine(BEST_ENGINES["othello"][8]))
    assert result.b.name == f"{result.a.name}+expand=2"
    assert "best" not in json.dumps(result.to_dict())


def test_a_trace_takes_it() -> None:
    assert trace(Othello(), ["best"], playouts=20, seed=1).of("best")


def test_a_gtp_session_follows_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BEST_ENGINES, "go", {9: "uct(c=0.1)", 19: "uct(c=0.3)"})
    lines = ["tesuji-param engine", "boardsize 19", "tesuji-param engine", "tesuji-param engine best+final=value"]
    found = answers([*lines, "genmove b", "boardsize 7", "tesuji-param engine", "genmove b"], playouts=5)
    assert [found[number] for number in (0, 2, 6)] == ["= uct(c=0.1)", "= uct(c=0.3)", "= uct(c=0.1)+final=value"]
    assert all(answer.startswith("= ") for answer in (found[4], found[7]))


@pytest.mark.parametrize(
    "arguments",
    [
        "bench --engine best --game othello --rounds 1 --playouts 50 --json",
        "bench --engine best --game othello --rounds 1 --playouts 50 --threads 1 --json",
        "tune othello best --parameter c=0.1..1 --playouts 5 --games 4 --jobs 1 --json",
        "analyze othello --engine best --playouts 20 --json",
    ],
    ids=lambda arguments: arguments.split()[0],
)
def test_the_commands_take_it(arguments: str) -> None:
    result = CliRunner().invoke(app, arguments.split())
    assert result.exit_code == 0, result.output
    assert "uct(c=" in result.output


def test_the_help_lists_it() -> None:
    text = CliRunner().invoke(app, ["engines"]).output
    assert all(spec in text for sizes in BEST_ENGINES.values() for spec in sizes.values())
