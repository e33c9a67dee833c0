"""Meanings of the requests about moving averages."""

from tests.requests.averages import above, below, ema, shift, sma, turns, wma
from tests.requests.bars import Bars
from tests.requests.holding import flat_first
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import means

AVERAGES = {"sma": sma, "ema": ema, "wma": wma}


def crossing(
    b: Bars, fast: int, slow: int, kind: str, both: bool = False, reverse: bool = True
) -> Plan:
    """One average crosses another; the other cross leaves, and with `both` it is an entry too."""
    average = AVERAGES[kind]
    up = above(average(b.close, fast), average(b.close, slow))
    down = below(average(b.close, fast), average(b.close, slow))
    short = Side(down, up) if both else Side()
    return Plan(Side(up, down), short, allow=None if reverse else flat_first)


@means(
    "golden-cross",
    {"EMA": {"kind": "ema"}, "both": {"both": True}, "20/50": {"fast": 20, "slow": 50}},
)
def golden_cross(
    b: Bars, fast: int = 50, slow: int = 200, kind: str = "sma", both: bool = False
) -> Plan:
    return crossing(b, fast, slow, kind, both)


@means("sma-regime", {"EMA": {"kind": "ema"}, "50": {"length": 50}, "short too": {"both": True}})
def sma_regime(b: Bars, length: int = 100, kind: str = "sma", both: bool = False) -> Plan:
    over = b.close > AVERAGES[kind](b.close, length)
    return Plan(Side(over, ~over), Side(~over, over) if both else Side())


@means(
    "wma-flip",
    {"SMA": {"kind": "sma"}, "long only": {"both": False}, "flat first": {"reverse": False}},
)
def wma_flip(b: Bars, kind: str = "wma", both: bool = True, reverse: bool = True) -> Plan:
    return crossing(b, 10, 30, kind, both, reverse)


@means(
    "ema-stack",
    {"no EMA50": {"slow": False}, "long only": {"both": False}},
)
def ema_stack(b: Bars, slow: bool = True, both: bool = True) -> Plan:
    e5, e13, e50 = (ema(b.close, n) for n in (5, 13, 50))
    up, down = e5 > e13, e5 < e13
    if slow:
        up, down = up & (e13 > e50), down & (e13 < e50)
    up, down = turns(up), turns(down)
    short = Side(down, above(e5, e13)) if both else Side()
    return Plan(Side(up, below(e5, e13)), short)


@means(
    "ema-pullback",
    {
        "no filter": {"trend": False},
        "swapped": {"stop": 8.0, "target": 4.0},
        "SMA20": {"kind": "sma"},
    },
)
def ema_pullback(
    b: Bars, trend: bool = True, stop: float = 4.0, target: float = 8.0, kind: str = "ema"
) -> Plan:
    line = AVERAGES[kind](b.close, 20)
    dip = (b.low <= line) & (b.close > line)
    if trend:
        dip &= b.close > sma(b.close, 200)
    return Plan(aim(b, 1, dip, None, b.close * stop / 100, b.close * target / 100))


@means(
    "stretch-sma20",
    {"EMA": {"kind": "ema"}, "2%": {"percent": 2.0}, "exit at the low": {"out": 0.97}},
)
def stretch(b: Bars, kind: str = "sma", percent: float = 3.0, out: float = 1.0) -> Plan:
    line = AVERAGES[kind](b.close, 20)
    return Plan(Side(b.close <= line * (1 - percent / 100), b.close > out * line))


@means(
    "sma-rising",
    {"no slope": {"rising": False}, "state": {"cross": False}, "falling": {"sign": -1}},
)
def sma_rising(b: Bars, rising: bool = True, cross: bool = True, sign: int = 1) -> Plan:
    s20, s50 = sma(b.close, 20), sma(b.close, 50)
    enter = above(b.close, s20) if cross else b.close > s20
    if rising:
        enter &= sign * (s50 - shift(s50, 5)) > 0
    return Plan(Side(enter, b.close < s20))


@means("ema-short-only", {"long": {"long": True}, "EMA50": {"length": 50}, "SMA": {"kind": "sma"}})
def ema_short_only(b: Bars, long: bool = False, length: int = 100, kind: str = "ema") -> Plan:
    line = AVERAGES[kind](b.close, length)
    if long:
        return Plan(Side(above(b.close, line), b.close < line))
    return Plan(short=Side(below(b.close, line), b.close > line))


@means(
    "ema-pseudocode",
    {"no trend": {"trend": False}, "exit at EMA10": {"out": 10}, "state": {"cross": False}},
)
def ema_pseudocode(b: Bars, trend: bool = True, out: int = 30, cross: bool = True) -> Plan:
    e10, e30 = ema(b.close, 10), ema(b.close, 30)
    enter = above(b.close, e10) if cross else b.close > e10
    if trend:
        enter &= e10 > e30
    return Plan(Side(enter, b.close < (e30 if out == 30 else e10)))


@means("sma-typos", {"EMA": {"kind": "ema"}, "both": {"both": True}, "10/50": {"slow": 50}})
def sma_typos(b: Bars, kind: str = "sma", both: bool = False, slow: int = 40) -> Plan:
    return crossing(b, 10, slow, kind, both)


@means("ma-channel", {"closes": {"closes": True}, "both": {"both": True}, "EMA": {"kind": "ema"}})
def ma_channel(b: Bars, closes: bool = False, both: bool = False, kind: str = "sma") -> Plan:
    average = AVERAGES[kind]
    upper = average(b.close if closes else b.high, 20)
    lower = average(b.close if closes else b.low, 20)
    over, under = b.close > upper, b.close < lower
    return Plan(Side(over, under), Side(under, over) if both else Side())


@means(
    "ema-20-50", {"SMA": {"kind": "sma"}, "both": {"both": True}, "12/26": {"fast": 12, "slow": 26}}
)
def ema_20_50(
    b: Bars, kind: str = "ema", both: bool = False, fast: int = 20, slow: int = 50
) -> Plan:
    return crossing(b, fast, slow, kind, both)
