"""`playout=knowledge` in Havannah: cpp/tests/test_havannah_playout.cpp has the moves, this the way to them."""

from __future__ import annotations

import pytest

import tesuji
from tesuji.errors import UnsuitedEngineError

ENGINE = "uct(c=0.4)+playout=knowledge"


@pytest.mark.parametrize("size", [4, 5, 8, 10])
def test_one_seed_repeats_exactly(size: int) -> None:
    results = [tesuji.Search(tesuji.Havannah(size=size), ENGINE, seed=3).run(playouts=300) for _ in range(2)]
    first, second = ([(entry.move, entry.visits, entry.value) for entry in result.moves] for result in results)
    assert first == second
    uniform = tesuji.Search(tesuji.Havannah(size=size), "uct(c=0.4)", seed=3).run(playouts=300)
    assert [(entry.move, entry.visits, entry.value) for entry in uniform.moves] != first


def test_playouts_that_it_does_not_have_are_refused() -> None:
    with pytest.raises(UnsuitedEngineError, match="playout=bradley-terry: this game has no such playouts"):
        tesuji.Search(tesuji.Havannah(size=5), "playout=bradley-terry")
