"""What TWS calls things: contracts, times, steps of prices, and a line that broke."""

import asyncio
import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from ib_async import IB, Forex, Stock
from ib_async.contract import Contract

from adapters.live.port import Down, Ticket, on_grid

Steps = list[tuple[float, float]]
"""From which price on, and the step that holds from there."""


def contract_of(symbol: str) -> Contract:
    if len(symbol) == 6 and symbol.isalpha() and symbol.isupper():
        return Forex(symbol)
    return Stock(symbol, "SMART", "USD")


def name_of(contract: Contract) -> str:
    pair = contract.secType == "CASH"
    return contract.symbol + contract.currency if pair else contract.symbol


def increments(ib: IB, contract: Contract) -> Steps:
    """Of the exchange that we trade on. The one step in the details is the finest of all rules."""
    for told in ib.reqContractDetails(contract):
        ids = zip(told.validExchanges.split(","), told.marketRuleIds.split(","), strict=False)
        rule = dict(ids).get(contract.exchange, "")
        rows = ib.reqMarketRule(int(rule)) if rule.isdecimal() else None
        found = [(row.lowEdge, row.increment) for row in rows or ()]  # type: ignore[attr-defined]
        return found or [(0.0, told.minTick)]
    return []


def on_steps(ticket: Ticket, steps: Steps) -> Ticket:
    def near(price: float | None) -> float | None:
        below = [step for step in steps if price is not None and step[0] <= price]
        return on_grid(price, max(below)[1]) if below else price

    return replace(ticket, limit=near(ticket.limit), sl=near(ticket.sl), tp=near(ticket.tp))


def micros(moment: dt.date) -> int:
    """A daily bar has a date only; it starts at midnight, UTC."""
    if not isinstance(moment, dt.datetime):
        moment = dt.datetime(moment.year, moment.month, moment.day, tzinfo=dt.UTC)
    return int(moment.timestamp()) * 1_000_000


@contextmanager
def line() -> Iterator[None]:
    """Whatever says that nobody answers is one thing to us."""
    try:
        yield
    except (OSError, TimeoutError, asyncio.CancelledError) as error:
        raise Down(f"TWS: {type(error).__name__}: {error}") from None
