"""How many moves progressive widening searches: Figure 2 of the paper on static knowledge bias.

python benchmarks/searched_moves.py --output experiments/reports/bias-figure2
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from matplotlib.figure import Figure

import tesuji
from tesuji.provenance import provenance

MUS = (1.2, 1.5, 1.8, 2.5, 5.0)
PLAYOUTS = (10, 30, 100, 300, 1000, 3000, 10_000, 19_000)
EVERY = tuple(range(2, PLAYOUTS[-1] + 1))


def counts(mu: float) -> list[int]:
    """The root's moves that have visits, after each number of playouts, on an empty 13x13 board."""
    engine = f"uct(c=0.9)+widening(mu={mu})+model=go19"
    search = tesuji.Search(tesuji.Go(size=13), engine=engine, seed=1)
    found = []
    done = 0
    for playouts in PLAYOUTS:
        result = search.run(playouts=playouts - done)
        if result.stopped_by == "interrupt":
            raise KeyboardInterrupt
        done = playouts
        found.append(sum(move.visits > 0 for move in result.moves))
    return found


def formula(mu: float, playouts: int) -> int:
    """Equation 3, as the last of these playouts sees it; no more than there are moves."""
    return min(169, math.floor(1 + math.log(max(1, playouts - 1)) / math.log(mu)))


def plot(path: Path, found: dict[float, list[int]]) -> None:
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for mu, line in found.items():
        (dots,) = axes.plot(PLAYOUTS, line, "o", label=f"mu = {mu:g}")
        axes.step(EVERY, [formula(mu, playouts) for playouts in EVERY], where="post", color=dots.get_color(), alpha=0.6)
    axes.set(xscale="log", xlabel="playouts", ylabel="moves searched at the root", title="Progressive widening")
    axes.grid(alpha=0.25)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=120, metadata={"Software": None})


def report(found: dict[float, list[int]]) -> str:
    lines = [
        f"| {mu:g} | "
        + " | ".join(f"{count} ({formula(mu, n)})" for n, count in zip(PLAYOUTS, line, strict=True))
        + " |"
        for mu, line in found.items()
    ]
    header = "| mu | " + " | ".join(f"{n:,}" for n in PLAYOUTS) + " |"
    facts = "\n".join(f"| {key.replace('_', ' ')} | {text} |" for key, text in provenance().items())
    return f"""# How many moves are searched (bias, Figure 2)

Moves at the root that have visits after so many playouts, empty 13x13 board, seed 1 (the points of the picture); in
brackets, and as lines, what equation 3 gives, T = 1 + log n / log mu with the n = playouts - 1 visits that the last
playout finds. The paper's figure is a picture of the formula; its text has one number: 7 moves for mu = 5, where its
program reaches about 19,000 playouts. All agree but one: with mu = 1.2 the first ten playouts, the first of which is
the root's own, can visit no more than nine of thirteen moves.

![moves searched](bias-figure2.png)

{header}
|{"---|" * (len(PLAYOUTS) + 1)}
{chr(10).join(lines)}

```
python benchmarks/searched_moves.py --output experiments/reports/bias-figure2
```

|  |  |
|---|---|
{facts}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    folder: Path = parser.parse_args().output
    found = {mu: counts(mu) for mu in MUS}
    folder.mkdir(parents=True, exist_ok=True)
    plot(folder / "bias-figure2.png", found)
    (folder / "bias-figure2.md").write_text(report(found), encoding="utf-8")
    print(report(found))


if __name__ == "__main__":
    main()
