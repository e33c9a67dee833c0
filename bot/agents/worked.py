"""One trade of a contract in money, worked out by hand as the broker of the tests would book it."""

from __future__ import annotations

from dataclasses import dataclass

from schemas import contract as c

BALANCE, LEVERAGE = 10_000.0, 100.0
"""What `adapters/config.py` gives the account of a test."""
CLOSE = 100.0
"""The bars of every test start here, whatever the symbol."""
TYPICAL = 2.0
"""An ATR, and how far a stop is away that only bars can tell, in percent of the price."""


@dataclass(frozen=True, slots=True)
class Trade:
    """Filled at the close of the signal bar, so that only costs and the stop are in the result.

    `stop` and `target` are None where there is none, or only bars can tell; `atr` is the one that
    was taken, `stop_taken` says that the distance of the stop was. `result` is that of a trade that
    its stop ends, after commission and spread.
    """

    side: c.Side
    balance: float
    price: float
    units: float
    spent: float
    stop: float | None
    target: float | None
    atr: float | None
    stop_taken: bool
    result: float | None
    costs: float


def balance(contract: c.Contract) -> float:
    """An account that grows with the size where the contract orders many units."""
    size = contract.risk.sizing
    return BALANCE * max(1.0, float(size.amount)) if size.kind == "fixed_units" else BALANCE


def worked(contract: c.Contract, close: float = CLOSE) -> Trade:
    side = contract.entries[0].side
    sign = 1.0 if side is c.Side.LONG else -1.0
    money, risk = balance(contract), contract.risk
    stops = [_away(x, side, contract, close, -sign) for x in risk.stops]
    known = [x for x in stops if x is not None and x > 0.0]
    sized_by_stop = risk.sizing.kind in ("risk_percent", "risk_cash")
    taken = sized_by_stop and not known
    away = min(known) if known else (close * TYPICAL / 100.0 if taken else None)
    units = _units(risk.sizing, money, close, away)
    stop = None if away is None else close - sign * away
    targets = [_away(x, side, contract, close, sign, away) for x in risk.targets]
    goals = [x for x in targets if x is not None and x > 0.0]
    limited = contract.entries[0].limit is not None
    paid = _paid(contract.costs, units, close, stop or close, limited)
    return Trade(
        side, money, close, units, units * close, stop,
        close + sign * min(goals) if goals else None,
        TYPICAL if _uses_atr(contract) else None, taken,
        None if away is None else -units * away - paid, paid,
    )  # fmt: skip


def _units(size: c.Sizing, money: float, price: float, away: float | None) -> float:
    amount = float(size.amount)
    match size.kind:
        case "fixed_units":
            return amount
        case "fixed_cash":
            return amount / price
        case "percent_of_equity":
            return money * amount / 100.0 / price
    at_risk = amount if size.kind == "risk_cash" else money * amount / 100.0
    return at_risk / away if away else 0.0


def _away(
    level: c.Level, side: c.Side, contract: c.Contract, close: float, sign: float,
    stop: float | None = None,
) -> float | None:  # fmt: skip
    """How far it is, in the direction of `sign`; None where only bars can tell."""
    if level.side not in (None, side):
        return None
    if level.price is not None:
        price = _value(level.price, close)
        return None if price is None else sign * (price - close)
    far = level.distance
    if far is None:
        return None
    match far.unit:
        case "percent":
            return close * far.amount / 100.0
        case "pips":
            return far.amount * contract.pip_size
        case "atr":
            return far.amount * TYPICAL
        case "r":
            return None if stop is None else far.amount * stop
    return far.amount


def _value(node: c.Operand, close: float) -> float | None:
    """Of the close of the signal bar and of numbers."""
    match node:
        case c.Constant():
            return node.value
        case c.Price(field=c.PriceField.CLOSE, shift=0):
            return close
        case c.Arithmetic():
            left, right = _value(node.left, close), _value(node.right, close)
            if left is None or right is None:
                return None
            match node.op:
                case "add":
                    return left + right
                case "subtract":
                    return left - right
                case "multiply":
                    return left * right
                case "divide":
                    return left / right if right else None
            return min(left, right) if node.op == "minimum" else max(left, right)
    return None


def _uses_atr(contract: c.Contract) -> bool:
    levels = (*contract.risk.stops, *contract.risk.targets)
    return any(x.distance is not None and x.distance.unit == "atr" for x in levels)


def _paid(costs: c.Costs, units: float, entry: float, leave: float, limited: bool) -> float:
    """Commission and spread of both fills, and the slippage that is a price. A limit never slips,
    and what slips in percent of a bar's range only bars can tell."""
    percent = float(costs.commission_percent) / 100.0
    fees = float(costs.commission_per_trade) + 2.0 * units * float(costs.commission_per_unit)
    market = units * (float(costs.spread) + (2.0 - limited) * float(costs.slippage))
    return fees + units * (entry + leave) * percent + market
