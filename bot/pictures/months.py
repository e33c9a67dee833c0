"""Return per month as a heat map: a row per year."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from bot.pictures import words
from bot.pictures.canvas import BAD, GOOD, Picture, drawn
from bot.pictures.table import Point

NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MOST_YEARS = 25
BAND = 0.58
Month = tuple[int, int]


def months(points: Sequence[Point]) -> Picture:
    found = returns(points)
    shown = {m: r for m, r in found.items() if m[0] > max(found)[0] - MOST_YEARS}
    alt = words.months(max(shown.values()), min(shown.values()), len(shown))
    years = max(shown)[0] - min(shown)[0] + 1
    return drawn("Return per month, %", alt, lambda f: _months(f, shown), 1.0 + 0.42 * years)


def returns(points: Sequence[Point]) -> dict[Month, float]:
    """In percent of the equity at the end of the month before. On nothing there is no return."""
    ends = {(p.at.year, p.at.month): p.equity for p in points}
    found, before = {}, points[0].equity
    for month, equity in ends.items():
        change = 100.0 * (equity / before - 1.0) if before > 0 else 0.0
        found[month] = change if math.isfinite(change) else 0.0
        before = equity
    return found


def _months(figure: Figure, found: dict[Month, float]) -> None:
    axes = figure.subplots()
    first, last = min(found)[0], max(found)[0]
    years = list(range(first, last + 1))
    most = max(max(abs(r) for r in found.values()), 0.01)
    places = [(month - 0.95, year - first + BAND) for year, month in found]
    fills = [_color(value / most) for value in found.values()]
    bands = [_band(*place) for place in places]
    axes.add_collection(PolyCollection(bands, facecolors=fills)).set_clip_on(False)
    for (year, month), value in found.items():
        axes.text(month - 0.5, year - first + 0.34, told(value, most), ha="center", va="center",
                  fontsize=9)  # fmt: skip
    axes.set_xticks([n + 0.5 for n in range(12)], NAMES)
    axes.set_yticks([n + 0.5 for n in range(len(years))], [str(y) for y in years])
    axes.set_xlim(0, 12)
    axes.set_ylim(len(years), 0)
    axes.grid(False)
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)


def told(value: float, most: float) -> str:
    """Small returns need their second digit; what rounds to nothing has no sign."""
    digits = 1 if most >= 2 else 2
    rounded = round(value, digits)
    return f"{rounded:+.{digits}f}" if rounded else "0"


def _band(left: float, top: float) -> list[tuple[float, float]]:
    """Below the number, not behind it: on a strong colour no grey can be read."""
    right, low = left + 0.9, top + 0.28
    return [(left, top), (right, top), (right, low), (left, low)]


def _color(share: float) -> tuple[str, float]:
    return (GOOD if share > 0 else BAD), round(abs(share), 3)
