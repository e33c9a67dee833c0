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


MONTHS = "Return per month: a row for each year."
"""Where the months themselves are not at hand."""


def months(best: float, worst: float, count: int) -> str:
    many = f"{count} month{'s' if count != 1 else ''}"
    return f"Return per month: {many}, best {_percent(best)}, worst {_percent(worst)}."


def _percent(share: float) -> str:
    """What rounds to nothing is not below it."""
    return f"{round(share, 2) + 0.0:+.2f} %"


def spread(trades: int, winners: int, median: float | None = None) -> str:
    middle = "" if median is None else f", the median is {money(median)}"
    return f"Results of {trades} trades: {winners} won{middle}."


def stress(net: Amount, doubled: Amount | None) -> str:
    twice = "" if doubled is None else f", {money(doubled)} at twice the costs"
    return f"Net result by costs: {money(net)} as agreed{twice}."


def versions(before: Amount, after: Amount) -> str:
    return f"Equity of two versions: net {money(before)} before, {money(after)} now."
