"""Prices of a day, a week or a part of a day in words: `high of previous day`."""

from __future__ import annotations

from collections.abc import Callable

from lark import Token

from schemas import contract as c
from schemas.sheet import calls, literals, names
from schemas.sheet.expressions import (
    Reader,
    Value,
    place,
    tokens,
)
from schemas.sheet.grammar import Node
from schemas.sheet.problems import Fault


def _range_of_day(read: Reader, node: Node) -> Value:
    """`highest high between 09:30 and 10:00`: the range of the day's bars stamped so."""
    names_said = [str(x).lower() for x in node.children if isinstance(x, Token)
                  and x.type in ("MARK_FIRST", "NAME")]  # fmt: skip
    output = {("highest", "high"): "high", ("lowest", "low"): "low"}.get(
        (names_said[0].removesuffix("_high").removesuffix("_low"), names_said[1])
    )
    start, end = (literals.minute(x) for x in tokens(node, "CLOCK"))
    if output is None or end <= start:
        raise Fault("of a part of the day: `highest high between 09:30 and 10:00`", place(node))
    read.scope.told.append(("range of the day", "known from the first bar stamped at its end on"))
    values = {"start": float(start), "minutes": float(end - start)}
    found = calls.plain_indicator(read, "opening_range", values)
    return c.Series(indicator=found, output=output)


def _of_day(read: Reader, node: Node) -> Value:
    return _of_period(read, node, "this_day")


def _of_previous_day(read: Reader, node: Node) -> Value:
    return _of_period(read, node, "prior_day")


def _of_previous_week(read: Reader, node: Node) -> Value:
    return _of_period(read, node, "prior_week")


def _of_period(read: Reader, node: Node, kind: str) -> Value:
    word = tokens(node, "NAME")[0]
    output = str(word).lower().removeprefix("highest.").removeprefix("lowest.")
    if (kind, output) not in names.NAME_OF:
        raise Fault(f"which price of the day is `{word}`?", place(word), str(word))
    return c.Series(indicator=calls.plain_indicator(read, kind), output=output)


def _of_timeframe(read: Reader, node: Node) -> Value:
    """`high of D1[1]`: the day before; `open of D1`: the day so far."""
    word, frame = tokens(node, "NAME")[0], str(tokens(node, "TIMEFRAME_WORD")[0]).upper()
    back = [literals.whole(x) for x in tokens(node, "NUMBER")]
    price = str(word).lower()
    kind = {("D1", 1): "prior_day", ("W1", 1): "prior_week", ("D1", 0): "this_day"}.get(
        (frame, back[0] if back else 0)
    )
    if kind == "this_day" and price == "close":
        return c.Price(field=c.PriceField.CLOSE)
    if kind is None or (kind, price) not in names.NAME_OF:
        told = "only yesterday's, last week's and today's prices are; another timeframe"
        raise Fault(f"{told} is not built yet", place(word), str(word))
    return c.Series(indicator=calls.plain_indicator(read, kind), output=price)


def _on_timeframe(read: Reader, node: Node) -> Value:
    word = tokens(node, "TIMEFRAME_WORD")[0]
    raise Fault(
        f"another timeframe than the sheet's own (`{word}`) is not built yet",
        place(word),
        str(word),
    )


MEANING: dict[str, Callable[[Reader, Node], Value]] = {
    "range_of_day": _range_of_day,
    "of_day": _of_day,
    "of_previous_day": _of_previous_day,
    "of_previous_week": _of_previous_week,
    "of_timeframe": _of_timeframe,
    "on_timeframe": _on_timeframe,
}
