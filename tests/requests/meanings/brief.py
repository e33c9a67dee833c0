"""Meanings of the requests that say much in few words."""

import numpy as np

from tests.requests.averages import (
    above,
    before,
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
from tests.requests.bars import Bars
from tests.requests.flips import psar
from tests.requests.holding import after, cool_down
from tests.requests.indicators import (
    atr,
    dmi,
    ichimoku,
    keltner,
    macd,
    obv,
    rsi,
    stochastic,
)
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, DOTS, SEEDS, means


@means(
    "ema-on-the-opposite",
    {"long only": {"both": False}, "target 1R": {"risk": 1.0}, "the cross leaves": {"cross": True}},
    kind=ATRS,
)
def on_the_opposite(
    b: Bars, kind: str, both: bool = True, risk: float = 2.0, cross: bool = False
) -> Plan:
    fast, slow, far = ema(b.close, 20), ema(b.close, 50), 1.5 * atr(b, 14, kind)
    up, down = above(fast, slow), below(fast, slow)
    short = aim(b, -1, down, up if cross else None, far, risk * far) if both else Side()
    return Plan(aim(b, 1, up, down if cross else None, far, risk * far), short)


@means(
    "macd-downward",
    {"never out": {"out": False}, "no wait": {"bars": 0}, "no stop": {"percent": 90.0}},
    bars=(10, 11),
)
def macd_downward(b: Bars, bars: int, out: bool = True, percent: float = 4.0) -> Plan:
    line, signal = macd(b.close)
    leave = below(line, signal) if out else None
    side = aim(b, 1, above(line, signal), leave, b.close * percent / 100)
    return Plan(side, allow=cool_down(bars, ("sl",)))


@means("close-above-three", {"one average": {"all_of": (20,)}, "out below 20": {"out": 20}})
def above_three(b: Bars, all_of: tuple[int, ...] = (20, 50, 200), out: int = 50) -> Plan:
    enter = b.close > sma(b.close, all_of[0])
    for length in all_of[1:]:
        enter &= b.close > sma(b.close, length)
    return Plan(Side(enter, b.close < sma(b.close, out)))


@means(
    "sar-any-flip",
    {"no average": {"trend": False}, "long only": {"both": False}, "never out": {"out": False}},
    kind=DOTS,
    seed=SEEDS,
)
def sar_any_flip(
    b: Bars, kind: str, seed: str, trend: bool = True, both: bool = True, out: bool = True
) -> Plan:
    way, line = psar(b, kind=kind), ema(b.close, 200, seed)
    up, down = turns(way > 0), turns(way < 0)
    rise, fall = (up & (b.close > line), down & (b.close < line)) if trend else (up, down)
    short = Side(fall, up if out else None) if both else Side()
    return Plan(Side(rise, down if out else None), short)


@means(
    "kumo-back-inside",
    {"out below it": {"edge": "low"}, "out below the close": {"edge": "none"}},
    moved=(26, 25),
)
def kumo_back_inside(b: Bars, moved: int, edge: str = "high") -> Plan:
    _, _, one, other = ichimoku(b, moved)
    top, low = np.maximum(one, other), np.minimum(one, other)
    line = {"high": top, "low": low, "none": shift(b.close)}[edge]
    return Plan(Side(above(b.close, top), ~(b.close > line)))


@means(
    "regime-in-brackets",
    {"no regime": {"regime": False}, "its turn stays": {"turn": False}, "RSI 50": {"level": 50.0}},
)
def regime(b: Bars, regime: bool = True, turn: bool = True, level: float = 40.0) -> Plan:
    r, fast, slow = rsi(b.close), sma(b.close, 50), sma(b.close, 200)
    enter = (r < level) & (fast > slow) if regime else r < level
    return Plan(Side(enter, (r > 60) | (fast < slow) if turn else r > 60))


@means("three-days-above", {"any close": {"days": 1}, "two days": {"days": 2}})
def three_days(b: Bars, days: int = 3) -> Plan:
    line = sma(b.close, 50)
    enter = in_a_row(b.close > line, days) & before(b.close < line, days)
    return Plan(Side(enter, b.close < line))


@means("beyond-by-percent", {"the line itself": {"percent": 0.0}, "2%": {"percent": 2.0}})
def beyond(b: Bars, percent: float = 1.0) -> Plan:
    line = sma(b.close, 200)
    up, down = line * (1 + percent / 100), line * (1 - percent / 100)
    return Plan(Side(b.close > up, b.close < down))


@means(
    "adx-if-and-if",
    {
        "short without ADX": {"strong": False},
        "long only": {"both": False},
    },
    soft=(False, True),
)
def adx_if(b: Bars, soft: bool, strong: bool = True, both: bool = True) -> Plan:
    plus, minus, adx = dmi(b)
    starts = above(adx, 25)
    out = adx < 20 if soft else below(adx, 20)
    fall = starts & (minus > plus) if strong else minus > plus
    return Plan(Side(starts & (plus > minus), out), Side(fall, out) if both else Side())


@means(
    "keltner-by-name",
    {"usual settings": {"width": 2.0, "length": 10}, "long only": {"both": False}},
    kind=ATRS,
)
def keltner_by_name(
    b: Bars, kind: str, width: float = 2.5, length: int = 14, both: bool = True
) -> Plan:
    low, line, high = keltner(b, 20, width, length, kind)
    short = Side(below(b.close, low), b.close >= line) if both else Side()
    return Plan(Side(above(b.close, high), b.close <= line), short)


@means(
    "turtle-numbers",
    {"out at 20": {"out": 20}, "no average": {"trend": False}, "no stop": {"width": 99.0}},
    kind=ATRS,
)
def turtle(b: Bars, kind: str, out: int = 10, trend: bool = True, width: float = 2.0) -> Plan:
    enter = b.close > prior_high(b.high, 20)
    if trend:
        enter &= b.close > sma(b.close, 100)
    return Plan(aim(b, 1, enter, b.close < prior_low(b.low, out), width * atr(b, 20, kind)))


@means(
    "fast-stochastic-exit",
    {"slow": {"smooth": 3}, "no average": {"trend": False}, "no time": {"bars": 999}},
    count=COUNTS,
)
def fast_stochastic(
    b: Bars, count: str, smooth: int = 1, trend: bool = True, bars: int = 8
) -> Plan:
    k, _ = stochastic(b, 14, smooth)
    enter = (k < 10) & (b.close > ema(b.close, 50)) if trend else k < 10
    return Plan(Side(enter, k > 90), leave=after(bars, count))


@means(
    "bullets-mirrored",
    {"long only": {"both": False}, "10 bars": {"bars": 10}, "target 2R": {"risk": 2.0}},
    seed=SEEDS,
)
def bullets(b: Bars, seed: str, both: bool = True, bars: int = 5, risk: float = 1.5) -> Plan:
    line, signal = macd(b.close)
    slow, low, high = ema(b.close, 200, seed), lowest(b.low, bars), highest(b.high, bars)
    up = (b.close > slow) & above(line, signal) & (line < 0)
    down = (b.close < slow) & below(line, signal) & (line > 0)
    short = Side(down, None, high, b.close - risk * (high - b.close)) if both else Side()
    return Plan(Side(up, None, low, b.close + risk * (b.close - low)), short)


@means(
    "only-if-under-entry",
    {"no filter": {"rising": False}, "filters the exit": {"always": False}},
    kind=ATRS,
)
def only_if(b: Bars, kind: str, rising: bool = True, always: bool = True) -> Plan:
    plus, minus, adx = dmi(b)
    up, down, grows = above(plus, minus), below(plus, minus), adx > shift(adx)
    rise, fall = (up & grows, down & grows) if rising else (up, down)
    far = 1.5 * atr(b, 14, kind)
    return Plan(
        aim(b, 1, rise, down if always else fall, far),
        aim(b, -1, fall, up if always else rise, far),
    )


@means("obv-versus-average", {"no filter": {"trend": False}, "state": {"cross": False}})
def obv_versus(b: Bars, trend: bool = True, cross: bool = True) -> Plan:
    x = obv(b)
    line = sma(x, 30)
    enter, leave = (above(x, line), below(x, line)) if cross else (x > line, x < line)
    if trend:
        enter = enter & (b.close > sma(b.close, 100))
    return Plan(Side(enter, leave))
