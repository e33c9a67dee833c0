"""Meanings of the requests whose rules have a qualifier that must not be skipped."""

from tests.requests.averages import (
    above,
    below,
    ema,
    in_a_row,
    prior_high,
    prior_low,
    shift,
    sma,
)
from tests.requests.bars import PIP, Bars
from tests.requests.engine import Held
from tests.requests.holding import after, either
from tests.requests.indicators import atr, cci, macd, rsi
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, means


@means(
    "not-before-three",
    {"at once": {"bars": 0}, "after 4 bars": {"timed": True}, "2 bars": {"bars": 2}},
    count=COUNTS,
)
def not_before(b: Bars, count: str, bars: int = 4, timed: bool = False) -> Plan:
    r, old = rsi(b.close), after(bars, count)

    def leave(held: Held, idx: int) -> bool:
        return old(held, idx) if timed else bool(r[idx] > 55) and old(held, idx)

    return Plan(aim(b, 1, above(r, 45), None, b.close * 0.05), leave=leave)


@means(
    "only-in-profit",
    {"any result": {"profit": False}, "no time": {"bars": 9999}, "10 bars": {"bars": 10}},
    count=COUNTS,
)
def only_in_profit(b: Bars, count: str, profit: bool = True, bars: int = 15) -> Plan:
    line, signal = macd(b.close)
    turned = below(line - signal, 0)

    def winner(held: Held, idx: int) -> bool:
        return bool(turned[idx]) and (not profit or bool(b.close[idx] > held.price))

    return Plan(Side(above(line - signal, 0)), leave=either(winner, after(bars, count)))


@means(
    "stop-on-closes",
    {"resting": {"resting": True}, "no stop": {"stop": 9999.0}, "60 pips": {"stop": 60.0}},
)
def stop_on_closes(b: Bars, resting: bool = False, stop: float = 30.0) -> Plan:
    fast, slow = ema(b.close, 10), ema(b.close, 30)
    far = stop * PIP if resting else None

    def leave(held: Held, idx: int) -> bool:
        return not resting and bool(held.side * (b.close[idx] - held.price) <= -stop * PIP)

    long = aim(b, 1, above(fast, slow), None, far, 60 * PIP)
    return Plan(long, aim(b, -1, below(fast, slow), None, far, 60 * PIP), leave=leave)


@means(
    "two-inside-bars",
    {"one": {"bars": 1}, "no EMA": {"trend": False}, "8 days": {"hold": 8}},
    count=COUNTS,
)
def two_inside(b: Bars, count: str, bars: int = 2, trend: bool = True, hold: int = 4) -> Plan:
    enter = in_a_row((b.high < shift(b.high)) & (b.low > shift(b.low)), bars)
    if trend:
        enter &= b.close > ema(b.close, 50)
    return Plan(Side(enter), leave=after(hold, count))


@means(
    "closing-highs-quiet",
    {"wicks": {"wicks": True}, "no ATR": {"quiet": False}, "loud": {"loud": True}},
    kind=ATRS,
)
def closing_highs(
    b: Bars, kind: str, wicks: bool = False, quiet: bool = True, loud: bool = False
) -> Plan:
    size = atr(b, 14, kind)
    calm = size < sma(size, 50)
    enter = b.close > prior_high(b.high if wicks else b.close, 20)
    if quiet:
        enter &= ~calm if loud else calm
    return Plan(Side(enter, b.close < prior_low(b.low if wicks else b.close, 10)))


@means(
    "cci-until",
    {"long only": {"both": False}, "fade": {"fade": True}, "until 100": {"out": 100.0}},
)
def cci_until(b: Bars, both: bool = True, fade: bool = False, out: float = 0.0) -> Plan:
    x = cci(b)
    long, short = Side(x > 100, x < out), Side(x < -100, x > -out)
    if fade:
        long, short = Side(x < -100, x > -out), Side(x > 100, x < out)
    return Plan(long, short if both else Side())


@means(
    "shorts-not-wanted",
    {"shorts": {"both": True}, "three": {"days": 3}, "no stop": {"stop": 99.0}},
)
def shorts_not_wanted(b: Bars, both: bool = False, days: int = 4, stop: float = 7.0) -> Plan:
    up, far = b.close > shift(b.close), b.close * stop / 100
    long = aim(b, 1, in_a_row(b.close < shift(b.close), days), up, far)
    return Plan(long, aim(b, -1, up, None, far) if both else Side())


@means(
    "risk-in-dollars",
    {"$250 of shares": {"spent": True}, "one unit": {"unit": True}, "1 ATR": {"far": 1.0}},
    kind=ATRS,
)
def risk_in_dollars(
    b: Bars, kind: str, spent: bool = False, unit: bool = False, far: float = 2.0
) -> Plan:
    fast, slow, risk = ema(b.close, 10), ema(b.close, 30), far * atr(b, 14, kind)
    size = 250.0 / (b.close if spent else risk)
    side = aim(b, 1, above(fast, slow), below(fast, slow), risk)
    return Plan(side, volume=1.0 if unit else size)
