"""What each picture shows, in words: for those who cannot see it, and where it is not loaded."""

from __future__ import annotations

from decimal import Decimal

Amount = Decimal | float
MOST_TRADES = 150
"""Of the price, the newest ones; more would be one blot."""
MONTHS = "Return per month: a row for each year."
"""Where the months themselves are not at hand."""


def money(amount: Amount) -> str:
    return f"{amount:+,.2f}"


def equity(net: Amount, drawdown: Amount) -> str:
    return f"Equity over time: net {money(net)}, maximum drawdown {abs(drawdown):,.2f}."


def price(shown: int, trades: int | None = None) -> str:
    """`trades` is all of them, where not all are shown."""
    return f"Price with the entries and exits of {newest(shown, trades)}."


def newest(shown: int, trades: int | None = None) -> str:
    all_of_them = shown if trades is None else trades
    few = f"the last {shown} of " if shown < all_of_them else ""
    return f"{few}{_count(all_of_them, 'trade')}"


def _count(number: int, of: str) -> str:
    return f"{number} {of}" if number == 1 else f"{number} {of}s"


def months(best: float, worst: float, count: int) -> str:
    span = f"best {_percent(best)}, worst {_percent(worst)}"
    return f"Return per month: {_count(count, 'month')}, {span}."


def _percent(share: float) -> str:
    """What rounds to nothing is not below it."""
    return f"{round(share, 2) + 0.0:+.2f} %"


def spread(trades: int, winners: int, median: float | None = None) -> str:
    middle = "" if median is None else f", the median is {money(median)}"
    return f"Results of {_count(trades, 'trade')}: {winners} won{middle}."


def stress(net: Amount, doubled: Amount | None) -> str:
    twice = "" if doubled is None else f", {money(doubled)} at twice the costs"
    return f"Net result by costs: {money(net)} as agreed{twice}."


def versions(before: Amount, after: Amount) -> str:
    return f"Equity of two versions: net {money(before)} before, {money(after)} now."
