"""What an interrupted run goes on with: the answers that it had, in the order in which it asked.

Learning is deterministic. Started again it asks the same questions, has the answers that are kept at once, and goes on
from there as if it had never stopped. The file is a line of text with a fingerprint of what is learned from; then, for
each answer, its length, a checksum of the question, one of the answer, and its numbers. An answer that is cut short,
damaged, or to another question ends what is known: it is replaced, and those after it are dropped.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy as np

from tesuji.errors import ModelError
from tesuji.knowledge.bradley_terry import Numbers

_FIRST_WORD: Final = b"tesuji-learning-1 "
_HEAD: Final = struct.Struct("<QII")


class Journal:
    def __init__(self, path: Path, fingerprint: str) -> None:
        self._path = path
        header = _FIRST_WORD + fingerprint.encode() + b"\n"
        try:
            self._file = path.open("r+b" if path.exists() else "x+b")
            found = self._file.readline(200)
            if not found:
                self._file.write(header)
        except OSError as error:
            raise self._cannot(error) from None
        if found not in (b"", header):
            self._file.close()
            why = "learning with other records or settings" if found.startswith(_FIRST_WORD) else "something else"
            raise ModelError(f"{path} is from {why}: remove it to begin anew")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        with suppress(OSError):  # of a full disk, which was said where it was written to
            self._file.close()

    def answer(self, question: Numbers, find: Callable[[], Numbers]) -> Numbers:
        """The next answer: the one that is kept, if it is to this question, else what `find` finds, which is kept."""
        asked = zlib.crc32(question.tobytes())
        place = self._file.tell()
        kept = self._read(asked)
        if kept is not None:
            return kept
        found = find()
        payload = found.tobytes()
        try:
            self._file.seek(place)
            self._file.truncate()
            self._file.write(_HEAD.pack(len(payload), asked, zlib.crc32(payload)) + payload)
            self._file.flush()
        except OSError as error:
            raise self._cannot(error) from None
        return found

    def _read(self, asked: int) -> Numbers | None:
        head = self._file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return None
        length, question, checksum = _HEAD.unpack(head)
        rest = self._path.stat().st_size - self._file.tell()
        if question != asked or length > rest or length % 8:
            return None
        payload = self._file.read(length)
        return np.frombuffer(payload) if zlib.crc32(payload) == checksum else None

    def _cannot(self, error: OSError) -> ModelError:
        return ModelError(f"{self._path} cannot be written: {error.strerror}")
