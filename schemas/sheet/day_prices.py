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
    trees,
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
    read.scope.told.append(
        (
            "range of the day",
            "known from its end on; a cross is seen from one bar later on",
        )
    )
    values = {"start": float(start), "minutes": float(end - start)}
    found = calls.plain_indicator(read, "opening_range", values)
    return c.Series(indicator=found, output=output)


def _of_day(read: Reader, node: Node) -> Value:
    return _of_period(read, node, "this_day")


def _extreme_of_day(read: Reader, node: Node) -> Value:
    """`lowest low of day`: so far."""
    extreme, price = (str(x).lower() for x in node.children if isinstance(x, Token))
    output = {("highest", "high"): "high", ("lowest", "low"): "low"}.get((extreme, price))
    if output is None:
        raise Fault("of the day so far: `highest high of day`, `lowest low of day`", place(node))
    return c.Series(indicator=calls.plain_indicator(read, "this_day"), output=output)


def _of_previous_day(read: Reader, node: Node) -> Value:
    return _of_period(read, node, "prior_day")


def _of_previous_week(read: Reader, node: Node) -> Value:
    return _of_period(read, node, "prior_week")


def _day_before(read: Reader, price: c.Price, word: Token) -> Value:
    """`high[1] on D1`."""
    if ("prior_day", str(price.field)) not in names.NAME_OF:
        raise Fault(f"`{price.field}` of the day before is not built yet", place(word), str(word))
    found = calls.plain_indicator(read, "prior_day")
    return c.Series(indicator=found, output=str(price.field))


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
    found = read.value(trees(node)[0])
    if str(word).upper() == read.scope.timeframe:
        return found
    if isinstance(found, c.Price) and str(word).upper() == "D1" and found.shift == 1:
        return _day_before(read, found, word)
    raise Fault(
        f"another timeframe than the sheet's own (`{word}`) is not built yet",
        place(word),
        str(word),
    )


MEANING: dict[str, Callable[[Reader, Node], Value]] = {
    "range_of_day": _range_of_day,
    "of_day": _of_day,
    "extreme_of_day": _extreme_of_day,
    "of_previous_day": _of_previous_day,
    "of_previous_week": _of_previous_week,
    "of_timeframe": _of_timeframe,
    "on_timeframe": _on_timeframe,
}
