"""A model learned from the tests' own sample of games: what it says, its file, and the command."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
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
from tesuji.knowledge import Settings
from tesuji.knowledge import model as model_module
from tesuji.knowledge.bradley_terry import Numbers, Problem
from tesuji.knowledge.features import check_arrays
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


@pytest.mark.parametrize("method", ["lbfgs", "mm"])
def test_an_interrupted_run_goes_on_as_if_it_had_not_stopped(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    settings = replace(SETTINGS, method=method, iterations=8)
    checkpoint = tmp_path / "model.partial"
    asked = 0
    expect = Problem.expect

    def counted(problem: Problem, weights: Numbers) -> tuple[float, Numbers]:
        nonlocal asked
        asked += 1
        return expect(problem, weights)

    def interrupt(stage: str, done: int, total: int, note: str = "") -> None:
        if stage == "gammas" and done == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(Problem, "expect", counted)
    whole = knowledge.learn(games, settings=settings)
    of_all, asked = asked, 0
    with pytest.raises(KeyboardInterrupt):
        knowledge.learn(games, settings=settings, checkpoint=checkpoint, watch=interrupt)
    before, asked = asked, 0
    again = knowledge.learn(games, settings=settings, checkpoint=str(checkpoint))
    assert before + asked == of_all  # nothing is asked twice
    assert (again.weights == whole.weights).all()
    assert again.report["iterations"] == whole.report["iterations"]
    with pytest.raises(ModelError, match="other records or settings: remove it"):
        knowledge.learn(games, settings=replace(settings, prior=3.0), checkpoint=checkpoint)


@pytest.mark.parametrize("stage", ["fast: gammas", "fast: test games"])
def test_what_was_learned_is_kept_until_the_model_is(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    """The layer for playouts comes last, and the file after it: neither may cost what came before."""
    out = tmp_path / "x.model"
    command = ["learn", "go", "--records", str(games), "--out", str(out), "--least", "3", "--iterations", "3"]

    def watch(at: str, done: int, total: int, note: str = "") -> None:
        if at == stage:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("tesuji.commands.learn._watcher", lambda _progress: watch)
        assert CliRunner().invoke(app, command).exit_code == 130
    assert (tmp_path / "x.model.partial").exists()
    assert not out.exists()
    assert CliRunner().invoke(app, command).exit_code == 0
    assert out.exists()
    assert not (tmp_path / "x.model.partial").exists()


def test_more_shapes_than_a_team_has_room_for_are_refused(
    games: Path, model: knowledge.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would silently be taken for other features."""
    monkeypatch.setattr("tesuji._core.MAX_SHAPES", 10)
    with pytest.raises(ArgumentError, match=r"shapes are more than the 10 that a model can have: .* a higher `least`"):
        knowledge.learn(games, settings=SETTINGS)
    with pytest.raises(ValueError, match="that a model can have"):
        check_arrays(model.shapes, model.weights, "go")


def test_a_foreign_checkpoint_is_refused(games: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "model.partial"
    for content in (b"no answers", b"PK\x03\x04 of an older version", b"x" * 1000):
        checkpoint.write_bytes(content)
        with pytest.raises(ModelError, match=r"model.partial is from something else: remove it to begin anew"):
            knowledge.learn(games, settings=SETTINGS, checkpoint=checkpoint)
        assert checkpoint.read_bytes() == content
    with pytest.raises(ModelError, match=r"x.partial cannot be written: No such file"):
        knowledge.learn(games, settings=SETTINGS, checkpoint=tmp_path / "missing" / "x.partial")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"method": "mm", "prior": 0}, "mm needs a prior above 0"),
        ({"tolerance": float("nan")}, "tolerance must be a finite number"),
        ({"tolerance": "x"}, "tolerance must be a finite number"),
        ({"without": ("",)}, "a tuple of beginnings of names, not"),
        ({"without": ("distance", 3)}, "a tuple of beginnings of names, not"),
        ({"without": "distance"}, "a tuple of beginnings of names, not 'distance'"),
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
    for odd in (3, None, "a\0b"):
        with pytest.raises(ArgumentError, match="a model is given by its name or its file"):
            knowledge.load(odd)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match=r"there is no model 'go91': go9, go19, othello, .*did you mean 'go9"):
        knowledge.load("go91")
    with pytest.raises(ModelError, match="cannot be written"):
        model.save(tmp_path / "missing" / "go9.model")


@pytest.mark.parametrize("report", ["[]", "3", "null", "[" * 100_000])
def test_files_with_anything_as_a_report_are_refused(model: knowledge.Model, tmp_path: Path, report: str) -> None:
    """The checksum may be right all the same."""
    path = tmp_path / "odd.model"
    model.save(path)
    arrays = model_module._FILE.unpack(path.read_bytes(), "odd")
    model_module._FILE.write(path, {**arrays, "report": np.array(report)})
    with pytest.raises(ModelError, match=r"odd.model is damaged"):
        knowledge.load(path)


def test_a_model_with_an_odd_report_is_shown_as_far_as_possible(model: knowledge.Model, tmp_path: Path) -> None:
    path = tmp_path / "odd.model"
    replace(model, report={}, fast=None).save(path)
    assert "it has no report" in CliRunner().invoke(app, ["learn", "go", "--show", str(path)]).output
    replace(model, report={"size": 9}, fast=None).save(path)
    shown = CliRunner().invoke(app, ["learn", "go", "--show", str(path)])
    assert shown.exit_code == 2
    assert "the report in the model is not one that `tesuji learn` writes" in shown.stderr


@pytest.mark.parametrize("weight", [-1000, -100, 100, 1000])
def test_no_weights_make_priors_that_are_no_numbers(model: knowledge.Model, weight: float) -> None:
    extreme = replace(model, weights=np.full_like(model.weights, weight))
    priors = extreme.priors(in_atari())
    assert sum(priors.values()) == pytest.approx(1, abs=1e-3)


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
    with pytest.raises(ArgumentError, match="names a model, and another is given: leave one of them out"):
        tesuji.Search(position, "puct+model=go9", model=knowledge.load("go19"))
    with pytest.raises(ArgumentError, match="a model of the moves of Go says nothing of"):
        tesuji.Search(tesuji.Othello(), "bias+model=go9")
    for name in ("/etc/passwd", "../go9", "a b"):
        with pytest.raises(SpecError, match="go9"):
            tesuji.parse_engine(f"bias+model={name}")


def test_an_engine_names_a_model_of_the_users_own(
    model: knowledge.Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder: a spec with a path would mean other engines in other places."""
    model.save(tmp_path / "mine-2.model")
    engine = "puct+model=mine-2+moves=legal"
    with pytest.raises(ModelError, match="there is no model 'mine-2'"):
        tesuji.Search(in_atari(), engine)
    monkeypatch.setenv("TESUJI_MODELS", str(tmp_path))
    result = tesuji.Search(in_atari(), engine, seed=1).run(playouts=50)
    assert {entry.move: entry.prior for entry in result.moves} == pytest.approx(model.priors(in_atari()), rel=1e-4)
    assert knowledge.load("mine-2").report == model.report
    moves = tesuji.match(tesuji.Go(5), engine, "uct", games=2, playouts=2, seed=1, jobs=2)
    assert moves.games == 2


def test_the_prior_that_is_shown_is_that_of_the_model(model: knowledge.Model) -> None:
    """Whatever share of it the search spreads evenly."""
    priors = model.priors(in_atari())
    result = tesuji.Search(in_atari(), "puct(even=0.25)+moves=legal", seed=1, model=model).run(playouts=100)
    assert {entry.move: entry.prior for entry in result.moves} == pytest.approx(priors, rel=1e-4, abs=1e-6)


def test_it_is_there_with_the_package() -> None:
    code = "import tesuji; print(tesuji.knowledge.load('othello').game)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout == "othello\n"
    )


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
    path.write_text("my notes", encoding="utf-8")
    refused = runner.invoke(app, ["learn", "go", "--records", str(games), "--out", str(path), *options])
    assert refused.exit_code == 2
    assert "is there, and is no model" in refused.stderr
    assert path.read_text(encoding="utf-8") == "my notes"


def test_the_command_names_what_it_leaves_out(games: Path, tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_bytes(games.read_bytes() + b"\n".join([b"x"] * 12))
    options = ["--out", str(tmp_path / "x.model"), "--least", "3", "--iterations", "1"]
    learned = CliRunner().invoke(app, ["learn", "go", "--records", str(tmp_path), *options])
    assert learned.exit_code == 0, learned.output
    assert learned.stdout.count("left out: ") == 10
    assert "... and 2 more" in learned.stdout


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
        (["go", "--show", "x", "--out", "y"], "it goes with --plot and --json alone"),
        (["go", "--show", "x", "--size", "9"], "it goes with --plot and --json alone"),
        (["go", "--records", "missing.sgf", "--out", "x.model"], "there is no file or folder missing.sgf"),
        (["go", "--records", "x.sgf", "--out", "missing/x.model"], "--out must be a file in a folder that exists"),
        (["go", "--records", "x.sgf", "--out", "x.model", "--method", "sgd"], "one of lbfgs, mm, not 'sgd'"),
        (["go", "--show", "go9", "--show", "go19"], "several models are compared in a plot"),
        (["go", "--show", "go9", "--show", "go9", "--plot", "x.svg"], "two models are both 'all features'"),
        (["go", "--show", "go9", "--plot", "x.txt"], "--plot must end in"),
        (["go", "--show", "missing.model"], "missing.model cannot be read: No such file"),
        (["go", "--records", "x", "--out", "x.model", "--fast-only", "--without", "x"], "goes without --without"),
    ],
)
def test_bad_commands_say_what_is_wrong(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["learn", *arguments])
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output
