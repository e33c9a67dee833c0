"""Meanings of the requests about ranges of the day's first bars."""

import numpy as np

from tests.requests.bars import Bars, Floats, Mask, clock
from tests.requests.holding import per_day
from tests.requests.indicators import first_of_day
from tests.requests.plan import Plan, Side
from tests.requests.readings import means


def opening(b: Bars, last: str) -> tuple[Floats, Floats]:
    """High and low of the day's bars up to the one stamped `last`; later bars see both whole."""
    high, low = b.high.copy(), b.low.copy()
    first = first_of_day(b)
    for i in range(1, len(high)):
        if first[i]:
            continue
        inside = b.minute[i] <= clock(last)
        high[i] = max(high[i], high[i - 1]) if inside else high[i - 1]
        low[i] = min(low[i], low[i - 1]) if inside else low[i - 1]
    return high, low


def between(b: Bars, first: str, last: str) -> Mask:
    """Bars stamped after `first` and up to `last`."""
    mask: Mask = (b.minute > clock(first)) & (b.minute <= clock(last))
    return mask


@means(
    "orb-hour",
    {
        "half hour": {"range_to": "09:45"},
        "many a day": {"most": 99},
        "far stop": {"far": True},
        "no cut-off": {"last": "15:15"},
    },
)
def hour(
    b: Bars,
    range_to: str = "10:15",
    most: int = 1,
    far: bool = False,
    last: str = "13:00",
) -> Plan:
    high, low = opening(b, range_to)
    enter = between(b, range_to, last) & (b.close > high)
    stop = low if far else (high + low) / 2
    late = b.minute >= clock("15:30")
    return Plan(Side(enter, late, stop, b.close + high - low), allow=per_day(b, most))


@means(
    "orb-first-bar",
    {
        "half hour": {"range_to": "09:45"},
        "long only": {"both": False},
        "2R": {"r": 2.0},
        "many a day": {"most": 99},
    },
)
def first_bar(
    b: Bars, range_to: str = "09:30", both: bool = True, r: float = 1.5, most: int = 1
) -> Plan:
    high, low = opening(b, range_to)
    live, late = between(b, range_to, "11:00"), b.minute >= clock("15:30")
    up, down, c = live & (b.close > high), live & (b.close < low), b.close
    short = Side(down, late, high, c - r * (high - c)) if both else Side()
    return Plan(Side(up, late, low, c + r * (c - low)), short, allow=per_day(b, most))


@means(
    "asian-range",
    {
        "many a day": {"most": 99},
        "no stop": {"stop": False},
        "all day": {"last": "16:00"},
        "long only": {"both": False},
    },
)
def asian(
    b: Bars, most: int = 1, stop: bool = True, last: str = "11:00", both: bool = True
) -> Plan:
    high, low = opening(b, "06:00")
    live, late = between(b, "06:00", last), b.minute == clock("17:00")
    short = Side(live & (b.close < low), late, high if stop else None) if both else Side()
    long = Side(live & (b.close > high), late, low if stop else None)
    return Plan(long, short, allow=per_day(b, most))


@means(
    "german-time",
    {
        "half hour": {"range_to": "09:45"},
        "no stop": {"stop": False},
        "no cut-off": {"last": "15:15"},
    },
)
def german(
    b: Bars,
    range_to: str = "10:15",
    stop: bool = True,
    last: str = "12:45",
) -> Plan:
    high, low = opening(b, range_to)
    enter = between(b, range_to, last) & (b.close > high)
    floor = low if stop else np.full(len(low), np.nan)
    late = b.minute >= clock("15:30")
    return Plan(Side(enter, late, floor), allow=per_day(b))
