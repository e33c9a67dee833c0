"""What each picture shows, in words: for those who cannot see it, and where it is not loaded."""

from __future__ import annotations

from decimal import Decimal

Amount = Decimal | float


def money(amount: Amount) -> str:
    return f"{amount:+,.2f}"


def equity(net: Amount, drawdown: Amount) -> str:
    return f"Equity over time: net {money(net)}, largest drawdown {abs(drawdown):,.2f}."


def price(trades: int) -> str:
    return f"Price with the entries and exits of {trades} trades."


def months(best: float, worst: float, count: int) -> str:
    return f"Return per month: {count} months, best {best:+.2f} %, worst {worst:+.2f} %."


def spread(trades: int, winners: int, median: float) -> str:
    return f"Results of {trades} trades: {winners} won, the median is {money(median)}."


def stress(net: Amount, doubled: Amount) -> str:
    return f"Net result by costs: {money(net)} as agreed, {money(doubled)} at twice the costs."


def versions(before: Amount, after: Amount) -> str:
    return f"Equity of two versions: net {money(before)} before, {money(after)} now."
