"""benchmarks/right_moves.py keeps its runs: none is counted that was broken off."""

from __future__ import annotations

import csv
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_ctrl_c_keeps_the_cells_that_are_whole(tmp_path: Path) -> None:
    folder = tmp_path / "table3"
    positions = ROOT / "experiments" / "positions" / "table3.jsonl"
    count = len(positions.read_text(encoding="utf-8").splitlines())
    command = [
        *(sys.executable, str(ROOT / "benchmarks" / "right_moves.py"), str(positions), "--engine", "uct=uct"),
        *("--playouts", "10,1000000000", "--runs", "2", "--output", str(folder)),
    ]
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
