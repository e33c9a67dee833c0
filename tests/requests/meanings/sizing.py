"""Meanings of the requests that say how much to buy. The account holds 10,000."""

import numpy as np

from tests.requests.averages import above, below, ema, lowest, prior_high, prior_low, sma
from tests.requests.bars import PIP, Bars
from tests.requests.indicators import atr, bollinger, rsi
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import ATRS, SAMPLES, means

EQUITY = 10_000.0


@means(
    "risk-one-percent",
    {"one unit": {"unit": True}, "2%": {"percent": 2.0}, "of the price": {"spent": True}},
    kind=ATRS,
)
def one_percent(
    b: Bars, kind: str, unit: bool = False, percent: float = 1.0, spent: bool = False
) -> Plan:
    distance = 2 * atr(b, 20, kind)
    size = EQUITY * percent / 100 / (b.close if spent else distance)
    enter, leave = b.close > prior_high(b.high, 20), b.close < prior_low(b.low, 10)
    return Plan(aim(b, 1, enter, leave, distance), volume=1.0 if unit else size)


@means(
    "fixed-cash",
    {"one unit": {"unit": True}, "2000 units": {"units": True}, "RSI14": {"length": 14}},
)
def fixed_cash(b: Bars, unit: bool = False, units: bool = False, length: int = 5) -> Plan:
    r = rsi(b.close, length)
    size = 2000.0 if units else 2000.0 / b.close
    return Plan(Side(r < 25, r > 65), volume=1.0 if unit else size)


@means("half-equity", {"one unit": {"unit": True}, "all": {"share": 1.0}, "EMA": {"kind": "ema"}})
def half_equity(b: Bars, unit: bool = False, share: float = 0.5, kind: str = "sma") -> Plan:
    average = sma if kind == "sma" else ema
    fast, slow = average(b.close, 10), average(b.close, 50)
    size = share * EQUITY / b.close
    return Plan(Side(above(fast, slow), below(fast, slow)), volume=1.0 if unit else size)


@means(
    "hundred-shares",
    {"one unit": {"size": 1.0}, "cash": {"cash": True}, "fade": {"fade": True}},
    sample=SAMPLES,
)
def hundred(
    b: Bars, sample: bool, size: float = 100.0, cash: bool = False, fade: bool = False
) -> Plan:
    low, middle, high = bollinger(b.close, 20, 2.0, sample)
    side = Side(b.close > high, b.close < middle)
    if fade:
        side = Side(b.close < low, b.close > middle)
    return Plan(side, volume=100.0 / b.close if cash else size)


@means(
    "lots-pips",
    {"one lot": {"size": 1.0}, "opposite closes": {"closes": True}, "units": {"size": 20_000.0}},
)
def lots(b: Bars, size: float = 0.2, closes: bool = False) -> Plan:
    line = sma(b.close, 48)
    up, down = above(b.close, line), below(b.close, line)
    return Plan(
        aim(b, 1, up, down if closes else None, 20 * PIP, 40 * PIP),
        aim(b, -1, down, up if closes else None, 20 * PIP, 40 * PIP),
        volume=size,
    )


@means(
    "risk-fixed-dollars",
    {"one unit": {"unit": True}, "$50 of shares": {"spent": True}, "1R": {"r": 1.0}},
)
def fifty(b: Bars, unit: bool = False, spent: bool = False, r: float = 2.0) -> Plan:
    risk = b.close - lowest(b.low, 5)
    size = 50.0 / (b.close if spent else np.maximum(risk, 1e-9))
    side = aim(b, 1, above(rsi(b.close), 50), None, risk, r * risk)
    return Plan(side, volume=1.0 if unit else size)


@means(
    "half-percent-short",
    {"one unit": {"unit": True}, "long only": {"both": False}, "1%": {"percent": 1.0}},
    kind=ATRS,
)
def half_percent(
    b: Bars, kind: str, unit: bool = False, both: bool = True, percent: float = 0.5
) -> Plan:
    line, distance = ema(b.close, 30), 2.5 * atr(b, 14, kind)
    up, down = above(b.close, line), below(b.close, line)
    short = aim(b, -1, down, up, distance) if both else Side()
    size = EQUITY * percent / 100 / distance
    return Plan(aim(b, 1, up, down, distance), short, volume=1.0 if unit else size)
