"""How well models foresee moves, as a figure and as numbers (Ikeda and Viennot 2013, figure 1)."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tesuji.arena.statistics import wilson_interval
from tesuji.errors import ArgumentError
from tesuji.knowledge.model import Model
from tesuji.plot import Point, Series, plot_percentages

#: What the text of the paper says of its figure, and Coulom's: the percentage of expert moves among the first T.
PUBLISHED: Final = {"Ikeda and Viennot 2013": {20: 84.0}, "Coulom 2007": {1: 34.9}}
_PUBLISHED_SIZE: Final = 19


def plot_foresight(path: Path, models: Sequence[Model]) -> Path:
    """The share of expert moves of the test games that are among a model's first T, for each model one curve.

    Gives the file with the numbers, which lies beside the plot.
    """
    labels = [_label(model) for model in models]
    if len(set(labels)) < len(labels):
        raise ArgumentError(f"two models are both {labels[0]!r}: a figure compares models learned with other features")
    series = [Series(label=label, points=_points(model)) for label, model in zip(labels, models, strict=True)]
    if models[0].game == "go" and models[0].report["size"] == _PUBLISHED_SIZE:
        series += _published(labels[0])
    plot_percentages(
        path,
        series,
        title=f"{models[0].game.capitalize()}, {models[0].boards}: moves of test games",
        x_label="T",
        y_label="expert's move among the first T, %",
    )
    numbers = path.with_suffix(".csv")
    with numbers.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["features", "T", "percentage", "low", "high", "source"])
        for item in series:
            for point in item.points:
                figures = [f"{value:.3f}" for value in (point.percentage, point.low, point.high)]
                writer.writerow([item.label, int(point.x), *figures, item.source or "tesuji"])
    return numbers


def _label(model: Model) -> str:
    return f"without {', '.join(model.without)}" if model.without else "all features"


def _points(model: Model) -> tuple[Point, ...]:
    judged = model.report["test"]
    points = []
    for place, share in enumerate(judged["top"], start=1):
        interval = wilson_interval(share * judged["positions"], judged["positions"])
        points.append(Point(x=place, percentage=100 * share, low=100 * interval.low, high=100 * interval.high))
    return tuple(points)


def _published(label: str) -> list[Series]:
    return [
        Series(
            label=label,
            points=tuple(Point(x=place, percentage=share, low=share, high=share) for place, share in shares.items()),
            published=True,
            source=source,
        )
        for source, shares in PUBLISHED.items()
    ]
