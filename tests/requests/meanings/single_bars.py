"""Meanings of the requests about single bars and the clock."""

import numpy as np

from tests.requests.averages import before, in_a_row, shift, sma
from tests.requests.bars import PIP, Bars, Floats, clock
from tests.requests.holding import after, per_day
from tests.requests.indicators import atr, earlier, first_of_day, rsi
from tests.requests.meanings.ranges import between, opening
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, means


def day_open(b: Bars) -> Floats:
    """The open of the day's first bar, on every bar of that day."""
    place = np.maximum.accumulate(np.where(first_of_day(b), np.arange(len(b.open)), 0))
    opened: Floats = b.open[place]
    return opened


@means(
    "gap-first-bar",
    {"all day": {"first": False}, "1%": {"percent": 1.0}, "no stop": {"stop": 99.0}},
)
def first_bar(b: Bars, first: bool = True, percent: float = 0.5, stop: float = 1.0) -> Plan:
    close = earlier(b.date, b)[2]
    enter = day_open(b) <= close * (1 - percent / 100)
    enter = enter & first_of_day(b) if first else enter
    leave = (b.close >= close) | (b.minute == clock("15:30"))
    return Plan(aim(b, 1, enter, leave, b.close * stop / 100))


@means(
    "orb-range-target",
    {"its own bar": {"own": True}, "long only": {"both": False}, "many a day": {"most": 99}},
    last=("11:00", "10:45"),
)
def range_target(b: Bars, last: str, own: bool = False, both: bool = True, most: int = 1) -> Plan:
    """ "No entry after 11:00": the bar stamped so may be the last, or the one before it."""
    high, low = opening(b, "09:30")
    far = 1.5 * (b.high - b.low if own else high - low)
    live, late = between(b, "09:30", last), b.minute >= clock("15:30")
    short = Side(live & (b.close < low), late, high, b.close - far) if both else Side()
    long = Side(live & (b.close > high), late, low, b.close + far)
    return Plan(long, short, allow=per_day(b, most))


@means(
    "inside-next-bar",
    {"the bar itself": {"next_bar": False}, "long only": {"both": False}, "2R": {"r": 2.0}},
)
def next_bar(b: Bars, next_bar: bool = True, both: bool = True, r: float = 1.5) -> Plan:
    inside = (b.high < shift(b.high)) & (b.low > shift(b.low))
    ready = before(inside) if next_bar else before(inside, 2)
    high, low, c = shift(b.high), shift(b.low), b.close
    short = Side(ready & (c < low), None, high, c - r * (high - c)) if both else Side()
    return Plan(Side(ready & (c > high), None, low, c + r * (c - low)), short)


@means(
    "first-up-close",
    {"green": {"green": True}, "no SMA": {"trend": False}, "three": {"downs": 3}},
    count=COUNTS,
)
def up_close(b: Bars, count: str, green: bool = False, trend: bool = True, downs: int = 4) -> Plan:
    enter = in_a_row(b.close < shift(b.close), downs)
    enter = enter & (b.close > sma(b.close, 100)) if trend else enter
    leave = b.green if green else b.close > shift(b.close)
    return Plan(Side(enter, leave), leave=after(7, count))


@means(
    "outside-quarter",
    {"half": {"share": 0.5}, "long only": {"both": False}, "2R": {"r": 2.0}},
    count=COUNTS,
)
def quarter(b: Bars, count: str, share: float = 0.25, both: bool = True, r: float = 1.0) -> Plan:
    outside = (b.high > shift(b.high)) & (b.low < shift(b.low))
    part, c = share * (b.high - b.low), b.close
    short = Side(outside & (c <= b.low + part), None, b.high, c - r * (b.high - c))
    long = Side(outside & (c >= b.high - part), None, b.low, c + r * (c - b.low))
    return Plan(long, short if both else Side(), leave=after(5, count))


@means(
    "noon-fade",
    {"all day": {"noon": False}, "longs at any time": {"odd": True}, "follow": {"side": -1}},
)
def noon_fade(b: Bars, noon: bool = True, odd: bool = False, side: int = 1) -> Plan:
    opened, late, far = day_open(b), b.minute >= clock("15:45"), b.close * 0.0075
    when = b.minute == clock("12:00") if noon else b.minute >= 0
    up, down = b.close < opened * 0.99, (b.close > opened * 1.01) & when
    up = up if odd else up & when
    up, down = (up, down) if side > 0 else (down, up)
    return Plan(aim(b, 1, up, late, far), aim(b, -1, down, late, far))


@means(
    "gap-over-high",
    {"any gap": {"percent": 0.0}, "a target": {"target": 2.0}, "over the close": {"high": False}},
    count=COUNTS,
)
def over_high(
    b: Bars, count: str, percent: float = 2.0, target: float = 9999.0, high: bool = True
) -> Plan:
    line = shift(b.high if high else b.close)
    enter = (b.open > line * (1 + percent / 100)) & b.green
    goal = b.close * (1 + target / 100)
    return Plan(Side(enter, None, b.low, goal), leave=after(3, count))


@means(
    "own-hammer",
    {"the usual one": {"upper": 1.0}, "no SMA": {"trend": False}, "at the low": {"atrs": 0.0}},
    kind=ATRS,
    count=COUNTS,
)
def own_hammer(
    b: Bars, kind: str, count: str, upper: float = 0.3, trend: bool = True, atrs: float = 1.0
) -> Plan:
    enter = (b.lower_wick >= 2 * b.body) & (b.upper_wick <= upper * b.body)
    enter = enter & (b.close > sma(b.close, 100)) if trend else enter
    stop = b.low - atrs * atr(b, 14, kind)
    return Plan(Side(enter, rsi(b.close) > 65, stop), leave=after(8, count))


@means(
    "orb-after-hour",
    {"half hour": {"range_to": "09:45"}, "its own bar": {"own": True}, "many": {"most": 99}},
)
def after_hour(b: Bars, range_to: str = "10:15", own: bool = False, most: int = 1) -> Plan:
    high, low = opening(b, range_to)
    enter = (b.minute > clock("10:15")) & (b.close > high)
    far = b.high - b.low if own else high - low
    late = b.minute >= clock("15:45")
    return Plan(Side(enter, late, low, b.close + far), allow=per_day(b, most))


@means(
    "monday-side",
    {"shorts any day": {"odd": True}, "long only": {"both": False}, "no stop": {"stop": 9999.0}},
)
def monday(b: Bars, odd: bool = False, both: bool = True, stop: float = 150.0) -> Plan:
    over, when, late = b.close - sma(b.close, 20), b.weekday == 0, b.weekday == 4
    down = over < 0 if odd else (over < 0) & when
    short = aim(b, -1, down, late, stop * PIP) if both else Side()
    return Plan(aim(b, 1, when & (over > 0), late, stop * PIP), short)


@means(
    "leave-at-fifty",
    {"no RSI exit": {"out": False}, "all day": {"last": "23:45"}, "long only": {"both": False}},
    last=("15:00", "14:45"),
)
def at_fifty(b: Bars, last: str, out: bool = True, both: bool = True) -> Plan:
    """ "Nothing after 15:00": the bar stamped so may be the last, or the one before it."""
    r, live, late = rsi(b.close), b.minute <= clock(last), b.minute >= clock("15:45")
    up_out, down_out = (r >= 50) & out | late, (r <= 50) & out | late
    short = Side((r > 75) & live, down_out) if both else Side()
    return Plan(Side((r < 25) & live, up_out), short)
