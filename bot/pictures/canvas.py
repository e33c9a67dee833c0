"""Paper, colours and the final SVG: small, the same bytes each time, light or dark behind it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Any, TypeVar

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

T = TypeVar("T")

INK = "#77797f"
"""Words want 4.5 to 1 (WCAG AA). White and GitHub's dark page are 18.92 to 1 apart, so one colour
reaches at most the root of that on both, 4.35. This one does."""
MAIN = "#3b82f6"
GOOD, BAD = "#3b82f6", "#d97706"
"""Blue and orange: told apart by those who do not see red and green, on white and on black."""
MOST_POINTS = 700
WIDTH, HEIGHT = 9.0, 4.2
LETTERS = "DejaVu Sans, Helvetica, Arial, sans-serif"
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "stratbot",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": LETTERS.split(", ")[:-1],
    "font.size": 10.0,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": INK,
    "grid.alpha": 0.2,
    "grid.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "lines.linewidth": 1.5,
    "legend.frameon": False,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}
TIDY = {"Date": None, "Creator": None, "Format": None, "Type": None}


@dataclass(frozen=True, slots=True)
class Picture:
    svg: str
    alt: str


def drawn(title: str, alt: str, draw: Callable[[Figure], None], height: float = HEIGHT) -> Picture:
    """One figure of its own: nothing is kept between two pictures."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure)
        figure.suptitle(title, x=0.01, ha="left", fontsize=14, fontweight="bold")
        _laid_out(figure)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata=TIDY)
    return Picture(_finished(out.getvalue(), title, alt), alt)


def _laid_out(figure: Figure) -> None:
    """Before it is saved: else the library draws all of it once more, only to find the places."""
    engine = figure.get_layout_engine()
    assert engine is not None  # nosec B101
    engine.execute(figure)
    figure.set_layout_engine(None)


def _finished(svg: str, title: str, alt: str) -> str:
    """No preamble, letters named once, a tenth of a point, and with words for who listens."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r"\s*<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r' d="([^"]*)"', lambda hit: f' d="{_short(hit[1])}"', body)
    body = re.sub(r' (x|y)="(-?\d+\.\d)\d+"', r' \1="\2"', body)
    body = re.sub(r' transform="rotate\(-0 [^)]*\)"', "", body)
    body = re.sub(r"font-family: [^;\"]*; ", "", body)
    says = f"<title>{escape(title)}</title>\n <desc>{escape(alt)}</desc>"
    return re.sub(
        r"<svg([^>]*)>", rf'<svg role="img" font-family="{LETTERS}"\1>\n {says}', body, count=1
    )


def _short(path: str) -> str:
    return re.sub(r"(\.\d)\d+", r"\1", " ".join(path.split()))


def thinned(rows: list[T], value: Callable[[T], float]) -> list[T]:
    """As many as a line needs: of each stretch the lowest and the highest, so no peak is lost."""
    if len(rows) <= MOST_POINTS:
        return rows
    size = -(-2 * len(rows) // MOST_POINTS)
    kept: list[int] = [0, len(rows) - 1]
    for start in range(0, len(rows), size):
        part = range(start, min(start + size, len(rows)))
        kept += [min(part, key=lambda n: value(rows[n])), max(part, key=lambda n: value(rows[n]))]
    return [rows[n] for n in sorted(set(kept))]


def line(axes: Axes, places: Iterable[tuple[datetime, float]], **look: Any) -> None:
    """Times are fine here, though the types of the library do not know it."""
    pairs = list(places)
    times: Any = [at for at, _ in pairs]
    axes.plot(times, [value for _, value in pairs], **look)


def in_money(axes: Axes) -> None:
    axes.yaxis.set_major_formatter(plain())


def plain() -> FuncFormatter:
    return FuncFormatter(lambda value, _: f"{value:,.10g}")


def nothing(axes: Axes, says: str) -> None:
    axes.set_axis_off()
    axes.text(0.5, 0.5, says, transform=axes.transAxes, ha="center")


def legend(axes: Axes) -> None:
    """Above the drawing, at the right: it hides nothing."""
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=6, borderpad=0.2)
