"""What each rule of an expression means: one table for all of them."""

from __future__ import annotations

from schemas.sheet import conditions, day_prices, values
from schemas.sheet.expressions import Reader, Scope

MEANING = {**conditions.MEANING, **values.MEANING, **day_prices.MEANING}


def reader(scope: Scope) -> Reader:
    return Reader(scope, MEANING)
