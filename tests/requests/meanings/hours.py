"""Meanings of the requests about hours, days, distances and adding."""

import numpy as np

from tests.requests.averages import (
    above,
    before,
    below,
    ema,
    in_a_row,
    prior_high,
    prior_low,
    shift,
    sma,
)
from tests.requests.bars import PIP, Bars, Floats, Mask, clock
from tests.requests.engine import Book, Held
from tests.requests.holding import after, per_day
from tests.requests.indicators import atr, bollinger, day_sum, earlier, first_of_day, macd, vwap
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, SAMPLES, VWAPS, means


def between(b: Bars, start: str, end: str) -> Mask:
    """Stamped from `start` to `end`, both included."""
    return (b.minute >= clock(start)) & (b.minute <= clock(end))


def day_open(b: Bars) -> Floats:
    return day_sum(b, (b.open * first_of_day(b)).astype(float))


@means(
    "day-low-sweep",
    {"closes under": {"pierce": False}, "long only": {"both": False}, "no limit": {"most": 99}},
)
def sweep(b: Bars, pierce: bool = True, both: bool = True, most: int = 2) -> Plan:
    high, low, _ = earlier(b.date, b)
    up = (b.low < low) & (b.close > low) if pierce else above(b.close, low)
    down = (b.high > high) & (b.close < high)
    short = aim(b, -1, down, None, 20 * PIP, 40 * PIP) if both else Side()
    return Plan(aim(b, 1, up, None, 20 * PIP, 40 * PIP), short, allow=per_day(b, most))


@means(
    "vwap-stretch",
    {"breakout": {"side": -1}, "from 12:00": {"first": "12:00"}, "1%": {"far": 0.01}},
    price=VWAPS,
)
def stretch(b: Bars, price: str, side: int = 1, first: str = "10:00", far: float = 0.006) -> Plan:
    line, hours = vwap(b, price), between(b, first, "14:45")
    low, high = hours & (b.close < line * (1 - far)), hours & (b.close > line * (1 + far))
    late = b.minute >= clock("15:30")
    if side < 0:
        return Plan(Side(high, (b.close < line) | late), Side(low, (b.close > line) | late))
    return Plan(Side(low, (b.close > line) | late), Side(high, (b.close < line) | late))


@means(
    "stamped-range",
    {"to 05:00": {"last": "05:00"}, "many a day": {"most": 99}, "to 15:00": {"end": "15:00"}},
)
def stamped(b: Bars, last: str = "06:00", most: int = 1, end: str = "11:00") -> Plan:
    asia = b.minute <= clock(last)
    high = b.frame["High"].where(asia).groupby(b.date).transform("max").to_numpy()
    low = b.frame["Low"].where(asia).groupby(b.date).transform("min").to_numpy()
    hours, late = between(b, "07:00", end), b.minute >= clock("17:00")
    long = Side(hours & (b.close > high), late, low)
    return Plan(long, Side(hours & (b.close < low), late, high), allow=per_day(b, most))


@means(
    "ends-of-session",
    {"all day": {"hours": False}, "no EMA 50": {"slow": False}, "to 15:15": {"last": "15:15"}},
)
def ends(b: Bars, hours: bool = True, slow: bool = True, last: str = "14:45") -> Plan:
    fast = ema(b.close, 20)
    enter = above(b.close, fast)
    if slow:
        enter &= fast > ema(b.close, 50)
    if hours:
        enter &= between(b, "10:00", last)
    return Plan(Side(enter, (b.close < fast) | (b.minute == clock("15:45"))))


@means(
    "friday-hours",
    {"Friday too": {"last": "23:00"}, "not flat": {"flat": False}, "long only": {"both": False}},
)
def friday(b: Bars, last: str = "16:00", flat: bool = True, both: bool = True) -> Plan:
    line, signal = macd(b.close)
    up, down, on = above(line, signal), below(line, signal), b.weekday == 4
    may = ~(on & (b.minute >= clock(last)))
    out = on & (b.minute >= clock("20:00")) & flat
    long = Side(up & may, (down & may) | out)
    return Plan(long, Side(down & may, (up & may) | out) if both else Side())


@means("first-from-day", {"from the 20th": {"start": 20}, "to the 10th": {"end": 10}})
def first_from(b: Bars, start: int = 26, end: int = 4) -> Plan:
    def first(day: int) -> Mask:
        earlier_day = shift(b.day.astype(float))
        return (b.day >= day) & ((earlier_day < day) | (earlier_day > b.day))

    return Plan(Side(first(start), first(end)))


@means(
    "overnight-vwap",
    {"any close": {"over": False}, "same day": {"out": "15:45"}},
    price=VWAPS,
)
def overnight(b: Bars, price: str, over: bool = True, out: str = "09:45") -> Plan:
    enter = b.minute == clock("15:30")
    if over:
        enter &= b.close > vwap(b, price)
    return Plan(Side(enter, b.minute == clock(out)))


@means(
    "range-from-open",
    {"whole range": {"share": 1.0}, "many a day": {"most": 99}, "long only": {"both": False}},
)
def from_open(b: Bars, share: float = 0.5, most: int = 1, both: bool = True) -> Plan:
    high, low, _ = earlier(b.date, b)
    start, late = day_open(b), b.minute >= clock("15:45")
    far = share * (high - low)
    short = Side(b.close < start - far, late, start) if both else Side()
    return Plan(Side(b.close > start + far, late, start), short, allow=per_day(b, most))


@means("fell-over-days", {"3%": {"down": 0.03}, "20 days": {"hold": 20}}, count=COUNTS)
def fell(b: Bars, count: str, down: float = 0.05, hold: int = 10) -> Plan:
    enter = b.close <= shift(b.close, 5) * (1 - down)
    return Plan(aim(b, 1, enter, None, None, b.close * 0.04), leave=after(hold, count))


@means("by-basis-points", {"15%": {"down": 0.15}, "any": {"down": 0.0}, "1 day": {"days": 1}})
def basis_points(b: Bars, down: float = 0.015, days: int = 3) -> Plan:
    enter = b.close < shift(b.close, days) * (1 - down)
    return Plan(aim(b, 1, enter, None, b.close * 0.02, b.close * 0.01))


@means(
    "not-in-profit",
    {"always out": {"always": True}, "never out": {"bars": 9999}},
    sample=SAMPLES,
    count=COUNTS,
)
def not_in_profit(b: Bars, sample: bool, count: str, always: bool = False, bars: int = 5) -> Plan:
    _, middle, upper = bollinger(b.close, sample=sample)

    def leave(held: Held, idx: int) -> bool:
        old = after(bars, count)(held, idx)
        return old and (always or bool(b.close[idx] <= held.price))

    return Plan(Side(b.close > upper, b.close < middle), leave=leave)


@means(
    "add-each-atr",
    {"one unit": {"slots": 1}, "each breakout": {"far": -99.0}, "2 ATR": {"far": 2.0}},
    kind=ATRS,
)
def add_by_atr(b: Bars, kind: str, slots: int = 4, far: float = 1.0) -> Plan:
    first, out, step = (
        b.close > prior_high(b.high, 20),
        b.close < prior_low(b.low, 10),
        atr(b, 14, kind),
    )

    def allow(idx: int, side: int, book: Book) -> bool:
        if not book.held or out[idx]:
            return bool(first[idx])
        return bool(b.close[idx] >= book.held[-1].price + far * step[idx])

    return Plan(Side(b.close > 0, out), allow=allow, slots=slots)


@means("two-closes-after", {"three closes": {"bars": 3}, "one close": {"bars": 1}})
def two_closes(b: Bars, bars: int = 2) -> Plan:
    over, under = b.close > sma(b.close, 20), b.close < sma(b.close, 20)
    return Plan(Side(in_a_row(over, bars) & before(under, bars), in_a_row(under, 2)))


@means(
    "decimal-pair",
    {"8%": {"far": 0.08}, "no open": {"opened": False}, "many a day": {"most": 99}},
    price=VWAPS,
)
def decimal_pair(
    b: Bars, price: str, far: float = 0.008, opened: bool = True, most: int = 1
) -> Plan:
    line, late = vwap(b, price), b.minute >= clock("15:45")
    enter = (b.close > line) & (shift(b.close) < shift(line)) & between(b, "10:00", "14:30")
    if opened:
        enter &= b.close > day_open(b)
    return Plan(aim(b, 1, enter, late, b.close * 0.004, b.close * far), allow=per_day(b, most))


@means("soldiers-inline", {"any opens": {"opens": False}, "EMA 50": {"length": 50}})
def soldiers(b: Bars, opens: bool = True, length: int = 10) -> Plan:
    rise = b.close > shift(b.close)
    if opens:
        rise &= b.open >= shift(np.minimum(b.open, b.close))
        rise &= b.open <= shift(np.maximum(b.open, b.close))
    enter = in_a_row(b.green, 3) & in_a_row(rise, 2)
    return Plan(Side(enter, b.close < ema(b.close, length)))
