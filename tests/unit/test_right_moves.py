"""benchmarks/right_moves.py keeps its runs: none is counted that was broken off."""

from __future__ import annotations

import csv
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
POSITIONS = ROOT / "experiments" / "positions" / "table3.jsonl"
COMMAND = [
    *(sys.executable, str(ROOT / "benchmarks" / "right_moves.py"), str(POSITIONS)),
    *("--engine", "uct=uct", "--runs", "2"),
]


def test_ctrl_c_keeps_the_cells_that_are_whole(tmp_path: Path) -> None:
    folder = tmp_path / "table3"
    count = len(POSITIONS.read_text(encoding="utf-8").splitlines())
    command = [*COMMAND, "--playouts", "10,1000000000", "--output", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            for _ in range(count):  # a line a cell; then the long search begins
                assert " 10 " in process.stdout.readline()
            process.send_signal(signal.SIGINT)
            assert "KeyboardInterrupt" in process.communicate(timeout=60)[1]
        finally:
            process.kill()
    with (folder / "table3.csv").open(encoding="utf-8") as file:
        assert [(row["playouts"], row["runs"]) for row in csv.DictReader(file)] == [("10", "2")] * count
    assert [path.name for path in folder.iterdir()] == ["table3.csv"]


def test_some_positions_may_be_asked_with_more_playouts(tmp_path: Path) -> None:
    folder = tmp_path / "table3"
    subprocess.run([*COMMAND, "--playouts", "10", "--output", str(folder)], check=True)
    subprocess.run([*COMMAND, "--playouts", "20", "--only", "must play", "--output", str(folder)], check=True)
    with (folder / "table3.csv").open(encoding="utf-8") as file:
        cells = [(row["position"], row["playouts"]) for row in csv.DictReader(file)]
    assert cells == [("must play", "10"), ("must not play", "10"), ("must play", "20")]
    assert "| must not play | uct |" in (folder / "table3.md").read_text(encoding="utf-8")
    assert {path.name for path in folder.iterdir()} == {"table3.csv", "table3.md", "table3.png"}


def test_a_position_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    command = [*COMMAND, "--only", "nowhere", "--output", str(tmp_path / "table3")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "has no position nowhere" in result.stderr
    assert list(tmp_path.iterdir()) == []
