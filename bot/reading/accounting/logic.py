"""Rules that can hold on no bar, or that compare a price with a number nobody wrote. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.reading.accounting import texts
from bot.reading.accounting.said import Said, closest
from schemas import contract as c


def impossible(contract: c.Contract, sentences: list[Said], typed: str) -> str | None:
    for leave in contract.exits:
        if _waits_for_entry(leave, contract):
            return texts.exit_needs(closest(leave.reason, sentences))
    rules = [(e.when, e.reason) for e in contract.entries]
    rules += [(x.when, x.reason) for x in contract.exits]
    for when, reason in rules:
        for node in _nodes(when):
            if isinstance(node, c.Every) and _denies_itself(node):
                return texts.never_true(closest(reason, sentences))
            level = _price_level(node)
            if level and not re.search(rf"(?<![\d.]){re.escape(f'{level:g}')}(?![\d%])", typed):
                return texts.no_such_level(f"{level:g}", closest(reason, sentences))
    return None


def _denies_itself(node: c.Every) -> bool:
    denied = [x.of for x in node.of if isinstance(x, c.Never)]
    return any(x in node.of for x in denied)


def _waits_for_entry(leave: c.Exit, contract: c.Contract) -> bool:
    """A filter of the entry in an exit keeps the position when the filter fails."""
    own = [e.when for e in contract.entries if leave.side in (None, e.side)]
    entering = [n for when in own for n in _nodes(when)]
    parts = leave.when.of if isinstance(leave.when, c.Every) else ()
    return any(isinstance(x, c.Compare) and x in entering for x in parts)


def _price_level(node: c.Condition) -> float | None:
    """ "the close is below 2": read out of "below twice"."""
    match node:
        case (
            c.Compare(left=c.Price(field=field), right=c.Constant(value=value))
            | c.Cross(left=c.Price(field=field), right=c.Constant(value=value))
        ) if field is not c.PriceField.VOLUME:
            return value
    return None


def _nodes(node: c.Condition) -> Iterator[c.Condition]:
    yield node
    match node:
        case c.Every() | c.Either():
            for part in node.of:
                yield from _nodes(part)
        case c.Never() | c.InARow() | c.Within():
            yield from _nodes(node.of)
