"""Meanings of the requests inside small talk, forms, quotes, links, tables and second thoughts."""

from tests.requests.averages import (
    above,
    below,
    ema,
    highest,
    in_a_row,
    lowest,
    prior_high,
    prior_low,
    shift,
    sma,
    turns,
)
from tests.requests.bars import PIP, Bars
from tests.requests.engine import Held
from tests.requests.flips import supertrend
from tests.requests.holding import after
from tests.requests.indicators import atr, cci, dmi, keltner, rsi, williams
from tests.requests.meanings.averages import AVERAGES, crossing
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, BANDS, COUNTS, means


@means(
    "long-story", {"no filter": {"trend": False}, "lows": {"lows": True}, "three days": {"days": 3}}
)
def long_story(b: Bars, trend: bool = True, lows: bool = False, days: int = 5) -> Plan:
    high, low = (b.high, b.low) if lows else (b.close, b.close)
    enter = b.close < prior_low(low, days)
    if trend:
        enter &= b.close > sma(b.close, 200)
    return Plan(Side(enter, b.close > prior_high(high, days)))


@means(
    "full-form",
    {"2 ATR": {"width": 2.0}, "no stop": {"stop": 99.0}, "long only": {"both": False}},
    kind=("wilder", "sma", "ema"),
)
def full_form(b: Bars, kind: str, width: float = 1.5, stop: float = 3.0, both: bool = True) -> Plan:
    low, middle, high = keltner(b, 20, width, 20, kind)
    distance = stop * atr(b, 20, kind)
    short = aim(b, -1, below(b.close, low), b.close > middle, distance)
    long = aim(b, 1, above(b.close, high), b.close < middle, distance)
    return Plan(long, short if both else Side())


@means(
    "template-comments",
    {
        "cross": {"cross": True},
        "no stop": {"stop": 99.0},
        "no time exit": {"bars": 999},
        "-80": {"low": -80.0},
    },
    count=COUNTS,
)
def template(
    b: Bars,
    count: str,
    cross: bool = False,
    stop: float = 5.0,
    bars: int = 8,
    low: float = -90.0,
) -> Plan:
    w = williams(b)
    enter = above(w, low) if cross else w < low
    return Plan(aim(b, 1, enter, w > -40, b.close * stop / 100), leave=after(bars, count))


@means(
    "quoted-reply",
    {
        "12/26": {"fast": 12, "slow": 26},
        "opposite closes": {"closes": True},
        "2%": {"percent": True},
    },
)
def quoted(
    b: Bars, fast: int = 15, slow: int = 45, closes: bool = False, percent: bool = False
) -> Plan:
    up = above(ema(b.close, fast), ema(b.close, slow))
    down = below(ema(b.close, fast), ema(b.close, slow))
    near = b.close * 0.02 if percent else 40 * PIP
    return Plan(
        aim(b, 1, up, down if closes else None, near, 80 * PIP),
        aim(b, -1, down, up if closes else None, near, 80 * PIP),
    )


@means(
    "changed-mind",
    {"20/50": {"fast": 20, "slow": 50}, "no stop": {"stop": 99.0}, "EMA": {"kind": "ema"}},
)
def changed_mind(
    b: Bars, fast: int = 15, slow: int = 45, stop: float = 6.0, kind: str = "sma"
) -> Plan:
    average = AVERAGES[kind]
    up = above(average(b.close, fast), average(b.close, slow))
    down = below(average(b.close, fast), average(b.close, slow))
    return Plan(aim(b, 1, up, down, b.close * stop / 100))


@means(
    "pseudo-full",
    {"no filter": {"trend": False}, "no stop": {"stop": 99.0}, "cross": {"cross": True}},
)
def pseudo_full(b: Bars, trend: bool = True, stop: float = 4.0, cross: bool = False) -> Plan:
    r = rsi(b.close)
    enter = below(r, 40) if cross else r < 40
    if trend:
        enter &= b.close > sma(b.close, 200)
    return Plan(aim(b, 1, enter, r > 60, b.close * stop / 100))


@means(
    "pseudo-oneliner",
    {"no ADX": {"level": 0.0}, "no stop": {"stop": 99.0}, "20 bars": {"length": 20}},
    kind=ATRS,
)
def oneliner(b: Bars, kind: str, level: float = 25.0, stop: float = 2.0, length: int = 10) -> Plan:
    enter = (b.close > prior_high(b.high, length)) & (dmi(b)[2] > level)
    return Plan(aim(b, 1, enter, b.close < prior_low(b.low, length), stop * atr(b, 14, kind)))


@means(
    "pine-like",
    {"long only": {"both": False}, "flat first": {"reverse": False}, "EMA": {"kind": "ema"}},
)
def pine(b: Bars, both: bool = True, reverse: bool = True, kind: str = "sma") -> Plan:
    return crossing(b, 10, 25, kind, both, reverse)


@means(
    "rules-table",
    {"breakout": {"away": True}, "no stop": {"stop": 9999.0}, "long only": {"both": False}},
)
def table(b: Bars, away: bool = False, stop: float = 35.0, both: bool = True) -> Plan:
    x = cci(b, 14)
    up, down = (below(x, -100), above(x, 100)) if away else (above(x, -100), below(x, 100))
    short = aim(b, -1, down, x < -100, stop * PIP) if both else Side()
    return Plan(aim(b, 1, up, x > 100, stop * PIP), short)


@means(
    "numbered-list",
    {
        "no DI": {"di": False},
        "no ADX": {"level": 0.0},
        "no time exit": {"bars": 999},
        "swapped": {"stop": 3.0, "target": 1.5},
    },
    kind=ATRS,
    count=COUNTS,
)
def numbered(
    b: Bars,
    kind: str,
    count: str,
    di: bool = True,
    level: float = 20.0,
    bars: int = 24,
    stop: float = 1.5,
    target: float = 3.0,
) -> Plan:
    plus, minus, adx = dmi(b)
    enter = above(b.close, ema(b.close, 20)) & (adx > level)
    if di:
        enter &= plus > minus
    size = atr(b, 14, kind)
    return Plan(aim(b, 1, enter, None, stop * size, target * size), leave=after(bars, count))


@means(
    "shouting",
    {
        "two days": {"days": 2},
        "green candles": {"colour": True},
        "no stop": {"stop": 99.0},
        "4 days": {"bars": 4},
    },
    count=COUNTS,
)
def shouting(
    b: Bars, count: str, days: int = 3, colour: bool = False, stop: float = 4.0, bars: int = 2
) -> Plan:
    enter = in_a_row(b.green if colour else b.close > shift(b.close), days)
    return Plan(aim(b, 1, enter, None, b.close * stop / 100), leave=after(bars, count))


@means(
    "title-only-symbol",
    {
        "no Supertrend": {"trend": False},
        "state": {"cross": False},
        "exit at RSI 50": {"rsi_exit": True},
    },
    kind=ATRS,
    against=BANDS,
)
def supertrend_rsi(
    b: Bars,
    kind: str,
    against: str,
    trend: bool = True,
    cross: bool = True,
    rsi_exit: bool = False,
) -> Plan:
    r, side = rsi(b.close), supertrend(b, 10, 3.0, kind, against)
    enter = above(r, 50) if cross else r > 50
    if trend:
        enter &= side > 0
    return Plan(Side(enter, below(r, 50) if rsi_exit else turns(side < 0)))


@means(
    "german-english-mix",
    {"any day": {"last": 4}, "no stop": {"stop": 99.0}, "five days": {"days": 5}},
)
def mixed(b: Bars, last: int = 2, stop: float = 3.0, days: int = 3) -> Plan:
    enter = (b.close > prior_high(b.high, days)) & (b.weekday <= last)

    def leave(held: Held, idx: int) -> bool:
        return bool(b.weekday[idx] == 4 or b.week[idx] > b.week[held.signal])

    return Plan(aim(b, 1, enter, None, b.close * stop / 100), leave=leave)


@means(
    "ambiguous-looking",
    {"both": {"both": True}, "lows and highs": {"wicks": True}, "20 bars": {"length": 20}},
)
def buy_low(b: Bars, both: bool = False, wicks: bool = False, length: int = 15) -> Plan:
    low, high = (b.low, b.high) if wicks else (b.close, b.close)
    down, up = low <= lowest(low, length), high >= highest(high, length)
    return Plan(Side(down, up), Side(up, down) if both else Side())


@means(
    "irrelevant-numbers", {"SMA": {"kind": "sma"}, "both": {"both": True}, "20/48": {"fast": 20}}
)
def irrelevant(b: Bars, kind: str = "ema", both: bool = False, fast: int = 13) -> Plan:
    return crossing(b, fast, 48, kind, both)


@means(
    "negated-rules",
    {"no filter": {"trend": False}, "SMA closes": {"closes": True}, "followed": {"side": -1}},
)
def negated(b: Bars, trend: bool = True, closes: bool = False, side: int = 1) -> Plan:
    under, over = b.close < shift(b.low), b.close > shift(b.high)
    up = b.close > sma(b.close, 200)
    if side < 0:
        return Plan(Side(over & up, under))
    return Plan(Side(under & up if trend else under, over | (~up & closes)))
