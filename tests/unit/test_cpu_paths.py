"""The vector code of newer processors searches as the portable code does, to the last visit of the root's moves."""

import os
import subprocess
import sys

import pytest

import tesuji

SEARCH = """
import sys, tesuji
for engine in sys.argv[1:]:
    go = tesuji.Go(size=5, komi=0.5)
    late = go
    for text in "C3 B3 C2 B2 C4 B4 C1 B1 C5".split():
        late = late.play(text)
    # Othello has few moves, which the last vector of a node overlaps.
    for position in [go, late] if "knowledge" in engine else [go, late, tesuji.Othello()]:
        search = tesuji.Search(position, engine=engine, seed=7)
        result = search.run(playouts=3000)
        print([(move.move, move.visits, move.value, move.rave) for move in result.moves])
"""
ENGINES = [
    "uct(c=0.4)",
    "rave",
    "rave(distance)",
    "rave(distance)+prior+playout=knowledge",
    "rave+uct(c=0.3)",
    "rave+ucb-tuned2",
    "rave+accelerated(k=3)",
    "rave+discounted(k=4)",
    "rave(skip=3)",
    "rave+uct(fpu=0.3)",
    "amaf",
    "amaf(b=0.1)",
]


def moves_searched(**environment: str) -> str:
    command = [sys.executable, "-c", SEARCH, *ENGINES]
    clean = {name: value for name, value in os.environ.items() if name != "TESUJI_CPU"}
    finished = subprocess.run(command, capture_output=True, text=True, check=True, env=clean | environment, timeout=300)
    return finished.stdout


@pytest.mark.skipif(
    tesuji._core.build_info()["avx2_available"] != "yes", reason="the portable code is all that this processor has"
)
def test_every_cpu_path_searches_alike() -> None:
    ours = moves_searched()
    assert len(ours.splitlines()) == 3 * len(ENGINES) - 1
    assert ours == moves_searched(TESUJI_CPU="portable")
