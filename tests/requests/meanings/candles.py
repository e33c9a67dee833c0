"""Meanings of the requests about candle patterns."""

from tests.requests.averages import (
    before,
    ema,
    highest,
    in_a_row,
    lowest,
    shift,
    sma,
    turns,
)
from tests.requests.bars import PIP, Bars, Mask
from tests.requests.holding import after
from tests.requests.indicators import atr, heikin_ashi, rsi
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, means


@means(
    "hammer",
    {
        "anywhere": {"low": False},
        "1R": {"r": 1.0},
        "upside down": {"inverted": True},
        "no upper limit": {"upper": 99.0},
    },
)
def hammer(
    b: Bars, low: bool = True, r: float = 2.0, inverted: bool = False, upper: float = 1.0
) -> Plan:
    down, up = (b.upper_wick, b.lower_wick) if inverted else (b.lower_wick, b.upper_wick)
    enter = (down >= 2 * b.body) & (up <= upper * b.body) & (b.body > 0)
    if low:
        enter &= b.low <= lowest(b.low, 10)
    return Plan(aim(b, 1, enter, None, b.close - b.low, r * (b.close - b.low)))


@means(
    "pin-bar",
    {
        "no trend": {"trend": 0},
        "against the trend": {"trend": -1},
        "long only": {"both": False},
        "half": {"share": 0.5},
    },
)
def pin_bar(b: Bars, trend: int = 1, both: bool = True, share: float = 0.6) -> Plan:
    span, over = b.high - b.low, b.close - ema(b.close, 50)
    up = (b.lower_wick >= share * span) & (b.close >= b.high - span / 3)
    down = (b.upper_wick >= share * span) & (b.close <= b.low + span / 3)
    if trend:
        up, down = up & (trend * over > 0), down & (trend * over < 0)
    short = aim(b, -1, down, None, 15 * PIP, 30 * PIP) if both else Side()
    return Plan(aim(b, 1, up, None, 15 * PIP, 30 * PIP), short)


@means(
    "inside-bar",
    {
        "no SMA": {"trend": False},
        "today inside": {"lag": 0},
        "no inside bar": {"inside": False},
        "12 bars": {"bars": 12},
    },
    count=COUNTS,
)
def inside_bar(
    b: Bars, count: str, trend: bool = True, lag: int = 1, inside: bool = True, bars: int = 6
) -> Plan:
    narrow = (b.high < shift(b.high)) & (b.low > shift(b.low))
    if lag == 0:
        enter = narrow & b.green
    else:
        enter = b.close > shift(b.high)
        if inside:
            enter &= before(narrow)
    if trend:
        enter &= b.close > sma(b.close, 50)
    return Plan(Side(enter, None, shift(b.low)), leave=after(bars, count))


@means(
    "doji",
    {
        "followed": {"side": -1},
        "20%": {"share": 0.2},
        "long only": {"both": False},
        "6 bars": {"bars": 6},
    },
    count=COUNTS,
)
def doji(
    b: Bars, count: str, side: int = 1, share: float = 0.1, both: bool = True, bars: int = 3
) -> Plan:
    small = b.body <= share * (b.high - b.low)
    over = side * (b.close - ema(b.close, 20))
    short = Side(small & (over > 0)) if both else Side()
    return Plan(Side(small & (over < 0)), short, leave=after(bars, count))


def soldiers(b: Bars, inside: bool) -> Mask:
    step = b.green & before(b.green) & (b.close > shift(b.close))
    if inside:
        step &= (b.open >= shift(b.open)) & (b.open <= shift(b.close))
    return step & before(step)


def crows(b: Bars, inside: bool) -> Mask:
    step = b.red & before(b.red) & (b.close < shift(b.close))
    if inside:
        step &= (b.open <= shift(b.open)) & (b.open >= shift(b.close))
    return step & before(step)


@means(
    "three-soldiers",
    {"any open": {"inside": False}, "fade": {"fade": True}, "long only": {"both": False}},
)
def three_soldiers(b: Bars, inside: bool = True, fade: bool = False, both: bool = True) -> Plan:
    up, down = soldiers(b, inside), crows(b, inside)
    if fade:
        return Plan(Side(down, b.green), Side(up, b.red))
    return Plan(Side(up, b.red), Side(down, b.green) if both else Side())


@means(
    "morning-star",
    {
        "no SMA": {"trend": False},
        "any size": {"sized": False},
        "stop at the last low": {"bars": 1},
        "2R": {"r": 2.0},
    },
    kind=ATRS,
)
def morning_star(
    b: Bars, kind: str, trend: bool = True, sized: bool = True, bars: int = 3, r: float = 1.5
) -> Plan:
    large = b.red & (b.body >= 0.5 * atr(b, 14, kind)) if sized else b.red
    small = shift(b.body) <= 0.5 * shift(b.body, 2)
    enter = before(large, 2) & small & b.green
    enter &= b.close > (shift(b.open, 2) + shift(b.close, 2)) / 2
    if trend:
        enter &= b.close < sma(b.close, 50)
    risk = b.close - lowest(b.low, bars)
    return Plan(aim(b, 1, enter, None, risk, r * risk))


@means(
    "bear-engulfing",
    {
        "no SMA": {"trend": False},
        "no stop": {"stop": False},
        "whole range": {"whole": True},
        "bullish": {"bull": True},
    },
    count=COUNTS,
)
def bear_engulfing(
    b: Bars,
    count: str,
    trend: bool = True,
    stop: bool = True,
    whole: bool = False,
    bull: bool = False,
) -> Plan:
    enter = before(b.green) & b.red & (b.open >= shift(b.close)) & (b.close <= shift(b.open))
    if bull:
        enter = before(b.red) & b.green & (b.open <= shift(b.close)) & (b.close >= shift(b.open))
    if whole:
        enter &= (b.high >= shift(b.high)) & (b.low <= shift(b.low))
    if trend:
        enter &= b.close > sma(b.close, 50)
    return Plan(short=Side(enter, None, b.high if stop else None), leave=after(10, count))


@means(
    "outside-reversal",
    {
        "any close beyond": {"outside": False},
        "by colour": {"colour": True},
        "long only": {"both": False},
    },
    count=COUNTS,
)
def outside(
    b: Bars, count: str, outside: bool = True, colour: bool = False, both: bool = True
) -> Plan:
    wide = (b.high > shift(b.high)) & (b.low < shift(b.low))
    up, down = b.close > shift(b.high), b.close < shift(b.low)
    if colour:
        up, down = b.green, b.red
    if outside:
        up, down = up & wide, down & wide
    return Plan(Side(up), Side(down) if both else Side(), leave=after(4, count))


@means(
    "big-candle",
    {
        "1.5x": {"times": 1.5},
        "fade": {"fade": True},
        "range": {"body": False},
        "long only": {"both": False},
    },
    kind=ATRS,
)
def big_candle(
    b: Bars,
    kind: str,
    times: float = 2.0,
    fade: bool = False,
    body: bool = True,
    both: bool = True,
) -> Plan:
    size = b.body if body else b.high - b.low
    big, distance = size > times * shift(sma(size, 20)), 1.5 * atr(b, 14, kind)
    up, down = (b.red, b.green) if fade else (b.green, b.red)
    short = aim(b, -1, big & down, None, distance, distance) if both else Side()
    return Plan(aim(b, 1, big & up, None, distance, distance), short)


@means(
    "harami",
    {"no RSI": {"level": 999.0}, "no stop": {"stop": False}, "own low": {"lag": 0}},
)
def harami(b: Bars, level: float = 45.0, stop: bool = True, lag: int = 1) -> Plan:
    strength = rsi(b.close)
    enter = before(b.red) & b.green & (b.open >= shift(b.close)) & (b.close <= shift(b.open))
    enter &= strength < level
    return Plan(Side(enter, strength > 60, shift(b.low, lag) if stop else None))


@means(
    "shooting-star",
    {
        "anywhere": {"top": False},
        "stop at the high": {"pips": 0.0},
        "stop 20 pips": {"pips": 20.0},
        "long": {"side": 1},
    },
)
def shooting_star(b: Bars, top: bool = True, pips: float = 2.0, side: int = -1) -> Plan:
    enter = (b.upper_wick >= 2 * b.body) & (b.lower_wick <= 0.5 * b.body)
    if top:
        enter &= b.high >= highest(b.high, 8)
    if side > 0:
        return Plan(aim(b, 1, enter, None, 25 * PIP, 25 * PIP))
    return Plan(short=Side(enter, None, b.high + pips * PIP, b.close - 25 * PIP))


@means(
    "heikin-ashi",
    {"plain candles": {"plain": True}, "both": {"both": True}, "two green": {"bars": 2}},
)
def averaged(b: Bars, plain: bool = False, both: bool = False, bars: int = 1) -> Plan:
    opened, close = (b.open, b.close) if plain else heikin_ashi(b)
    up, down = turns(in_a_row(close > opened, bars)), turns(close < opened)
    return Plan(Side(up, down), Side(down, up) if both else Side())


@means(
    "five-reds", {"lower closes": {"closes": True}, "four": {"bars": 4}, "two greens": {"out": 2}}
)
def five_reds(b: Bars, closes: bool = False, bars: int = 5, out: int = 1) -> Plan:
    down = b.close < shift(b.close) if closes else b.red
    up = b.close > shift(b.close) if closes else b.green
    return Plan(Side(in_a_row(down, bars), in_a_row(up, out)))


@means(
    "dark-cloud",
    {
        "long only": {"both": False},
        "any open": {"opens": False},
        "engulfing allowed": {"limit": False},
    },
)
def dark_cloud(b: Bars, both: bool = True, opens: bool = True, limit: bool = True) -> Plan:
    half = (shift(b.open) + shift(b.close)) / 2
    up, down = before(b.red) & (b.close > half), before(b.green) & (b.close < half)
    if opens:
        up, down = up & (b.open < shift(b.close)), down & (b.open > shift(b.close))
    if limit:
        up, down = up & (b.close < shift(b.open)), down & (b.close > shift(b.open))
    distance = b.close * 0.03
    short = aim(b, -1, down, None, distance, distance) if both else Side()
    return Plan(aim(b, 1, up, None, distance, distance), short)
