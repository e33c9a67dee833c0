"""Meanings of the requests in which a word or two say whose a rule is."""

from tests.requests.averages import (
    above,
    below,
    ema,
    highest,
    lowest,
    prior_high,
    prior_low,
    shift,
    sma,
    turns,
    wma,
)
from tests.requests.bars import PIP, Bars
from tests.requests.flips import psar, supertrend
from tests.requests.holding import after, flat_first
from tests.requests.indicators import atr, bollinger, dmi, keltner, obv, roc, rsi, williams
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, BANDS, COUNTS, DOTS, SAMPLES, means


@means("cross-shorts-no", {"no cross exit": {"cross": False}, "shorts too": {"both": True}})
def shorts_no(b: Bars, cross: bool = True, both: bool = False) -> Plan:
    fast, slow = ema(b.close, 10), ema(b.close, 30)
    up, down, c = above(fast, slow), below(fast, slow), b.close
    short = aim(b, -1, down, up, c * 0.03, c * 0.06) if both else Side()
    return Plan(aim(b, 1, up, down if cross else None, c * 0.03, c * 0.06), short)


@means(
    "supertrend-it",
    {"no average": {"trend": False}, "long only": {"both": False}, "multiplier 2": {"width": 2.0}},
    kind=ATRS,
    band=BANDS,
)
def supertrend_it(
    b: Bars, kind: str, band: str, trend: bool = True, both: bool = True, width: float = 3.0
) -> Plan:
    side = supertrend(b, 10, width, kind, band)
    up, down = turns(side > 0), turns(side < 0)
    over = b.close - ema(b.close, 200)
    short = Side(down & (over < 0) if trend else down, up) if both else Side()
    return Plan(Side(up & (over > 0) if trend else up, down), short)


@means("obv-high", {"price": {"price": True}, "no SMA": {"trend": False}})
def obv_high(b: Bars, price: bool = False, trend: bool = True) -> Plan:
    flow = obv(b)
    enter = b.close > prior_high(b.high, 20) if price else flow > prior_high(flow, 20)
    enter = enter & (b.close > sma(b.close, 50)) if trend else enter
    return Plan(Side(enter, below(flow, sma(flow, 20))))


@means(
    "keltner-in-turn",
    {"any exit": {"mixed": True}, "no RSI": {"strength": False}, "long only": {"both": False}},
    kind=ATRS,
)
def in_turn(
    b: Bars, kind: str, mixed: bool = False, strength: bool = True, both: bool = True
) -> Plan:
    low, line, high = keltner(b, 20, 2.0, 10, kind)
    r, over, under = rsi(b.close), b.close >= line, b.close <= line
    up, down = b.close < low, b.close > high
    if strength:
        up, down = up & (r < 35), down & (r > 65)
    short = Side(down, over | under if mixed else under) if both else Side()
    return Plan(Side(up, over | under if mixed else over), short)


@means(
    "rsi-was-below",
    {"state": {"was": False}, "no slope": {"slope": False}, "no bars": {"bars": 9999}},
    kind=ATRS,
    count=COUNTS,
)
def was_below(
    b: Bars, kind: str, count: str, was: bool = True, slope: bool = True, bars: int = 12
) -> Plan:
    r, line, a = rsi(b.close), ema(b.close, 50), atr(b, 14, kind)
    up, down = r >= 40, r <= 60
    if was:
        up, down = up & (shift(r) < 40), down & (shift(r) > 60)
    if slope:
        up, down = up & (line > shift(line, 10)), down & (line < shift(line, 10))
    long, short = (aim(b, s, m, None, 1.5 * a, 3 * a) for s, m in ((1, up), (-1, down)))
    return Plan(long, short, leave=after(bars, count))


@means("wma-close-and-reverse", {"flat first": {"flat": True}, "no exit": {"closes": False}})
def and_reverse(b: Bars, flat: bool = False, closes: bool = True) -> Plan:
    fast, slow = wma(b.close, 10), wma(b.close, 40)
    up, down, far = above(fast, slow), below(fast, slow), b.close * 0.05
    long = aim(b, 1, up, down if closes else None, far)
    short = aim(b, -1, down, up if closes else None, far)
    return Plan(long, short, allow=flat_first if flat else None)


@means(
    "five-day-extremes",
    {"no SMA": {"trend": False}, "after 5 days": {"bars": 5}, "without today": {"before": True}},
)
def extremes(b: Bars, trend: bool = True, bars: int = 9999, before: bool = False) -> Plan:
    line, c = sma(b.close, 200), b.close
    enter = c < prior_low(c, 5) if before else c <= lowest(c, 5)
    leave = c > prior_high(c, 5) if before else c >= highest(c, 5)
    enter = enter & (c > line) if trend else enter
    return Plan(Side(enter, leave | below(c, line)), leave=after(bars))


@means(
    "donchian-forty-mid",
    {"at once": {"fade": True}, "no stop": {"stop": 99.0}, "long only": {"both": False}},
    kind=ATRS,
)
def forty_mid(b: Bars, kind: str, fade: bool = False, stop: float = 3.0, both: bool = True) -> Plan:
    high, low = prior_high(b.high, 40), prior_low(b.low, 40)
    middle, far = (high + low) / 2, stop * atr(b, 20, kind)
    over, under = b.close >= middle, b.close <= middle
    short = aim(b, -1, b.close < low, under if fade else over, far) if both else Side()
    return Plan(aim(b, 1, b.close > high, over if fade else under, far), short)


@means("sar-mirrored", {"one exit": {"same": True}, "no ADX": {"strong": False}}, kind=DOTS)
def mirrored(b: Bars, kind: str, same: bool = False, strong: bool = True) -> Plan:
    side, adx = psar(b, kind=kind), dmi(b)[2]
    up, down, far = side > 0, side < 0, b.close * 0.02
    live = adx > 25 if strong else adx >= 0
    short = aim(b, -1, down & live, down if same else up, far)
    return Plan(aim(b, 1, up & live, down, far), short)


@means(
    "or-bars",
    {"no bars": {"bars": 9999}, "no SMA": {"trend": False}, "state": {"cross": False}},
    count=COUNTS,
)
def or_bars(b: Bars, count: str, bars: int = 24, trend: bool = True, cross: bool = True) -> Plan:
    r = rsi(b.close, 7)
    enter = above(r, 25) if cross else r > 25
    enter = enter & (b.close > sma(b.close, 480)) if trend else enter
    return Plan(aim(b, 1, enter, r > 65, 35 * PIP), leave=after(bars, count))


@means("five-percent-up", {"0%": {"percent": 0.0}, "10 bars": {"bars": 10}})
def percent_up(b: Bars, percent: float = 5.0, bars: int = 20) -> Plan:
    then = shift(b.close, bars)
    return Plan(Side(b.close >= then * (1 + percent / 100), b.close < then))


@means(
    "supertrend-multiplier",
    {"three": {"width": 3.0}, "ten bars": {"length": 10}, "no flip exit": {"flips": False}},
    kind=ATRS,
    band=BANDS,
)
def multiplier(
    b: Bars, kind: str, band: str, width: float = 2.0, length: int = 7, flips: bool = True
) -> Plan:
    side, c = supertrend(b, length, width, kind, band), b.close
    up, down = turns(side > 0), turns(side < 0)
    long = aim(b, 1, up, down if flips else None, c * 0.025, c * 0.05)
    return Plan(long, aim(b, -1, down, up if flips else None, c * 0.025, c * 0.05))


@means(
    "trend-in-brackets",
    {"no trend": {"trend": False}, "long only": {"both": False}, "2 ATR": {"stop": 2.0}},
    kind=ATRS,
)
def in_brackets(
    b: Bars, kind: str, trend: bool = True, both: bool = True, stop: float = 1.5
) -> Plan:
    r, over, a = rsi(b.close), b.close - ema(b.close, 200), atr(b, 14, kind)
    up, down = above(r, 40), below(r, 60)
    if trend:
        up, down = up & (over > 0), down & (over < 0)
    short = aim(b, -1, down, None, stop * a, 2.5 * a) if both else Side()
    return Plan(aim(b, 1, up, None, stop * a, 2.5 * a), short)


@means("williams-any-cross", {"the wrong cross": {"wrong": True}, "long only": {"both": False}})
def any_cross(b: Bars, wrong: bool = False, both: bool = True) -> Plan:
    w, far = williams(b, 10), b.close * 0.04
    up, down = above(w, -50), below(w, -50)
    short = aim(b, -1, w > -10, up if wrong else up | down, far) if both else Side()
    return Plan(aim(b, 1, w < -90, down if wrong else up | down, far), short)


@means("roc-either", {"the last only": {"both": False}, "one is enough": {"one": True}})
def roc_either(b: Bars, both: bool = True, one: bool = False) -> Plan:
    slow, fast = roc(b.close, 63), roc(b.close, 21)
    enter = (slow > 0) | (fast > 0) if one else (slow > 0) & (fast > 0)
    return Plan(Side(enter, (fast < 0) | ((slow < 0) & both)))


@means("obv-own-ema", {"SMA": {"simple": True}, "no 50 EMA": {"trend": False}})
def own_ema(b: Bars, simple: bool = False, trend: bool = True) -> Plan:
    flow = obv(b)
    line = sma(flow, 20) if simple else ema(flow, 20)
    enter = above(flow, line)
    enter = enter & (b.close > ema(b.close, 50)) if trend else enter
    return Plan(Side(enter, below(flow, line)))


@means(
    "chinese-bollinger-both",
    {"long only": {"both": False}, "no stop": {"stop": 9999.0}, "upper exit": {"far": True}},
    sample=SAMPLES,
    cross=(True, False),
)
def both_bands(
    b: Bars, sample: bool, cross: bool, both: bool = True, stop: float = 50.0, far: bool = False
) -> Plan:
    """ "跌破" is a break: the cross, or a close beyond it."""
    low, middle, high = bollinger(b.close, 20, 2.0, sample)
    up, down = (below(b.close, low), above(b.close, high))
    if not cross:
        up, down = b.close < low, b.close > high
    short = aim(b, -1, down, b.close <= (low if far else middle), stop * PIP) if both else Side()
    return Plan(aim(b, 1, up, b.close >= (high if far else middle), stop * PIP), short)
