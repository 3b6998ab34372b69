"""What machines send each other: a head, then arrays of numbers, in one buffer. No pickle where it is done often."""

from __future__ import annotations

import enum
import struct
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


_HEAD = struct.Struct("<HHIII")  # version, kind, epoch, number, how many arrays
_PART = struct.Struct("<II")  # of each array, its type and length
_TYPES = tuple(np.dtype(name) for name in ("<u1", "<u4", "<i8", "<f8"))
_ALIGNMENT = 8
_KINDS = {kind.value: kind for kind in Kind}  # thousands of messages a second: asking the class takes longer


@dataclass(frozen=True, kw_only=True)
class Message:
    """`epoch` counts the positions that were searched, `number` the messages or runs of the sender."""

    kind: Kind
    epoch: int
    number: int
    arrays: tuple[Array, ...]

    def pack(self) -> Buffer:
        begins = _HEAD.size + _PART.size * len(self.arrays)
        places = []
        for array in self.arrays:
            begins = _aligned(begins)
            places.append(begins)
            begins += array.nbytes
        buffer = np.zeros(begins, dtype=np.uint8)
        _HEAD.pack_into(buffer.data, 0, VERSION, self.kind, self.epoch, self.number, len(self.arrays))
        for number, (array, place) in enumerate(zip(self.arrays, places, strict=True)):
            _PART.pack_into(buffer.data, _HEAD.size + _PART.size * number, _TYPES.index(array.dtype), array.size)
            buffer[place : place + array.nbytes] = np.ascontiguousarray(array).view(np.uint8)
        return buffer


def unpack(buffer: Buffer) -> Message:
    """The arrays are views of the buffer."""
    if buffer.size < _HEAD.size:
        raise ClusterError(f"a message of {buffer.size} bytes is no message")
    version, kind, epoch, number, count = _HEAD.unpack_from(buffer.data)
    if version != VERSION:
        raise ClusterError(f"a message of format {version}, and this is {VERSION}: install the same tesuji everywhere")
    begins = _HEAD.size + _PART.size * count
    if kind not in _KINDS or begins > buffer.size:
        raise ClusterError("a message is damaged: its head makes no sense")
    arrays = []
    for code, length in _PART.iter_unpack(buffer[_HEAD.size : begins].data):
        if code >= len(_TYPES):
            raise ClusterError("a message is damaged: it has an array of unknown type")
        begins = _aligned(begins)
        size = length * _TYPES[code].itemsize
        if begins + size > buffer.size:
            raise ClusterError("a message is damaged: it is shorter than it says")
        arrays.append(np.ndarray(length, _TYPES[code], buffer, begins))
        begins += size
    return Message(kind=_KINDS[kind], epoch=epoch, number=number, arrays=tuple(arrays))


def _aligned(place: int) -> int:
    return -(-place // _ALIGNMENT) * _ALIGNMENT
