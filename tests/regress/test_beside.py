"""benchmarks/regress_beside.py: several players at the same test positions."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, str(ROOT / "benchmarks" / "regress_beside.py")]
KEPT = ROOT / "experiments" / "reports" / "regress"


def write_run(path: Path, *, interrupted: bool = False, **statuses: str) -> Path:
    """A run as `tesuji regress --json` writes it; by the names of tests, `suite__id`, "status" or "status position"."""
    tests = [
        {
            "suite": f"origin/{name.split('__')[0]}",
            "id": name.split("__")[1],
            "status": status.partition(" ")[0],
            "position": status.partition(" ")[2] or None,
            "answer": "E5",
            "expected": "[E5]",
            "cpu_seconds": 0.5,
        }
        for name, status in statuses.items()
    ]
    players = {"go 9x9": f"a player {path.stem}", "go 13x13": f"a player {path.stem}"}
    made_by = [{"commit": "c0ffee (clean)", "processor": "a processor"}] if path.stem == "one" else []
    run = {"format": "tesuji-regress", "player": path.stem, "players": players, "seed": 1, "tests": tests}
    run["made_by"] = made_by
    path.write_text(json.dumps(run | {"interrupted": interrupted}), encoding="utf-8")
    return path


def beside(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)


def test_tests_that_all_were_asked_are_counted(tmp_path: Path) -> None:
    one = write_run(tmp_path / "one.json", a__1="passed", a__2="failed", b__1="passed", b__2="passed", b__3="passed")
    other = write_run(tmp_path / "other.json", b__1="failed", a__1="passed", b__3="skipped", a__2="failed")
    folder = tmp_path / "regress"
    result = beside(f"one={one}", f"the other={other}", "--output", str(folder))
    assert result.returncode == 0, result.stderr
    text = (folder / "regress.md").read_text(encoding="utf-8")
    # Two of three and one of three: what the other was not asked, or skipped, does not count.
    assert "| one | 2 | **2** | 66.7% | 20.8 to 93.9% | 0.50 |" in text
    assert "| the other | 1 | **1** | 33.3% | 6.1 to 79.2% | 0.50 |" in text
    assert "| origin/a | 2 | 1 | 1 |" in text
    assert "| origin/b | 1 | 1 | 0 |" in text
    assert "| one | go 9x9, go 13x13 | `a player one` | 1 | c0ffee (clean), a processor |" in text
    assert "| the other | go 9x9, go 13x13 | `a player other` | 1 | unknown |" in text
    with (folder / "regress.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert Counter((row["player"], row["status"]) for row in rows) == {
        ("one", "passed"): 2,
        ("one", "failed"): 1,
        ("the other", "passed"): 1,
        ("the other", "failed"): 2,
    }
    assert "expected" not in rows[0]


def test_what_does_not_count_is_said(tmp_path: Path) -> None:
    one = write_run(tmp_path / "one.json", a__1="passed here", a__2="passed here", a__3="failed here", b__1="passed")
    other = write_run(tmp_path / "other.json", interrupted=True, a__1="failed here", a__2="failed there", a__3="failed")
    result = beside(f"one={one}", f"other={other}", "--output", str(tmp_path / "regress"))
    assert result.returncode == 0, result.stderr
    assert result.stderr.splitlines() == ["note: the run of other was broken off: what it did not come to is left out"]
    text = (tmp_path / "regress" / "regress.md").read_text(encoding="utf-8")
    # The first, and the third, of which one run does not say in which position it was.
    counts = "2 tests count; left out, since not all were asked there: 2 of one, 1 of other."
    assert f"\n{counts} The run of other was broken off.\n" in text
    assert "| origin/a | 2 | 1 | 0 |" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["one.json"], "each run is given as LABEL=RUN.json"),
        (["one=one.json", "one=other.json"], "two runs have the same label"),
        (["one=one.json", "other=other.json"], "no test was asked in every run"),
        (["one=nowhere.json"], "nowhere.json cannot be read"),
        (["one=text.json"], "text.json is no result of tesuji regress --json"),
    ],
)
def test_what_cannot_be_compared_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path / "one.json", a__1="passed")
    write_run(tmp_path / "other.json", a__2="passed")
    (tmp_path / "text.json").write_text("no run", encoding="utf-8")
    result = beside(*words, "--output", "regress")
    assert result.returncode == 2
    assert message in result.stderr
    assert not (tmp_path / "regress").exists()


def test_what_cannot_be_written_is_an_error_and_changes_nothing(tmp_path: Path) -> None:
    one = write_run(tmp_path / "one.json", a__1="passed")
    result = beside(f"one={one}", "--output", str(one))
    assert result.returncode == 2
    assert "File exists" in result.stderr
    folder = tmp_path / "regress"
    (folder / "regress.md").mkdir(parents=True)
    result = beside(f"one={one}", "--output", str(folder))
    assert result.returncode == 2
    assert "Is a directory" in result.stderr
    assert [path.name for path in folder.iterdir()] == ["regress.md"]
    (folder / "regress.md").rmdir()
    (folder / "notes.md").write_bytes(b"\xff")
    result = beside(f"one={one}", "--output", str(folder))
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


def test_the_kept_report_counts_its_tests() -> None:
    with (KEPT / "regress.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    text = (KEPT / "regress.md").read_text(encoding="utf-8")
    players = list(dict.fromkeys(row["player"] for row in rows))
    passed = Counter((row["player"], row["suite"]) for row in rows if row["status"] == "passed")
    tests = Counter(row["suite"] for row in rows if row["player"] == players[0])
    for suite, number in tests.items():
        counts = " | ".join(str(passed[player, suite]) for player in players)
        assert f"\n| {suite} | {number} | {counts} |\n" in text
    for player in players:
        total = sum(passed[player, suite] for suite in tests)
        assert f"| **{total}** | {total / sum(tests.values()):.1%} |" in text
