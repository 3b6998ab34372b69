"""Models of Othello and Havannah: learned from the tests' own games and from planted gammas, in files, in searches."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import tesuji
from tests.knowledge.records import SAMPLE
from tesuji import knowledge
from tesuji.cli import app
from tesuji.errors import ArgumentError, ModelError, RecordError
from tesuji.knowledge.board_records import read_board_records
from tesuji.knowledge.learn import Settings, learn_fast

SETTINGS = Settings(least=3, iterations=30)
POSITIONS: dict[str, Any] = {
    "othello": tesuji.Othello().play("f5").play("f6"),
    "havannah": tesuji.Havannah(6).play("f6").play("g8").play("e5"),
}


def write_games(folder: Path, game: str) -> Path:
    """The sample's games as lines to learn from, with made-up dates."""
    lines: list[str] = []
    for text in SAMPLE.read_text(encoding="utf-8").splitlines():
        found = json.loads(text)
        if found["game"] != game:
            continue
        date = f"2001-02-{len(lines) + 1:02}"
        if game == "othello":
            moves = "".join(move for move in found["moves"].split() if move != "pass")
            lines.append(json.dumps({"mv": moves, "dt": date}))
        elif "swap" not in found["moves"]:
            lines.append(json.dumps({"sz": found["size"], "mv": found["moves"], "dt": date}))
    path = folder / f"{game}.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module", params=["othello", "havannah"])
def learned(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, knowledge.Model]:
    path = write_games(tmp_path_factory.mktemp("records"), request.param)
    return path, knowledge.learn(path, game=request.param, settings=SETTINGS)


def test_it_foresees_games_that_it_has_not_seen(learned: tuple[Path, knowledge.Model]) -> None:
    """A move at random would be first in about one of ten in Othello, and one of forty in Havannah."""
    _, model = learned
    test = model.report["test"]
    assert test["positions"] > 15
    assert test["top"][0] > (0.2 if model.game == "othello" else 0.08)


def test_the_layer_for_playouts_is_learned_beside_it(learned: tuple[Path, knowledge.Model], tmp_path: Path) -> None:
    path, model = learned
    assert model.fast is not None
    assert model.fast.report["test"]["log_likelihood"] > (-2.5 if model.game == "othello" else -4)
    again = learn_fast(path, replace(model, fast=None), settings=SETTINGS)
    assert again.fast is not None
    np.testing.assert_array_equal(again.fast.weights, model.fast.weights)
    model.save(tmp_path / "own.model")
    loaded = knowledge.load(tmp_path / "own.model").fast
    assert loaded is not None
    assert loaded.gammas() == model.fast.gammas()


def test_learning_repeats_exactly_with_any_number_of_threads(learned: tuple[Path, knowledge.Model]) -> None:
    path, model = learned
    again = knowledge.learn(path, game=model.game, settings=SETTINGS, threads=3)
    assert (again.weights == model.weights).all()


def test_a_file_keeps_the_model_and_damage_is_seen(learned: tuple[Path, knowledge.Model], tmp_path: Path) -> None:
    _, model = learned
    path = tmp_path / "a.model"
    model.save(path)
    loaded = knowledge.load(path)
    assert loaded.game == model.game
    assert loaded.priors(POSITIONS[model.game]) == model.priors(POSITIONS[model.game])
    data = path.read_bytes()
    path.write_bytes(data[:400] + bytes([data[400] ^ 1]) + data[401:])
    with pytest.raises(ModelError, match="is damaged: its checksum"):
        knowledge.load(path)


def test_a_model_of_a_game_that_nobody_knows_is_refused(learned: tuple[Path, knowledge.Model], tmp_path: Path) -> None:
    _, model = learned
    object.__setattr__(
        other := knowledge.Model(game=model.game, weights=model.weights, shapes=model.shapes), "game", "x"
    )
    with pytest.raises(KeyError):
        other.save(tmp_path / "x.model")
    # One game's arrays with another's name.
    swapped = "havannah" if model.game == "othello" else "othello"
    object.__setattr__(other, "game", swapped)
    other.save(tmp_path / "x.model")
    with pytest.raises(ModelError, match="its arrays do not fit"):
        knowledge.load(tmp_path / "x.model")


def planted_games(game: str, feature: str, gamma: float, count: int) -> list[str]:
    """Games in which a move with the feature is so much likelier than any other."""
    model, generator = knowledge.load(game), random.Random(5)
    lines = []
    for number in range(count):
        position: Any = tesuji.Othello() if game == "othello" else tesuji.Havannah(4)
        played: list[str] = []
        while not position.is_over and len(played) < 15:
            legal = position.legal_moves()
            weights = [
                gamma if any(entry.feature == feature for entry in model.explain(position, move)) else 1.0
                for move in legal
            ]
            move = generator.choices(legal, weights)[0]
            played.append(position.format_move(move))
            position = position.play(move)
        moves = ("" if game == "othello" else " ").join(move for move in played if move != "pass")
        lines.append(json.dumps({"sz": 4, "mv": moves, "dt": f"{number:04}"}))
    return lines


@pytest.mark.parametrize(
    ("game", "feature", "gamma"),
    [
        ("othello", "distance to the last move: 1", 4.0),
        ("havannah", "distance to the move before: 1", 5.0),
        ("havannah", "makes bridges: one", 0.25),
    ],
)
def test_planted_gammas_are_found(tmp_path: Path, game: str, feature: str, gamma: float) -> None:
    """Against the other levels of its kind, since a factor that all moves have in common cannot be seen."""
    path = tmp_path / "planted.jsonl"
    path.write_text("\n".join(planted_games(game, feature, gamma, 80)), encoding="utf-8")
    table = knowledge.learn(path, game=game, settings=Settings(least=100_000, iterations=100)).table()
    kind = feature.rpartition(":")[0]
    # Level 0 of a kind, where moves can have it, has gamma 1.
    others = (
        [] if "bridges" in kind else [e.gamma for e in table if e.feature.startswith(kind) and e.feature != feature]
    )
    found = next(entry.gamma for entry in table if entry.feature == feature)
    assert found / float(np.median(others or [1.0])) == pytest.approx(gamma, rel=0.35)


# ---- records


def test_broken_records_are_named(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    lines = ['{"mv": "f5d6"}', '{"mv": "f5f4x"}', '{"mv": "f5a1"}', "no json", '{"mv": ""}', "[" * 100_000]
    path.write_text("\n".join(lines), encoding="utf-8")
    records = read_board_records([path], game="othello")
    assert [game.name for game in records.games] == [f"{path}:1"]
    assert records.skipped[f"{path}:3"] == "move 2 is illegal"
    assert "no game: a line is" in records.skipped[f"{path}:2"]
    assert len(records.skipped) == 5
    path.write_text('{"sz": 4, "mv": "a1 z9"}\n{"sz": 99, "mv": "a1"}\n{"sz": 5, "mv": "a1 a1"}', encoding="utf-8")
    with pytest.raises(RecordError, match="all 3 records were left out"):
        read_board_records([path], game="havannah")
    (tmp_path / "games.sgf").touch()
    with pytest.raises(RecordError, match="give JSON lines"):
        read_board_records([tmp_path / "games.sgf"], game="havannah")


def test_a_number_stands_for_the_date_of_a_havannah_game(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    ids = ['"12"', "7", '"x"', "null"]
    path.write_text("\n".join(f'{{"sz": 4, "mv": "a{i + 1}", "id": {ids[i]}}}' for i in range(4)), encoding="utf-8")
    dates = [game.date for game in read_board_records([path], game="havannah").games]
    assert dates == ["", "", "game 000000007", "game 000000012"]


def test_havannah_is_learned_on_boards_of_several_sizes(tmp_path: Path) -> None:
    path = write_games(tmp_path, "havannah")
    assert read_board_records([path], game="havannah").size is None
    records = read_board_records([path], game="havannah", size=5)
    assert records.size == 5
    assert "on a board of size 4, not 5" in records.skipped.values()


# ---- in the tree


@pytest.mark.parametrize("game", ["othello", "havannah"])
def test_ready_models_give_a_search_its_priors(game: str) -> None:
    position = POSITIONS[game]
    priors = knowledge.load(game).priors(position)
    assert list(priors) == position.legal_moves()
    assert sum(priors.values()) == pytest.approx(1, abs=1e-5)
    for engine in ("puct", "uct+bias", "uct+widening"):
        result = tesuji.Search(position, f"{engine}+model={game}", seed=1).run(playouts=100)
        assert {entry.move: entry.prior for entry in result.moves} == pytest.approx(priors, rel=1e-4)


def test_a_model_fits_its_game_only() -> None:
    with pytest.raises(ArgumentError, match="a model of the moves of Othello says nothing of"):
        tesuji.Search(tesuji.Havannah(5), "bias+model=othello")
    with pytest.raises(ArgumentError, match="a model of the moves of Havannah says nothing of"):
        tesuji.Search(tesuji.Go(9), model=knowledge.load("havannah"))
    with pytest.raises(ArgumentError, match="a model of othello knows nothing of"):
        knowledge.load("othello").priors(tesuji.Go(9))


@pytest.mark.parametrize("size", [3, 5, 8, 10])
def test_one_model_serves_all_sides(size: int) -> None:
    position = tesuji.Havannah(size).play("a1").play("b2")
    priors = knowledge.load("havannah").priors(position)
    assert len(priors) == len(position.legal_moves())
    assert sum(priors.values()) == pytest.approx(1, abs=1e-4)


def test_the_command_shows_a_ready_model() -> None:
    runner = CliRunner()
    shown = runner.invoke(app, ["learn", "havannah", "--show", "havannah", "--json"])
    assert shown.exit_code == 0, shown.output
    gammas = json.loads(shown.stdout)["gammas"]
    assert gammas["wins: at once"] > 10
    assert gammas["answers in a bridge that the last move broke into: between two stones"] > 3
    text = runner.invoke(app, ["learn", "othello", "--show", "othello"]).stdout
    assert "8x8, learned from" in text
