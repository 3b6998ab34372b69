"""`playout=knowledge` in Havannah: cpp/tests/test_havannah_playout.cpp has the moves, this the way to them."""

from __future__ import annotations

import pytest

import tesuji

ENGINE = "uct(c=0.4)+playout=knowledge"


@pytest.mark.parametrize("size", [4, 5, 8, 10])
def test_one_seed_repeats_exactly(size: int) -> None:
    results = [tesuji.Search(tesuji.Havannah(size=size), ENGINE, seed=3).run(playouts=300) for _ in range(2)]
    first, second = ([(entry.move, entry.visits, entry.value) for entry in result.moves] for result in results)
    assert first == second
    uniform = tesuji.Search(tesuji.Havannah(size=size), "uct(c=0.4)", seed=3).run(playouts=300)
    assert [(entry.move, entry.visits, entry.value) for entry in uniform.moves] != first
