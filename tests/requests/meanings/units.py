"""Meanings of the requests in other units and spellings."""

import numpy as np

from tests.requests.averages import above, below, ema, prior_high, shift, sma
from tests.requests.bars import PIP, Bars, clock
from tests.requests.engine import Held
from tests.requests.holding import after, at_most, first_in, gained, trail_by, trail_percent
from tests.requests.indicators import atr, bollinger, macd, rsi
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, SAMPLES, SINCE, means

EQUITY = 10_000.0


@means(
    "minutes",
    {"90 bars": {"bars": 90}, "all day": {"first": "09:30"}, "no stop": {"stop": 99.0}},
    count=COUNTS,
)
def minutes(b: Bars, count: str, bars: int = 6, first: str = "10:00", stop: float = 1.0) -> Plan:
    enter = below(rsi(b.close), 30) & (b.minute >= clock(first)) & (b.minute <= clock("14:00"))
    return Plan(aim(b, 1, enter, None, b.close * stop / 100), leave=after(bars, count))


@means(
    "one-week-h4",
    {"7 bars": {"bars": 7}, "5 days": {"bars": 30}, "upper band": {"upper": True}},
    count=COUNTS,
    sample=SAMPLES,
)
def one_week(b: Bars, count: str, sample: bool, bars: int = 42, upper: bool = False) -> Plan:
    low, _, high = bollinger(b.close, 20, 2.0, sample)
    return Plan(Side(b.close > high if upper else b.close < low), leave=after(bars, count))


@means(
    "fixed-prices",
    {"state": {"cross": False}, "distances": {"far": True}, "no target": {"target": np.nan}},
)
def fixed_prices(b: Bars, cross: bool = True, far: bool = False, target: float = 107.0) -> Plan:
    enter = above(b.close, 101.0) if cross else b.close > 101.0
    if far:
        return Plan(aim(b, 1, enter, None, 4.0, 6.0))
    same = np.ones(len(b.close))
    return Plan(Side(enter, None, 97.0 * same, target * same))


@means(
    "decimal-comma",
    {"4%": {"percent": 4.0}, "cross closes": {"closes": True}, "fixed": {"fixed": True}},
    since=SINCE,
)
def decimal_comma(
    b: Bars, since: str, percent: float = 0.4, closes: bool = False, fixed: bool = False
) -> Plan:
    fast, slow = ema(b.close, 12), ema(b.close, 36)
    leave = below(fast, slow) if closes else None
    if fixed:
        return Plan(aim(b, 1, above(fast, slow), None, b.close * percent / 100))
    return Plan(Side(above(fast, slow), leave), leave=trail_percent(b, percent, since))


@means(
    "trail-pips",
    {"fixed": {"fixed": True}, "long only": {"both": False}, "25 pips": {"pips": 25.0}},
    since=SINCE,
)
def trail_pips(
    b: Bars, since: str, fixed: bool = False, both: bool = True, pips: float = 40.0
) -> Plan:
    fast, slow = sma(b.close, 20), sma(b.close, 60)
    up, down = above(fast, slow), below(fast, slow)
    distance = np.full(len(b.close), pips * PIP)
    if fixed:
        return Plan(aim(b, 1, up, None, distance), aim(b, -1, down, None, distance))
    return Plan(Side(up), Side(down) if both else Side(), leave=trail_by(b, distance, since))


@means("reward-ratio", {"1:1": {"r": 1.0}, "state": {"cross": False}, "EMA": {"kind": "ema"}})
def reward_ratio(b: Bars, r: float = 3.0, cross: bool = True, kind: str = "sma") -> Plan:
    line, risk = (sma if kind == "sma" else ema)(b.close, 20), b.close - b.low
    enter = above(b.close, line) if cross else b.close > line
    return Plan(aim(b, 1, enter, None, risk, r * risk))


@means(
    "half-an-atr",
    {"no ATR": {"half": 0.0}, "over the close": {"over": "close"}, "3 ATR": {"target": 3.0}},
    kind=ATRS,
)
def half_an_atr(
    b: Bars, kind: str, half: float = 0.5, over: str = "high", target: float = 3.5
) -> Plan:
    size = atr(b, 14, kind)
    enter = b.close > shift(b.high if over == "high" else b.close) + half * size
    return Plan(aim(b, 1, enter, None, 2 * size, target * size))


@means(
    "break-even-percent",
    {"no break-even": {"starts": 99.0}, "at 1%": {"starts": 1.0}, "highs": {"highs": True}},
)
def break_even(b: Bars, starts: float = 3.0, highs: bool = False) -> Plan:
    enter = b.close > prior_high(b.high if highs else b.close, 10)

    def leave(held: Held, idx: int) -> bool:
        gains = gained(b, held, idx)
        return bool((gains >= held.price * starts / 100).any() and gains[-1] <= 0)

    return Plan(aim(b, 1, enter, None, b.close * 0.04, b.close * 0.09), leave=leave)


@means(
    "chandelier-both",
    {
        "closes": {"closes": True},
        "cross closes": {"opposite": True},
        "3 ATR": {"width": 3.0},
        "long only": {"both": False},
    },
    since=COUNTS,
    kind=ATRS,
)
def chandelier(
    b: Bars,
    since: str,
    kind: str,
    closes: bool = False,
    opposite: bool = False,
    width: float = 2.5,
    both: bool = True,
) -> Plan:
    (line, signal), room = macd(b.close), width * atr(b, 22, kind)
    high, low = (b.close, b.close) if closes else (b.high, b.low)
    up, down = above(line, signal), below(line, signal)

    def leave(held: Held, idx: int) -> bool:
        start = held.entry if since == "fill" else held.signal
        if held.side > 0:
            return bool(b.close[idx] < high[start : idx + 1].max() - room[idx])
        return bool(b.close[idx] > low[start : idx + 1].min() + room[idx])

    short = Side(down, up if opposite else None) if both else Side()
    return Plan(Side(up, down if opposite else None), short, leave=leave)


@means(
    "once-a-week",
    {"no limit": {"most": 99}, "once a day": {"daily": True}, "RSI14": {"length": 14}},
    by=("signal", "fill"),
    strict=(False, True),
)
def once_a_week(
    b: Bars, by: str, strict: bool, most: int = 1, daily: bool = False, length: int = 3
) -> Plan:
    r = rsi(b.close, length)
    enter = first_in(b.week, r < 40) if strict else r < 40
    return Plan(Side(enter, r > 50), allow=at_most(b.date if daily else b.week, most, by))


@means(
    "whole-shares",
    {"fractions": {"whole": False}, "one unit": {"unit": True}, "all": {"share": 1.0}},
)
def whole_shares(b: Bars, whole: bool = True, unit: bool = False, share: float = 0.4) -> Plan:
    fast, slow = sma(b.close, 5), sma(b.close, 30)
    size = share * EQUITY / b.close
    if whole:
        size = np.floor(size)
    return Plan(Side(above(fast, slow), below(fast, slow)), volume=1.0 if unit else size)


@means(
    "fx-risk",
    {"one unit": {"size": 1.0}, "1%": {"size": 100 / 0.003}, "swapped": {"stop": 60, "target": 30}},
    sample=SAMPLES,
)
def fx_risk(
    b: Bars, sample: bool, size: float = 200 / 0.003, stop: float = 30.0, target: float = 60.0
) -> Plan:
    enter = above(b.close, bollinger(b.close, 20, 2.0, sample)[2])
    return Plan(aim(b, 1, enter, None, stop * PIP, target * PIP), volume=size)


@means(
    "limit-band",
    {
        "no filter": {"trend": False},
        "market": {"limit": False},
        "target at the upper": {"upper": True},
    },
    sample=SAMPLES,
)
def limit_band(
    b: Bars, sample: bool, trend: bool = True, limit: bool = True, upper: bool = False
) -> Plan:
    low, middle, high = bollinger(b.close, 20, 2.0, sample)
    enter = np.isfinite(low) if not trend else b.close > sma(b.close, 100)
    target = high if upper else middle
    return Plan(Side(enter, None, 0.97 * low, target, low if limit else None))


@means(
    "sell-limit",
    {"market": {"limit": False}, "below the close": {"sign": -1.0}, "long": {"long": True}},
)
def sell_limit(b: Bars, limit: bool = True, sign: float = 1.0, long: bool = False) -> Plan:
    r = rsi(b.close, 5)
    price = b.close * (1 + sign * 0.01) if limit else None
    side = Side(r > 75, r < 40, None, None, price)
    return Plan(side) if long else Plan(short=side)


@means(
    "hold-one-bar",
    {"any day": {"days": (0, 1, 2, 3, 4)}, "top": {"top": True}, "3 days": {"bars": 3}},
    count=COUNTS,
)
def one_bar(
    b: Bars, count: str, days: tuple[int, ...] = (3, 4), top: bool = False, bars: int = 1
) -> Plan:
    share = (b.close - b.low) / (b.high - b.low)
    weak = share >= 0.9 if top else share <= 0.1
    return Plan(Side(weak & np.isin(b.weekday, days)), leave=after(bars, count))
