"""The layer of a model for playouts: learned with the model or for it alone, kept in its file, used in playouts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import tesuji
from tests.knowledge.records import write_sample
from tesuji import knowledge
from tesuji.cli import app
from tesuji.errors import UnsuitedEngineError
from tesuji.knowledge.features import level_names
from tesuji.knowledge.learn import Settings, learn_fast

SETTINGS = Settings(least=3, iterations=30)
ENGINE = "uct+playout=bradley-terry"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample(tmp_path_factory.mktemp("records"))


@pytest.fixture(scope="module")
def model(games: Path) -> knowledge.Model:
    return knowledge.learn(games, settings=SETTINGS)


def test_it_foresees_moves_better_than_chance(model: knowledge.Model) -> None:
    assert model.fast is not None
    assert model.fast.report["test"]["log_likelihood"] > -np.log(50)
    gammas = model.fast.gammas()
    assert gammas["answer to the last move: capture of its chain"] > 2
    assert gammas["next to the last move: on a line"] > 1


def test_alone_it_is_the_same_and_leaves_the_rest(model: knowledge.Model, games: Path) -> None:
    bare = replace(model, fast=None)
    again = learn_fast(games, bare, settings=SETTINGS)
    assert again.fast is not None
    assert model.fast is not None
    np.testing.assert_array_equal(again.fast.weights, model.fast.weights)
    np.testing.assert_array_equal(again.weights, model.weights)


def test_it_is_kept_in_the_file(model: knowledge.Model, tmp_path: Path) -> None:
    path = tmp_path / "own.model"
    model.save(path)
    loaded = knowledge.load(path)
    assert loaded.fast is not None
    assert model.fast is not None
    np.testing.assert_array_equal(loaded.fast.weights, model.fast.weights)
    assert loaded.fast.report == model.fast.report


def test_the_command_adds_it_to_a_model(model: knowledge.Model, games: Path, tmp_path: Path) -> None:
    path = tmp_path / "own.model"
    replace(model, fast=None).save(path)
    arguments = ["learn", "go", "--records", str(games), "--out", str(path), "--least", "3", "--fast-only"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    shown = CliRunner().invoke(app, ["learn", "go", "--show", str(path)])
    assert "capture of its chain" in shown.output


def test_a_layer_of_other_features_is_left_out_and_learned_anew(
    model: knowledge.Model, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.model"
    with monkeypatch.context() as patch:
        patch.setattr("tesuji.knowledge.fast.level_names", lambda layer: [*level_names(layer), "moon: full"])
        model.save(path)
    assert knowledge.load(path).fast is None
    arguments = ["learn", "go", "--records", str(games), "--out", str(path), "--least", "3", "--fast-only"]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert knowledge.load(path).fast is not None


def test_playouts_repeat_with_the_seed_and_differ_by_temperature(model: knowledge.Model) -> None:
    position = tesuji.Go(9)
    values = []
    for engine in (ENGINE, ENGINE, f"{ENGINE}+playout-temperature=3"):
        result = tesuji.Search(position, engine, seed=5, model=model).run(playouts=100)
        values.append([move.value for move in result.moves])
    assert values[0] == values[1] != values[2]


def test_playouts_without_a_model_or_its_layer_say_what_to_do(model: knowledge.Model) -> None:
    with pytest.raises(UnsuitedEngineError, match="needs a model of moves: add model=go9"):
        tesuji.Search(tesuji.Go(9), ENGINE)
    with pytest.raises(UnsuitedEngineError, match="no fast layer"):
        tesuji.Search(tesuji.Go(9), ENGINE, model=replace(model, fast=None))
    for position, name in ((tesuji.Othello(), "othello"), (tesuji.Havannah(5), "havannah")):
        with pytest.raises(UnsuitedEngineError, match=f"needs a model of moves: add model={name}"):
            tesuji.Search(position, ENGINE)
        bare = replace(knowledge.load(name), fast=None)
        with pytest.raises(UnsuitedEngineError, match="no fast layer"):
            tesuji.Search(position, ENGINE, model=bare)
    for playout in ("mixed", "both"):
        with pytest.raises(UnsuitedEngineError, match=f"playout={playout}: this game has no such playouts"):
            tesuji.Search(tesuji.Othello(), f"playout={playout}+model=othello")


@pytest.mark.parametrize(
    ("name", "feature"),
    [
        ("go9", "self-atari: that joins a chain"),
        ("go19", "self-atari: that joins a chain"),
        ("othello", "square: b2, opening"),
        ("havannah", "line: 5 and more"),
    ],
)
def test_shipped_models_have_it(name: str, feature: str) -> None:
    layer = knowledge.load(name).fast
    assert layer is not None
    assert layer.gammas()[feature] < 0.9


@pytest.mark.parametrize(
    "engine",
    [
        f"{ENGINE}+model=othello",
        f"{ENGINE}+model=havannah",
        "uct+playout=mixed+model=havannah",
        "uct+playout=both+model=havannah",
    ],
)
def test_playouts_of_board_games_are_drawn_from_it(engine: str) -> None:
    position = tesuji.Othello() if "othello" in engine else tesuji.Havannah(5)
    values = []
    for spec in (engine, engine, f"{engine}+playout-temperature=3", "uct"):
        result = tesuji.Search(position, spec, seed=5).run(playouts=100)
        values.append([move.value for move in result.moves])
    assert values[0] == values[1]
    assert values[1] != values[2] != values[3] != values[1]


def test_both_kinds_of_playouts_are_neither() -> None:
    for position, model in ((tesuji.Go(9), "go9"), (tesuji.Havannah(5), "havannah")):
        values = []
        for playout in ("knowledge", "bradley-terry", "both", "both"):
            result = tesuji.Search(position, f"uct+playout={playout}+model={model}", seed=5).run(playouts=100)
            values.append([move.value for move in result.moves])
        assert values[0] != values[1] != values[2] != values[0]
        assert values[2] == values[3]
