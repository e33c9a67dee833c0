"""Meanings of the requests about how conditions go together and less common indicators."""

import numpy as np

from tests.requests.averages import (
    above,
    before,
    below,
    dema,
    deviation,
    ema,
    highest,
    in_a_row,
    lowest,
    prior_high,
    prior_low,
    shift,
    sma,
    tema,
)
from tests.requests.bars import PIP, Bars
from tests.requests.holding import after, flat_first
from tests.requests.indicators import aroon, atr, earlier, first_of_day, macd, rsi
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, SAMPLES, means


@means("ibs", {"upside down": {"flip": True}, "0.1": {"low": 0.1}, "exit 0.5": {"high": 0.5}})
def ibs(b: Bars, flip: bool = False, low: float = 0.2, high: float = 0.8) -> Plan:
    x = (b.close - b.low) / (b.high - b.low)
    return Plan(Side(x > high, x < low) if flip else Side(x < low, x > high))


@means(
    "double-seven", {"no filter": {"trend": False}, "ten": {"days": 10}, "wicks": {"wicks": True}}
)
def double_seven(b: Bars, trend: bool = True, days: int = 7, wicks: bool = False) -> Plan:
    low, high = (b.low, b.high) if wicks else (b.close, b.close)
    enter = low <= lowest(low, days)
    if trend:
        enter &= b.close > sma(b.close, 200)
    return Plan(Side(enter, high >= highest(high, days)))


@means(
    "and-or",
    {"and": {"how": "and"}, "(A and B) or C": {"how": "loose"}, "RSI only": {"how": "rsi"}},
)
def and_or(b: Bars, how: str = "or") -> Plan:
    r, (line, signal), e100 = rsi(b.close), macd(b.close), ema(b.close, 100)
    over, up, turn = b.close > e100, above(r, 40), above(line - signal, 0)
    enter = {
        "or": over & (up | turn),
        "and": over & up & turn,
        "loose": (over & up) | turn,
        "rsi": over & up,
    }[how]
    return Plan(Side(enter, (b.close < e100) | (r > 70)))


@means("unless", {"no RSI": {"calm": False}, "only if": {"flip": True}, "20 bars": {"length": 20}})
def unless(b: Bars, calm: bool = True, flip: bool = False, length: int = 12) -> Plan:
    hot = rsi(b.close) > 60
    enter = b.close > prior_high(b.high, length)
    if calm:
        enter &= hot if flip else ~hot
    return Plan(Side(enter, b.close < prior_low(b.low, length)))


@means(
    "rsi-between",
    {"below 55": {"low": 0.0}, "no filter": {"trend": False}, "no low exit": {"out": 0.0}},
)
def between(b: Bars, low: float = 45.0, trend: bool = True, out: float = 40.0) -> Plan:
    r = rsi(b.close)
    enter = (r >= low) & (r <= 55)
    if trend:
        enter &= b.close > sma(b.close, 100)
    return Plan(Side(enter, (r > 65) | (r < out)))


@means(
    "atr-regime",
    {"no regime": {"regime": 0}, "loud": {"regime": -1}, "exit needs quiet": {"exit_too": True}},
    kind=ATRS,
)
def atr_regime(b: Bars, kind: str, regime: int = 1, exit_too: bool = False) -> Plan:
    size, line = atr(b, 14, kind), sma(b.close, 30)
    quiet = size < sma(size, 100)
    live = {1: quiet, 0: quiet | True, -1: ~quiet}[regime]
    up, down = above(b.close, line), below(b.close, line)
    up_out, down_out = (down & quiet, up & quiet) if exit_too else (down, up)
    return Plan(Side(up & live, up_out), Side(down & live, down_out))


@means(
    "atr-percent",
    {"no ATR": {"percent": 0.0}, "both": {"both": True}, "1%": {"percent": 1.0}},
    kind=ATRS,
)
def atr_percent(b: Bars, kind: str, percent: float = 1.5, both: bool = False) -> Plan:
    fast, slow = ema(b.close, 6), ema(b.close, 18)
    live = atr(b, 14, kind) > b.close * percent / 100
    up, down = above(fast, slow), below(fast, slow)
    return Plan(Side(up & live, down), Side(down & live, up) if both else Side())


@means(
    "higher-highs", {"two": {"bars": 2}, "highs only": {"lows": False}, "no stop": {"stop": 99.0}}
)
def higher_highs(b: Bars, bars: int = 3, lows: bool = True, stop: float = 5.0) -> Plan:
    up, down = b.high > shift(b.high), b.high < shift(b.high)
    if lows:
        up, down = up & (b.low > shift(b.low)), down & (b.low < shift(b.low))
    return Plan(aim(b, 1, in_a_row(up, bars), in_a_row(down, bars), b.close * stop / 100))


@means(
    "first-green",
    {"no green": {"green": False}, "two reds": {"reds": 2}, "lower closes": {"closes": True}},
    count=COUNTS,
)
def first_green(
    b: Bars, count: str, green: bool = True, reds: int = 3, closes: bool = False
) -> Plan:
    down = b.close < shift(b.close) if closes else b.red
    enter = before(in_a_row(down, reds)) & b.green if green else in_a_row(down, reds)
    return Plan(Side(enter), leave=after(4, count))


@means(
    "zscore",
    {"20": {"length": 20}, "long only": {"both": False}, "exit at 1": {"out": -1.0}},
    sample=SAMPLES,
)
def zscore(b: Bars, sample: bool, length: int = 30, both: bool = True, out: float = 0.0) -> Plan:
    z = (b.close - sma(b.close, length)) / deviation(b.close, length, sample)
    return Plan(Side(z < -2, z >= out), Side(z > 2, z <= -out) if both else Side())


@means(
    "aroon",
    {"14": {"length": 14, "window": 15}, "both": {"both": True}, "state": {"cross": False}},
    window=(26, 25),
)
def aroon_cross(
    b: Bars, window: int, length: int = 25, both: bool = False, cross: bool = True
) -> Plan:
    up, down = aroon(b, length, window)
    rise, fall = above(up, down), above(down, up)
    enter = rise if cross else up > 70
    return Plan(Side(enter, fall), Side(fall, rise) if both else Side())


@means(
    "tema-cross",
    {"EMA": {"plain": True}, "long only": {"both": False}, "flat first": {"reverse": False}},
)
def tema_cross(b: Bars, plain: bool = False, both: bool = True, reverse: bool = True) -> Plan:
    fast, slow = (
        (ema(b.close, 9), ema(b.close, 21)) if plain else (tema(b.close, 9), dema(b.close, 21))
    )
    up, down = above(fast, slow), below(fast, slow)
    short = Side(down, up) if both else Side()
    return Plan(Side(up, down), short, allow=None if reverse else flat_first)


@means("vwma", {"no price": {"price": False}, "EMA": {"kind": "ema"}, "10": {"length": 10}})
def vwma(b: Bars, price: bool = True, kind: str = "vwma", length: int = 20) -> Plan:
    line = sma(b.close, length)
    heavy = sma(b.close * b.volume, length) / sma(b.volume, length)
    if kind == "ema":
        heavy = ema(b.close, length)
    enter = heavy > line
    if price:
        enter &= b.close > np.maximum(heavy, line)
    return Plan(Side(enter, heavy < line))


@means(
    "rising-volume",
    {"one day": {"days": 1}, "no volume": {"volume": False}, "any lower close": {"exit_any": True}},
)
def rising_volume(b: Bars, days: int = 2, volume: bool = True, exit_any: bool = False) -> Plan:
    busy = b.volume > shift(b.volume)
    up, down = b.close > shift(b.close), b.close < shift(b.close)
    return Plan(
        Side(in_a_row(up & busy if volume else up, days), down if exit_any else down & busy)
    )


@means(
    "prior-day-trend",
    {"no side": {"side": 0}, "against": {"side": -1}, "swapped": {"stop": 30, "target": 20}},
)
def prior_day(b: Bars, side: int = 1, stop: float = 20.0, target: float = 30.0) -> Plan:
    first = first_of_day(b)
    opened = shift(b.open[first])[np.cumsum(first) - 1]
    candle, line = side * (earlier(b.date, b)[2] - opened), ema(b.close, 20)
    up, down = above(b.close, line), below(b.close, line)
    if side:
        up, down = up & (candle > 0), down & (candle < 0)
    near, far = stop * PIP, target * PIP
    return Plan(aim(b, 1, up, None, near, far), aim(b, -1, down, None, near, far))


@means(
    "macd-rsi-combo",
    {"no EMA": {"trend": False}, "exit MACD only": {"out": "macd"}, "cross": {"cross": True}},
)
def combo(b: Bars, trend: bool = True, out: str = "either", cross: bool = False) -> Plan:
    (line, signal), r = macd(b.close), rsi(b.close)
    enter = (above(line, signal) if cross else line > signal) & (r > 50)
    if trend:
        enter &= b.close > ema(b.close, 50)
    leave = line < signal if out == "macd" else (line < signal) | (r < 45)
    return Plan(Side(enter, leave))
