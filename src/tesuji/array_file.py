"""Files of arrays: one line of text with the kind, its version and a checksum, then numpy's compressed arrays.

Nothing in them is executed. Models and trees are kept so.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji.errors import TesujiError, shown
from tesuji.replacing import replacing


@dataclass(frozen=True, kw_only=True)
class ArrayFile:
    """A kind of file: `kind` is the word after "tesuji-" in its first line, and its name in messages."""

    kind: str
    version: int
    read_versions: tuple[int, ...]
    error: type[TesujiError]
    max_bytes: int

    def write(self, path: Path | str, arrays: Mapping[str, Any]) -> None:
        payload = io.BytesIO()
        np.savez_compressed(payload, **arrays)
        data = payload.getvalue()
        header = f"tesuji-{self.kind} {self.version} {hashlib.sha256(data).hexdigest()}\n"
        try:
            with replacing(path) as beside:
                beside.write_bytes(header.encode() + data)
        except OSError as error:
            raise self.error(f"{path} cannot be written: {error.strerror}") from None

    def read(self, path: Path) -> bytes:
        try:
            with path.open("rb") as file:
                # Not max_bytes at once: a read asks the system for all the room that it may need.
                return file.read(min(path.stat().st_size, self.max_bytes) + 1)
        except OSError as error:
            raise self.error(f"{path} cannot be read: {error.strerror}") from None

    def unpack(self, data: bytes, name: str) -> dict[str, NDArray[Any]]:
        """The arrays of a whole file, which messages call `name`."""
        header, _, payload = data[:200].partition(b"\n")
        words = header.split(b" ")
        if len(words) != 3 or words[0] != f"tesuji-{self.kind}".encode():
            raise self.error(f"{name} is no {self.kind}: it does not begin with 'tesuji-{self.kind} {self.version}'")
        if words[1] not in {str(version).encode() for version in self.read_versions}:
            version = words[1].decode("ascii", "replace")
            known = " and ".join(map(str, self.read_versions))
            raise self.error(f"{name} has the format version {shown(version)}; this program reads version {known}")
        self._check_size(len(data), name)
        payload = data[len(header) + 1 :]
        if hashlib.sha256(payload).hexdigest().encode() != words[2]:
            raise self.error(f"{name} is damaged: its checksum is not that of its content; get it anew")
        try:
            with zipfile.ZipFile(io.BytesIO(payload)) as members:
                # A small file can say that it unpacks to anything.
                self._check_size(sum(member.file_size for member in members.infolist()), name)
            with np.load(io.BytesIO(payload), allow_pickle=False) as arrays:
                found = dict(arrays)
        except self.error:
            raise
        except Exception as error:  # of bytes that were made to do harm, numpy and zipfile raise all there is
            raise self.error(f"{name} is damaged: {error}") from None
        for key, value in found.items():
            if not isinstance(value, np.ndarray):  # numpy hands out as bytes what is no array
                raise self.error(f"{name} is damaged: {shown(key)} in it is no array")
        return found

    def _check_size(self, size: int, name: str) -> None:
        if size > self.max_bytes:
            raise self.error(f"{name} is too large for a {self.kind}: {size} bytes, and {self.max_bytes} are the most")
