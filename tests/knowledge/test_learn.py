"""A model learned from the tests' own sample of games: what it says, its file, and the command."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import tesuji
from tests.knowledge.records import write_sample
from tesuji import knowledge
from tesuji.cli import app
from tesuji.errors import ArgumentError, IllegalMoveError, ModelError, SpecError
from tesuji.knowledge.learn import Settings
from tesuji.knowledge.model import SHIPPED

SETTINGS = Settings(least=3, iterations=40)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample(tmp_path_factory.mktemp("records"))


@pytest.fixture(scope="module")
def model(games: Path) -> knowledge.Model:
    return knowledge.learn(games, settings=SETTINGS)


def in_atari() -> tesuji.Go:
    """Black to move can capture the stone that White has just played."""
    position = tesuji.Go(9)
    for move in ["E5", "A9", "F4", "A8", "D4", "E4"]:
        position = position.play(position.parse_move(move))
    return position


def test_it_foresees_games_that_it_has_not_seen(model: knowledge.Model) -> None:
    """A move at random would be first in less than 2%, and among twenty in less than half."""
    test = model.report["test"]
    assert test["positions"] > 30
    assert test["top"][0] > 0.1
    assert test["top"][19] > 0.6
    assert test["log_likelihood"] > -np.log(50)


def test_priors_are_a_distribution_over_the_legal_moves(model: knowledge.Model) -> None:
    position = in_atari()
    priors = model.priors(position)
    assert list(priors) == position.legal_moves()
    assert sum(priors.values()) == pytest.approx(1, abs=1e-5)
    assert min(priors.values()) > 0
    capture = position.parse_move("E3")
    assert priors[capture] == max(priors.values())


def test_an_explanation_multiplies_to_the_strength(model: knowledge.Model) -> None:
    position = in_atari()
    priors = model.priors(position)

    def strength(text: str) -> float:
        return float(np.prod([entry.gamma for entry in model.explain(position, text)]))

    assert strength("E3") / strength("G7") == pytest.approx(
        priors[position.parse_move("E3")] / priors[position.parse_move("G7")], rel=1e-4
    )
    names = [entry.feature for entry in model.explain(position, "E3")]
    assert "capture: of the last stone" in names
    assert "distance to the last move: 2" in names
    assert "distance to the move before: 3" in names


def test_questions_that_have_no_answer(model: knowledge.Model) -> None:
    position = in_atari()
    with pytest.raises(IllegalMoveError, match="occupied"):
        model.explain(position, "E5")
    with pytest.raises(IllegalMoveError, match="there is no move number -1"):
        model.explain(position, -1)
    with pytest.raises(IllegalMoveError, match=r"1.5 .* is no move"):
        model.explain(position, 1.5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="the game is over"):
        model.priors(tesuji.Go(9).play("pass").play("pass"))
    with pytest.raises(ArgumentError, match="a model of go knows nothing of"):
        model.priors(tesuji.Othello())


def test_the_move_before_last_survives_a_copy(model: knowledge.Model) -> None:
    import pickle  # noqa: PLC0415  our own positions

    position = in_atari()
    assert model.priors(pickle.loads(pickle.dumps(position))) == model.priors(position)


def test_learning_repeats_exactly_with_any_number_of_threads(games: Path, model: knowledge.Model) -> None:
    again = knowledge.learn(games, settings=SETTINGS, threads=3)
    assert (again.weights == model.weights).all()
    assert (again.shapes.hashes == model.shapes.hashes).all()


def test_features_can_be_left_out(games: Path, tmp_path: Path) -> None:
    plain = knowledge.learn(games, settings=replace(SETTINGS, without=("distance",)))
    assert {entry.gamma for entry in plain.table() if entry.feature.startswith("distance")} == {1.0}
    assert plain.report["settings"]["without"] == ["distance"]
    plain.save(tmp_path / "plain.model")
    loaded = knowledge.load(tmp_path / "plain.model")
    assert loaded.without == ("distance",)
    position = in_atari()
    assert loaded.priors(position) == plain.priors(position)
    # Where the last move was makes no difference any more, but for what hangs on its chain.
    names = " ".join(entry.feature for entry in loaded.explain(position, "G7"))
    assert "line" in names
    assert "distance" not in names
    with pytest.raises(ArgumentError, match="no feature's name begins with 'nosuch'"):
        knowledge.learn(games, settings=replace(SETTINGS, without=("nosuch",)))


def test_an_interrupted_run_goes_on(games: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "model.partial"
    seen: list[int] = []

    def interrupt(stage: str, done: int, total: int, note: str = "") -> None:
        if stage == "gammas" and done == 5:
            raise KeyboardInterrupt

    def count(stage: str, done: int, total: int, note: str = "") -> None:
        if stage == "gammas":
            seen.append(done)

    with pytest.raises(KeyboardInterrupt):
        knowledge.learn(games, settings=SETTINGS, checkpoint=checkpoint, watch=interrupt)
    kept = np.load(checkpoint)["weights"]
    assert np.abs(kept).max() > 0
    knowledge.learn(games, settings=SETTINGS, checkpoint=checkpoint, watch=count)
    assert not checkpoint.exists()
    np.savez(checkpoint.with_suffix(".npz"), fingerprint="another", weights=kept)
    checkpoint.with_suffix(".npz").rename(checkpoint)
    with pytest.raises(ModelError, match="other records or settings: remove it"):
        knowledge.learn(games, settings=SETTINGS, checkpoint=checkpoint)


def test_a_damaged_checkpoint_is_refused(games: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "model.partial"
    one_array = io.BytesIO()
    np.save(one_array, np.zeros(3))
    for content in (b"", b"no arrays", b"PK\x03\x04 and no more", one_array.getvalue()):
        checkpoint.write_bytes(content)
        with pytest.raises(ModelError, match=r"model.partial cannot be gone on with: .*; remove it to begin anew"):
            knowledge.learn(games, settings=SETTINGS, checkpoint=checkpoint)
    with pytest.raises(ModelError, match=r"x.partial cannot be written: No such file"):
        knowledge.learn(games, settings=SETTINGS, checkpoint=tmp_path / "missing" / "x.partial")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"method": "mm", "prior": 0}, "mm needs a prior above 0"),
        ({"tolerance": float("nan")}, "tolerance must be a finite number"),
        ({"tolerance": "x"}, "tolerance must be a finite number"),
        ({"without": "distance"}, "a tuple of names' beginnings, not 'distance' alone"),
    ],
)
def test_settings_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        replace(SETTINGS, **changes)


# ---- the file


def test_a_file_keeps_the_model(model: knowledge.Model, tmp_path: Path) -> None:
    path = tmp_path / "go9.model"
    model.save(path)
    loaded = knowledge.load(path)
    assert loaded.priors(in_atari()) == model.priors(in_atari())
    assert loaded.report == model.report


def test_bad_files_are_refused(model: knowledge.Model, tmp_path: Path) -> None:
    path = tmp_path / "go9.model"
    model.save(path)
    data = path.read_bytes()
    cases = {
        b"": "is no model",
        b"PK\x03\x04 something else entirely": "is no model",
        data.replace(b"tesuji-model 2", b"tesuji-model 3", 1): "format version '3'; this program reads version 1 and 2",
        data[:-1]: "is damaged: its checksum",
        data[:500] + bytes([data[500] ^ 1]) + data[501:]: "is damaged: its checksum",
    }
    for content, message in cases.items():
        path.write_bytes(content)
        with pytest.raises(ModelError, match=message):
            knowledge.load(path)
    with pytest.raises(ModelError, match="cannot be read: No such file"):
        knowledge.load(tmp_path / "missing.model")
    with pytest.raises(ModelError, match="cannot be written"):
        model.save(tmp_path / "missing" / "go9.model")


# ---- in the tree


def test_a_search_takes_the_priors_of_a_model(model: knowledge.Model) -> None:
    position = in_atari()
    priors = model.priors(position)
    result = tesuji.Search(position, "uct+bias+moves=legal", seed=1, model=model).run(playouts=200)
    assert {entry.move: entry.prior for entry in result.moves} == pytest.approx(priors, rel=1e-4)


def test_rules_that_use_no_priors_do_not_ask_the_model_for_them(model: knowledge.Model) -> None:
    plain = tesuji.Search(in_atari(), "uct", seed=1).run(playouts=200)
    with_model = tesuji.Search(in_atari(), "uct", seed=1, model=model).run(playouts=200)
    assert with_model.moves == plain.moves
    assert all(entry.prior is None for entry in with_model.moves)


def test_widening_tries_the_likeliest_moves_only(model: knowledge.Model) -> None:
    position = in_atari()
    priors = model.priors(position)
    result = tesuji.Search(position, "uct+widening(mu=3)+moves=legal", seed=1, model=model).run(playouts=60)
    tried = {entry.move for entry in result.moves if entry.visits}
    assert tried == set(sorted(priors, key=lambda move: -priors[move])[: len(tried)])
    assert 2 <= len(tried) <= 5


def test_an_engine_names_a_model_that_is_there() -> None:
    for name in SHIPPED:
        assert f"model={name}" in str(tesuji.parse_engine(f"bias+model={name}"))
    for size in (9, 19):
        assert knowledge.load(f"go{size}").report["size"] == size
    position = in_atari()
    priors = knowledge.load("go9").priors(position)
    result = tesuji.Search(position, "puct+model=go9+moves=legal", seed=1).run(playouts=50)
    assert {entry.move: entry.prior for entry in result.moves} == pytest.approx(priors, rel=1e-4)
    with pytest.raises(ArgumentError, match="a model of the moves of Go says nothing of"):
        tesuji.Search(tesuji.Othello(), "bias+model=go9")
    with pytest.raises(SpecError, match="go9"):
        tesuji.parse_engine("bias+model=/etc/passwd")


def test_the_final_choice_balances_value_and_visits_of_a_biased_search(model: knowledge.Model) -> None:
    """Section 6.2: the bias adds visits to likely moves, so that the choice counts them beside the value."""
    position = in_atari()
    result = tesuji.Search(position, "uct+bias+widening+final=balanced", seed=2, model=model).run(playouts=300)
    most = max(entry.visits for entry in result.moves)
    visited = [entry for entry in result.moves if entry.visits]
    assert result.best_move == max(visited, key=lambda entry: entry.value + entry.visits / most).move
    assert len(visited) > 2


def test_a_model_fits_its_game_only(model: knowledge.Model) -> None:
    with pytest.raises(ArgumentError, match="a model of the moves of Go says nothing of"):
        tesuji.Search(tesuji.Othello(), model=model)
    with pytest.raises(ArgumentError, match="model must be what"):
        tesuji.Search(tesuji.Go(9), model="go9")  # type: ignore[arg-type]


# ---- the command


def test_the_command_learns_and_shows(games: Path, tmp_path: Path) -> None:
    runner, path = CliRunner(), tmp_path / "go9.model"
    options = ["--least", "3", "--iterations", "5", "--json"]
    learned = runner.invoke(app, ["learn", "go", "--records", str(games), "--out", str(path), *options])
    assert learned.exit_code == 0, learned.output
    assert json.loads(learned.stdout)["games"]["train"] > 10
    shown = runner.invoke(app, ["learn", "go", "--show", str(path)])
    assert shown.exit_code == 0
    assert "capture: of the last stone" in shown.stdout
    assert "9x9, learned from" in shown.stdout
    gammas = json.loads(runner.invoke(app, ["learn", "go", "--show", str(path), "--json"]).stdout)["gammas"]
    assert gammas["self-atari: of more"] < gammas["capture: of the last stone"]


def test_the_command_plots_how_well_models_foresee(games: Path, model: knowledge.Model, tmp_path: Path) -> None:
    runner, path, other = CliRunner(), tmp_path / "all.model", tmp_path / "plain.model"
    model.save(path)
    options = ["--out", str(other), "--least", "3", "--iterations", "3", "--without", "distance"]
    plot = ["--plot", str(tmp_path / "one.svg")]
    learned = runner.invoke(app, ["learn", "go", "--records", str(games), *options, *plot])
    assert learned.exit_code == 0, learned.output
    assert (tmp_path / "one.svg").read_text(encoding="utf-8").startswith("<?xml")
    both = ["--show", str(path), "--show", str(other), "--plot", str(tmp_path / "both.png")]
    assert runner.invoke(app, ["learn", "go", *both]).exit_code == 0
    with (tmp_path / "both.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["features"] for row in rows} == {"all features", "without distance"}
    assert [int(row["T"]) for row in rows] == 2 * list(range(1, 51))
    assert float(rows[0]["percentage"]) == pytest.approx(100 * model.report["test"]["top"][0], abs=1e-3)
    assert float(rows[0]["low"]) < float(rows[0]["percentage"]) < float(rows[0]["high"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess", "--show", "x"], "there are models of go, othello, havannah only, not of 'chess'"),
        (["go", "--show", "othello"], "othello is a model of othello, not of go"),
        (["go"], "give --records and --out to learn, or --show"),
        (["go", "--show", "x", "--out", "y"], "it goes without --records and --out"),
        (["go", "--records", "missing.sgf", "--out", "x.model"], "there is no game to learn from"),
        (["go", "--records", "x.sgf", "--out", "missing/x.model"], "--out must be a file in a folder that exists"),
        (["go", "--records", "x.sgf", "--out", "x.model", "--method", "sgd"], "one of lbfgs, mm, not 'sgd'"),
        (["go", "--show", "go9", "--show", "go19"], "several models are compared in a plot"),
        (["go", "--show", "go9", "--show", "go9", "--plot", "x.svg"], "two models are both 'all features'"),
        (["go", "--show", "go9", "--plot", "x.txt"], "--plot must end in"),
        (["go", "--show", "missing.model"], "missing.model cannot be read: No such file"),
    ],
)
def test_bad_commands_say_what_is_wrong(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["learn", *arguments])
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output
