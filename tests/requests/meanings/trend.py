"""Meanings of the requests about ADX and DI, Supertrend, Ichimoku and the parabolic SAR."""

import numpy as np

from tests.requests.averages import above, below, ema, shift, sma, turns
from tests.requests.bars import Bars, Mask
from tests.requests.flips import psar, supertrend
from tests.requests.holding import after, flat_first
from tests.requests.indicators import bollinger, dmi, ichimoku
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, BANDS, COUNTS, DOTS, SAMPLES, means


@means(
    "di-cross",
    {"no ADX": {"level": 0.0}, "exit needs ADX": {"exit_adx": True}, "long only": {"both": False}},
)
def di_cross(b: Bars, level: float = 25.0, exit_adx: bool = False, both: bool = True) -> Plan:
    plus, minus, adx = dmi(b)
    up, down, strong = above(plus, minus), above(minus, plus), adx > level
    up_out, down_out = (down & strong, up & strong) if exit_adx else (down, up)
    return Plan(Side(up & strong, up_out), Side(down & strong, down_out) if both else Side())


@means(
    "adx-rising",
    {
        "no ADX": {"rising": False},
        "swapped": {"stop": 10.0, "target": 5.0},
        "state": {"cross": False},
    },
)
def rising(
    b: Bars, rising: bool = True, stop: float = 5.0, target: float = 10.0, cross: bool = True
) -> Plan:
    line, adx = sma(b.close, 30), dmi(b)[2]
    enter = above(b.close, line) if cross else b.close > line
    if rising:
        enter &= adx > shift(adx, 3)
    return Plan(aim(b, 1, enter, b.close < line, b.close * stop / 100, b.close * target / 100))


@means(
    "adx-range",
    {"no ADX": {"level": 999.0}, "only in a trend": {"trend": True}, "no time exit": {"bars": 999}},
    sample=SAMPLES,
    count=COUNTS,
)
def ranging(
    b: Bars, sample: bool, count: str, level: float = 20.0, trend: bool = False, bars: int = 15
) -> Plan:
    low, middle, high = bollinger(b.close, 20, 2.0, sample)
    calm = dmi(b)[2] < level
    if trend:
        calm = ~calm
    return Plan(
        Side((b.close < low) & calm, b.close >= middle),
        Side((b.close > high) & calm, b.close <= middle),
        leave=after(bars, count),
    )


def flips(b: Bars, length: int, width: float, kind: str, against: str) -> tuple[Mask, Mask]:
    side = supertrend(b, length, width, kind, against)
    return turns(side > 0), turns(side < 0)


@means(
    "supertrend-flip",
    {
        "7/2": {"length": 7, "width": 2.0},
        "long only": {"both": False},
        "flat first": {"reverse": False},
    },
    kind=ATRS,
    against=BANDS,
)
def flip(
    b: Bars,
    kind: str,
    against: str,
    length: int = 10,
    width: float = 3.0,
    both: bool = True,
    reverse: bool = True,
) -> Plan:
    up, down = flips(b, length, width, kind, against)
    short = Side(down, up) if both else Side()
    return Plan(Side(up, down), short, allow=None if reverse else flat_first)


@means(
    "supertrend-filter",
    {"no EMA": {"trend": False}, "10/3": {"length": 10, "width": 3.0}, "state": {"first": False}},
    kind=ATRS,
    against=BANDS,
)
def filtered(
    b: Bars,
    kind: str,
    against: str,
    trend: bool = True,
    length: int = 7,
    width: float = 2.0,
    first: bool = True,
) -> Plan:
    side = supertrend(b, length, width, kind, against)
    enter = turns(side > 0) if first else side > 0
    if trend:
        enter &= b.close > ema(b.close, 100)
    return Plan(Side(enter, turns(side < 0)))


@means(
    "supertrend-default-sl",
    {
        "swapped": {"stop": 2.0, "target": 1.0},
        "flip ignored": {"closes": False},
        "no target": {"target": 99.0},
    },
    kind=ATRS,
    against=BANDS,
)
def bracketed(
    b: Bars, kind: str, against: str, stop: float = 1.0, target: float = 2.0, closes: bool = True
) -> Plan:
    up, down = flips(b, 10, 3.0, kind, against)
    near, far = b.close * stop / 100, b.close * target / 100
    return Plan(
        aim(b, 1, up, down if closes else None, near, far),
        aim(b, -1, down, up if closes else None, near, far),
    )


@means(
    "ichimoku-tk",
    {
        "no cloud": {"cloud": False},
        "cloud not shifted": {"shift_by": 0},
        "long only": {"both": False},
    },
    shift_by=(26, 25),
)
def tk_cross(b: Bars, shift_by: int, cloud: bool = True, both: bool = True) -> Plan:
    tenkan, kijun, a, z = ichimoku(b, shift_by)
    up, down = above(tenkan, kijun), below(tenkan, kijun)
    over, under = b.close > np.maximum(a, z), b.close < np.minimum(a, z)
    long, short = (up & over, down & under) if cloud else (up, down)
    return Plan(Side(long, down), Side(short, up) if both else Side())


@means(
    "ichimoku-kumo",
    {
        "state": {"first": False},
        "exit at the cloud": {"out": "cloud"},
        "cloud not shifted": {"shift_by": 0},
    },
    shift_by=(26, 25),
    last=("then", "now"),
)
def kumo(b: Bars, shift_by: int, last: str, first: bool = True, out: str = "kijun") -> Plan:
    """The close before is compared with its own cloud, or with the cloud of this bar."""
    _, kijun, a, z = ichimoku(b, shift_by)
    top = np.maximum(a, z)
    over, was_over = b.close > top, shift(b.close) > (shift(top) if last == "then" else top)
    floor = kijun if out == "kijun" else top
    return Plan(Side(over & ~was_over if first else over, b.close < floor))


@means(
    "psar-flip",
    {"long only": {"both": False}, "flat first": {"reverse": False}, "0.04": {"step": 0.04}},
    kind=DOTS,
)
def sar(b: Bars, kind: str, both: bool = True, reverse: bool = True, step: float = 0.02) -> Plan:
    side = psar(b, step, 0.2, kind)
    up, down = turns(side > 0), turns(side < 0)
    short = Side(down, up) if both else Side()
    return Plan(Side(up, down), short, allow=None if reverse else flat_first)


@means(
    "psar-ema",
    {"no EMA": {"trend": False}, "EMA exit": {"ema_exit": True}, "state": {"first": False}},
    kind=DOTS,
)
def sar_ema(
    b: Bars, kind: str, trend: bool = True, ema_exit: bool = False, first: bool = True
) -> Plan:
    side, line = psar(b, kind=kind), ema(b.close, 50)
    enter = turns(side > 0) if first else side > 0
    if trend:
        enter &= b.close > line
    leave = turns(side < 0)
    return Plan(Side(enter, leave | (b.close < line) if ema_exit else leave))
