"""A program that speaks GTP 2, as a child process. Nothing here waits without a limit or keeps more than a limit."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, NoReturn, Self

from tesuji.arena.players import FailureReason, PlayerFailure, PlayerStopped, never
from tesuji.errors import MissingProgramError, TesujiError, shown

# Debian installs games where root has no search path.
MORE_FOLDERS = ("/usr/games", "/usr/local/games")
READ_BYTES = 2**16
MAX_ANSWER_BYTES = 2**20
MAX_COMPLAINT_BYTES = 2**12
POLL_SECONDS = 0.1
FAREWELL_SECONDS = 0.5
KILL_SECONDS = 5.0

# The program is started through this. It becomes the program, but first leaves a watcher in its process group: that
# one reads from a pipe which only this process can write to, so it wakes up when this process is gone, killed or not,
# and takes the group along. It is forked twice, so that the program sees no child which it did not start.
_WITH_WATCHER = '({ read -r _ <"/dev/fd/$0"; kill -KILL 0; } </dev/null >/dev/null 2>&1 &); exec "$@"'

_ANSWER = re.compile(rb"([=?])(\d*)[ \t]*(.*)", re.DOTALL)


class GtpRefusal(TesujiError):  # noqa: N818  an answer; whether it is an error is for the caller to say
    """The program answered a command with `?`. It is still there."""


class GtpStopped(PlayerStopped):
    """The wait for an answer was ended from outside, and the program with it."""


def find_program(name: str) -> str:
    """The path of a program, looked for as a shell does and among Debian's games."""
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), *MORE_FOLDERS])
    path = shutil.which(Path(name).expanduser() if name.startswith("~") else name, path=folders)
    if path is None:
        where = "is no executable file" if os.sep in name else "is on no search path"
        raise MissingProgramError(f"there is no program {shown(name)}: it {where}")
    return path


class GtpClient:
    """One running program. After a failure it is dead, and every further command fails; start another one then.

    With `ids` every command carries a number that its answer must repeat, so that no answer is taken for another's.
    """

    def __init__(self, command: Sequence[str], *, ids: bool = True) -> None:
        path = find_program(command[0])
        self._name = Path(path).name
        self._ids = ids
        self._numbers = itertools.count(1)
        self._output = b""
        self._complaints = b""
        self._cpu_seconds = 0.0
        watched, self._lifeline = os.pipe()
        try:
            # A session of its own: Ctrl-C in our terminal is ours alone, and all that it starts can be ended at once.
            self._process = subprocess.Popen(  # noqa: S603  running the user's program is the purpose
                ["/bin/sh", "-c", _WITH_WATCHER, str(watched), path, *command[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=[watched],
                start_new_session=True,
            )
        except BaseException:
            os.close(self._lifeline)
            raise
        finally:
            os.close(watched)
        self._stdin, self._stdout, self._stderr = self._pipes = tuple(
            _unblocked(pipe) for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._is_open = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_open(self) -> bool:
        return self._is_open

    @property
    def cpu_seconds(self) -> float:
        """CPU time of the program and its children so far, where the system has /proc; else 0."""
        if self._is_open:
            self._cpu_seconds = max(self._cpu_seconds, _tree_cpu_seconds(self._process.pid))
        return self._cpu_seconds

    def send(self, command: str, *, timeout: float, stopped: Callable[[], bool] = never) -> str:
        """The program's answer to a command, without its `=`.

        Raises `GtpRefusal` for an answer with `?`. A crash, a silence longer than `timeout` seconds, or something that
        is no GTP, is a `PlayerFailure`; when `stopped()` becomes true, it is `GtpStopped`. The program is then gone.
        """
        if not self._is_open:
            raise PlayerFailure("crash", f"{self._name} is not running any more")
        number = str(next(self._numbers)) if self._ids else ""
        try:
            answer = self._exchange(command, f"{number} {command}\n".lstrip().encode(), timeout, stopped)
            accepted, text = self._understand(answer, number, command)
            _ = self.cpu_seconds  # remembered, should this be the last that is heard of it
        except BaseException:
            self.kill()
            raise
        if not accepted:
            raise GtpRefusal(text)
        return text

    def close(self) -> None:
        """Asks the program to quit, waits a moment, and ends it and all that it started."""
        if self._is_open:
            with contextlib.suppress(OSError):
                self._stdin.write(b"quit\n")
            with contextlib.suppress(OSError):
                self._stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(FAREWELL_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Ends the program and all that it started, at once."""
        if not self._is_open:
            return
        _ = self.cpu_seconds
        self._is_open = False
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                pipe.close()
        os.close(self._lifeline)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(KILL_SECONDS)

    # ---- one command

    def _exchange(self, command: str, line: bytes, timeout: float, stopped: Callable[[], bool]) -> bytes:
        deadline = time.monotonic() + timeout
        self._refuse_unasked(command)
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdin, selectors.EVENT_WRITE)
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._stderr, selectors.EVENT_READ)
            while (answer := self._take_answer(command)) is None:
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    self._fail("timeout", f"gave no answer to {command!r} within {timeout:g} s")
                if stopped():
                    raise GtpStopped(f"stopped while {self._name} worked on {command!r}")
                for key, _ in selector.select(min(remaining, POLL_SECONDS)):
                    if key.fileobj is self._stdin:
                        line = self._write(line, command)
                    is_done = not line if key.fileobj is self._stdin else not self._read(key.fileobj, command)
                    if is_done:
                        selector.unregister(key.fileobj)
        return answer

    def _write(self, line: bytes, command: str) -> bytes:
        """What is left of the line."""
        try:
            return line[os.write(self._stdin.fileno(), line) :]
        except BlockingIOError:
            return line
        except BrokenPipeError:
            self._fail_as_gone(command)

    def _read(self, pipe: object, command: str) -> bool:
        """Takes what there is on one of the pipes; False at the end of stderr, which alone means nothing."""
        is_output = pipe is self._stdout
        try:
            chunk = os.read((self._stdout if is_output else self._stderr).fileno(), READ_BYTES)
        except BlockingIOError:
            return True
        if is_output:
            self._output += chunk.replace(b"\r", b"")
            if not chunk:
                self._fail_as_gone(command)
        else:
            self._complaints = (self._complaints + chunk)[-MAX_COMPLAINT_BYTES:]
        return bool(chunk)

    def _refuse_unasked(self, command: str) -> None:
        """What came without a question would be taken for the answer to the next one."""
        with contextlib.suppress(BlockingIOError):
            self._output += os.read(self._stdout.fileno(), READ_BYTES)
        if self._output.strip():
            self._fail("nonsense", f"said {_excerpt(self._output)} before it was asked {command!r}")

    def _take_answer(self, command: str) -> bytes | None:
        """The first whole answer in the output: it begins with = or ? and ends with an empty line."""
        self._output = self._output.lstrip()
        if self._output and self._output[:1] not in b"=?":
            self._fail("nonsense", f"answered {command!r} with {_excerpt(self._output)}, which is no GTP")
        answer, end, rest = self._output.partition(b"\n\n")
        if end:
            self._output = rest
            return answer
        if len(self._output) > MAX_ANSWER_BYTES:
            self._fail("nonsense", f"answered {command!r} with more than {MAX_ANSWER_BYTES} bytes")
        return None

    def _understand(self, answer: bytes, number: str, command: str) -> tuple[bool, str]:
        match = _ANSWER.fullmatch(answer)
        assert match is not None  # noqa: S101  _take_answer has seen to that
        sign, found, text = match.groups()
        if not self._ids:  # digits belong to the answer then
            found, text = b"", found + text
        if found.decode() != number:
            self._fail("nonsense", f"answered {command!r} (number {number}) with {_excerpt(answer)}: a wrong number")
        return sign == b"=", text.decode(errors="replace").strip()

    # ---- failures

    def _fail_as_gone(self, command: str) -> NoReturn:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(FAREWELL_SECONDS)
        with contextlib.suppress(OSError):
            self._read(self._stderr, command)
        code = self._process.returncode
        if code is None:
            how = "closed its pipe but went on running"
        elif code < 0:
            how = f"was killed by signal {-code} ({signal.strsignal(-code) or 'unknown'})"
        else:
            how = f"exited with code {code}"
        self._fail("crash", f"{how} when asked {command!r}")

    def _fail(self, reason: FailureReason, what: str) -> NoReturn:
        lines = self._complaints.decode(errors="replace").split("\n")[-4:]
        # A program's colours, and what else would steer the terminal, are left out.
        complaint = "".join(character for character in " / ".join(lines).strip(" /") if character.isprintable())
        raise PlayerFailure(reason, f"{self._name} {what}" + (f"; on stderr: {complaint[-300:]}" if complaint else ""))


def _unblocked(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # noqa: S101  all three were asked for
    os.set_blocking(pipe.fileno(), False)
    return pipe


def _excerpt(text: bytes) -> str:
    return shown(text[:100].decode(errors="replace").strip())


def _tree_cpu_seconds(pid: int) -> float:
    """CPU time of a process, its living children, and those that it has waited for."""
    folder = Path("/proc") / str(pid)
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        children = " ".join((task / "children").read_text() for task in (folder / "task").iterdir())
    except OSError:  # it has just gone, or there is no /proc
        return 0.0
    own = sum(int(ticks) for ticks in fields[11:15]) / os.sysconf("SC_CLK_TCK")
    return own + sum(_tree_cpu_seconds(int(child)) for child in children.split())
