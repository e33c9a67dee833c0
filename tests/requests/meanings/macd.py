"""Meanings of the requests about MACD."""

from tests.requests.averages import above, below, ema, in_a_row, shift
from tests.requests.bars import Bars, clock
from tests.requests.holding import flat_first
from tests.requests.indicators import atr, macd
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, SEEDS, means


@means(
    "macd-filter",
    {
        "no filter": {"trend": False},
        "state": {"cross": False},
        "swapped": {"stop": 4.0, "target": 2.0},
    },
    kind=ATRS,
    seed=SEEDS,
)
def filtered(
    b: Bars,
    kind: str,
    seed: str,
    trend: bool = True,
    cross: bool = True,
    stop: float = 2.0,
    target: float = 4.0,
) -> Plan:
    line, signal = macd(b.close)
    enter = above(line, signal) if cross else line > signal
    if trend:
        enter &= b.close > ema(b.close, 200, seed)
    size = atr(b, 14, kind)
    return Plan(aim(b, 1, enter, None, stop * size, target * size))


@means(
    "macd-zero",
    {
        "signal line": {"signal": True},
        "long only": {"both": False},
        "flat first": {"reverse": False},
    },
)
def zero(b: Bars, signal: bool = False, both: bool = True, reverse: bool = True) -> Plan:
    line, trigger = macd(b.close)
    level = trigger if signal else 0.0
    up, down = above(line, level), below(line, level)
    short = Side(down, up) if both else Side()
    return Plan(Side(up, down), short, allow=None if reverse else flat_first)


@means(
    "macd-three-up",
    {"two": {"bars": 2}, "any sign": {"negative": False}, "exit at zero": {"zero": True}},
)
def three_up(b: Bars, bars: int = 3, negative: bool = True, zero: bool = False) -> Plan:
    line, signal = macd(b.close)
    hist = line - signal
    enter = in_a_row(hist > shift(hist), bars)
    if negative:
        enter &= hist < 0
    return Plan(Side(enter, hist > 0 if zero else hist < shift(hist)))


@means(
    "macd-french", {"zero line": {"zero": True}, "no stop": {"stop": 99.0}, "both": {"both": True}}
)
def french(b: Bars, zero: bool = False, stop: float = 5.0, both: bool = False) -> Plan:
    line, signal = macd(b.close)
    level = 0.0 if zero else signal
    up, down = above(line, level), below(line, level)
    distance = b.close * stop / 100
    return Plan(aim(b, 1, up, down, distance), aim(b, -1, down, up, distance) if both else Side())


@means(
    "macd-intraday",
    {
        "12/26/9": {"spans": (12, 26, 9)},
        "no cut-off": {"last": "15:30"},
        "overnight": {"end": "23:00"},
        "long only": {"both": False},
    },
)
def intraday(
    b: Bars,
    spans: tuple[int, int, int] = (5, 35, 5),
    last: str = "15:00",
    end: str = "15:30",
    both: bool = True,
) -> Plan:
    line, signal = macd(b.close, *spans)
    up, down = above(line, signal), below(line, signal)
    early, late = b.minute < clock(last), b.minute >= clock(end)
    short = Side(down & early, up | late) if both else Side()
    return Plan(Side(up & early, down | late), short)
