"""Meanings of the requests about stochastics, CCI, Williams %R, rate of change and momentum."""

from tests.requests.averages import above, below, shift, sma
from tests.requests.bars import Bars, clock
from tests.requests.engine import Held
from tests.requests.holding import after, flat_first
from tests.requests.indicators import atr, cci, mfi, roc, stochastic, stochastic_rsi, williams
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, means


@means(
    "stoch-kd",
    {"anywhere": {"zone": False}, "long only": {"both": False}, "5,3,3": {"length": 5}},
)
def kd(b: Bars, zone: bool = True, both: bool = True, length: int = 14) -> Plan:
    k, d = stochastic(b, length)
    up, down = above(k, d), below(k, d)
    if zone:
        up, down = up & (k < 20) & (d < 20), down & (k > 80) & (d > 80)
    return Plan(Side(up, k > 80), Side(down, k < 20) if both else Side())


@means(
    "stoch-exit-bars",
    {
        "14,3,3": {"length": 14},
        "no filter": {"trend": False},
        "no stop": {"stop": 99.0},
        "fast": {"smooth": 1},
    },
)
def slow_five(
    b: Bars, length: int = 5, trend: bool = True, stop: float = 6.0, smooth: int = 3
) -> Plan:
    k, _ = stochastic(b, length, smooth)
    enter = k < 15
    if trend:
        enter &= b.close > sma(b.close, 100)
    return Plan(aim(b, 1, enter, k > 75, b.close * stop / 100))


@means(
    "stoch-typos",
    {
        "any time": {"last": "15:45"},
        "overnight": {"end": "23:00"},
        "exit above 80": {"exit_above": True},
    },
)
def typos(b: Bars, last: str = "14:30", end: str = "15:30", exit_above: bool = False) -> Plan:
    k, _ = stochastic(b)
    enter = above(k, 20) & (b.minute <= clock(last))
    leave = above(k, 80) if exit_above else below(k, 80)
    return Plan(Side(enter, leave | (b.minute >= clock(end))))


@means(
    "stoch-rsi",
    {"plain stochastic": {"plain": True}, "anywhere": {"zone": 50.0}, "both": {"both": True}},
)
def of_rsi(b: Bars, plain: bool = False, zone: float = 20.0, both: bool = False) -> Plan:
    k, d = stochastic(b) if plain else stochastic_rsi(b.close)
    up, down = above(k, d) & (k < zone), below(k, d) & (k > 100 - zone)
    return Plan(Side(up, down), Side(down, up) if both else Side())


@means(
    "cci-100",
    {
        "fade": {"fade": True},
        "CCI14": {"length": 14},
        "exit at 100": {"out": 100.0},
        "long only": {"both": False},
    },
)
def hundred(
    b: Bars, fade: bool = False, length: int = 20, out: float = 0.0, both: bool = True
) -> Plan:
    x = cci(b, length)
    up, down = (below(x, -100), above(x, 100)) if fade else (above(x, 100), below(x, -100))
    if fade:
        return Plan(Side(up, x > 0), Side(down, x < 0))
    return Plan(Side(up, x < out), Side(down, x > -out) if both else Side())


@means(
    "cci-fade",
    {
        "no filter": {"trend": False},
        "-100": {"low": -100.0},
        "no time exit": {"bars": 999},
        "20": {"length": 20},
    },
    count=COUNTS,
)
def cci_fade(
    b: Bars, count: str, trend: bool = True, low: float = -150.0, bars: int = 12, length: int = 14
) -> Plan:
    x = cci(b, length)
    enter = x < low
    if trend:
        enter &= b.close > sma(b.close, 150)
    return Plan(Side(enter, x >= 50), leave=after(bars, count))


@means(
    "willr-swing",
    {"state": {"cross": False}, "no stop": {"stop": 99.0}, "exit at -50": {"out": -50.0}},
    kind=ATRS,
)
def swing(b: Bars, kind: str, cross: bool = True, stop: float = 2.0, out: float = -20.0) -> Plan:
    w = williams(b)
    enter = above(w, -80) if cross else w < -80
    return Plan(aim(b, 1, enter, above(w, out), stop * atr(b, 14, kind)))


@means("willr-two", {"no filter": {"trend": False}, "14": {"length": 14}, "-80": {"low": -80.0}})
def two(b: Bars, trend: bool = True, length: int = 2, low: float = -95.0) -> Plan:
    w = williams(b, length)
    enter = w < low
    if trend:
        enter &= b.close > sma(b.close, 50)
    return Plan(Side(enter, w > -30))


@means("roc-zero", {"no filter": {"trend": False}, "both": {"both": True}, "10": {"length": 10}})
def roc_zero(b: Bars, trend: bool = True, both: bool = False, length: int = 12) -> Plan:
    x, over = roc(b.close, length), b.close > sma(b.close, 200)
    up, down = above(x, 0), below(x, 0)
    enter = up & over if trend else up
    return Plan(Side(enter, down), Side(down & ~over, up) if both else Side())


@means(
    "momentum-turn",
    {"no stop": {"stop": 99.0}, "long only": {"both": False}, "flat first": {"reverse": False}},
)
def turn(b: Bars, stop: float = 4.0, both: bool = True, reverse: bool = True) -> Plan:
    x, distance = b.close - shift(b.close, 10), b.close * stop / 100
    up, down = above(x, 0), below(x, 0)
    short = aim(b, -1, down, up, distance) if both else Side()
    return Plan(aim(b, 1, up, down, distance), short, allow=None if reverse else flat_first)


@means(
    "roc-dual",
    {"one speed": {"slow": False}, "exit ROC20": {"out": 20}, "above zero": {"fast": 0.0}},
)
def dual(b: Bars, slow: bool = True, out: int = 5, fast: float = 2.0) -> Plan:
    enter = roc(b.close, 5) > fast
    if slow:
        enter &= roc(b.close, 20) > 4
    return Plan(Side(enter, roc(b.close, out) < 0))


@means(
    "mfi-dip",
    {"fixed stop": {"fixed": True}, "no filter": {"trend": False}, "20": {"low": 20.0}},
)
def mfi_dip(b: Bars, fixed: bool = False, trend: bool = True, low: float = 25.0) -> Plan:
    x = mfi(b)
    enter = x < low
    if trend:
        enter &= b.close > shift(b.close, 50)
    if fixed:
        return Plan(aim(b, 1, enter, x > 60, b.close * 0.05))

    def lost(held: Held, idx: int) -> bool:
        return bool(b.close[idx] <= 0.95 * held.price)

    return Plan(Side(enter, x > 60), leave=lost)
