"""Meanings of the requests about several bars in a row, as people define them."""

import numpy as np

from tests.requests.averages import before, highest, in_a_row, lowest, shift, sma
from tests.requests.bars import Bars
from tests.requests.holding import after
from tests.requests.indicators import atr, rsi
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, means


@means(
    "own-morning-star",
    {"no small one": {"small": 9.0}, "1R": {"r": 1.0}, "over the open": {"half": False}},
)
def morning_star(b: Bars, small: float = 0.3, r: float = 2.0, half: bool = True) -> Plan:
    span, middle = b.high - b.low, (b.open + b.close) / 2 if half else b.open
    enter = before(b.red & (b.body > 0.6 * span), 2) & before(b.body < small * span)
    risk = b.close - lowest(b.low, 3)
    return Plan(aim(b, 1, enter & b.green & (b.close > shift(middle, 2)), None, risk, r * risk))


@means(
    "doji-after-greens",
    {"the doji counts": {"lag": 0}, "long": {"side": 1}, "2 greens": {"bars": 2}},
    count=COUNTS,
    kind=ATRS,
)
def doji(b: Bars, count: str, kind: str, lag: int = 1, side: int = -1, bars: int = 3) -> Plan:
    enter = before(in_a_row(b.green, bars), lag) & (b.body < 0.1 * (b.high - b.low))
    one = aim(b, side, enter, None, 1.5 * atr(b, 14, kind))
    return Plan(one, leave=after(4, count)) if side > 0 else Plan(short=one, leave=after(4, count))


@means("two-red-two-green", {"greens alone": {"reds": 0}, "1R": {"r": 1.0}, "2 lows": {"lows": 2}})
def two_and_two(b: Bars, reds: int = 2, r: float = 1.5, lows: int = 4) -> Plan:
    enter = in_a_row(b.green, 2)
    if reds:
        enter &= before(in_a_row(b.red, reds), 2)
    risk = b.close - lowest(b.low, lows)
    return Plan(aim(b, 1, enter, None, risk, r * risk))


@means(
    "inside-whose",
    {"no inside bar": {"inside": False}, "long only": {"both": False}, "1R": {"r": 1.0}},
)
def inside(b: Bars, inside: bool = True, both: bool = True, r: float = 2.0) -> Plan:
    narrow = before((b.high < shift(b.high)) & (b.low > shift(b.low))) | (not inside)
    low, high = b.close - shift(b.low), shift(b.high) - b.close
    up, down = narrow & (b.close > shift(b.high)), narrow & (b.close < shift(b.low))
    return Plan(
        aim(b, 1, up, None, low, r * low),
        aim(b, -1, down, None, high, r * high) if both else Side(),
    )


@means(
    "own-harami",
    {"no RSI": {"level": 0.0}, "out at 60": {"out": 60.0}, "any red": {"inner": False}},
    count=COUNTS,
)
def harami(b: Bars, count: str, level: float = 60.0, out: float = 40.0, inner: bool = True) -> Plan:
    strength = rsi(b.close)
    enter = before(b.green) & b.red & (strength > level)
    if inner:
        enter &= (b.open <= shift(b.close)) & (b.close >= shift(b.open))
    return Plan(short=Side(enter, strength < out, shift(b.high)), leave=after(6, count))


@means(
    "two-bar-reversal",
    {"any red bar": {"wide": 0.0}, "1R": {"r": 1.0}, "over the high": {"high": True}},
    kind=ATRS,
)
def two_bars(b: Bars, kind: str, wide: float = 1.0, r: float = 2.0, high: bool = False) -> Plan:
    large = b.red & (b.high - b.low > wide * atr(b, 10, kind))
    enter = before(large) & b.green & (b.close > shift(b.high if high else b.open))
    risk = b.close - lowest(b.low, 2)
    return Plan(aim(b, 1, enter, None, risk, r * risk))


@means("equal-lows", {"1%": {"near": 0.01}, "any colour": {"colour": False}})
def equal_lows(b: Bars, near: float = 0.001, colour: bool = True) -> Plan:
    enter = np.abs(b.low - shift(b.low)) <= near * shift(b.low)
    if colour:
        enter &= before(b.red) & b.green
    return Plan(Side(enter, None, lowest(b.low, 2) * 0.995, b.close * 1.015))


@means("highs-then-lower", {"not lower": {"then": False}, "4 highs": {"bars": 4}, "1R": {"r": 1.0}})
def lower_high(b: Bars, then: bool = True, bars: int = 5, r: float = 2.0) -> Plan:
    run = in_a_row(b.high > shift(b.high), bars)
    enter = before(run) & (b.high < shift(b.high)) if then else run
    risk = highest(b.high, 6) - b.close
    return Plan(short=aim(b, -1, enter, None, risk, r * risk))


@means("star-inline", {"no SMA": {"trend": False}, "1R": {"r": 1.0}, "hammer": {"down": True}})
def star(b: Bars, trend: bool = True, r: float = 2.0, down: bool = False) -> Plan:
    wick, other = (b.lower_wick, b.upper_wick) if down else (b.upper_wick, b.lower_wick)
    enter = (wick >= 2 * b.body) & (other < b.body)
    if trend:
        enter &= b.close > sma(b.close, 20)
    risk = b.high - b.close
    return Plan(short=aim(b, -1, enter, None, risk, r * risk))


@means(
    "own-nr7",
    {"NR4": {"bars": 3}, "no SMA": {"trend": False}, "8 bars": {"hold": 8}},
    count=COUNTS,
)
def narrow(b: Bars, count: str, bars: int = 6, trend: bool = True, hold: int = 4) -> Plan:
    span = b.high - b.low
    enter = span < shift(lowest(span, bars))
    if trend:
        enter &= b.close > sma(b.close, 50)
    return Plan(Side(enter, None, b.low), leave=after(hold, count))


@means("own-gap-up", {"over the close": {"close": True}, "any close": {"half": False}})
def gap_up(b: Bars, close: bool = False, half: bool = True) -> Plan:
    enter = b.open > shift(b.close if close else b.high)
    if half:
        enter &= b.close >= (b.high + b.low) / 2
    return Plan(Side(enter, b.close < shift(b.low)))


@means("marubozu-inline", {"half": {"share": 0.5}, "no stop": {"stop": False}})
def marubozu(b: Bars, share: float = 0.9, stop: bool = True) -> Plan:
    enter = b.green & (b.body >= share * (b.high - b.low))
    return Plan(Side(enter, b.red, b.low if stop else None))
