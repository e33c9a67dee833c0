"""Short ways to write a contract by hand."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from schemas import contract as c

FREE = c.Costs(
    commission_per_trade=Decimal(0),
    commission_per_unit=Decimal(0),
    commission_percent=Decimal(0),
    spread=Decimal(0),
    slippage=Decimal(0),
    slippage_percent_of_range=Decimal(0),
)
UNIT = c.Sizing(kind="fixed_units", amount=Decimal(1))
LONG, SHORT = c.Side.LONG, c.Side.SHORT


def price(name: str, shift: int = 0) -> c.Price:
    return c.Price(field=c.PriceField(name), shift=shift)


OPEN, HIGH, LOW, CLOSE, VOLUME = map(price, ("open", "high", "low", "close", "volume"))


def const(value: float) -> c.Constant:
    return c.Constant(value=float(value))


def of(name: str, output: str = "value", shift: int = 0) -> c.Series:
    return c.Series(indicator=name, output=output, shift=shift)


def held(field: Any) -> c.Held:
    return c.Held(field=field)


def when(field: Any, shift: int = 0) -> c.Calendar:
    return c.Calendar(field=field, shift=shift)


Given = c.Operand | float | str
"""A number is a constant, a text the indicator of that id."""


def operand(given: Given) -> c.Operand:
    if isinstance(given, str):
        name, _, output = given.partition(".")
        return of(name, output or "value")
    return const(given) if isinstance(given, int | float) else given


def calc(left: Given, op: Any, right: Given) -> c.Arithmetic:
    return c.Arithmetic(op=op, left=operand(left), right=operand(right))


def compare(left: Given, op: Any, right: Given) -> c.Compare:
    return c.Compare(op=op, left=operand(left), right=operand(right))


def above(left: Given, right: Given) -> c.Compare:
    return compare(left, "above", right)


def below(left: Given, right: Given) -> c.Compare:
    return compare(left, "below", right)


def up(left: Given, right: Given) -> c.Cross:
    return c.Cross(direction="above", left=operand(left), right=operand(right))


def down(left: Given, right: Given) -> c.Cross:
    return c.Cross(direction="below", left=operand(left), right=operand(right))


def every(*of: c.Condition) -> c.Every:
    return c.Every(of=of)


def either(*of: c.Condition) -> c.Either:
    return c.Either(of=of)


def ind(name: str, kind: str, source: str = "close", of: c.Series | None = None,
        smoothing: str = "", **parameters: float) -> c.Indicator:  # fmt: skip
    given = tuple(c.Parameter(name=k, value=float(v)) for k, v in parameters.items())
    return c.Indicator(id=name, kind=kind, source=c.PriceField(source), of=of, parameters=given,
                       smoothing=smoothing)  # fmt: skip


def enter(side: c.Side, rule: c.Condition, reason: str = "the rule holds",
          limit: c.Operand | None = None) -> c.Entry:  # fmt: skip
    return c.Entry(side=side, when=rule, reason=reason, limit=limit)


def leave(side: c.Side | None, rule: c.Condition, reason: str = "the exit holds") -> c.Exit:
    return c.Exit(side=side, when=rule, reason=reason)


def far(unit: Any, amount: float, indicator: str | None = None) -> c.Distance:
    return c.Distance(unit=unit, amount=float(amount), indicator=indicator)


def at(distance: c.Distance | None = None, price: c.Operand | None = None,
       side: c.Side | None = None, base: Any = "signal") -> c.Level:  # fmt: skip
    return c.Level(side=side, distance=distance, price=price, base=base)


def contract(
    name: str,
    indicators: tuple[c.Indicator, ...] = (),
    entries: tuple[c.Entry, ...] = (),
    exits: tuple[c.Exit, ...] = (),
    timeframe: Any = "D1",
    symbol: str = "AAPL",
    sizing: c.Sizing = UNIT,
    reverse: bool = False,
    costs: c.Costs = FREE,
    pip_size: float = 0.0001,
    **risk: Any,
) -> c.Contract:
    return c.Contract(
        workflow_id="wf-test", correlation_id="corr-test", name=name, symbol=symbol,
        timeframe=timeframe, summary=f"A strategy named {name}.", indicators=indicators,
        entries=entries, exits=exits, risk=c.Risk(sizing=sizing, **risk), costs=costs,
        reverse=reverse, pip_size=pip_size,
    )  # fmt: skip
