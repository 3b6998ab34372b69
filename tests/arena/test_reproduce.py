"""`tesuji reproduce`: experiments by name, their scales, states and costs, and the page that shows them all."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tesuji.arena.cost import Cost, duration, estimate, measure
from tesuji.arena.experiment import ExperimentFile, load_experiment
from tesuji.arena.experiment_list import Standing, find_experiments, standing
from tesuji.arena.experiment_plan import Only, parse_only, plan_matches
from tesuji.arena.game import play_game
from tesuji.arena.overview import overview
from tesuji.arena.report import Published
from tesuji.arena.statistics import Interval, paper_margin
from tesuji.arena.summary import Summary, SummaryRow, read_summary
from tesuji.arena.toml_lines import line_of
from tesuji.cli import app
from tesuji.errors import ArgumentError, StoreError

ROOT = Path(__file__).parents[2]
EXPERIMENTS = ROOT / "experiments"

SMALL = """\
title = "Small"
text = ""
x_label = "c"
y_label = "%"
games = 6
seed = 3

[scale.quick]
games = 2
budget = 0.1

[scale.medium]
x = [0.5]

[scale.full]

[[match]]
series = "Tic"
game = "tic-tac-toe"
a = "uct(c={x})"
b = "uct"
x = [0.5, 2]
playouts = [200, 100]

[[match]]
series = "Tac"
game = "othello"
a = "uct(c={x})"
b = "uct"
x = [2]
playouts = [20, 10]

[match.scale.quick]
games = 4
playouts = [7, 5]

[[published]]
series = "Tic"
source = "Table 9"
values = [[0.5, 60.0, 40.0], [2, 0.0, 0.0]]

[[published]]
series = "Tac"
source = "Figure 9"
values = []
"""


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An experiment in a folder of experiments, which is beside the current folder's reports."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "experiments" / "small.toml"
    path.parent.mkdir()
    path.write_text(SMALL, encoding="utf-8")
    return path


def invoke(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, ["reproduce", *(str(argument) for argument in arguments)])


# ---- names and scales


def test_a_name_is_one_experiment_or_the_beginning_of_several() -> None:
    assert [path.stem for path in find_experiments("scalability-table1")] == ["scalability-table1"]
    assert [path.stem for path in find_experiments("accelerated-table1")] == [
        "accelerated-table1a",
        "accelerated-table1b",
    ]
    assert find_experiments("somewhere/else.toml") == [Path("somewhere/else.toml")]
    with pytest.raises(ArgumentError, match="there is no experiment 'table1'"):
        find_experiments("table1")
    with pytest.raises(ArgumentError, match="did you mean 'scalability-table1'"):
        find_experiments("scalabilty-table1")


def test_a_scale_says_how_many_games_playouts_and_values(small: Path) -> None:
    file = load_experiment(small)

    def planned(scale: str | None) -> list[tuple[str, int, str]]:
        return [(item.name, item.games, item.plan.names[0]) for item in plan_matches(file, scale=scale)]

    assert planned("quick") == planned(None) == [
        ("Tic, 0.5", 2, "uct(c=0.5) [20 playouts]"),
        ("Tic, 2", 2, "uct(c=2.0) [20 playouts]"),
        ("Tac, 2", 4, "uct(c=2.0) [7 playouts]"),
    ]  # fmt: skip
    assert planned("medium") == [("Tic, 0.5", 6, "uct(c=0.5) [200 playouts]")]
    assert [name for name, _, _ in planned("full")] == ["Tic, 0.5", "Tic, 2", "Tac, 2"]
    result = invoke(small, "--scale", "huge")
    assert result.exit_code == 2
    assert "it has quick, medium, full" in result.output


def test_x_stands_in_a_spec_with_all_its_digits(small: Path) -> None:
    old, new = 'a = "uct(c={x})"\nb = "uct"\nx = [2]', 'a = "uct+amaf(k={x})"\nb = "uct"\nx = [1234567]'
    small.write_text(SMALL.replace(old, new), encoding="utf-8")
    (planned,) = plan_matches(load_experiment(small), only=Only(words=("tac",)))
    assert planned.name == "Tac, 1234567"
    assert "amaf(k=1234567.0)" in planned.plan.names[0]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("tic-tac-toe,othello", Only(games=frozenset({"tic-tac-toe", "othello"}))),
        ("othello, k=3, K = 4", Only(games=frozenset({"othello"}), x=frozenset({3.0, 4.0}))),
        ("slow,x=0.5", Only(words=("slow",), x=frozenset({0.5}))),
    ],
)
def test_only_chooses_by_game_series_and_value(text: str, wanted: Only) -> None:
    assert parse_only(text, x_label="k") == wanted


def test_only_leaves_the_rest_out(small: Path) -> None:
    file = load_experiment(small)

    def chosen(text: str) -> list[str]:
        return [item.name for item in plan_matches(file, only=parse_only(text, x_label="c"))]

    assert chosen("tac") == chosen("othello") == ["Tac, 2"]
    assert chosen("c=2") == ["Tic, 2", "Tac, 2"]
    assert chosen("tic,c=0.5") == ["Tic, 0.5"]
    for text, message in [
        ("havannah", "there are Tic with c = 0.5, 2"),
        ("k=2", "write c=NUMBER"),
        ("c=a", "number"),
        (", ,", "names nothing"),
    ]:
        result = invoke(small, "--only", text)
        assert result.exit_code == 2
        assert message in " ".join(result.output.split())


def test_only_takes_a_series_with_commas_in_its_name_whole(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(small.parent)
    small.write_text(SMALL.replace('series = "Tac"', 'series = "Tac, Tic"'))
    rows = json.loads(invoke(small, "--jobs", "1", "--only", "Tac, Tic", "--json").stdout)
    assert {row["series"] for row in rows} == {"Tac, Tic"}


def test_failures_are_losses_unless_a_match_says_that_they_are_void(small: Path) -> None:
    assert {item.plan.failures for item in plan_matches(load_experiment(small))} == {"loss"}
    small.write_text(SMALL.replace('series = "Tac"\n', 'series = "Tac"\nfailures = "void"\n', 1))
    tic, _, tac = plan_matches(load_experiment(small))
    assert (tic.plan.failures, tac.plan.failures) == ("loss", "void")
    assert "--failures" not in tic.command
    assert tac.command.endswith("--failures void")
    small.write_text(SMALL.replace('series = "Tac"\n', 'series = "Tac"\nfailures = "draw"\n', 1))
    result = invoke(small)
    assert result.exit_code == 2
    assert "'loss' or 'void'" in " ".join(result.output.split())


# ---- running


def test_reproduce_prints_ours_beside_the_papers_and_goes_on(small: Path) -> None:
    first = invoke("small", "--jobs", "1")
    assert first.exit_code == 0, first.output
    assert "60 ± 40%" in first.output
    assert "agrees" in first.output
    assert "small, quick: about" in first.output
    folder = small.parents[1] / "reproduced" / "small-quick"
    assert {path.suffix for path in folder.iterdir()} == {".md", ".json", ".png", ".csv"}
    text = (folder / "small.md").read_text(encoding="utf-8")
    assert "Played at the scale `quick`: 0.1 of the budgets" in text
    assert "Published as a picture only, so without numbers here: Figure 9." in text
    assert "reproduce experiments/small.toml" in text
    summary = read_summary(folder / "small.json")
    assert summary is not None
    assert [(row.series, row.x) for row in summary.rows] == [("Tic", 0.5), ("Tic", 2), ("Tac", 2)]
    again = invoke("small", "--jobs", "1")
    assert "nothing is left to play" in again.output
    assert "here quick:" in invoke().output


def test_import_goes_on_from_a_report(small: Path) -> None:
    folder = small.parents[1] / "reproduced" / "small-quick"
    assert invoke("small", "--jobs", "1").exit_code == 0
    report = folder.rename(folder.with_name("elsewhere"))
    again = invoke("small", "--jobs", "1", "--store", "other.db", "--import", str(report))
    assert again.exit_code == 0, again.output
    assert "games imported from" in again.output
    assert "nothing is left to play" in again.output
    for name in ("tic-0.5.csv", "tac-2.csv"):
        assert (folder / name).read_bytes() == (report / name).read_bytes()
    said = "| imported games | may be of other commits and machines than these: |\n| version |"
    assert said in (folder / "small.md").read_text(encoding="utf-8")
    assert "imported games" not in (report / "small.md").read_text(encoding="utf-8")


def test_import_refuses_what_is_not_of_these_matches(small: Path) -> None:
    empty = small.parent / "empty"
    empty.mkdir()
    result = invoke("small", "--jobs", "1", "--import", str(empty))
    assert result.exit_code == 2
    assert "has no games of these matches, such as tic-0.5.csv" in " ".join(result.output.split())
    (empty / "tic-0.5.csv").write_text("match,a,b\n", encoding="utf-8")
    result = invoke("small", "--jobs", "1", "--import", str(empty))
    assert result.exit_code == 2
    assert "is no export of a match" in " ".join(result.output.split())


def test_json_has_the_verdicts(small: Path) -> None:
    rows = json.loads(invoke("small", "--jobs", "1", "--only", "tic", "--json").stdout)
    assert [(row["experiment"], row["series"], row["x"]) for row in rows] == [
        ("small", "Tic", 0.5),
        ("small", "Tic", 2),
    ]
    assert [item["ours"] for item in rows[0]["published"]] == ["agrees"]


def test_a_report_says_that_not_all_was_played(small: Path) -> None:
    report = small.parents[1] / "report" / "small.md"
    invoke("small", "--jobs", "1", "--only", "tic", "--output", str(report.parent))
    assert "Only `tic` of the experiment was played" in report.read_text(encoding="utf-8")
    invoke("small", "--jobs", "1", "--output", str(report.parent))
    assert "of the experiment was played" not in report.read_text(encoding="utf-8")


def test_a_program_that_is_not_here_is_left_out(small: Path) -> None:
    engines = small.parents[1] / "engines.toml"
    engines.write_text('[nowhere]\ncommand = "no-such-program"\ninstall = "buy it"\n', encoding="utf-8")
    text = SMALL.replace('b = "uct"\nx = [2]\n', 'b = "@nowhere"\nx = [2]\n')
    small.write_text(text, encoding="utf-8")
    result = invoke("small", "--jobs", "1")
    assert result.exit_code == 0, result.output
    assert "left out: Tac: the player nowhere: there is no program 'no-such-program'" in result.output
    alone = invoke("small", "--only", "tac")
    assert alone.exit_code == 2
    assert "programs are missing" in alone.output


def test_what_waits_says_so(small: Path) -> None:
    head = SMALL[: SMALL.index("[scale")]
    small.write_text(f'{head}waits_for = "better days"\n', encoding="utf-8")
    result = invoke("small")
    assert result.exit_code == 2
    assert "small waits for better days" in result.output
    assert "waits for better days" in invoke().output
    small.write_text(f'{head}made_by = "tesuji learn"\n', encoding="utf-8")
    assert "another command: tesuji learn" in invoke("small").output


# ---- mistakes


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("games = 6", "games = 0", 5, "games: Input should be greater than or equal to 1"),
        ("budget = 0.1", "budget = 3.0", 10, "scale.quick.budget"),
        ("[scale.medium]", "[scale.huge]", 12, "scale.huge"),
        ('b = "uct"\nx = [2]', 'b = "uct"\nx = [2]\nkomy = 3', 31, "match.1.komy: there is no such key"),
        ("playouts = [20, 10]", "playouts = [20]", 25, "a budget is a pair"),
        ("playouts = [7, 5]", "playouts = [7]", 35, "match.1.scale.quick.playouts"),
        ('a = "uct(c={x})"\nb = "uct"\nx = [2]', 'a = "uct(d={x})"\nb = "uct"\nx = [2]', 28, "no parameter 'd'"),
        ('game = "othello"', 'game = "chess"', 27, "Tac, 2: there is no game 'chess'"),
        ('series = "Tac"\ngame', "game", 25, "match.1.series is missing"),
        ("values = [[0.5, 60.0, 40.0], [2, 0.0, 0.0]]", "values = [[0.5]]", 37, "each value is"),
        ("x = [0.5, 2]", "x = [0.5, inf]", 22, "Input should be a finite number"),
        ("seed = 3", "seed = 18446744073709551616", 6, "seed: Input should be less than 18446744073709551616"),
        ("seed = 3", "seed = ", 6, "is no TOML"),
    ],
)
def test_a_mistake_gets_a_message_with_the_line(small: Path, old: str, new: str, line: int, message: str) -> None:
    assert old in SMALL
    small.write_text(SMALL.replace(old, new, 1) if "Tac" not in old else SMALL.replace(old, new), encoding="utf-8")
    result = invoke("small")
    assert result.exit_code == 2
    assert f"line {line}" in result.output
    assert message in result.output
    assert "Traceback" not in result.output
    assert invoke().exit_code == 0  # the list survives it


WORDS = st.text("abcdefg", min_size=1, max_size=4)


@given(st.lists(st.dictionaries(WORDS, st.integers() | st.text("ab\n[]=#", max_size=8), max_size=4), min_size=1))
def test_line_of_finds_every_key(tables: list[dict[str, int | str]]) -> None:
    lines: list[str] = []
    where: dict[tuple[str | int, ...], int] = {}
    for number, table in enumerate(tables):
        lines.append("[[match]]")
        where["match", number] = len(lines)
        for key, value in table.items():
            text = f'"""\n{value}"""' if isinstance(value, str) else str(value)
            lines += f"{key} = {text}".split("\n")
            where["match", number, key] = len(lines) - text.count("\n")
    text = "\n".join(lines)
    assert tomllib.loads(text)["match"] == tables
    assert {place: line_of(text, place) for place in where} == where
    assert line_of(text, ("match", 0, "nothing")) == 1
    assert line_of(text, ("elsewhere",)) == 1


# ---- the papers


@pytest.mark.parametrize("name", ["accelerated-table1a", "accelerated-table1b"])
def test_the_published_margins_follow_the_papers_formula(name: str) -> None:
    """Twice the standard deviation of 1,000 games: a number that was copied wrongly would hardly fit its margin."""
    numbers = load_experiment(EXPERIMENTS / f"{name}.toml").experiment.numbers()
    assert len(numbers) == 21
    for item in numbers:
        margin = 100 * paper_margin(item.percentage / 100, 1000)
        assert item.margin == pytest.approx(margin, abs=0.11), item


def test_every_table_and_figure_of_the_papers_is_there() -> None:
    wanted = {
        "accelerated": {"table1a", "table1b", "table2a", "table2b"},
        "parallelization": {"table1", "cluster"},
        "scalability": {"table1", "table2", "table3", "table4", "table5", "depth"},
        "bias": {"figure1", "figure2", "figure3", "figure4", "figure5", "table1"},
    }
    for paper, places in wanted.items():
        for place in places:
            file = load_experiment(EXPERIMENTS / f"{paper}-{place}.toml")
            assert file.experiment.paper == paper
            assert file.scale_names() == (["quick", "medium", "full"] if file.experiment.match else [])


def test_numbers_differ_where_both_intervals_are_apart() -> None:
    item = Published(series="s", x=1, percentage=60, margin=2, source="t")
    assert item.verdict(Interval(low=62, high=70)) == "agrees"
    assert item.verdict(Interval(low=62.1, high=70)) == "differs"
    assert item.verdict(Interval(low=50, high=57.9)) == "differs"
    bare = Published(series="s", x=1, percentage=60, margin=None, source="t")
    assert bare.verdict(Interval(low=59, high=61)) == "agrees"
    assert bare.verdict(Interval(low=60.1, high=61)) == "differs"
    other = Published(series="s", x=1, percentage=60, margin=2, source="t", comparable=False)
    assert other.verdict(Interval(low=0, high=1)) == "not comparable"


def row(series: str, x: float, percentage: float) -> SummaryRow:
    return SummaryRow(
        series=series, x=x, games=10, wins=5, draws=0, losses=5, percentage=percentage, low=percentage - 1,
        high=percentage + 1, seed=1,
    )  # fmt: skip


def test_the_state_counts_what_agrees_and_differs(small: Path) -> None:
    file = load_experiment(small)

    def state(*rows: SummaryRow, scale: str = "full") -> str:
        return str(Standing(file=file, summary=Summary(scale=scale, commit="c", rows=rows), report=None))

    assert str(Standing(file=file, summary=None, report=None)) == "not played yet"
    assert state(row("Tic", 0.5, 30), row("Tic", 2, 50), row("Tac", 2, 50)) == "full: 1 agree, 1 differ"
    assert state(row("Tic", 2, 50)) == "full: 1 of 3 matches, 1 differ"
    assert state(row("Tic", 0.5, 70), scale="medium") == "medium: 1 agree"


def test_the_overview_is_up_to_date() -> None:
    page = ROOT / "docs" / "reproduction.md"
    made = overview(EXPERIMENTS, page)
    assert page.read_text(encoding="utf-8") == made, "run: tesuji reproduce --overview docs/reproduction.md"


def test_the_overview_shows_what_the_reports_say(small: Path) -> None:
    assert invoke("small", "--jobs", "1", "--output", "experiments/reports/small").exit_code == 0
    assert standing(small).report is not None
    (small.parents[1] / "docs").mkdir()
    assert invoke("--overview", "docs/page.md").exit_code == 0
    text = Path("docs/page.md").read_text(encoding="utf-8")
    assert "| [small](../experiments/small.toml) | Small | quick: " in text
    assert "[report](../experiments/reports/small/small.md)" in text
    assert "60 ± 40% (Table 9) | agrees |" in text
    for arguments, message in [
        (("small", "--overview", "docs/page.md"), "all experiments"),
        (("--overview", "docs"), "file"),
    ]:
        result = invoke(*arguments)
        assert result.exit_code == 2
        assert message in result.output


def test_a_damaged_summary_is_named(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    assert read_summary(path) is None
    for text in ("{", "{}", '{"scale": null, "commit": "", "rows": [{}]}', "[]"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(StoreError, match=r"s\.json is no summary"):
            read_summary(path)


# ---- cost


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 s"), (59, "59 s"), (300, "5 min"), (4800, "1 h 20 min"), (7200, "2 h"), (200_000, "2 days 7 h"),
        (10_000_000, "115 days"),
    ],
)  # fmt: skip
def test_durations_have_two_units(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_a_cost_is_said_in_core_hours_and_time() -> None:
    cost = Cost(games=9, cpu_seconds=310 * 3600, longest_game=60)
    assert cost.describe(2) == "about 310 core-hours here; 6 days 11 h on 2 cores, 1 h 13 min on 256 cores"
    assert Cost(games=9, cpu_seconds=600, longest_game=60).describe(1) == (
        "about 10 core-minutes here; 10 min on 1 core, 1 min on 256 cores"
    )


def test_games_between_other_programs_are_not_taken_for_none(small: Path) -> None:
    small.write_text(SMALL.replace('"tic-tac-toe"\na = "uct(c={x})"\nb = "uct"', '"go"\na = "gtp:cat"\nb = "gtp:cat"'))
    cost = estimate(plan_matches(load_experiment(small), only=Only(words=("tic",))), lambda _: [])
    assert cost.describe(2) == "4 games, of whose players nothing is known: the first ones will tell"
    assert Cost(games=0, cpu_seconds=0.0, longest_game=0.0).describe(2) == "nothing is left to play"


def test_an_estimate_follows_games_playouts_and_what_was_played(small: Path) -> None:
    file = load_experiment(small)
    items = plan_matches(file, scale="full")
    pace = measure(items[0].plan)
    assert 5 <= 2 * pace.moves <= 9  # tic-tac-toe
    ten_times = plan_matches(file, scale="quick")[0]
    assert pace.game_seconds(items[0].plan) == pytest.approx(10 * pace.game_seconds(ten_times.plan))
    record = play_game(items[0].plan, 0)
    assert record is not None
    cost = estimate(items[:1], lambda _: [record])
    assert cost.cpu_seconds == pytest.approx(5 * sum(record.cpu_seconds))  # five games are left of six
    assert estimate(items[:1], lambda _: [record] * 6).cpu_seconds == 0
    result = invoke("small", "--estimate", "--json")
    assert [(value["scale"], value["cpu_seconds"] > 0) for value in json.loads(result.stdout)] == [
        ("quick", True),
        ("medium", True),
        ("full", True),
    ]


def test_an_experiment_file_without_scales_has_none(small: Path) -> None:
    file = ExperimentFile(path=small, text="", experiment=load_experiment(EXPERIMENTS / "rave.toml").experiment)
    assert file.choose_scale(None) is None
    with pytest.raises(ArgumentError, match="leave out --scale"):
        file.choose_scale("quick")
