"""Plots of winning percentages, and of searches over time, as PNG files or whatever else the file's name says."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tesuji.errors import ArgumentError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito: told apart with any kind of colour vision. The marks differ too, for print without colours.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKS = ("o", "s", "^", "D", "v", "P", "X")
# Of published series with the same label, and so the same colour, each has its own.
PUBLISHED_LINES = ("--", ":", "-.")
# A legend of more than so many lines stands below the plot, and covers nothing.
MOST_INSIDE = 6
# As many labels as this find room on an axis, or marks on a line.
MAX_TICKS = 15


@dataclass(frozen=True, kw_only=True)
class Point:
    """A percentage at `x` with its interval."""

    x: float
    percentage: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Series:
    """Points that belong together. Published ones are hollow and dashed, in the colour of ours with this label."""

    label: str
    points: tuple[Point, ...]
    published: bool = False
    source: str = ""


def plot_percentages(
    path: Path | str, series: Sequence[Series], *, title: str, x_label: str, y_label: str, log_x: bool = False
) -> None:
    """Percentages with error bars over a parameter."""
    if not any(item.points for item in series):
        raise ArgumentError("there is nothing to plot: no series has a point")
    figure, (axes,) = _new_figure(1)
    labels = list(dict.fromkeys(item.label for item in series))
    published: Counter[str] = Counter()
    for item in series:
        if item.points:
            line = PUBLISHED_LINES[published[item.label] % len(PUBLISHED_LINES)] if item.published else "-"
            published[item.label] += item.published
            _draw_series(axes, item, labels.index(item.label), line)
    if log_x:
        _use_log_scale(axes, _thinned(sorted({point.x for item in series for point in item.points})))
    _finish(axes, x_label=x_label, y_label=y_label)
    axes.set_title(title)
    _add_legend(figure, axes)
    _save(figure, path)


def _add_legend(figure: Figure, axes: Axes) -> None:
    lines = len(axes.get_legend_handles_labels()[1])
    if lines <= MOST_INSIDE:
        axes.legend(frameon=False)
        return
    width, height = figure.get_size_inches()
    figure.set_size_inches(width, height + 0.22 * lines)
    figure.legend(loc="outside lower center", frameon=False)


def _draw_series(axes: Axes, item: Series, number: int, line: str) -> None:
    points = sorted(item.points, key=lambda point: point.x)
    below = [point.percentage - point.low for point in points]
    above = [point.high - point.percentage for point in points]
    colour = COLOURS[number % len(COLOURS)]
    source = f" ({item.source})" if item.source else ""
    axes.errorbar(
        [point.x for point in points],
        [point.percentage for point in points],
        yerr=[below, above],
        label=item.label + source,
        color=colour,
        marker=MARKS[(number + number // len(COLOURS)) % len(MARKS)],  # a colour that comes again has another mark
        markerfacecolor="white" if item.published else colour,
        linestyle=line,
        capsize=3,
    )


@dataclass(frozen=True, kw_only=True)
class FitPanel:
    """A fitted curve in percent with its band, and the results that it was fitted to."""

    x_label: str
    log_x: bool
    x: Sequence[float]
    middle: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    samples: Sequence[Point]
    best: float
    best_low: float
    best_high: float


def plot_fit(path: Path | str, panels: Sequence[FitPanel], *, title: str, y_label: str) -> None:
    """One panel a parameter, side by side."""
    if not panels:
        raise ArgumentError("there is nothing to plot: no parameter was given")
    figure, all_axes = _new_figure(len(panels))
    for axes, panel in zip(all_axes, panels, strict=True):
        axes.fill_between(panel.x, panel.low, panel.high, color=COLOURS[0], alpha=0.2, linewidth=0, label="95% band")
        axes.plot(panel.x, panel.middle, color=COLOURS[0], label="fitted")
        axes.errorbar(
            [point.x for point in panel.samples],
            [point.percentage for point in panel.samples],
            yerr=[
                [point.percentage - point.low for point in panel.samples],
                [point.high - point.percentage for point in panel.samples],
            ],
            color=COLOURS[6], linestyle="", marker=".", elinewidth=0.8, alpha=0.7, label="games",
        )  # fmt: skip
        axes.axvspan(panel.best_low, panel.best_high, color=COLOURS[1], alpha=0.12, linewidth=0)
        axes.axvline(panel.best, color=COLOURS[1], linestyle="--", label=f"best: {panel.best:g}")
        if panel.log_x:
            _use_log_scale(axes, _round_ticks(min(panel.x), max(panel.x)))
        _finish(axes, x_label=panel.x_label, y_label=y_label if axes is all_axes[0] else "")
        axes.legend(frameon=False, fontsize="small")
    figure.suptitle(title)
    _save(figure, path)


@dataclass(frozen=True, kw_only=True)
class TraceLine:
    """One move at the root: its values, not a number where it has none, and its shares of the visits in percent."""

    label: str
    values: Sequence[float]
    shares: Sequence[float]


@dataclass(frozen=True, kw_only=True)
class TracePanel:
    """One engine's search, after `x` playouts. All panels have the same moves."""

    title: str
    x: Sequence[int]
    lines: Sequence[TraceLine]


def plot_trace(path: Path | str, panels: Sequence[TracePanel], *, title: str) -> None:
    """One column a panel: above the values of the moves, below their shares of the visits."""
    if not panels:
        raise ArgumentError("there is nothing to plot: the trace has no rows")
    figure, all_axes = _new_figure(len(panels), rows=2)
    upper, lower = all_axes[: len(panels)], all_axes[len(panels) :]
    for values, shares, panel in zip(upper, lower, panels, strict=True):
        for number, line in enumerate(panel.lines):
            colour, mark = COLOURS[number % len(COLOURS)], MARKS[number % len(MARKS)]
            every = math.ceil(len(panel.x) / MAX_TICKS)
            style: dict[str, Any] = {"color": colour, "marker": mark, "markersize": 4, "markevery": every}
            values.plot(panel.x, line.values, label=line.label, **style)
            shares.plot(panel.x, line.shares, **style)
        values.set_title(panel.title.replace("+", "\n+"), fontsize="medium")
        values.sharey(upper[0])
        shares.set_ylim(-3, 103)
        for axes in (values, shares):
            if _spans_decades(panel.x):
                ticks = _round_ticks(panel.x[0], panel.x[-1])
                decades = [tick for tick in ticks if math.log10(tick).is_integer()]
                _use_log_scale(axes, decades if len(decades) > 1 else ticks)
            _finish(axes, x_label="playouts" if axes is shares else "", y_label="", middle=None)
    upper[0].set_ylabel("value")
    lower[0].set_ylabel("% of the visits")
    upper[-1].legend(frameon=False, fontsize="small", title="move")
    if title:
        figure.suptitle(title)
    _save(figure, path)


def plot_course(path: Path | str, moves: Sequence[int], percentages: Sequence[float], *, title: str) -> None:
    """The first player's winning percentage over the moves of a game."""
    if not moves:
        raise ArgumentError("there is nothing to plot: the game has no moves")
    figure, (axes,) = _new_figure(1)
    axes.fill_between(moves, percentages, 50, color=COLOURS[0], alpha=0.15, linewidth=0)
    axes.plot(moves, percentages, color=COLOURS[0], marker=".", markersize=4)
    axes.set_ylim(-3, 103)
    _finish(axes, x_label="moves played", y_label="Black's winning percentage")
    axes.set_title(title)
    _save(figure, path)


def _spans_decades(x: Sequence[int]) -> bool:
    """Whether the points lie as on a logarithmic scale: the first step is then a small part of the whole way."""
    return len(x) > 2 and (x[1] - x[0]) < (x[-1] - x[-2]) / 2


# ---- what all plots share


def _new_figure(columns: int, *, rows: int = 1) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure  # noqa: PLC0415  slow to load

    size = (7 if columns == 1 else 4.5 * columns, 4.5) if rows == 1 else (2.5 * columns + 1, 2 * rows + 0.5)
    figure = Figure(figsize=size, layout="constrained")
    return figure, [figure.add_subplot(rows, columns, number + 1) for number in range(rows * columns)]


def _finish(axes: Axes, *, x_label: str, y_label: str, middle: float | None = 50) -> None:
    if middle is not None:
        axes.axhline(middle, color="0.5", linewidth=0.8, zorder=0)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)


def _use_log_scale(axes: Axes, ticks: Iterable[float]) -> None:
    from matplotlib.ticker import NullLocator  # noqa: PLC0415  slow to load

    axes.set_xscale("log")
    ticks = list(ticks)
    axes.set_xticks(ticks, labels=[f"{tick:,.10g}" for tick in ticks])
    axes.xaxis.set_minor_locator(NullLocator())


def _thinned(ticks: Sequence[float]) -> list[float]:
    """Leaves out those that would be written over their neighbours on a logarithmic scale."""
    if ticks[0] <= 0:
        raise ArgumentError(f"a logarithmic scale has only positive numbers, not {ticks[0]:g}")
    step = (ticks[-1] / ticks[0]) ** (1 / MAX_TICKS)
    kept = [ticks[0]]
    for tick in ticks[1:]:
        if tick >= kept[-1] * step:
            kept.append(tick)
    return kept


def _round_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten within the range."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    ticks = [float(f"{digit}e{power}") for power in range(first, last + 1) for digit in (1, 2, 5)]
    return [tick for tick in ticks if low <= tick <= high]


def _show_as_it_is(figure: Figure) -> None:
    """Names of files, players and moves may have a $ in them, and are no formulas."""
    from matplotlib.text import Text  # noqa: PLC0415  slow to load

    for artist in figure.findobj(Text):
        if isinstance(artist, Text):  # for the type checker, which is not told
            artist.set_parse_math(False)


def _save(figure: Figure, path: Path | str) -> None:
    """Without the date and the versions in the file, so that the same figures give the same file."""
    from matplotlib import rc_context  # noqa: PLC0415  slow to load

    _show_as_it_is(figure)
    metadata = {".png": {"Software": None}, ".svg": {"Date": None, "Creator": None}}.get(Path(path).suffix.lower())
    try:
        # Text as text: letters drawn as curves would be most of the file.
        with rc_context({"svg.hashsalt": "tesuji", "svg.fonttype": "none"}):
            figure.savefig(path, dpi=120, metadata=metadata)
    except ValueError as error:
        raise ArgumentError(f"{path} cannot be a plot: {error}") from None
    except OSError as error:
        raise ArgumentError(f"{path} cannot be written: {error.strerror}") from None
