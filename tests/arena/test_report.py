"""Plots, reports and experiment files."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import matplotlib.image
import pytest
from typer.testing import CliRunner

from tesuji.arena.experiment import load_experiment
from tesuji.arena.experiment_plan import plan_matches
from tesuji.arena.report import Published, Report, Row, markdown, series_of, write_report
from tesuji.arena.statistics import Interval
from tesuji.arena.summary import write_summary
from tesuji.arena.tune_space import Range
from tesuji.arena.tune_store import Trial
from tesuji.cli import app
from tesuji.commands.tune import bunches
from tesuji.errors import ArgumentError
from tesuji.plot import FitPanel, Point, Series, plot_fit, plot_percentages
from tesuji.provenance import commit, is_core_of, provenance

EXPERIMENTS = Path(__file__).parents[2] / "experiments"


@dataclass(frozen=True)
class Result:
    wins: int
    losses: int
    draws: int = 0
    seed: int = 7
    notes: tuple[str, ...] = ()

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def percentage(self) -> float:
        return 100 * (self.wins + self.draws / 2) / self.games

    @property
    def interval(self) -> Interval:
        return Interval(low=self.percentage - 3, high=self.percentage + 3)


REPORT = Report(
    title="A title",
    text="Some words.",
    x_label="N",
    y_label="% won",
    log_x=True,
    rows=(
        Row(series="Go", x=1000, result=Result(700, 300), command="tesuji match go ..."),
        Row(series="Go", x=4000, result=Result(650, 350, notes=("a | note",)), command="tesuji match go 2 ..."),
        Row(series="Othello", x=1000, result=Result(500, 450, draws=50), command="tesuji match othello ..."),
    ),
    published=(
        Published(series="Go", x=1000, percentage=71.1, margin=0.1, source="Table 1"),
        Published(series="Go", x=16000, percentage=66.5, margin=None, source="Table 1"),
    ),
    provenance={"cpu_path": "fast", "commit": "abc (clean)"},
)


def test_the_table_has_ours_beside_the_published_numbers() -> None:
    text = markdown(REPORT, plot="x.png")
    assert "| Go | 1,000 | **70.0%** | 67.0 to 73.0% | 1,000 | 700/0/300 | 7 | 71.1 ± 0.1% (Table 1) | agrees |" in text
    assert "| Othello | 1,000 | **52.5%** | 49.5 to 55.5% | 1,000 | 500/50/450 | 7 |  |  |" in text
    assert "| Go | 16,000 | 66.5% (Table 1) |" in text
    assert "- Go, 4,000: a | note" in text
    assert "tesuji match go 2 ..." in text
    assert "| cpu path | fast |" in text
    assert "![A title](x.png)" in text
    further = Published(series="Othello", x=1000, percentage=40, margin=1, source="Table 2")
    other = markdown(replace(REPORT, published=(*REPORT.published, further)), plot="x.png")
    assert "Of 2 published numbers 1 differs from ours beyond both intervals:" in other


def test_published_series_follow_ours() -> None:
    series = series_of(REPORT)
    assert [(item.label, item.published, len(item.points)) for item in series] == [
        ("Go", False, 2),
        ("Othello", False, 1),
        ("Go", True, 2),
    ]
    assert series[2].points[0] == Point(x=1000, percentage=71.1, low=71.0, high=71.19999999999999)


def test_a_report_is_the_same_twice_and_its_plot_is_a_picture(tmp_path: Path) -> None:
    first, second = write_report(REPORT, tmp_path / "a" / "b"), write_report(REPORT, tmp_path / "c")
    assert first.read_text(encoding="utf-8") == second.read_text(encoding="utf-8")
    assert first.with_suffix(".png").read_bytes() == second.with_suffix(".png").read_bytes()
    assert_picture(first.with_suffix(".png"))


def assert_picture(path: Path) -> None:
    pixels = matplotlib.image.imread(path)
    assert pixels.shape[0] > 300
    assert len({tuple(pixel) for row in pixels[::5] for pixel in row[::5]}) > 5  # something is drawn


def test_who_reads_a_report_while_it_is_written_again_sees_all_of_the_old_one(tmp_path: Path) -> None:
    path, summary = write_report(REPORT, tmp_path), tmp_path / "report.json"
    write_summary(summary, REPORT.rows, scale=None, commit="1")
    old = path.read_text(), summary.read_text()
    with path.open() as text, summary.open() as numbers:
        write_report(replace(REPORT, text="Other words."), tmp_path)
        write_summary(summary, REPORT.rows, scale=None, commit="2")
        assert (text.read(), numbers.read()) == old
    assert "Other words." in path.read_text()
    assert json.loads(summary.read_text())["commit"] == "2"


def test_a_fit_of_two_parameters_has_two_panels(tmp_path: Path) -> None:
    panel = FitPanel(
        x_label="c", log_x=True, x=[0.1, 1, 10], middle=[40, 60, 50], low=[30, 50, 40], high=[50, 70, 60],
        samples=[Point(x=1, percentage=55, low=45, high=65)], best=1, best_low=0.5, best_high=2,
    )  # fmt: skip
    plot_fit(tmp_path / "one.png", [panel], title="t", y_label="%")
    plot_fit(tmp_path / "two.png", [panel, panel], title="t", y_label="%")
    assert_picture(tmp_path / "one.png")
    assert (
        matplotlib.image.imread(tmp_path / "two.png").shape[1] > matplotlib.image.imread(tmp_path / "one.png").shape[1]
    )


def test_a_long_legend_stands_below_the_plot(tmp_path: Path) -> None:
    points = (Point(x=1, percentage=50, low=40, high=60), Point(x=2, percentage=55, low=45, high=65))
    heights = []
    for count in (6, 7):
        series = [Series(label=str(number), points=points) for number in range(count)]
        plot_percentages(tmp_path / "a.png", series, title="t", x_label="x", y_label="%")
        heights.append(matplotlib.image.imread(tmp_path / "a.png").shape[0])
    assert heights[1] > heights[0] + 100


def test_plots_that_cannot_be_are_refused(tmp_path: Path) -> None:
    series = [Series(label="a", points=(Point(x=0, percentage=1, low=0, high=2),))]
    with pytest.raises(ArgumentError, match="nothing to plot"):
        plot_percentages(tmp_path / "a.png", [Series(label="a", points=())], title="", x_label="", y_label="")
    with pytest.raises(ArgumentError, match="only positive numbers"):
        plot_percentages(tmp_path / "a.png", series, title="", x_label="", y_label="", log_x=True)
    with pytest.raises(ArgumentError, match="cannot be a plot"):
        plot_percentages(tmp_path / "a.docx", series, title="", x_label="", y_label="")
    with pytest.raises(ArgumentError, match="nothing to plot"):
        plot_fit(tmp_path / "a.png", [], title="", y_label="")


def test_provenance_names_the_commit_and_the_machine() -> None:
    facts = provenance()
    assert {"version", "compiler", "processor", "cores", "commit"} <= set(facts)
    assert all(isinstance(value, str) and value for value in facts.values())
    assert commit() == facts["commit"]


def test_provenance_knows_a_core_of_other_sources(tmp_path: Path) -> None:
    sources = tmp_path / "cpp"
    shutil.copytree(EXPERIMENTS.parent / "cpp", sources)
    assert is_core_of(sources)
    assert "other sources" not in commit()
    (sources / "tests" / "test_core.cpp").unlink()
    assert is_core_of(sources)
    with (sources / "core" / "rng.hpp").open("a") as file:
        file.write("\n")
    assert not is_core_of(sources)


# ---- experiment files


@pytest.mark.parametrize("path", sorted(EXPERIMENTS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_experiment_of_the_repository_can_be_played(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Some players are our own program, which is where Python is.
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    file = load_experiment(path)
    scales: list[str | None] = [*file.scale_names()] or [None]
    for scale in scales:
        matches = plan_matches(file, scale=scale, games=2)
        assert len({item.plan.digest for item in matches}) == len(matches)
        assert bool(matches) == bool(file.experiment.match)
        # Programs may be missing, but only those that come with tesuji's list of them.
        assert all(item.missing is None or "To get it" in item.missing for item in matches)


SMALL: dict[str, Any] = {
    "title": "t", "text": "", "x_label": "c", "y_label": "%", "games": 6, "seed": 3,
    "match": [{"series": "small", "game": "tic-tac-toe", "a": "uct(c={x})", "b": "uct", "x": [0.5, 2],
               "playouts": [20, 10]}],
    "published": [{"series": "small", "source": "somewhere", "values": [[0.5, 60.0]]}],
}  # fmt: skip


def write_toml(path: Path, values: dict[str, Any]) -> Path:
    """Enough of TOML for these tests: JSON values on one line, tables as inline ones."""

    def text(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key} = {text(item)}" for key, item in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(text(item) for item in value) + "]"
        return json.dumps(value)

    path.write_text("\n".join(f"{key} = {text(value)}" for key, value in values.items()), encoding="utf-8")
    assert tomllib.loads(path.read_text(encoding="utf-8")) == values
    return path


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports that nobody gives a place for go to the current folder."""
    monkeypatch.chdir(tmp_path)


def invoke(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_reproduce_plays_resumes_and_reports(tmp_path: Path) -> None:
    path = write_toml(tmp_path / "small.toml", SMALL)
    options = ("--jobs", "1", "--store", tmp_path / "s.db", "--output", tmp_path / "out", "--json")
    first = invoke("reproduce", path, *options)
    assert first.exit_code == 0, first.output
    rows = json.loads(first.stdout)
    assert [(row["match"] != "", row["playouts"]) for row in rows] == [(True, [20, 10])] * 2
    assert {file.name for file in (tmp_path / "out").iterdir()} == {
        "small.md",
        "small.json",
        "small.png",
        "small-0.5.csv",
        "small-2.csv",
    }
    text = (tmp_path / "out" / "small.md").read_text(encoding="utf-8")
    assert "tesuji match tic-tac-toe 'uct(c=0.5)' uct --playouts 20,10 --games 6 --seed 3" in text
    assert "60% (somewhere)" in text
    again = invoke("reproduce", path, *options)
    assert json.loads(again.stdout) == rows


def test_a_series_may_have_a_number_of_games_of_its_own(tmp_path: Path) -> None:
    few = {**SMALL["match"][0], "series": "few", "b": "uct(c=3.0)", "games": 2}
    path = write_toml(tmp_path / "two.toml", {**SMALL, "match": [SMALL["match"][0], few]})
    played = json.loads(invoke("reproduce", path, "--jobs", "1", "--json").stdout)
    assert [row["games"] + row["duplicates"] for row in played] == [6, 6, 2, 2]
    experiment = load_experiment(path)
    assert [item.games for item in plan_matches(experiment)] == [6, 6, 2, 2]
    assert ["--games 2" in item.command for item in plan_matches(experiment)] == [False, False, True, True]
    assert {item.games for item in plan_matches(experiment, games=4)} == {4}


def test_the_command_in_the_report_plays_the_same_match(tmp_path: Path) -> None:
    path = write_toml(tmp_path / "small.toml", SMALL)
    item = plan_matches(load_experiment(path), games=6)[0]
    alone = invoke(*item.command.replace("'", "").split()[1:], "--jobs", "1", "--json")
    assert json.loads(alone.stdout)["match"] == item.plan.digest


def test_threads_are_part_of_a_match(tmp_path: Path) -> None:
    """They tell its matches apart in stores, reports, games and commands."""
    scaled = {**SMALL["match"][0], "a": "uct", "x": [1, 2], "threads": ["x", 1]}
    path = write_toml(tmp_path / "threads.toml", {**SMALL, "match": [scaled]})
    one, two = plan_matches(load_experiment(path))
    assert [item.plan.names[0] for item in (one, two)] == ["uct [20 playouts]", "uct [20 playouts, 2 threads]"]
    assert one.plan.names[1] == two.plan.names[1] == "uct [10 playouts]"
    assert one.plan.digest != two.plan.digest
    assert "--threads 2,1" in two.command
    alone = invoke(*two.command.split()[1:], "--jobs", "1", "--json", "--export", tmp_path / "two.csv")
    assert json.loads(alone.stdout)["match"] == two.plan.digest
    assert "uct [20 playouts, 2 threads]" in (tmp_path / "two.csv").read_text(encoding="utf-8")
    played = invoke("reproduce", path, "--jobs", "1", "--json", "--store", tmp_path / "s.db")
    assert [row["players"][0] for row in json.loads(played.stdout)] == [one.plan.names[0], two.plan.names[0]]
    listed = json.loads(invoke("store", "list", tmp_path / "s.db", "--json").stdout)
    assert {row["a"] for row in listed} == {one.plan.names[0], two.plan.names[0]}


def test_when_to_resign_and_who_settles_are_part_of_a_match(tmp_path: Path) -> None:
    settled = {**SMALL["match"][0], "game": "go", "size": 5, "a": "uct", "resign": 0.05, "referee": "@gnugo"}
    path = write_toml(tmp_path / "settled.toml", {**SMALL, "match": [settled]})
    item = plan_matches(load_experiment(path))[0]
    assert item.plan.names == ("uct [20 playouts, resigns below 0.05]", "uct [10 playouts, resigns below 0.05]")
    assert "--referee @gnugo" in item.command
    alone = invoke(*item.command.split()[1:], "--jobs", "1", "--json")
    assert json.loads(alone.stdout)["match"] == item.plan.digest


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"games": 0}, "games"),
        ({"title": 3}, "title"),
        ({"extra": 1}, "extra"),
        ({"match": [{**SMALL["match"][0], "playouts_times_x": [2, 1]}]}, "one of playouts"),
        ({"match": [{**SMALL["match"][0], "playouts": [2]}]}, "a pair"),
        ({"match": [{**SMALL["match"][0], "threads": [2]}]}, "threads are a pair"),
        ({"match": [{**SMALL["match"][0], "threads": [0, 1]}]}, "threads"),
        ({"match": [{**SMALL["match"][0], "threads": ["y", 1]}]}, "threads"),
        ({"match": [{**SMALL["match"][0], "threads": ["x", 1]}]}, "small, 0.5: threads must be an integer from 1 to"),
        ({"match": [{**SMALL["match"][0], "threads": [2000, 1]}]}, "from 1 to 1024, not 2000"),
        ({"match": [{**SMALL["match"][0], "resign": 0.7}]}, "small, 0.5: resign must be"),
        ({"match": [{**SMALL["match"][0], "resign": -0.1}]}, "small, 0.5: resign must be"),
        ({"match": [{**SMALL["match"][0], "referee": "uct"}]}, "a referee must be a program"),
        ({"match": [{**SMALL["match"][0], "game": "chess"}]}, "small, 0.5: .*chess"),
        ({"match": [{**SMALL["match"][0], "a": "uct(d={x})"}]}, "no parameter 'd'"),
        ({"published": [{"series": "s", "source": "t", "values": [[1]]}]}, "percentage"),
    ],
)
def test_bad_experiments_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = write_toml(tmp_path / "bad.toml", {**SMALL, **change})
    with pytest.raises(ArgumentError, match=message):
        plan_matches(load_experiment(path), games=2)
    result = invoke("reproduce", path)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_files_that_are_no_experiments_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("title = ", encoding="utf-8")
    for path, message in [(tmp_path / "bad.toml", "no TOML"), (tmp_path / "missing.toml", "cannot read")]:
        with pytest.raises(ArgumentError, match=message):
            load_experiment(path)


# ---- tesuji tune


TUNE = ("tune", "tic-tac-toe", "uct", "--playouts", "20", "--games", "20", "--jobs", "1", "--check", "4")


def test_tune_prints_json_and_draws(tmp_path: Path) -> None:
    result = invoke(
        *TUNE, "--parameter", "c=0.1..2:log", "--parameter", "expand=1..5", "--plot", tmp_path / "t.png", "--json"
    )
    assert result.exit_code == 0, result.output
    values = json.loads(result.stdout)
    assert set(values["best"]) == {"c", "expand"}
    assert values["games"] == 20
    assert values["check"]["games"] == 4
    low, high = values["intervals"]["c"]
    assert 0.1 <= low <= values["best"]["c"] <= high <= 2
    assert_picture(tmp_path / "t.png")
    text = invoke(*TUNE, "--parameter", "c=0.1..2:log").output
    assert "best found: uct(c=" in text
    assert "expected against uct" in text
    assert "checked against uct" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--parameter", "c"), "NAME=LOW..HIGH"),
        (("--parameter", "c=1..2", "--parameter", "c=1..3"), "twice"),
        (("--parameter", "c=1..2", "--games", "1"), "games must be"),
        (("--parameter", "c=1..2", "--plot", "/nowhere/t.png"), "folder that exists"),
        (("--parameter", "c=1..2", "--plot", "t.txt"), "must end in"),
        (("--parameter", "c=1..2", "--store", "/nowhere/t.db"), "no folder"),
        (("--parameter", "c=1..2", "--against", "uct(x=1)"), "no parameter"),
        ((), "parameter"),
    ],
)
def test_tune_refuses_nonsense_in_one_line(arguments: tuple[str, ...], message: str) -> None:
    result = invoke(*TUNE, *arguments)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


def test_the_bunches_of_a_plot_do_not_sort_games_by_their_result() -> None:
    item = Range(name="c", low=0, high=1)
    trials = tuple(Trial(number=n, values={"c": 0.5}, points=float(n % 2)) for n in range(240))
    points = bunches(trials, item)
    assert len(points) == 12
    assert all(point.x == 0.5 and point.percentage == 50 for point in points)
