"""What machines send each other: a head, then arrays of numbers, in one buffer. No pickle where it is done often."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.errors import ClusterError

Buffer = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint32]
Array = npt.NDArray[Any]

#: Of the format. Machines of one cluster must run the same.
VERSION = 1


class Kind(enum.IntEnum):
    """STATISTICS are totals since the beginning, and so may be lost; of the others each counts."""

    STATISTICS = 1
    FINAL_STATISTICS = 2
    SIMULATIONS = 3
    BEGUN = 4
    PLAYED = 5
    COMMAND = 6


_HEAD = np.dtype([("version", "<u2"), ("kind", "<u2"), ("epoch", "<u4"), ("number", "<u4"), ("arrays", "<u4")])
_PART = np.dtype([("type", "<u4"), ("length", "<u4")])
_TYPES = tuple(np.dtype(name) for name in ("<u1", "<u4", "<i8", "<f8"))
_ALIGNMENT = 8


@dataclass(frozen=True, kw_only=True)
class Message:
    """`epoch` counts the positions that were searched, `number` the messages or runs of the sender."""

    kind: Kind
    epoch: int
    number: int
    arrays: tuple[Array, ...]

    def pack(self) -> Buffer:
        begins = _HEAD.itemsize + _PART.itemsize * len(self.arrays)
        places = []
        for array in self.arrays:
            begins = -(-begins // _ALIGNMENT) * _ALIGNMENT
            places.append(begins)
            begins += array.nbytes
        buffer = np.zeros(begins, dtype=np.uint8)
        head = buffer[: _HEAD.itemsize].view(_HEAD)
        head[0] = (VERSION, self.kind, self.epoch, self.number, len(self.arrays))
        parts = buffer[_HEAD.itemsize : _HEAD.itemsize + _PART.itemsize * len(self.arrays)].view(_PART)
        for number, (array, place) in enumerate(zip(self.arrays, places, strict=True)):
            parts[number] = (_TYPES.index(array.dtype), array.size)
            buffer[place : place + array.nbytes] = np.ascontiguousarray(array).view(np.uint8)
        return buffer


def unpack(buffer: Buffer) -> Message:
    """The arrays are views of the buffer."""
    if buffer.size < _HEAD.itemsize:
        raise ClusterError(f"a message of {buffer.size} bytes is no message")
    version, kind, epoch, number, count = buffer[: _HEAD.itemsize].view(_HEAD)[0].item()
    if version != VERSION:
        raise ClusterError(f"a message of format {version}, and this is {VERSION}: install the same tesuji everywhere")
    begins = _HEAD.itemsize + _PART.itemsize * count
    if kind not in Kind.__members__.values() or begins > buffer.size:
        raise ClusterError("a message is damaged: its head makes no sense")
    arrays = []
    for code, length in buffer[_HEAD.itemsize : begins].view(_PART).tolist():
        if code >= len(_TYPES):
            raise ClusterError("a message is damaged: it has an array of unknown type")
        begins = -(-begins // _ALIGNMENT) * _ALIGNMENT
        size = length * _TYPES[code].itemsize
        if begins + size > buffer.size:
            raise ClusterError("a message is damaged: it is shorter than it says")
        arrays.append(buffer[begins : begins + size].view(_TYPES[code]))
        begins += size
    return Message(kind=Kind(kind), epoch=epoch, number=number, arrays=tuple(arrays))
