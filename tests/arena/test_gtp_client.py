"""The client by itself: answers, and that nothing survives it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.arena.programs import FAKE, PATIENCE
from tesuji.arena.gtp_client import MAX_COMPLAINT_BYTES, GtpClient, GtpRefusal, GtpStopped, find_program
from tesuji.arena.players import PlayerFailure
from tesuji.errors import ArgumentError

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc to see processes in")


@pytest.fixture
def client() -> Iterator[GtpClient]:
    with GtpClient([*FAKE, "sound", "D4", "E5"]) as running:
        yield running


def test_answers_come_without_their_sign(client: GtpClient) -> None:
    assert client.send("name", timeout=PATIENCE) == ""
    assert client.send("genmove b", timeout=PATIENCE) == "D4"
    assert client.send("genmove b", timeout=PATIENCE) == "E5"


def test_without_ids_digits_belong_to_the_answer() -> None:
    with GtpClient([*FAKE, "sound", "12", "E5"], ids=False) as client:
        assert client.send("genmove b", timeout=PATIENCE) == "12"


def test_a_refusal_leaves_the_program_alive() -> None:
    with GtpClient([*FAKE, "refuse"]) as client:
        with pytest.raises(GtpRefusal, match="not today"):
            client.send("genmove b", timeout=PATIENCE)
        assert client.send("name", timeout=PATIENCE) == ""


@pytest.fixture(scope="module")
def long_lived_client() -> Iterator[GtpClient]:
    with GtpClient([*FAKE, "sound"]) as running:
        yield running


@given(text=st.text(st.characters(exclude_categories=["C"]), max_size=200))
def test_any_line_of_text_arrives(long_lived_client: GtpClient, text: str) -> None:
    assert long_lived_client.send(f"say {text.encode().hex()}", timeout=PATIENCE) == text.strip()


@settings(max_examples=30)  # a process each
@given(junk=st.one_of(st.binary(max_size=60), st.binary(max_size=30).map(lambda end: b"=1 " + end)))
def test_junk_is_an_answer_or_a_failure(junk: bytes) -> None:
    with GtpClient([*FAKE, "sound"]) as client:
        try:
            assert isinstance(client.send(f"raw {junk.hex()}", timeout=PATIENCE), str)
        except GtpRefusal:
            assert junk.lstrip().startswith(b"?1")
        except PlayerFailure:
            assert not client.is_open


def test_an_answer_of_several_lines(client: GtpClient) -> None:
    two_lines = b"one\ntwo".hex()
    assert client.send(f"say {two_lines}", timeout=PATIENCE) == "one\ntwo"


def test_what_comes_unasked_is_not_taken_for_the_next_answer() -> None:
    for ids in (True, False):
        with GtpClient([*FAKE, "twice"], ids=ids) as client:
            assert client.send("genmove b", timeout=PATIENCE) == "pass"
            with pytest.raises(PlayerFailure, match="nonsense"):
                client.send("name", timeout=PATIENCE)


def test_a_late_answer_is_not_taken_for_the_next_one() -> None:
    with GtpClient([*FAKE, "late", "D4"]) as client:
        client.send("name", timeout=PATIENCE)
        with pytest.raises(PlayerFailure, match=r"timeout: .* gave no answer to 'genmove b' within 0.3 s"):
            client.send("genmove b", timeout=0.3)
        with pytest.raises(PlayerFailure, match="not running any more"):
            client.send("name", timeout=PATIENCE)


def test_a_flood_on_stderr_neither_blocks_nor_grows() -> None:
    with GtpClient([*FAKE, "much-on-stderr", "D4"]) as client:
        assert client.send("genmove b", timeout=PATIENCE) == "D4"
        assert 0 < len(client._complaints) <= MAX_COMPLAINT_BYTES


def test_a_long_command_and_a_program_that_does_not_read() -> None:
    with GtpClient(["sleep", "1000"]) as client, pytest.raises(PlayerFailure, match="timeout"):
        client.send("x" * 10**6, timeout=0.3)


def test_stopping_ends_the_wait_and_the_program() -> None:
    began = time.monotonic()
    with GtpClient([*FAKE, "hang"]) as client, pytest.raises(GtpStopped):
        client.send("genmove b", timeout=600, stopped=lambda: time.monotonic() > began + 0.2)
    assert not client.is_open


@needs_proc
def test_cpu_time_of_the_program_and_its_children_is_counted() -> None:
    with GtpClient([*FAKE, "burn"]) as client:
        client.send("genmove b", timeout=PATIENCE)
        assert client.cpu_seconds > 0.5
    assert client.cpu_seconds > 0.5, "remembered after the end"


@needs_proc
def test_close_ends_the_program_and_its_children(tmp_path: Path) -> None:
    with GtpClient([*FAKE, "stubborn", str(tmp_path / "pids")]) as client:
        client.send("name", timeout=PATIENCE)
        pids = _pids(tmp_path / "pids")
        assert all(_runs(pid) for pid in pids)
    _wait_for_the_end_of(pids)


@needs_proc
def test_the_program_does_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    script = (
        "import sys, time\n"
        "from tesuji.arena.gtp_client import GtpClient\n"
        "client = GtpClient(sys.argv[1:])\n"
        "client.send('name', timeout=60)\n"
        "print('ready', flush=True)\n"
        "time.sleep(1000)\n"
    )
    command = [sys.executable, "-c", script, *FAKE, "stubborn", str(tmp_path / "pids")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        pids = _pids(tmp_path / "pids")
        assert all(_runs(pid) for pid in pids)
        parent.send_signal(signal.SIGKILL)
    _wait_for_the_end_of(pids)


@pytest.mark.parametrize("name", ["no-such-program", "/no/such/program", "~/no-such-program", "/etc/passwd", "/", ""])
def test_a_program_that_is_not_there(name: str) -> None:
    with pytest.raises(ArgumentError, match="there is no program"):
        find_program(name)


def _pids(file: Path) -> list[int]:
    return [int(pid) for pid in file.read_text().split()]


def _wait_for_the_end_of(pids: list[int]) -> None:
    deadline = time.monotonic() + PATIENCE
    while any(_runs(pid) for pid in pids):
        assert time.monotonic() < deadline, f"still there: {[pid for pid in pids if _runs(pid)]}"
        time.sleep(0.02)


def _runs(pid: int) -> bool:
    """Whether a process goes on; a zombie that nobody has waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
