"""Return per month as a heat map: a row per year."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from bot.pictures import words
from bot.pictures.canvas import BAD, GOOD, Picture, drawn
from bot.pictures.table import Point

NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MOST_YEARS = 25
Month = tuple[int, int]


def months(points: Sequence[Point]) -> Picture:
    found = returns(points)
    shown = {m: r for m, r in found.items() if m[0] > max(found)[0] - MOST_YEARS}
    alt = words.months(max(shown.values()), min(shown.values()), len(shown))
    years = max(shown)[0] - min(shown)[0] + 1
    return drawn("Return per month, %", alt, lambda f: _months(f, shown), 1.1 + 0.36 * years)


def returns(points: Sequence[Point]) -> dict[Month, float]:
    """In percent of the equity at the end of the month before. On nothing there is no return."""
    ends = {(p.at.year, p.at.month): p.equity for p in points}
    found, before = {}, points[0].equity
    for month, equity in ends.items():
        found[month] = 100.0 * (equity / before - 1.0) if before > 0 else 0.0
        before = equity
    return found


def _months(figure: Figure, found: dict[Month, float]) -> None:
    axes = figure.subplots()
    first, last = min(found)[0], max(found)[0]
    years = list(range(first, last + 1))
    cells = [[found.get((y, m), float("nan")) for m in range(1, 13)] for y in years]
    most = max(max(abs(r) for r in found.values()), 0.01)
    axes.pcolormesh(cells, cmap=_colors(), vmin=-most, vmax=most, edgecolors="none")
    for (year, month), value in found.items():
        axes.text(month - 0.5, year - first + 0.5, told(value, most), ha="center", va="center",
                  fontsize=8.5)  # fmt: skip
    axes.set_xticks([n + 0.5 for n in range(12)], NAMES)
    axes.set_yticks([n + 0.5 for n in range(len(years))], [str(y) for y in years])
    axes.invert_yaxis()
    axes.grid(False)
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)


def told(value: float, most: float) -> str:
    """Small returns need their second digit; what rounds to nothing has no sign."""
    digits = 1 if most >= 2 else 2
    rounded = round(value, digits)
    return f"{rounded:+.{digits}f}" if rounded else "0"


def _colors() -> LinearSegmentedColormap:
    """Nothing in the middle, so that the page shows through: grey words stay readable on it."""
    far = 0.35
    stops = [(*_rgb(BAD), far), (*_rgb(BAD), 0.0), (*_rgb(GOOD), 0.0), (*_rgb(GOOD), far)]
    return LinearSegmentedColormap.from_list("months", list(zip((0, 0.5, 0.5, 1), stops, strict=True)))  # fmt: skip  # noqa: E501


def _rgb(color: str) -> tuple[float, float, float]:
    red, green, blue = (int(color[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return red, green, blue
