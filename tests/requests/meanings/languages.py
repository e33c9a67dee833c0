"""Meanings of the requests in other languages than English."""

from tests.requests.averages import above, below, ema, prior_high, prior_low, sma
from tests.requests.bars import PIP, Bars
from tests.requests.holding import after
from tests.requests.indicators import atr, bollinger, dmi, macd, rsi, stochastic, williams
from tests.requests.meanings.averages import crossing
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, SAMPLES, SEEDS, means


@means("german-rsi", {"state": {"cross": False}, "no stop": {"stop": 99.0}, "70": {"out": 70.0}})
def german_rsi(b: Bars, cross: bool = True, stop: float = 4.0, out: float = 60.0) -> Plan:
    r = rsi(b.close)
    enter = below(r, 35) if cross else r < 35
    return Plan(aim(b, 1, enter, above(r, out), b.close * stop / 100))


@means(
    "german-ema",
    {"no ADX": {"level": 0.0}, "opposite closes": {"closes": True}, "long only": {"both": False}},
)
def german_ema(b: Bars, level: float = 20.0, closes: bool = False, both: bool = True) -> Plan:
    fast, slow, strong = ema(b.close, 10), ema(b.close, 30), dmi(b)[2] > level
    up, down = above(fast, slow), below(fast, slow)
    short = aim(b, -1, down & strong, up if closes else None, 25 * PIP, 50 * PIP)
    long = aim(b, 1, up & strong, down if closes else None, 25 * PIP, 50 * PIP)
    return Plan(long, short if both else Side())


@means("spanish-sma", {"EMA": {"kind": "ema"}, "both": {"both": True}, "20/50": {"slow": 50}})
def spanish_sma(b: Bars, kind: str = "sma", both: bool = False, slow: int = 60) -> Plan:
    return crossing(b, 20, slow, kind, both)


@means(
    "spanish-bollinger",
    {"no EMA": {"trend": False}, "exit at the upper": {"far": True}, "both": {"both": True}},
    sample=SAMPLES,
    seed=SEEDS,
)
def spanish_bollinger(
    b: Bars, sample: bool, seed: str, trend: bool = True, far: bool = False, both: bool = False
) -> Plan:
    low, middle, high = bollinger(b.close, 20, 2.0, sample)
    line, distance = ema(b.close, 200, seed), b.close * 0.05
    enter = (b.close < low) & ((b.close > line) | (not trend))
    short = aim(b, -1, (b.close > high) & (b.close < line), b.close < middle, distance)
    leave = b.close > (high if far else middle)
    return Plan(aim(b, 1, enter, leave, distance), short if both else Side())


@means(
    "french-donchian",
    {"no stop": {"stop": 99.0}, "exit 20": {"out": 20}, "closes": {"closes": True}},
    kind=ATRS,
)
def french(b: Bars, kind: str, stop: float = 2.0, out: int = 10, closes: bool = False) -> Plan:
    enter = b.close > prior_high(b.close if closes else b.high, 20)
    leave = b.close < prior_low(b.close if closes else b.low, out)
    return Plan(aim(b, 1, enter, leave, stop * atr(b, 14, kind)))


@means(
    "italian-stochastic",
    {"anywhere": {"zone": 100.0}, "3 bars": {"bars": 3}, "level": {"level": True}},
    count=COUNTS,
)
def italian(b: Bars, count: str, zone: float = 30.0, bars: int = 7, level: bool = False) -> Plan:
    k, d = stochastic(b)
    enter = above(k, zone) if level else above(k, d) & (k < zone)
    return Plan(Side(enter), leave=after(bars, count))


@means(
    "portuguese-willr",
    {"state": {"cross": False}, "14": {"length": 14}, "no time exit": {"bars": 999}},
    count=COUNTS,
)
def portuguese(b: Bars, count: str, cross: bool = True, length: int = 10, bars: int = 10) -> Plan:
    w = williams(b, length)
    enter = above(w, -80) if cross else w < -80
    return Plan(Side(enter, above(w, -20)), leave=after(bars, count))


@means("dutch-sma", {"EMA": {"kind": "ema"}, "no stop": {"stop": 99.0}, "20": {"length": 20}})
def dutch(b: Bars, kind: str = "sma", stop: float = 3.0, length: int = 50) -> Plan:
    line = sma(b.close, length) if kind == "sma" else ema(b.close, length)
    return Plan(aim(b, 1, above(b.close, line), b.close < line, b.close * stop / 100))


@means(
    "russian-macd",
    {
        "opposite closes": {"closes": True},
        "long only": {"both": False},
        "swapped": {"stop": 3.0, "target": 2.0},
    },
    kind=ATRS,
)
def russian(
    b: Bars,
    kind: str,
    closes: bool = False,
    both: bool = True,
    stop: float = 2.0,
    target: float = 3.0,
) -> Plan:
    line, signal = macd(b.close)
    up, down, size = above(line, signal), below(line, signal), atr(b, 14, kind)
    short = aim(b, -1, down, up if closes else None, stop * size, target * size)
    long = aim(b, 1, up, down if closes else None, stop * size, target * size)
    return Plan(long, short if both else Side())


@means("chinese-sma", {"EMA": {"kind": "ema"}, "both": {"both": True}, "10/20": {"fast": 10}})
def chinese(b: Bars, kind: str = "sma", both: bool = False, fast: int = 5) -> Plan:
    return crossing(b, fast, 20, kind, both)


@means("polish-rsi", {"70": {"out": 70.0}, "both": {"both": True}, "RSI9": {"length": 9}})
def polish(b: Bars, out: float = 50.0, both: bool = False, length: int = 14) -> Plan:
    r = rsi(b.close, length)
    return Plan(Side(r < 30, r > out), Side(r > 70, r < 50) if both else Side())
