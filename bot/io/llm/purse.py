"""What a model costs, and a purse that is looked into before it is opened."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import ROUND_UP, Decimal

from schemas.base import Usage, total

MILLION = Decimal(1_000_000)
SMALLEST = Decimal("1e-12")
LEAST = 256
"""Fewer tokens hold no answer of ours, so they are not paid for."""


@dataclass(frozen=True, slots=True)
class Price:
    """USD for a million tokens. `cached` is what is read again; most ask a tenth for it."""

    input: Decimal
    output: Decimal
    cached: Decimal

    def of(self, read: int, again: int, written: int) -> Decimal:
        """`again` is the part of `read` that the server still had."""
        cost = (read - again) * self.input + again * self.cached + written * self.output
        return (cost / MILLION).quantize(SMALLEST, ROUND_UP)


def _usd(read: str, written: str, again: str = "") -> Price:
    return Price(Decimal(read), Decimal(written), Decimal(again or read))


PRICES: dict[str, Price] = {
    "gpt-4o": _usd("2.50", "10", "1.25"),
    "gpt-4o-mini": _usd("0.15", "0.60", "0.075"),
    "gpt-4.1": _usd("2", "8", "0.50"),
    "gpt-4.1-mini": _usd("0.40", "1.60", "0.10"),
    "gpt-4.1-nano": _usd("0.10", "0.40", "0.025"),
    "gpt-5": _usd("1.25", "10", "0.125"),
    "gpt-5-mini": _usd("0.25", "2", "0.025"),
    "gpt-5-nano": _usd("0.05", "0.40", "0.005"),
    "gpt-5-pro": _usd("15", "120"),
    "gpt-5.1": _usd("1.25", "10", "0.125"),
    "gpt-5.2": _usd("1.75", "14", "0.175"),
    "gpt-5.4": _usd("2.50", "15", "0.25"),
    "gpt-5.4-mini": _usd("0.75", "4.50", "0.075"),
    "gpt-5.4-nano": _usd("0.20", "1.25", "0.02"),
    "gpt-5.4-pro": _usd("30", "180"),
    "gpt-5.5": _usd("5", "30", "0.50"),
    "gpt-5.5-pro": _usd("30", "180"),
    "o3": _usd("2", "8", "0.50"),
    "o3-mini": _usd("1.10", "4.40", "0.55"),
    "o3-pro": _usd("20", "80"),
    "o4-mini": _usd("1.10", "4.40", "0.275"),
}
"""List prices of June 2026. A dated build costs what its model does."""
UNKNOWN = _usd("15", "75")
"""Three times what the dearest ordinary model asks: a guess must not be too low."""
DATED = re.compile(r"-20[0-9]{2}-?[0-9]{2}-?[0-9]{2}\Z")


def price_of(model: str) -> Price:
    return PRICES.get(model) or PRICES.get(DATED.sub("", model)) or UNKNOWN


class OverBudget(Exception):
    """The worst case of the next call does not fit into what is left."""


class Purse:
    """What one order may spend. No call is made whose worst case does not fit."""

    def __init__(self, price: Price, most_cost: Decimal, most_tokens: int) -> None:
        self.price, self.most_cost, self.most_tokens = price, most_cost, most_tokens
        self.spent = Usage()

    def fit(self, sent: int, wanted: int) -> int:
        """How many tokens the answer may have if at most `sent` are asked with."""
        tokens = self.most_tokens - self.spent.input_tokens - self.spent.output_tokens - sent
        money = self.most_cost - self.spent.cost - self.price.of(sent, 0, 0)
        if self.price.output:
            tokens = min(tokens, int(money * MILLION / self.price.output))
        if tokens < LEAST or money < 0:
            raise OverBudget(
                f"the next call may cost more than what is left: {self.spent.cost} of "
                f"{self.most_cost} USD and {self.spent.input_tokens + self.spent.output_tokens} of "
                f"{self.most_tokens} tokens are spent"
            )
        return min(tokens, wanted)

    def pay(self, read: int, again: int, written: int) -> None:
        """What the server says that it was."""
        cost = self.price.of(read, again, written)
        more = Usage(input_tokens=min(read, 2**53), output_tokens=min(written, 2**53))
        self.spent = replace(self.spent + more, cost=total(self.spent.cost, cost))
