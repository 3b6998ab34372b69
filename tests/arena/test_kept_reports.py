"""The reports that are kept with the experiments: what they say is what their games give."""

from __future__ import annotations

import csv
import re
import shlex
from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest

from tesuji.arena.statistics import wilson_interval
from tesuji.arena.summary import read_summary
from tesuji.commands.reproduce import _file_name

REPORTS = Path(__file__).parents[2] / "experiments" / "reports"


@pytest.mark.parametrize("path", sorted(REPORTS.glob("*/*.json")), ids=lambda path: path.stem)
def test_a_report_of_matches_counts_its_games(path: Path) -> None:
    """All but the headline's, which `make run` plays again in two minutes, have them beside it."""
    summary, text = read_summary(path), path.with_suffix(".md").read_text(encoding="utf-8")
    assert summary is not None
    assert summary.commit in text
    for command in re.findall(r"^\| command \| (.*) \|$", text, re.MULTILINE):
        words = shlex.split(command)
        if "--only" in words:
            assert f"Only `{words[words.index('--only') + 1]}` of the experiment was played" in text
    commands = re.findall(r"^tesuji match .* --games (\d+)", text, re.MULTILINE)
    for row, planned in zip(summary.rows, commands, strict=True):
        counts = (row.wins, row.draws, row.losses)
        assert sum(counts) == row.games
        assert row.percentage == pytest.approx(100 * (row.wins + row.draws / 2) / row.games)
        interval = wilson_interval(row.wins + row.draws / 2, row.games)
        assert (row.low, row.high) == pytest.approx((100 * interval.low, 100 * interval.high))
        assert (
            f"| {row.series} | {row.x:,g} | **{row.percentage:.1f}%** | {row.low:.1f} to {row.high:.1f}% | "
            f"{row.games:,} | {row.wins}/{row.draws}/{row.losses} | {row.seed} |"
        ) in text
        if path.stem != "headline":
            games = path.with_name(f"{_file_name(cast(Any, row))}.csv")
            with games.open(encoding="utf-8", newline="") as file:
                played = [game for game in csv.DictReader(file) if int(game["number"]) < int(planned)]
            assert len(played) == int(planned)
            different = {(game["a_is_first"], game["moves"]): game["points"] for game in played}
            points = Counter(different.values())  # a game that repeats another one counts once
            assert (points["1.0"], points["0.5"], points["0.0"]) == counts
