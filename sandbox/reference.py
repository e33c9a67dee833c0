"""What a contract means on given bars, worked out apart from any strategy. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from schemas import contract as c


class Unknown(Exception):
    """The reference cannot work this out; what hangs on it is not judged here."""


def _wilder(s: pd.Series[float], n: int) -> pd.Series[float]:
    return s.ewm(alpha=1.0 / n, adjust=False).mean()


def _rsi(s: pd.Series[float], df: pd.DataFrame, n: int) -> pd.Series[float]:
    change = s.diff()
    gain, loss = _wilder(change.clip(lower=0.0), n), _wilder(-change.clip(upper=0.0), n)
    return 100.0 * gain / (gain + loss)


def _atr(s: pd.Series[float], df: pd.DataFrame, n: int) -> pd.Series[float]:
    before = df["Close"].shift(1)
    spans = [df["High"] - df["Low"], (df["High"] - before).abs(), (df["Low"] - before).abs()]
    return _wilder(pd.concat(spans, axis=1).max(axis=1), n)


def _wma(s: pd.Series[float], df: pd.DataFrame, n: int) -> pd.Series[float]:
    weights = np.arange(1, n + 1) / (n * (n + 1) / 2)
    return s.rolling(n).apply(lambda x: float(np.dot(x, weights)), raw=True)


INDICATORS: dict[str, Callable[[pd.Series[float], pd.DataFrame, int], pd.Series[float]]] = {
    "sma": lambda s, df, n: s.rolling(n).mean(),
    "ema": lambda s, df, n: s.ewm(span=n, adjust=False).mean(),
    "wma": _wma,
    "rsi": _rsi,
    "atr": _atr,
    "highest": lambda s, df, n: s.rolling(n).max(),
    "lowest": lambda s, df, n: s.rolling(n).min(),
    "stdev": lambda s, df, n: s.rolling(n).std(ddof=0),
    "roc": lambda s, df, n: 100.0 * (s / s.shift(n) - 1.0),
}
"""One length each. An indicator that is not here is not judged, and the report says so."""


class Reference:
    """One contract on one table of bars."""

    def __init__(self, contract: c.Contract, df: pd.DataFrame) -> None:
        self.contract, self.df = contract, df

    def series(self, name: str) -> pd.Series[float]:
        found = next((i for i in self.contract.indicators if i.id == name), None)
        values = {p.name: p.value for p in found.parameters} if found else {}
        if found is None or found.kind not in INDICATORS or set(values) != {"length"}:
            raise Unknown(name)
        if found.smoothing.lower() not in ("", "wilder"):
            raise Unknown(found.smoothing)
        source = self.df[found.source.capitalize()]
        return INDICATORS[found.kind](source, self.df, int(values["length"]))

    def operand(self, node: c.Operand) -> pd.Series[float]:
        match node:
            case c.Constant():
                return pd.Series(node.value, index=self.df.index)
            case c.Price():
                return self.df[node.field.capitalize()].shift(node.shift)
            case c.Series(output="value"):
                return self.series(node.indicator).shift(node.shift)
            case c.Arithmetic():
                return _combine(node.op, self.operand(node.left), self.operand(node.right))
        raise Unknown(node.kind)

    def holds(self, node: c.Condition) -> pd.Series[bool]:
        match node:
            case c.Compare():
                return _compare(node.op, self.operand(node.left), self.operand(node.right))
            case c.Cross():
                gap = self.operand(node.left) - self.operand(node.right)
                gap = gap if node.direction == "above" else -gap
                return (gap > 0) & (gap.shift(1) <= 0)
            case c.Every():
                return _fold([self.holds(x) for x in node.of], np.logical_and)
            case c.Either():
                return _fold([self.holds(x) for x in node.of], np.logical_or)
            case c.Never():
                return ~self.holds(node.of)
            case c.InARow():
                return self.holds(node.of).rolling(node.bars).sum() == node.bars
            case c.Within():
                return self.holds(node.of).rolling(node.bars, min_periods=1).max() > 0
            case c.OnDays():
                days = pd.DatetimeIndex(self.df.index).day_of_week.isin(node.weekdays)
                return pd.Series(days, index=self.df.index)
            case c.Session():
                stamped = pd.DatetimeIndex(self.df.index).strftime("%H:%M")
                last = (stamped <= node.end) if node.includes_end else (stamped < node.end)
                return pd.Series((stamped >= node.start) & last, index=self.df.index)
        raise Unknown(node.kind)

    def entries(self, side: c.Side) -> pd.Series[bool]:
        rules = [self.holds(e.when) for e in self.contract.entries if e.side is side]
        return _fold(rules, np.logical_or) if rules else pd.Series(False, index=self.df.index)

    def exits(self, side: c.Side) -> pd.Series[bool]:
        rules = [self.holds(e.when) for e in self.contract.exits if e.side in (side, None)]
        return _fold(rules, np.logical_or) if rules else pd.Series(False, index=self.df.index)

    def level(self, levels: tuple[c.Level, ...], side: c.Side, away: int) -> pd.Series[float]:
        """A stop (`away` -1) or a target (1) as a price, from the close that is decided on."""
        level = next((x for x in levels if x.side in (side, None)), None)
        if level is None:
            return pd.Series(np.nan, index=self.df.index)
        if level.price is not None:
            return self.operand(level.price)
        close, sign = self.df["Close"], away * (1 if side is c.Side.LONG else -1)
        match level.distance:
            case c.Distance(unit="percent", amount=amount):
                return close * (1.0 + sign * amount / 100.0)
            case c.Distance(unit="price", amount=amount):
                return close + sign * amount
            case c.Distance(unit="atr", amount=amount, indicator=str(name)):
                return close + sign * amount * self.series(name)
        raise Unknown("distance")


def _combine(op: str, left: pd.Series[float], right: pd.Series[float]) -> pd.Series[float]:
    match op:
        case "add":
            return left + right
        case "subtract":
            return left - right
        case "multiply":
            return left * right
        case "divide":
            return left / right
        case "minimum":
            return left.combine(right, min)
    return left.combine(right, max)


def _compare(op: str, left: pd.Series[float], right: pd.Series[float]) -> pd.Series[bool]:
    match op:
        case "above":
            return left > right
        case "below":
            return left < right
        case "at_least":
            return left >= right
        case "at_most":
            return left <= right
    return left == right


def _fold(rules: list[pd.Series[bool]], how: np.ufunc) -> pd.Series[bool]:
    folded: Any = how.reduce([r.to_numpy() for r in rules])
    return pd.Series(folded, index=rules[0].index, dtype=bool)
