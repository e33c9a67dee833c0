"""Meanings of the requests whose point is how they leave."""

import numpy as np

from tests.requests.averages import (
    above,
    below,
    ema,
    highest,
    in_a_row,
    lowest,
    prior_high,
    prior_low,
    shift,
    sma,
)
from tests.requests.bars import PIP, Bars
from tests.requests.engine import Held
from tests.requests.holding import after, best_close, gained, trail_by, trail_percent
from tests.requests.indicators import atr, bollinger, rsi
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, SAMPLES, SINCE, means


@means(
    "trail-percent",
    {
        "fixed": {"fixed": True},
        "SMA exit": {"sma_exit": True},
        "state": {"cross": False},
        "4%": {"percent": 4.0},
    },
    since=SINCE,
)
def percent_trail(
    b: Bars,
    since: str,
    fixed: bool = False,
    sma_exit: bool = False,
    cross: bool = True,
    percent: float = 8.0,
) -> Plan:
    line = sma(b.close, 50)
    enter = above(b.close, line) if cross else b.close > line
    leave = b.close < line if sma_exit else None
    if fixed:
        return Plan(aim(b, 1, enter, leave, b.close * percent / 100))
    return Plan(Side(enter, leave), leave=trail_percent(b, percent, since))


@means(
    "trail-atr-both",
    {
        "2 ATR": {"width": 2.0},
        "long only": {"both": False},
        "fixed": {"fixed": True},
        "ATR(20)": {"length": 20},
    },
    since=SINCE,
    kind=ATRS,
)
def atr_trail(
    b: Bars,
    since: str,
    kind: str,
    width: float = 3.0,
    both: bool = True,
    fixed: bool = False,
    length: int = 14,
) -> Plan:
    up, down = b.close > prior_high(b.high, 20), b.close < prior_low(b.low, 20)
    distance = width * atr(b, length, kind)
    if fixed:
        return Plan(aim(b, 1, up, None, distance), aim(b, -1, down, None, distance))
    return Plan(Side(up), Side(down) if both else Side(), leave=trail_by(b, distance, since))


@means(
    "trail-after",
    {"at once": {"starts": 0.0}, "no stop": {"stop": 99.0}, "no trail": {"starts": 999.0}},
    since=SINCE,
)
def late_trail(b: Bars, since: str, starts: float = 3.0, stop: float = 4.0) -> Plan:
    enter = above(ema(b.close, 10), ema(b.close, 40))

    def leave(held: Held, idx: int) -> bool:
        on = bool((gained(b, held, idx) >= held.price * starts / 100).any()) or starts == 0
        return on and bool(b.close[idx] <= 0.98 * best_close(b, held, idx, since))

    return Plan(aim(b, 1, enter, None, b.close * stop / 100), leave=leave)


@means(
    "break-even",
    {
        "no break-even": {"starts": 9999.0},
        "at 10 pips": {"starts": 10.0},
        "cross closes": {"closes": True},
    },
)
def break_even(b: Bars, starts: float = 30.0, closes: bool = False) -> Plan:
    fast, slow = ema(b.close, 8), ema(b.close, 34)
    up, down = above(fast, slow), below(fast, slow)

    def leave(held: Held, idx: int) -> bool:
        gains = gained(b, held, idx)
        return bool((gains >= starts * PIP).any() and gains[-1] <= 0)

    return Plan(
        aim(b, 1, up, down if closes else None, 30 * PIP, 90 * PIP),
        aim(b, -1, down, up if closes else None, 30 * PIP, 90 * PIP),
        leave=leave,
    )


@means(
    "time-hours",
    {"state": {"cross": False}, "12 bars": {"bars": 12}, "no stop": {"stop": 9999.0}},
    sample=SAMPLES,
    count=COUNTS,
)
def hours(
    b: Bars, sample: bool, count: str, cross: bool = True, bars: int = 6, stop: float = 25.0
) -> Plan:
    low = bollinger(b.close, 20, 2.0, sample)[0]
    enter = below(b.close, low) if cross else b.close < low
    return Plan(aim(b, 1, enter, None, stop * PIP), leave=after(bars, count))


@means(
    "two-days-h4",
    {"2 bars": {"bars": 2}, "no stop": {"stop": 99.0}, "48 bars": {"bars": 48}},
    count=COUNTS,
)
def two_days(b: Bars, count: str, bars: int = 12, stop: float = 7.0) -> Plan:
    enter = rsi(b.close, 6) < 15
    return Plan(aim(b, 1, enter, None, b.close * stop / 100), leave=after(bars, count))


@means(
    "two-weeks",
    {"14 bars": {"bars": 14}, "high": {"high": True}, "2 bars": {"bars": 2}},
    count=COUNTS,
)
def two_weeks(b: Bars, count: str, bars: int = 10, high: bool = False) -> Plan:
    enter = b.close >= highest(b.close, 20) if high else b.close <= lowest(b.close, 20)
    return Plan(Side(enter), leave=after(bars, count))


@means(
    "dollar-stop",
    {"percent": {"percent": True}, "swapped": {"stop": 5.0, "target": 3.0}, "SMA": {"kind": "sma"}},
)
def dollars(
    b: Bars, percent: bool = False, stop: float = 3.0, target: float = 5.0, kind: str = "ema"
) -> Plan:
    enter = above(b.close, ema(b.close, 30) if kind == "ema" else sma(b.close, 30))
    unit = b.close / 100 if percent else np.ones(len(b.close))
    return Plan(aim(b, 1, enter, None, stop * unit, target * unit))


@means(
    "basis-points",
    {
        "percent": {"unit": 0.01},
        "pips": {"pips": True},
        "opposite closes": {"closes": True},
        "long only": {"both": False},
    },
)
def basis_points(
    b: Bars, unit: float = 0.0001, pips: bool = False, closes: bool = False, both: bool = True
) -> Plan:
    r = rsi(b.close, 9)
    up, down = above(r, 50), below(r, 50)
    near, far = 30 * unit * b.close, 60 * unit * b.close
    if pips:
        near, far = near / b.close, far / b.close
    short = aim(b, -1, down, up if closes else None, near, far) if both else Side()
    return Plan(aim(b, 1, up, down if closes else None, near, far), short)


@means(
    "ticks",
    {"8 points": {"tick": 1.0}, "stop under the close": {"own": False}, "0.01": {"tick": 0.01}},
)
def ticks(b: Bars, tick: float = 0.25, own: bool = True) -> Plan:
    enter = b.close > prior_high(b.high, 5)
    base = b.low if own else b.close
    return Plan(Side(enter, None, base - 8 * tick, b.close + 20 * tick))


@means(
    "swing-stop",
    {
        "1R": {"r": 1.0},
        "5 bars": {"bars": 5},
        "long only": {"both": False},
        "state": {"cross": False},
    },
)
def swing_stop(
    b: Bars, r: float = 1.5, bars: int = 10, both: bool = True, cross: bool = True
) -> Plan:
    line = ema(b.close, 50)
    up, down = (
        (above(b.close, line), below(b.close, line)) if cross else (b.close > line, b.close < line)
    )
    under, over = b.close - lowest(b.low, bars), highest(b.high, bars) - b.close
    short = aim(b, -1, down, None, over, r * over) if both else Side()
    return Plan(aim(b, 1, up, None, under, r * under), short)


@means(
    "points-index",
    {
        "percent": {"percent": True},
        "no filter": {"trend": False},
        "three closes": {"days": 3},
        "no time exit": {"bars": 999},
    },
    count=COUNTS,
)
def points(
    b: Bars,
    count: str,
    percent: bool = False,
    trend: bool = True,
    days: int = 2,
    bars: int = 8,
) -> Plan:
    enter = in_a_row(b.close < shift(b.close), days)
    if trend:
        enter &= b.close > sma(b.close, 100)
    near, far = (b.close * 0.03, b.close * 0.02) if percent else (3.0, 2.0)
    return Plan(aim(b, 1, enter, None, near, far), leave=after(bars, count))


@means(
    "profit-close-exit",
    {"no filter": {"trend": False}, "any profit": {"profit": False}, "no time exit": {"bars": 999}},
    count=COUNTS,
)
def bail_out(b: Bars, count: str, trend: bool = True, profit: bool = True, bars: int = 15) -> Plan:
    enter = b.close <= lowest(b.close, 7)
    if trend:
        enter &= b.close > sma(b.close, 150)
    late = after(bars, count)

    def leave(held: Held, idx: int) -> bool:
        return late(held, idx) or (profit and bool(b.close[idx] > held.price))

    return Plan(Side(enter), leave=leave)


@means(
    "either-exit",
    {"no RSI": {"strong": False}, "no time exit": {"bars": 999}, "no stop": {"stop": 99.0}},
    count=COUNTS,
)
def either_exit(
    b: Bars, count: str, strong: bool = True, bars: int = 25, stop: float = 7.0
) -> Plan:
    s20, s60, r = sma(b.close, 20), sma(b.close, 60), rsi(b.close)
    enter = (b.close > s20) & (s20 > s60)
    if strong:
        enter &= r < 60
    leave = (b.close < s60) | (r > 75)
    return Plan(aim(b, 1, enter, leave, b.close * stop / 100), leave=after(bars, count))
