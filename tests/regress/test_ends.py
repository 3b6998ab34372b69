"""How a run of test positions ends: Ctrl-C, a full disk, a reader that has gone."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.arena.programs import in_a_group
from tests.regress.runs import CERTAIN, FILES, GO_TEST, QUICK, fake, run_json, statuses
from tesuji.regress.summary import to_dict


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_shows_what_was_done(tmp_path: Path, jobs: str) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text("\n".join(json.dumps({**GO_TEST, "id": number}) for number in range(5000)))
    command = [sys.executable, "-m", "tesuji", "regress", str(file), "--playouts", "5000", "--jobs", jobs, "--json"]
    for delay in (4, 12, 40):  # a slow machine needs longer until the first answer
        with in_a_group(command) as process:
            time.sleep(delay)
            os.killpg(process.pid, signal.SIGINT)
            output, errors = process.communicate(timeout=60)
        if output and json.loads(output)["tests"]:
            break
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert "positions are counted; --import goes on from what was printed" in errors
    found = json.loads(output)
    assert found["interrupted"]
    assert 0 < len(found["tests"]) < found["positions"] == 5000


def test_ctrl_c_when_all_was_asked_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the worst moment: while the result is made."""
    before = signal.getsignal(signal.SIGINT)

    def interrupted(*arguments: Any, **options: Any) -> dict[str, Any]:
        os.kill(os.getpid(), signal.SIGINT)
        return to_dict(*arguments, **options)

    monkeypatch.setattr("tesuji.regress.summary.to_dict", interrupted)
    found = run_json(FILES[1], *QUICK)
    assert len(found["tests"]) == found["positions"]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_full_disk_is_an_error_also_without_a_buffer(tmp_path: Path) -> None:
    """A limit to the size of files is refused by the system in the same place."""
    command = [sys.executable, "-m", "tesuji", "regress", *FILES, *QUICK, "--json"]
    with (tmp_path / "part.json").open("wb") as output:
        result = subprocess.run(
            command,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
        )
    assert result.returncode == 2
    assert "error: [Errno 27] File too large" in result.stderr


@pytest.mark.parametrize("how", [[], ["--jobs", "2"], ["--playouts", "0"]])
def test_the_result_does_not_need_a_reader_of_the_progress(how: list[str]) -> None:
    """As where `2> >(tee log)` was killed."""
    command = [sys.executable, "-m", "tesuji", "regress", *FILES, *QUICK, "--json", *how]
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=writing, text=True, check=False)
    finally:
        os.close(writing)
    if how == ["--playouts", "0"]:  # an error that nobody reads is still one
        assert (result.returncode, result.stdout) == (2, "")
    else:
        assert result.returncode == 0
        assert CERTAIN.items() <= statuses(json.loads(result.stdout)).items()


@pytest.mark.parametrize("pause", [0.0, 0.15])
def test_ctrl_c_again_and_again_is_clean(tmp_path: Path, pause: float) -> None:
    file, marker = tmp_path / "many.jsonl", tmp_path / "marker"
    file.write_text("\n".join(json.dumps({**GO_TEST, "id": number}) for number in range(100)))
    program = fake("hang at boardsize", str(marker))
    command = [sys.executable, "-m", "tesuji", "regress", str(file), "--gtp", program, "--jobs", "2"]
    with in_a_group(command) as process:
        while not marker.exists() and process.poll() is None:
            time.sleep(0.05)
        for _ in range(3):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            time.sleep(pause)
        _, errors = process.communicate(timeout=60)  # it lasts until the last worker has gone
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert "positions are counted; with --json --import could go on from them" in errors
