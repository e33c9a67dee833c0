"""How the results of the trades are spread, and what is left when costs are higher."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bot.pictures import words
from bot.pictures.canvas import BAD, GOOD, INK, Picture, drawn, in_money, legend, nothing, plain
from bot.pictures.table import Trade

FACTORS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
STEPS = 24


def spread(trades: Sequence[Trade]) -> Picture:
    pnls = [t.pnl for t in trades]
    middle = median(pnls) if pnls else 0.0
    alt = words.spread(len(pnls), sum(p > 0 for p in pnls), middle)
    return drawn("Results of the trades", alt, lambda figure: _spread(figure, pnls, middle), 3.6)


def stress(trades: Sequence[Trade]) -> Picture:
    """The same decisions at other costs: does anything remain?"""
    alt = words.stress(at_costs(trades, 1.0), at_costs(trades, 2.0))
    return drawn("Net result by costs", alt, lambda figure: _stress(figure, trades), 3.6)


def at_costs(trades: Sequence[Trade], factor: float) -> float:
    return sum(t.gross - factor * t.costs for t in trades)


def _spread(figure: Figure, pnls: Sequence[float], middle: float) -> None:
    axes = figure.subplots()
    if not pnls:
        nothing(axes, "no trades")
        return
    limits = edges(pnls)
    won = sum(p > 0 for p in pnls)
    _bars(axes, pnls, [n for n in limits if n >= 0], GOOD, f"{won} won")
    _bars(axes, pnls, [n for n in limits if n <= 0], BAD, f"{len(pnls) - won} lost")
    _middle(axes, middle)
    legend(axes)
    axes.set_xlabel("result of a trade")
    axes.set_ylabel("trades")
    axes.xaxis.set_major_formatter(plain())
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(y=0.15)
    axes.grid(False, axis="x")


def _bars(
    axes: Axes, pnls: Sequence[float], limits: Sequence[float], color: str, name: str
) -> None:
    """Only the bars that are not empty."""
    steps = list(pairwise(limits))
    counts = [sum(low <= p < high for p in pnls) for low, high in steps]
    full = [(low, high, n) for (low, high), n in zip(steps, counts, strict=True) if n]
    if full:
        places, widths = [(a + b) / 2 for a, b, _ in full], [(b - a) * 0.9 for a, b, _ in full]
        axes.bar(places, [n for *_, n in full], widths, color=color, label=name)


def _middle(axes: Axes, middle: float) -> None:
    """A mark above the bars: on them a line would not be seen."""
    told, high = f"median {middle:+,.2f}", axes.get_xaxis_transform()
    axes.plot([middle], [0.95], linestyle="none", marker="v", color=INK, label=told, transform=high)


def edges(pnls: Sequence[float]) -> list[float]:
    """Zero is an edge, so that no bar holds both wins and losses."""
    low, high = min((*pnls, 0.0)), max((*pnls, 0.0))
    step = (high - low) / STEPS or 1.0
    below, above = int(-low / step + 0.999), int(high / step) + 1
    return [n * step for n in range(-below, above + 1)]


def _stress(figure: Figure, trades: Sequence[Trade]) -> None:
    axes = figure.subplots()
    if not trades:
        nothing(axes, "no trades")
        return
    results = [at_costs(trades, factor) for factor in FACTORS]
    colors = [GOOD if result >= 0 else BAD for result in results]
    fills = [(c, 1.0 if f == 1.0 else 0.4) for c, f in zip(colors, FACTORS, strict=True)]
    axes.bar(range(len(results)), results, 0.7, color=fills, edgecolor=colors)
    for place, result in enumerate(results):
        _told(axes, place, result)
    axes.axhline(0.0, color=INK, linewidth=1)
    names = ["none" if f == 0 else "as agreed" if f == 1 else f"{f:g} times" for f in FACTORS]
    axes.set_xticks(range(len(FACTORS)), names)
    axes.set_ylabel("net result")
    axes.margins(y=0.15)
    axes.grid(False)
    in_money(axes)


def _told(axes: Axes, place: int, result: float) -> None:
    up = result >= 0
    axes.annotate(f"{result:,.0f}" if abs(result) >= 1000 else f"{result:,.1f}", (place, result),
                  xytext=(0, 3 if up else -3), textcoords="offset points", ha="center",
                  va="bottom" if up else "top", fontsize=9)  # fmt: skip
