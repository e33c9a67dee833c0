"""Numbers, times and counts of bars as they are typed, within bounds."""

from __future__ import annotations

from lark import Token

from schemas.sheet import names
from schemas.sheet.grammar import Node
from schemas.sheet.problems import Fault


def real(token: Token) -> float:
    value = float(token)
    if value > 1e12:
        raise Fault("a number this large cannot be meant", column(token), str(token))
    return value


def percent(token: Token) -> float:
    """2.5 is 0.025, to the last digit."""
    return float(f"{real(token) / 100.0:.15g}")


def whole(token: Token) -> int:
    value = real(token)
    if value != int(value):
        raise Fault("a whole number belongs here", column(token), str(token))
    return int(value)


def at_least_one(value: float, word: Token) -> int:
    if value < 1 or value != int(value) or value > 100_000:
        raise Fault("a number of bars is 1, 2, 3 …", column(word), str(word))
    return int(value)


def minute(token: Token) -> int:
    hours, minutes = str(token).split(":")
    return int(hours) * 60 + int(minutes)


def bars(number: Token, span: Token | None, timeframe: str) -> int:
    """So many bars; days, hours and minutes only where they are a number of bars."""
    many = at_least_one(real(number), number)
    unit = str(span).lower().rstrip("s") if span is not None else "bar"
    if unit in ("bar", "candle") or (unit, timeframe) in (("day", "D1"), ("week", "W1")):
        return many
    each = names.MINUTES.get(timeframe)
    minutes = {"minute": 1, "hour": 60}.get(unit)
    if each and minutes and (many * minutes) % each == 0:
        return many * minutes // each
    raise Fault(f"how many bars are {many} {span}? Write `{many} bars`, or their number",
                column(number), str(number))  # fmt: skip


def column(node: Node | Token) -> int:
    column = node.column if isinstance(node, Token) else node.meta.column
    return (column or 1) - 1
