"""Messages survive the way, and damaged ones are refused."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import tesuji
from tesuji.cluster.messages import Kind, Message, unpack

TYPES = st.sampled_from([np.dtype(name) for name in ("<u1", "<u4", "<i8", "<f8")])
ARRAYS = st.lists(TYPES.flatmap(lambda kind: arrays(kind, st.integers(0, 20))), max_size=6)


@given(kind=st.sampled_from(Kind), epoch=st.integers(0, 2**32 - 1), number=st.integers(0, 2**32 - 1), contents=ARRAYS)
def test_round_trip(kind: Kind, epoch: int, number: int, contents: list[np.ndarray]) -> None:
    message = Message(kind=kind, epoch=epoch, number=number, arrays=tuple(contents))
    read = unpack(message.pack())
    assert (read.kind, read.epoch, read.number) == (kind, epoch, number)
    for ours, theirs in zip(contents, read.arrays, strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)


@given(contents=ARRAYS, data=st.data())
def test_damaged_messages_are_read_or_refused(contents: list[np.ndarray], data: st.DataObject) -> None:
    buffer = Message(kind=Kind.STATISTICS, epoch=1, number=2, arrays=tuple(contents)).pack()
    cut = buffer[: data.draw(st.integers(0, buffer.size))].copy()
    for _ in range(data.draw(st.integers(0, 3))):
        if cut.size:
            cut[data.draw(st.integers(0, cut.size - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(tesuji.ClusterError):
        unpack(cut)


def test_another_version_is_refused() -> None:
    buffer = Message(kind=Kind.STATISTICS, epoch=1, number=2, arrays=()).pack()
    buffer[0] += 1
    with pytest.raises(tesuji.ClusterError, match="install the same tesuji everywhere"):
        unpack(buffer)
