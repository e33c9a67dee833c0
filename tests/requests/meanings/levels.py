"""Meanings of the requests about pivots, gaps, and highs and lows of earlier bars, days, weeks."""

from tests.requests.averages import before, lowest, prior_high, prior_low, shift, sma
from tests.requests.bars import PIP, Bars, clock
from tests.requests.holding import after, per_day, trail_percent
from tests.requests.indicators import atr, earlier, pivots
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, SINCE, means


@means(
    "pivot-r1",
    {
        "no stop": {"stop": False},
        "overnight": {"end": "23:00"},
        "long only": {"both": False},
    },
    last=("now", "then"),
)
def r1(
    b: Bars,
    last: str,
    stop: bool = True,
    end: str = "15:30",
    both: bool = True,
) -> Plan:
    """The bar before is compared with this bar's level, or with the level of its own day."""
    pivot, top, bottom = pivots(b)
    early, late = b.minute < clock("15:30"), b.minute >= clock(end)
    up, down = (b.close > top) & early, (b.close < bottom) & early
    up &= shift(b.close) <= (top if last == "now" else shift(top))
    down &= shift(b.close) >= (bottom if last == "now" else shift(bottom))
    floor = pivot if stop else None
    return Plan(Side(up, late, floor), Side(down, late, floor) if both else Side())


@means(
    "pivot-daily",
    {
        "any close": {"back": False},
        "at the pivot": {"level": "p"},
        "last bar's pivots": {"daily": False},
    },
)
def s1(b: Bars, back: bool = True, level: str = "s1", daily: bool = True) -> Plan:
    pivot, _, bottom = pivots(b)
    if not daily:
        pivot = shift(b.typical)
        bottom = 2 * pivot - shift(b.high)
    line = bottom if level == "s1" else pivot
    enter = b.low <= line
    if back:
        enter &= b.close > line
    return Plan(aim(b, 1, enter, None, 25 * PIP, 25 * PIP))


@means(
    "gap-down-recover",
    {
        "any close": {"green": False},
        "gap up": {"sign": -1.0},
        "0.5%": {"percent": 0.5},
        "6 days": {"bars": 6},
    },
    count=COUNTS,
)
def recover(
    b: Bars, count: str, green: bool = True, sign: float = 1.0, percent: float = 1.0, bars: int = 3
) -> Plan:
    enter = sign * (1 - b.open / shift(b.close)) >= percent / 100
    if green:
        enter &= b.green
    return Plan(Side(enter), leave=after(bars, count))


@means(
    "gap-true-short",
    {"over the close": {"over": "close"}, "no stop": {"stop": False}, "any candle": {"red": False}},
    count=COUNTS,
)
def true_short(
    b: Bars, count: str, over: str = "high", stop: bool = True, red: bool = True
) -> Plan:
    enter = b.open > shift(b.high if over == "high" else b.close)
    if red:
        enter &= b.red
    side = Side(enter, b.close < sma(b.close, 10), b.high if stop else None)
    return Plan(short=side, leave=after(5, count))


@means(
    "gap-fill",
    {
        "followed": {"side": -1},
        "no target": {"target": False},
        "long only": {"both": False},
        "1%": {"percent": 1.0},
    },
)
def fill(
    b: Bars, side: int = 1, target: bool = True, both: bool = True, percent: float = 0.5
) -> Plan:
    last, first = earlier(b.date, b)[2], b.minute == clock("09:30")
    down = first & (b.open < last * (1 - percent / 100)) & (b.close < last)
    up = first & (b.open > last * (1 + percent / 100)) & (b.close > last)
    late = b.minute >= clock("15:30")
    goal = last if target else None
    if side < 0:
        return Plan(Side(up, late, b.close * 0.99), Side(down, late, b.close * 1.01))
    short = Side(up, late, b.close * 1.01, goal) if both else Side()
    return Plan(Side(down, late, b.close * 0.99, goal), short)


@means(
    "prior-day-break",
    {
        "many a day": {"most": 99},
        "overnight": {"end": "24:00"},
        "previous bar": {"daily": False},
        "swapped": {"stop": 50, "target": 35},
    },
)
def day_break(
    b: Bars,
    most: int = 1,
    end: str = "22:00",
    daily: bool = True,
    stop: float = 35.0,
    target: float = 50.0,
) -> Plan:
    high, low, _ = earlier(b.date, b) if daily else (shift(b.high), shift(b.low), b.close)
    early, late = b.minute < clock("22:00"), b.minute >= clock(end)
    near, far = stop * PIP, target * PIP
    return Plan(
        aim(b, 1, (b.close > high) & early, late, near, far),
        aim(b, -1, (b.close < low) & early, late, near, far),
        allow=per_day(b, most),
    )


@means(
    "nr7",
    {
        "NR4": {"days": 4},
        "no narrow day": {"days": 1},
        "no stop": {"stop": False},
        "long only": {"both": False},
    },
    count=COUNTS,
)
def narrow(b: Bars, count: str, days: int = 7, stop: bool = True, both: bool = True) -> Plan:
    width = b.high - b.low
    quiet = before(width <= lowest(width, days))
    high, low = shift(b.high), shift(b.low)
    short = Side(quiet & (b.close < low), None, high if stop else None) if both else Side()
    long = Side(quiet & (b.close > high), None, low if stop else None)
    return Plan(long, short, leave=after(5, count))


@means(
    "year-high",
    {"highs": {"highs": True}, "20 days": {"length": 20}, "5%": {"percent": 5.0}},
    since=SINCE,
)
def year_high(
    b: Bars, since: str, highs: bool = False, length: int = 252, percent: float = 10.0
) -> Plan:
    enter = b.close > prior_high(b.high if highs else b.close, length)
    return Plan(Side(enter), leave=trail_percent(b, percent, since))


@means(
    "low-fade",
    {
        "any close": {"half": False},
        "stop under the close": {"own": False},
        "10 bars": {"length": 10},
    },
    kind=ATRS,
)
def low_fade(b: Bars, kind: str, half: bool = True, own: bool = True, length: int = 30) -> Plan:
    enter = b.low <= lowest(b.low, length)
    if half:
        enter &= b.close > (b.high + b.low) / 2
    base = b.low if own else b.close
    return Plan(Side(enter, b.close > sma(b.close, 30), base - 1.5 * atr(b, 14, kind)))


@means(
    "week-high",
    {
        "5 bars": {"rolling": True},
        "exit at the week's high": {"out": "high"},
    },
)
def week_high(b: Bars, rolling: bool = False, out: str = "low") -> Plan:
    high, low, _ = earlier(b.week, b)
    if rolling:
        high, low = prior_high(b.high, 5), prior_low(b.low, 5)
    enter = (b.close > high) & (shift(b.close) <= high)
    return Plan(Side(enter, b.close < (low if out == "low" else high)))
