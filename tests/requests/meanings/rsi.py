"""Meanings of the requests about the relative strength index."""

from tests.requests.averages import above, below, ema, shift, sma, within
from tests.requests.bars import PIP, Bars
from tests.requests.holding import after, flat_first
from tests.requests.indicators import atr, rsi
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, means


@means(
    "rsi2-connors",
    {
        "no filter": {"trend": False},
        "RSI14": {"length": 14, "level": 30},
        "exit SMA20": {"out": 20},
    },
)
def connors(
    b: Bars, trend: bool = True, length: int = 2, level: float = 10.0, out: int = 5
) -> Plan:
    enter = rsi(b.close, length) < level
    if trend:
        enter &= b.close > sma(b.close, 200)
    return Plan(Side(enter, b.close > sma(b.close, out)))


@means(
    "rsi-swing-both",
    {
        "on the way out": {"back": False},
        "long only": {"both": False},
        "exit at the extreme": {"out": 20},
    },
)
def swing(b: Bars, back: bool = True, both: bool = True, out: float = 0.0) -> Plan:
    r = rsi(b.close)
    up, down = (above(r, 30), below(r, 70)) if back else (below(r, 30), above(r, 70))
    return Plan(Side(up, r >= 50 + out), Side(down, r <= 50 - out) if both else Side())


@means(
    "rsi-words",
    {"70": {"high": 70}, "no time exit": {"bars": 999}, "no stop": {"stop": 99.0}},
    count=COUNTS,
)
def words(b: Bars, count: str, high: float = 55.0, bars: int = 20, stop: float = 5.0) -> Plan:
    r = rsi(b.close)
    return Plan(aim(b, 1, r < 30, r > high, b.close * stop / 100), leave=after(bars, count))


@means(
    "rsi-centreline",
    {"RSI14": {"length": 14}, "long only": {"both": False}, "flat first": {"reverse": False}},
)
def centreline(b: Bars, length: int = 21, both: bool = True, reverse: bool = True) -> Plan:
    r = rsi(b.close, length)
    up, down = above(r, 50), below(r, 50)
    short = Side(down, up) if both else Side()
    return Plan(Side(up, down), short, allow=None if reverse else flat_first)


@means(
    "rsi-or",
    {"and": {"how": "and"}, "RSI14 only": {"how": "first"}, "RSI2 only": {"how": "second"}},
)
def rsi_or(b: Bars, how: str = "or") -> Plan:
    slow, fast = rsi(b.close) < 38, rsi(b.close, 2) < 3
    enter = {"or": slow | fast, "and": slow & fast, "first": slow, "second": fast}[how]
    return Plan(Side(enter, rsi(b.close) > 50))


@means(
    "rsi-typos",
    {"state": {"cross": False}, "swapped": {"stop": 6.0, "target": 3.0}, "short": {"side": -1}},
)
def typos(
    b: Bars, cross: bool = True, stop: float = 3.0, target: float = 6.0, side: int = 1
) -> Plan:
    r, c = rsi(b.close), b.close
    enter = above(r, 40) if cross else r > 40
    done = aim(b, side, enter, None, c * stop / 100, c * target / 100)
    return Plan(done) if side > 0 else Plan(short=done)


@means(
    "rsi-form",
    {"no filter": {"trend": False}, "no stop": {"stop": 99.0}, "RSI14": {"length": 14}},
    kind=ATRS,
)
def form(b: Bars, kind: str, trend: bool = True, stop: float = 2.5, length: int = 10) -> Plan:
    r = rsi(b.close, length)
    enter = r < 35
    if trend:
        enter &= b.close > sma(b.close, 150)
    return Plan(aim(b, 1, enter, r > 60, stop * atr(b, 14, kind)))


@means(
    "rsi-cumulative",
    {"not summed": {"days": 1}, "no filter": {"trend": False}, "three": {"days": 3}},
)
def cumulative(b: Bars, days: int = 2, trend: bool = True) -> Plan:
    r = rsi(b.close, 2)
    enter = sum((shift(r, k) for k in range(1, days)), r) < 35
    if trend:
        enter &= b.close > sma(b.close, 200)
    return Plan(Side(enter, r > 65))


@means(
    "rsi-regime-both",
    {
        "no regime": {"regime": False},
        "long only": {"both": False},
        "regime closes": {"closes": True},
    },
)
def regime_both(b: Bars, regime: bool = True, both: bool = True, closes: bool = False) -> Plan:
    r, over = rsi(b.close, 7), b.close > sma(b.close, 100)
    up, down, up_out, down_out = r < 30, r > 70, r > 55, r < 45
    if regime:
        up, down = up & over, down & ~over
    if closes:
        up_out, down_out = up_out | ~over, down_out | over
    return Plan(Side(up, up_out), Side(down, down_out) if both else Side())


@means(
    "rsi-recent",
    {
        "no RSI": {"bars": 999},
        "this bar only": {"bars": 1},
        "3 bars": {"bars": 3},
        "swapped": {"stop": 45, "target": 30},
    },
)
def recent(b: Bars, bars: int = 10, stop: float = 30.0, target: float = 45.0) -> Plan:
    enter = above(b.close, ema(b.close, 20)) & within(rsi(b.close) < 30, bars)
    return Plan(aim(b, 1, enter, None, stop * PIP, target * PIP))
