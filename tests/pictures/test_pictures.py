"""Pictures: what they show, their size, their bytes, their words, their colours."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.pictures import canvas, table
from bot.pictures.canvas import Picture, thinned
from bot.pictures.equity import equity, falls, versions
from bot.pictures.months import months, returns
from bot.pictures.price import price
from bot.pictures.spread import at_costs, spread, stress
from bot.pictures.spread import edges as edges_of
from tests.pictures import tables

SVG = "{http://www.w3.org/2000/svg}"
CURVE = table.points(tables.equity([10_000.0 + (n * 37) % 211 + n / 9 for n in range(5000)]))
MANY = table.trades(tables.trades(1500))
WEEKS = [replace(p, at=p.at + 6 * (p.at - CURVE[0].at)) for p in CURVE[:1500]]
BARS = table.bars(tables.bars(7500))

ALL: dict[str, Callable[[], Picture]] = {
    "equity": lambda: equity(CURVE),
    "versions": lambda: versions(CURVE, CURVE[::2]),
    "months": lambda: months(CURVE),
    "price": lambda: price(MANY, BARS),
    "price of trades alone": lambda: price(MANY),
    "spread": lambda: spread(MANY),
    "stress": lambda: stress(MANY),
    "no trades": lambda: price(()),
    "nothing to spread": lambda: spread(()),
    "nothing to stress": lambda: stress(()),
    "one bar": lambda: equity(CURVE[:1]),
    "one month": lambda: months(CURVE[:1]),
    "months of weeks": lambda: months(WEEKS),
}
EACH = pytest.mark.parametrize("draw", ALL.values(), ids=ALL)


@EACH
def test_a_picture_is_small_and_says_what_it_shows(draw: Callable[[], Picture]) -> None:
    made = draw()
    root = ET.fromstring(made.svg)
    assert root.findtext(f"{SVG}desc") == made.alt
    assert root.findtext(f"{SVG}title")
    assert root.get("role") == "img"
    assert len(made.svg.encode()) < 100_000


@EACH
def test_the_same_figures_give_the_same_bytes(draw: Callable[[], Picture]) -> None:
    assert draw() == draw()


def test_another_process_draws_the_same_bytes() -> None:
    code = "from tests.pictures.test_pictures import ALL; print(ALL['price']().svg)"
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert runs[0].stdout == runs[1].stdout
    assert runs[0].stdout.strip() == ALL["price"]().svg.strip()


@EACH
def test_nothing_is_loaded_from_elsewhere(draw: Callable[[], Picture]) -> None:
    svg = draw().svg
    assert set(re.findall(r'href="(.)', svg)) <= {"#"}
    assert set(re.findall(r"https?://[^\"]*", svg)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


@pytest.mark.parametrize("color", [canvas.INK, canvas.MAIN, canvas.GOOD, canvas.BAD])
@pytest.mark.parametrize("page", ["#ffffff", "#0d1117"])
def test_each_colour_is_seen_on_light_and_dark(color: str, page: str) -> None:
    """3 to 1 is what shapes need. Words want 4.5; no colour has as much on both pages."""
    wanted = 4.34 if color == canvas.INK else 3.0
    assert _contrast(color, page) >= wanted


def test_no_grey_is_much_better_on_both_pages() -> None:
    greys = [f"#{n:02x}{n:02x}{n:02x}" for n in range(256)]
    best = max(min(_contrast(g, "#ffffff"), _contrast(g, "#0d1117")) for g in greys)
    assert 4.34 < best < 4.36, "with 4.5 the words would be held to it"


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_light(one), _light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _light(color: str) -> float:
    parts = [int(color[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_words_of_the_equity() -> None:
    made = equity(table.points(tables.equity([100.0, 120.0, 90.0, 130.0])))
    assert made.alt == "Equity over time: net +30.00, maximum drawdown 30.00."
    assert "drawdown, at most 30.00" in made.svg


def test_the_drawdown_is_from_the_best_so_far() -> None:
    points = table.points(tables.equity([100.0, 120.0, 90.0, 130.0, 125.0]))
    assert [depth for _, depth in falls(points)] == [0.0, 0.0, -30.0, 0.0, -5.0]


def test_a_month_is_measured_from_the_end_of_the_one_before() -> None:
    found = returns(table.points(tables.equity([100.0] * 31 + [110.0] * 29 + [99.0])))
    assert {m: round(r, 6) for m, r in found.items()} == {
        (2020, 1): 0.0,
        (2020, 2): 10.0,
        (2020, 3): -10.0,
    }


def test_no_month_has_less_than_nothing() -> None:
    made = months(table.points(tables.equity([100.0, 99.9999])))
    assert made.alt == "Return per month: 1 month, best +0.00 %, worst +0.00 %."


def test_the_number_of_a_month_stands_on_the_bare_page() -> None:
    root = ET.fromstring(months(CURVE).svg)
    numbers = [t for t in root.iter(f"{SVG}text") if (t.text or "")[0] in "+-0"]
    places = [(float(t.get("x", "")), float(t.get("y", ""))) for t in numbers]
    [bands] = [g for g in root.iter(f"{SVG}g") if g.get("id") == "PolyCollection_1"]
    assert len(places) == len(bands) > 100
    for band, (x, y) in zip(bands, places, strict=True):
        left, top, *_ = map(float, re.findall(r"-?\d+\.\d", band.get("d", "")))
        assert left < x < left + 50 and y < top


def test_the_results_say_how_many_won_and_lost() -> None:
    svg = spread(table.trades(tables.trades(4))).svg
    assert "2 won" in svg and "2 lost" in svg and "lost" not in spread(MANY[:1]).svg


def test_costs_are_taken_from_every_trade() -> None:
    trades = table.trades(tables.trades(4))  # 9 - 2 - 2 + 9, and 0.5 each
    assert [at_costs(trades, f) for f in (0.0, 1.0, 2.0)] == [14.0, 12.0, 10.0]
    assert stress(trades).alt == (
        "Net result by costs: +12.00 as agreed, +10.00 at twice the costs."
    )


def test_every_trade_is_in_one_bar_and_none_holds_both_signs() -> None:
    pnls = [-3.0, -0.01, 0.0, 0.2, 7.0]
    edges = edges_of(pnls)
    assert 0.0 in edges
    counts = [sum(a <= p < b for p in pnls) for a, b in zip(edges, edges[1:], strict=False)]
    assert sum(counts) == len(pnls)


def test_only_the_newest_trades_are_drawn_and_the_title_says_so() -> None:
    made, said = price(MANY), "the last 150 of 1500 trades"
    assert f"<title>Price, entries and exits: {said}</title>" in made.svg
    assert made.alt == f"Price with the entries and exits of {said}."
    assert price(MANY[:150]).alt == "Price with the entries and exits of 150 trades."
    assert price(MANY[:1]).alt == "Price with the entries and exits of 1 trade."


def test_thinning_keeps_the_peaks() -> None:
    values = [float(n % 10) for n in range(10_000)]
    values[4321], values[8765] = 99.0, -99.0
    kept = thinned(values, lambda v: v)
    assert len(kept) <= canvas.MOST_POINTS + 4
    assert (max(kept), min(kept), kept[0], kept[-1]) == (99.0, -99.0, values[0], values[-1])
