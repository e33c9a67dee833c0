"""Meanings of the requests that are mended while written, or made whole by another sentence."""

import numpy as np

from tests.requests.averages import above, before, below, ema, lowest, shift, sma
from tests.requests.bars import Bars
from tests.requests.flips import supertrend
from tests.requests.holding import after
from tests.requests.indicators import macd, rsi
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import COUNTS, means


@means(
    "make-that-twenty",
    {"first numbers": {"fast": 10, "slow": 30}, "first stop": {"stop": 5.0}, "none": {"stop": 99}},
)
def make_that_twenty(b: Bars, fast: int = 20, slow: int = 50, stop: float = 7.0) -> Plan:
    quick, calm = sma(b.close, fast), sma(b.close, slow)
    return Plan(aim(b, 1, above(quick, calm), below(quick, calm), b.close * stop / 100))


@means("meant-rsi-four", {"14": {"length": 14}, "both": {"both": True}})
def meant_rsi_four(b: Bars, length: int = 4, both: bool = False) -> Plan:
    line = rsi(b.close, length)
    short = Side(line > 70, line < 30) if both else Side()
    return Plan(Side(line < 30, line > 70), short)


@means(
    "supertrend-buy-signal",
    {"a state": {"turn": False}, "no filter": {"trend": False}, "10/3": {"settings": (10, 3.0)}},
)
def supertrend_buy_signal(
    b: Bars,
    turn: bool = True,
    trend: bool = True,
    settings: tuple[int, float] = (7, 2.0),
) -> Plan:
    up = supertrend(b, *settings) > 0
    enter = up & ~before(up) if turn else up
    if trend:
        enter = enter & (b.close > ema(b.close, 100))
    return Plan(Side(enter, ~up & before(up)))


@means(
    "rising-and-above-it",
    {"above the old": {"old": True}, "no slope": {"slope": False}, "by a bar": {"back": 1}},
)
def rising_and_above_it(b: Bars, old: bool = False, slope: bool = True, back: int = 5) -> Plan:
    line = ema(b.close, 50)
    over = shift(line, 5) if old else line
    enter = b.close > over
    if slope:
        enter &= line > shift(line, back)
    return Plan(Side(enter, b.close < over))


@means(
    "engulfing-at-low",
    {"anywhere": {"low": False}, "1R": {"r": 1.0}, "a close below": {"closes": True}},
)
def engulfing_at_low(b: Bars, low: bool = True, r: float = 1.5, closes: bool = False) -> Plan:
    was, opened = shift(b.close), shift(b.open)
    enter = (was < opened) & b.green & (b.open <= was) & (b.close >= opened)
    if closes:
        enter &= b.close < shift(lowest(b.low, 15))
    elif low:
        enter &= b.low <= lowest(b.low, 15)
    risk = b.close - lowest(b.low, 2)
    return Plan(aim(b, 1, enter, None, risk, r * risk))


@means(
    "mother-bar",
    {"the inside bar's": {"back": 1}, "no bar between": {"late": False}, "1R": {"r": 1.0}},
)
def mother_bar(b: Bars, back: int = 2, late: bool = True, r: float = 1.5) -> Plan:
    inside = (b.high < shift(b.high)) & (b.low > shift(b.low))
    enter = (before(inside) if late else inside) & (b.close > shift(b.high, back))
    risk = b.close - shift(b.low, back)
    return Plan(aim(b, 1, enter, None, risk, r * risk))


@means(
    "doji-then-green",
    {"one bar": {"later": False}, "any close": {"beyond": False}, "no stop": {"stop": False}},
    count=COUNTS,
)
def doji_then_green(
    b: Bars, count: str, later: bool = True, beyond: bool = True, stop: bool = True
) -> Plan:
    doji = b.body < 0.1 * (b.high - b.low)
    enter = (before(doji) if later else doji) & b.green
    if beyond and later:
        enter &= b.close > shift(b.high)
    risk = b.close - shift(b.low) if stop else None
    return Plan(aim(b, 1, enter, None, risk), leave=after(5, count))


@means(
    "tuesday-open",
    {"any Monday": {"lower": False}, "a day later": {"out": 3}, "bought on Tuesday": {"into": 1}},
)
def tuesday_open(b: Bars, lower: bool = True, out: int = 2, into: int = 0) -> Plan:
    enter = b.weekday == into
    if lower:
        enter &= b.close < shift(b.close)
    return Plan(Side(enter, b.weekday == out))


@means(
    "red-on-volume",
    {"green": {"red": False}, "1": {"factor": 1.0}, "20": {"length": 20}},
    count=COUNTS,
)
def red_on_volume(
    b: Bars, count: str, red: bool = True, factor: float = 1.5, length: int = 50
) -> Plan:
    enter = (b.volume > factor * sma(b.volume, length)) & (b.red if red else b.green)
    return Plan(Side(enter), leave=after(6, count))


@means(
    "both-above-zero",
    {"anywhere": {"both": False}, "below zero": {"sign": -1}, "no end": {"bars": 9999}},
    count=COUNTS,
)
def both_above_zero(b: Bars, count: str, both: bool = True, sign: int = 1, bars: int = 15) -> Plan:
    line, signal = macd(b.close)
    enter = above(line, signal)
    if both:
        enter &= (sign * line > 0) & (sign * signal > 0)
    return Plan(Side(enter, below(line, signal)), leave=after(bars, count))


@means(
    "title-has-the-entry",
    {"no filter": {"trend": False}, "5": {"level": 5.0}, "long exit": {"out": 80.0}},
)
def title_has_the_entry(b: Bars, trend: bool = True, level: float = 8.0, out: float = 65.0) -> Plan:
    line = rsi(b.close, 2)
    enter = line < level
    if trend:
        enter &= b.close > sma(b.close, 200)
    return Plan(Side(enter, line > out))


@means(
    "bars-before-indicator",
    {"a state": {"cross": False}, "first stop": {"stop": 4.0}, "on the way down": {"up": False}},
)
def bars_before_indicator(b: Bars, cross: bool = True, stop: float = 5.0, up: bool = True) -> Plan:
    line = rsi(b.close, 9)
    turn = above(line, 35.0) if up else below(line, 35.0)
    enter = turn if cross else line < 35
    return Plan(aim(b, 1, enter, line > 60, b.close * stop / 100))


@means(
    "own-trend-words",
    {"no trend": {"trend": False}, "against it": {"side": -1}, "long only": {"both": False}},
    count=COUNTS,
)
def own_trend_words(
    b: Bars, count: str, trend: bool = True, side: int = 1, both: bool = True
) -> Plan:
    line, over = rsi(b.close, 3), side * (b.close - sma(b.close, 150))
    every = np.full(len(line), not trend)
    short = Side((line > 80) & ((over < 0) | every)) if both else Side()
    return Plan(Side((line < 20) & ((over > 0) | every)), short, leave=after(4, count))
