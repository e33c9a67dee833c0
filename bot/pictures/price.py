"""Price with entries and exits. Without bars the price is known only where trades begin and end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bot.pictures import words
from bot.pictures.canvas import (
    BAD,
    GOOD,
    INK,
    Picture,
    drawn,
    in_money,
    legend,
    line,
    nothing,
    thinned,
)
from bot.pictures.table import Bar, Trade


def price(trades: Sequence[Trade], bars: Sequence[Bar] = ()) -> Picture:
    shown = sorted(trades, key=lambda t: t.entered)[-words.MOST_TRADES :]
    counts = len(shown), len(trades)
    few = f": {words.newest(*counts)}" if len(shown) < len(trades) else ""
    title, alt = f"Price, entries and exits{few}", words.price(*counts)
    return drawn(title, alt, lambda figure: _price(figure, shown, bars))


def _price(figure: Figure, trades: Sequence[Trade], bars: Sequence[Bar]) -> None:
    axes = figure.subplots()
    if not trades:
        nothing(axes, "no trades")
        return
    closes = thinned(_around(trades, bars), lambda b: b.close)
    if closes:
        path = ((b.at, b.close) for b in closes)
        line(axes, path, color=INK, linewidth=1, alpha=0.8, label="close")
    won, lost = [t for t in trades if t.pnl > 0], [t for t in trades if t.pnl <= 0]
    _paths(axes, won, GOOD, f"{len(won)} won")
    _paths(axes, lost, BAD, f"{len(lost)} lost")
    _marks(axes, [(t.entered, t.entry) for t in trades if t.side > 0], "^", "buy")
    _marks(axes, [(t.entered, t.entry) for t in trades if t.side < 0], "v", "sell short")
    _marks(axes, [(t.left, t.exit) for t in trades], "x", "exit")
    axes.set_ylabel("price")
    in_money(axes)
    axes.margins(x=0.01)
    legend(axes)


def _around(trades: Sequence[Trade], bars: Sequence[Bar]) -> list[Bar]:
    """From the first shown entry to the last exit, and a little more."""
    first, last = trades[0].entered, max(t.left for t in trades)
    room = (last - first) / 20
    return [b for b in bars if first - room <= b.at <= last + room]


def _paths(axes: Axes, trades: Sequence[Trade], color: str, name: str) -> None:
    """All in one line with gaps: a path each would make a large file."""
    gap = float("nan")
    ends = [((t.entered, t.entry), (t.left, t.exit), (t.left, gap)) for t in trades]
    if trades:
        path = (place for trade in ends for place in trade)
        line(axes, path, color=color, linewidth=2, label=name)


def _marks(axes: Axes, places: Sequence[tuple[datetime, float]], marker: str, name: str) -> None:
    if places:
        look = {"linestyle": "none", "marker": marker, "markersize": 5, "color": INK}
        line(axes, places, **look, label=name)
