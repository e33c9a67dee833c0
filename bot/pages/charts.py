"""What each chart on a page draws, as numbers and words. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from statistics import median

from bot.pictures import words
from bot.pictures.equity import falls
from bot.pictures.months import NAMES, returns, told
from bot.pictures.spread import FACTORS, at_costs, edges
from bot.pictures.table import Bar, Point, Trade

Values = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """`look`: line, dots, fill, up, down, cross or bars; a line bridges a gap, dots show it.
    `ink`: main, bad or quiet."""

    label: str
    values: Values
    look: str = "line"
    ink: str = "main"
    scale: str = "y"


@dataclass(frozen=True, slots=True)
class Chart:
    """`ticks` name the places on the x axis; without them it shows times."""

    id: str
    title: str
    alt: str
    x: Values
    series: tuple[Series, ...]
    ticks: tuple[str, ...] = ()
    linear: bool = False
    """x is an amount, not a time."""
    across: str = "time"

    def drawn(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Cell:
    """A month of the heat map: `level` from -5 to 5, None where there was no trading."""

    text: str
    level: int | None


def equity(points: Sequence[Point]) -> Chart:
    fallen = [depth for _, depth in falls(points)]
    net = points[-1].equity - points[0].equity
    return Chart(
        "equity", "Equity and drawdown", words.equity(net, min(fallen)),
        _times(p.at for p in points),
        (
            Series("equity", _short(p.equity for p in points)),
            Series("drawdown", _short(fallen), "fill", "bad", "fall"),
        ),
    )  # fmt: skip


def versions(before: Sequence[Point], after: Sequence[Point]) -> Chart:
    old, new = ({p.at: p.equity for p in points} for points in (before, after))
    times = sorted({*old, *new})
    nets = [points[-1].equity - points[0].equity for points in (before, after)]
    return Chart(
        "versions", "Equity of two versions", words.versions(*nets), _times(times),
        (
            Series("before", _short(old.get(at) for at in times), "line", "bad"),
            Series("now", _short(new.get(at) for at in times)),
        ),
    )  # fmt: skip


def price(trades: Sequence[Trade], bars: Sequence[Bar]) -> Chart:
    """Where there are no bars, the price is known only where trades begin and end."""
    closes = {b.at: b.close for b in bars}
    marks = (
        ("buy", "up", "main", {t.entered: t.entry for t in trades if t.side > 0}),
        ("sell short", "down", "bad", {t.entered: t.entry for t in trades if t.side < 0}),
        ("exit", "cross", "quiet", {t.left: t.exit for t in trades}),
    )
    times = sorted({*closes, *(at for *_, places in marks for at in places)})
    return Chart(
        "price", "Price, entries and exits", words.price(len(trades)), _times(times),
        (
            Series("close", _short(closes.get(at) for at in times), "line", "quiet"),
            *(Series(n, _short(places.get(at) for at in times), look, ink)
              for n, look, ink, places in marks if places),
        ),
    )  # fmt: skip


def spread(trades: Sequence[Trade]) -> Chart:
    pnls = [t.pnl for t in trades]
    limits = edges(pnls)
    width = limits[1] - limits[0]
    counts = Counter(min(int((p - limits[0]) // width), len(limits) - 2) for p in pnls)
    middles = [(a + b) / 2 for a, b in zip(limits, limits[1:], strict=False)]
    heights = [float(counts[n]) for n in range(len(middles))]
    alt = words.spread(len(pnls), sum(p > 0 for p in pnls), median(pnls) if pnls else 0.0)
    return Chart(
        "spread", "Results of the trades", alt, _short(middles), _signed(
            "trades", middles, heights), linear=True, across="result",
    )  # fmt: skip


def stress(trades: Sequence[Trade]) -> Chart:
    nets = [at_costs(trades, factor) for factor in FACTORS]
    names = tuple(f"{f:g}×" if f else "none" for f in FACTORS)
    alt = words.stress(at_costs(trades, 1.0), at_costs(trades, 2.0))
    places = tuple(float(n) for n in range(len(FACTORS)))
    return Chart(
        "stress", "Net result by costs, as agreed at 1×", alt, places,
        _signed("net", nets, nets), names, across="costs",
    )  # fmt: skip


def _signed(label: str, sign: Sequence[float], heights: Sequence[float]) -> tuple[Series, ...]:
    """Bars in two inks: told apart by more than where they stand."""
    won, lost = (
        _short(h if keep(s) else None for s, h in zip(sign, heights, strict=True))
        for keep in _SIDES
    )
    return (
        Series(f"{label}: gain", won, "bars", "main"),
        Series(f"{label}: loss", lost, "bars", "bad"),
    )


_SIDES: tuple[Callable[[float], bool], ...] = (lambda s: s >= 0, lambda s: s < 0)


def months(points: Sequence[Point]) -> tuple[str, tuple[str, ...], list[tuple[int, list[Cell]]]]:
    """Words, the names of the columns, and a row of cells per year."""
    found = returns(points)
    most = max(max(abs(r) for r in found.values()), 0.01)
    years = range(min(found)[0], max(found)[0] + 1)
    rows = [(y, [_cell(found.get((y, m)), most) for m in range(1, 13)]) for y in years]
    return words.months(max(found.values()), min(found.values()), len(found)), NAMES, rows


def _cell(value: float | None, most: float) -> Cell:
    if value is None:
        return Cell("", None)
    return Cell(told(value, most), max(-5, min(5, round(5 * value / most))))


def _times(moments: Iterable[datetime]) -> Values:
    """As the exchange's clock shows them."""
    return tuple(at.replace(tzinfo=UTC).timestamp() for at in moments)


def _short(numbers: Iterable[float | None]) -> Values:
    """Eight digits are more than a screen shows."""
    return tuple(None if n is None else float(f"{n:.8g}") for n in numbers)
