"""Words that change a rule and were not read: asked about, unless the contract has what they mean."""

from __future__ import annotations

from bot.reading import replies
from bot.reading.book import AVERAGES
from bot.reading.rules.told import Told
from schemas import contract as c

TRENDS = {*AVERAGES, "adx", "supertrend", "ichimoku", "psar", "aroon", "macd", "vwap", "donchian"}


def vague(contract: c.Contract, told: Told) -> str | None:
    """The first of them. "In an uptrend" beside a close above an average is that average.

    A sentence that is nothing but vague was answered if others say when to enter and to leave."""
    empty = {r.said for r in told.rules if not r.parts} - {r.said for r in told.rules if r.parts}
    for found in told.vague:
        if found.said not in empty and not _is_told(found.kind, contract):
            return replies.vague(found.words, found.said)
    return None


def _is_told(kind: str, contract: c.Contract) -> bool:
    match kind:
        case "volume":
            return "field=<PriceField.VOLUME" in repr(contract) or "_volume" in repr(contract)
        case "the regime":
            return any(_is_state(e.when, contract) for e in contract.entries)
        case "the hour or the season":
            clocked = ("Session(", "OnDays(", "Calendar(", "opening_range")
            return contract.risk.exit_at is not None or any(x in repr(contract) for x in clocked)
    return False


def _is_state(node: c.Condition, contract: c.Contract) -> bool:
    """Does it ask on which side of a line of the trend something is?"""
    match node:
        case c.Every() | c.Either():
            return any(_is_state(x, contract) for x in node.of)
        case c.Never() | c.InARow() | c.Within():
            return _is_state(node.of, contract)
        case c.Compare():
            kinds = {i.kind for i in contract.indicators if f"'{i.id}'" in repr(node)}
            return bool(kinds & TRENDS)
    return False
