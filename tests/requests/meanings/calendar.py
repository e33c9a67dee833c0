"""Meanings of the requests about the time of day, weekdays, months and sessions."""

import numpy as np

from tests.requests.averages import above, below, ema, shift, sma
from tests.requests.bars import PIP, Bars, Ints, clock
from tests.requests.engine import Held
from tests.requests.indicators import bollinger, first_of_day, rsi
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import SAMPLES, means


def trading_day(b: Bars) -> Ints:
    """Of the month, counted from 1."""
    out = np.ones(len(b.month), np.int64)
    for i in range(1, len(out)):
        out[i] = out[i - 1] + 1 if b.month[i] == b.month[i - 1] else 1
    return out


@means(
    "first-days",
    {"exit third": {"out": 3}, "second day": {"into": 2}, "calendar fifth": {"dates": True}},
)
def first_days(b: Bars, out: int = 5, into: int = 1, dates: bool = False) -> Plan:
    day = trading_day(b)
    enter = day == into
    enter[0] = False
    return Plan(Side(enter, (b.day >= 5) & (b.day < 28) & (day > 1) if dates else day >= out))


@means(
    "down-monday",
    {"any Monday": {"lower": False}, "Tuesday": {"out": 1}, "red Monday": {"red": True}},
)
def down_monday(b: Bars, lower: bool = True, out: int = 2, red: bool = False) -> Plan:
    enter = b.weekday == 0
    if red:
        enter &= b.red
    elif lower:
        enter &= b.close < shift(b.close)

    def due(held: Held, idx: int) -> bool:
        return bool(b.date[idx] - b.date[held.signal] >= out)

    return Plan(Side(enter), leave=due)


@means(
    "hour-hold",
    {
        "no stop": {"stop": 9999.0},
        "against the EMA": {"side": -1},
        "long only": {"both": False},
        "17:00": {"out": "17:00"},
    },
)
def hour_hold(
    b: Bars, stop: float = 20.0, side: int = 1, both: bool = True, out: str = "12:00"
) -> Plan:
    over = side * (b.close - ema(b.close, 50))
    when, late = b.minute == clock("07:00"), b.minute == clock(out)
    short = aim(b, -1, when & (over < 0), late, stop * PIP) if both else Side()
    return Plan(aim(b, 1, when & (over > 0), late, stop * PIP), short)


@means(
    "flat-weekend",
    {
        "Fridays too": {"friday": True},
        "over the weekend": {"close": False},
        "long only": {"both": False},
    },
    by=("signal", "fill"),
)
def flat_weekend(
    b: Bars, by: str, friday: bool = False, close: bool = True, both: bool = True
) -> Plan:
    """A new position on a Friday: by the bar it is decided on, or by the bar it is filled in."""
    fast, slow = ema(b.close, 20), ema(b.close, 50)
    up, down = above(fast, slow), below(fast, slow)
    filled = np.append(b.weekday[1:], b.weekday[-1])
    live = (b.weekday != 4) & ((filled != 4) | (by == "signal")) | friday
    late = (b.weekday == 4) & (b.minute >= clock("20:00")) & close
    short = Side(down & live, up | late) if both else Side()
    return Plan(Side(up & live, down | late), short)


@means(
    "no-lunch",
    {
        "at lunch": {"first": "13:30"},
        "overnight": {"end": "23:00"},
        "lunch also keeps": {"keeps": True},
        "long only": {"both": False},
    },
)
def no_lunch(
    b: Bars, first: str = "12:00", end: str = "15:30", keeps: bool = False, both: bool = True
) -> Plan:
    fast, slow = ema(b.close, 9), ema(b.close, 30)
    up, down = above(fast, slow), below(fast, slow)
    lunch = (b.minute >= clock(first)) & (b.minute <= clock("13:15"))
    live, late = ~lunch & (b.minute < clock("15:30")), b.minute >= clock(end)
    up_out, down_out = (down & ~lunch, up & ~lunch) if keeps else (down, up)
    short = Side(down & live, down_out | late) if both else Side()
    return Plan(Side(up & live, up_out | late), short)


@means(
    "weekday-filter",
    {
        "any day": {"days": (0, 1, 2, 3, 4)},
        "only Mondays and Fridays": {"days": (0, 4)},
        "exit filtered": {"exit_too": True},
    },
)
def weekday_filter(b: Bars, days: tuple[int, ...] = (1, 2, 3), exit_too: bool = False) -> Plan:
    r, live = rsi(b.close, 3), np.isin(b.weekday, days)
    return Plan(Side((r < 20) & live, (r > 70) & (live | (not exit_too))))


@means(
    "sell-in-may",
    {
        "no SMA": {"trend": False},
        "summer": {"months": (5, 6, 7, 8, 9, 10)},
        "SMA closes": {"closes": True},
    },
)
def sell_in_may(
    b: Bars,
    trend: bool = True,
    months: tuple[int, ...] = (11, 12, 1, 2, 3, 4),
    closes: bool = False,
) -> Plan:
    over, season = b.close > sma(b.close, 20), np.isin(b.month, months)
    return Plan(Side(season & over if trend else season, ~season | (~over & closes)))


@means(
    "overnight",
    {
        "every day": {"down": False},
        "up days": {"sign": -1.0},
        "first bar's close": {"opened": False},
    },
)
def overnight(b: Bars, down: bool = True, sign: float = 1.0, opened: bool = True) -> Plan:
    """The day so far is measured from the open of its first bar."""
    start = np.maximum.accumulate(np.where(first_of_day(b), np.arange(len(b.open)), 0))
    change = b.close - (b.open if opened else b.close)[start]
    enter = b.minute == clock("15:30")
    if down:
        enter &= sign * change < 0
    return Plan(Side(enter, b.minute == clock("09:30")))


@means(
    "asia-hours",
    {"any time": {"night": False}, "no 07:00 exit": {"out": False}, "breakout": {"side": -1}},
    sample=SAMPLES,
)
def asia_hours(b: Bars, sample: bool, night: bool = True, out: bool = True, side: int = 1) -> Plan:
    low, middle, high = bollinger(b.close, 20, 1.5, sample)
    live = np.isin(b.minute // 60, (22, 23, 0, 1, 2, 3)) | (not night)
    late = (b.minute == clock("07:00")) & out
    lows = aim(b, side, (b.close < low) & live, (b.close >= middle) | late, 30 * PIP)
    highs = aim(b, -side, (b.close > high) & live, (b.close <= middle) | late, 30 * PIP)
    return Plan(lows, highs) if side > 0 else Plan(highs, lows)


@means(
    "first-hour-momentum",
    {
        "fade": {"side": -1},
        "any move": {"percent": 0.0},
        "no stop": {"stop": 99.0},
        "from yesterday": {"opened": False},
    },
)
def first_hour(
    b: Bars, side: int = 1, percent: float = 0.3, stop: float = 1.2, opened: bool = True
) -> Plan:
    start = np.maximum.accumulate(np.where(first_of_day(b), np.arange(len(b.open)), 0))
    base = b.open[start] if opened else shift(b.close)[start]
    change, when = 100 * (b.close / base - 1), b.minute == clock("10:15")
    up, down, late = (
        when & (change > percent),
        when & (change < -percent),
        b.minute >= clock("15:30"),
    )
    distance = b.close * stop / 100
    if side < 0:
        up, down = down, up
    return Plan(aim(b, 1, up, late, distance), aim(b, -1, down, late, distance))


@means(
    "mid-month",
    {"any day": {"last": 31}, "exit filtered": {"exit_too": True}, "SMA20": {"length": 20}},
)
def mid_month(b: Bars, last: int = 15, exit_too: bool = False, length: int = 10) -> Plan:
    line, early = sma(b.close, length), b.day <= last
    up, down = above(b.close, line), below(b.close, line)
    return Plan(Side(up & early, down & (early | (not exit_too))))
