"""Meanings of the requests about Bollinger, Keltner and Donchian channels and the ATR."""

import numpy as np

from tests.requests.averages import (
    above,
    before,
    below,
    in_a_row,
    lowest,
    prior_high,
    prior_low,
    shift,
    sma,
    within,
)
from tests.requests.bars import PIP, Bars
from tests.requests.holding import after
from tests.requests.indicators import atr, bollinger, keltner
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, SAMPLES, means

KELTNER_ATRS = ("wilder", "sma", "ema")


@means(
    "bb-breakout",
    {"fade": {"fade": True}, "long only": {"both": False}},
    sample=SAMPLES,
)
def breakout(b: Bars, sample: bool, fade: bool = False, both: bool = True) -> Plan:
    low, middle, high = bollinger(b.close, 20, 2.0, sample)
    over, under = above(b.close, high), below(b.close, low)
    if fade:
        return Plan(Side(under, b.close > middle), Side(over, b.close < middle))
    return Plan(Side(over, b.close < middle), Side(under, b.close > middle) if both else Side())


@means(
    "bb-reentry",
    {"outside": {"back": False}, "2.0": {"width": 2.0}, "swapped": {"stop": 30, "target": 20}},
    sample=SAMPLES,
)
def reentry(
    b: Bars,
    sample: bool,
    back: bool = True,
    width: float = 2.5,
    stop: float = 20.0,
    target: float = 30.0,
) -> Plan:
    low, _, high = bollinger(b.close, 20, width, sample)
    up, down = above(b.close, low), below(b.close, high)
    if not back:
        up, down = b.close < low, b.close > high
    far, near = target * PIP, stop * PIP
    return Plan(aim(b, 1, up, None, near, far), aim(b, -1, down, None, near, far))


@means(
    "bb-percent-b",
    {"one day": {"days": 1}, "no filter": {"trend": False}, "exit 0.5": {"out": 0.5}},
    sample=SAMPLES,
)
def percent_b(b: Bars, sample: bool, days: int = 3, trend: bool = True, out: float = 0.8) -> Plan:
    low, _, high = bollinger(b.close, 20, 2.0, sample)
    share = (b.close - low) / (high - low)
    enter = in_a_row(share < 0.25, days)
    if trend:
        enter &= b.close > sma(b.close, 200)
    return Plan(Side(enter, share > out))


@means(
    "bb-squeeze",
    {"no squeeze": {"squeeze": False}, "this bar only": {"bars": 1}, "20 bars": {"length": 20}},
    sample=SAMPLES,
)
def squeeze(b: Bars, sample: bool, squeeze: bool = True, bars: int = 10, length: int = 60) -> Plan:
    low, middle, high = bollinger(b.close, 20, 2.0, sample)
    width = (high - low) / middle
    enter = b.close > high
    if squeeze:
        enter &= within(width <= lowest(width, length), bars)
    return Plan(Side(enter, b.close < middle))


@means(
    "bb-half-deviation",
    {
        "20/2": {"length": 20, "width": 2.0},
        "2 deviations": {"width": 2.0},
        "no stop": {"stop": 9999},
    },
    sample=SAMPLES,
)
def half_deviation(
    b: Bars, sample: bool, length: int = 30, width: float = 1.5, stop: float = 40.0
) -> Plan:
    low, middle, high = bollinger(b.close, length, width, sample)
    return Plan(
        aim(b, 1, b.close < low, b.close >= middle, stop * PIP),
        aim(b, -1, b.close > high, b.close <= middle, stop * PIP),
    )


@means(
    "keltner-fade",
    {"breakout": {"side": -1}, "no stop": {"stop": 99.0}, "1.5 ATR": {"width": 1.5}},
    kind=KELTNER_ATRS,
)
def keltner_fade(b: Bars, kind: str, side: int = 1, stop: float = 3.0, width: float = 2.0) -> Plan:
    low, middle, high = keltner(b, 20, width, 20, kind)
    distance = stop * atr(b, 20, kind)
    lows = aim(b, side, b.close < low, b.close > middle, distance)
    highs = aim(b, -side, b.close > high, b.close < middle, distance)
    return Plan(lows, highs) if side > 0 else Plan(highs, lows)


@means(
    "donchian-55",
    {
        "20": {"entry": 20},
        "closes": {"closes": True},
        "exit 10": {"out": 10},
        "long only": {"both": False},
    },
)
def turtle_two(
    b: Bars, entry: int = 55, closes: bool = False, out: int = 20, both: bool = True
) -> Plan:
    high, low = (b.close, b.close) if closes else (b.high, b.low)
    over, under = b.close > prior_high(high, entry), b.close < prior_low(low, entry)
    long_out, short_out = b.close < prior_low(low, out), b.close > prior_high(high, out)
    return Plan(Side(over, long_out), Side(under, short_out) if both else Side())


@means(
    "donchian-mid",
    {"exit at the far side": {"far": True}, "long only": {"both": False}, "12": {"length": 12}},
)
def donchian_mid(b: Bars, far: bool = False, both: bool = True, length: int = 24) -> Plan:
    high, low = prior_high(b.high, length), prior_low(b.low, length)
    middle = (high + low) / 2
    long_out, short_out = b.close < (low if far else middle), b.close > (high if far else middle)
    return Plan(Side(b.close > high, long_out), Side(b.close < low, short_out) if both else Side())


@means(
    "atr-expansion",
    {
        "today's ATR": {"lag": 0},
        "1 ATR": {"width": 1.0},
        "fade": {"fade": True},
        "10 bars": {"bars": 10},
    },
    kind=ATRS,
    count=COUNTS,
)
def expansion(
    b: Bars,
    kind: str,
    count: str,
    lag: int = 1,
    width: float = 1.5,
    fade: bool = False,
    bars: int = 4,
) -> Plan:
    change, limit = b.close - shift(b.close), width * shift(atr(b, 10, kind), lag)
    up, down = Side(change > limit), Side(change < -limit)
    return Plan(*((down, up) if fade else (up, down)), leave=after(bars, count))


@means(
    "ttm-squeeze",
    {"while on": {"when": "on"}, "whenever off": {"when": "off"}, "long only": {"both": False}},
    kind=KELTNER_ATRS,
    sample=SAMPLES,
    count=COUNTS,
)
def ttm(
    b: Bars, kind: str, sample: bool, count: str, when: str = "release", both: bool = True
) -> Plan:
    low, middle, high = bollinger(b.close, 20, 2.0, sample)
    bottom, _, top = keltner(b, 20, 1.5, 20, kind)
    on = (high < top) & (low > bottom)
    signal = {"release": before(on) & ~on, "on": on, "off": ~on & np.isfinite(top)}[when]
    short = Side(signal & (b.close < middle)) if both else Side()
    return Plan(Side(signal & (b.close > middle)), short, leave=after(8, count))
