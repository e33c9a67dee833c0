"""Meanings of the requests with slips of the pen and of forms filled in by people."""

import numpy as np

from tests.requests.averages import (
    above,
    below,
    ema,
    in_a_row,
    prior_high,
    prior_low,
    shift,
    sma,
    turns,
)
from tests.requests.bars import PIP, Bars, clock
from tests.requests.flips import supertrend
from tests.requests.holding import after, cool_down, either, trail_by
from tests.requests.indicators import atr, bollinger, dmi, first_of_day, macd, vwap
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, BANDS, COUNTS, SAMPLES, SINCE, VWAPS, means


@means(
    "typos-bollinger",
    {"both": {"both": True}, "exit at the upper": {"upper": True}, "breakout": {"fade": False}},
    sample=SAMPLES,
)
def bollinger_fade(
    b: Bars, sample: bool, both: bool = False, upper: bool = False, fade: bool = True
) -> Plan:
    low, middle, high = bollinger(b.close, 20, 2.0, sample)
    if not fade:
        return Plan(Side(b.close > high, b.close < middle))
    short = Side(b.close > high, b.close < middle) if both else Side()
    return Plan(Side(b.close < low, b.close > (high if upper else middle)), short)


@means(
    "typos-atr",
    {"long only": {"both": False}, "swapped": {"stop": 4.0, "target": 2.0}, "20": {"length": 20}},
    kind=ATRS,
)
def atr_break(
    b: Bars,
    kind: str,
    both: bool = True,
    stop: float = 2.0,
    target: float = 4.0,
    length: int = 15,
) -> Plan:
    size = atr(b, 14, kind)
    up, down = b.close > prior_high(b.high, length), b.close < prior_low(b.low, length)
    short = aim(b, -1, down, None, stop * size, target * size) if both else Side()
    return Plan(aim(b, 1, up, None, stop * size, target * size), short)


@means(
    "typos-time",
    {
        "any time": {"first": "00:00", "last": "18:00"},
        "opposite closes": {"closes": True},
        "no end": {"end": "24:00"},
    },
)
def london(
    b: Bars, first: str = "08:00", last: str = "15:00", closes: bool = False, end: str = "19:00"
) -> Plan:
    fast, slow = ema(b.close, 4), ema(b.close, 12)
    up, down = above(fast, slow), below(fast, slow)
    live = (b.minute >= clock(first)) & (b.minute <= clock(last))
    late = b.minute == clock(end)
    return Plan(
        aim(b, 1, up & live, late | (down & closes), 20 * PIP, 35 * PIP),
        aim(b, -1, down & live, late | (up & closes), 20 * PIP, 35 * PIP),
    )


@means(
    "typos-vwap",
    {
        "all day": {"last": "15:15"},
        "vwap closes": {"closes": True},
        "swapped": {"stop": 1.2, "target": 0.8},
    },
    price=VWAPS,
)
def vwap_bounce(
    b: Bars,
    price: str,
    last: str = "14:00",
    closes: bool = False,
    stop: float = 0.8,
    target: float = 1.2,
) -> Plan:
    line, late = vwap(b, price), b.minute >= clock("15:30")
    live = (b.minute >= clock("10:00")) & (b.minute <= clock(last))
    leave = late | ((b.close < line) & closes)
    near, far = b.close * stop / 100, b.close * target / 100
    return Plan(aim(b, 1, above(b.close, line) & live, leave, near, far))


@means(
    "typos-streak",
    {"candles": {"colour": True}, "no filter": {"trend": False}, "three": {"days": 3}},
)
def streak(b: Bars, colour: bool = False, trend: bool = True, days: int = 4) -> Plan:
    down, up = (b.red, b.green) if colour else (b.close < shift(b.close), b.close > shift(b.close))
    enter = in_a_row(down, days)
    if trend:
        enter &= b.close > sma(b.close, 200)
    return Plan(Side(enter, up))


@means(
    "form-session",
    {"followed": {"side": -1}, "long only": {"both": False}, "no target": {"target": 99.0}},
)
def lunch_fade(b: Bars, side: int = 1, both: bool = True, target: float = 0.5) -> Plan:
    start = np.maximum.accumulate(np.where(first_of_day(b), np.arange(len(b.open)), 0))
    change = side * 100 * (b.close / b.open[start] - 1)
    noon, late = b.minute == clock("12:00"), b.minute >= clock("15:30")
    near, far = b.close * 0.01, b.close * target / 100
    short = aim(b, -1, noon & (change > 0.5), late, near, far) if both else Side()
    return Plan(aim(b, 1, noon & (change < -0.5), late, near, far), short)


@means(
    "form-n-a",
    {"12/26/9": {"spans": (12, 26, 9)}, "any sign": {"negative": False}, "both": {"both": True}},
)
def fast_macd(
    b: Bars,
    spans: tuple[int, int, int] = (8, 21, 5),
    negative: bool = True,
    both: bool = False,
) -> Plan:
    line, signal = macd(b.close, *spans)
    up, down = above(line, signal), below(line, signal)
    enter = up & (line < 0) if negative else up
    return Plan(Side(enter, down), Side(down & (line > 0), up) if both else Side())


@means(
    "form-all-in-one",
    {"long only": {"both": False}, "20 bars": {"length": 20}, "no time exit": {"bars": 999}},
    since=SINCE,
    count=COUNTS,
)
def one_box(
    b: Bars, since: str, count: str, both: bool = True, length: int = 48, bars: int = 48
) -> Plan:
    up = above(b.close, prior_high(b.high, length))
    down = below(b.close, prior_low(b.low, length))
    off = trail_by(b, np.full(len(b.close), 30 * PIP), since)
    return Plan(Side(up), Side(down) if both else Side(), leave=either(off, after(bars, count)))


@means(
    "form-short",
    {"long": {"side": 1}, "no EMA": {"trend": False}, "10/3": {"width": 3.0}},
    kind=ATRS,
    against=BANDS,
)
def supertrend_short(
    b: Bars, kind: str, against: str, side: int = -1, trend: bool = True, width: float = 2.0
) -> Plan:
    way, line = supertrend(b, 10, width, kind, against), ema(b.close, 50)
    enter = turns(side * way > 0)
    if trend:
        enter &= side * (b.close - line) > 0
    done = aim(b, side, enter, turns(side * way < 0), b.close * 0.05)
    return Plan(done) if side > 0 else Plan(short=done)


@means(
    "form-di",
    {"no rest": {"rest": 0}, "state": {"cross": False}, "no DI": {"di": False}},
    kind=ATRS,
)
def rested(b: Bars, kind: str, rest: int = 30, cross: bool = True, di: bool = True) -> Plan:
    plus, minus, adx = dmi(b)
    enter = above(adx, 20) if cross else adx > 20
    if di:
        enter &= plus > minus
    leave = (adx < 18) | (minus > plus)
    return Plan(aim(b, 1, enter, leave, 2 * atr(b, 14, kind)), allow=cool_down(rest))
