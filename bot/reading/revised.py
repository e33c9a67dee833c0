"""A note that changes a plan: it overrides the slot that it names, and nothing else. Pure."""

from __future__ import annotations

import re
from dataclasses import fields, replace

from bot.reading import market
from bot.reading.accounting.account import unaccounted
from bot.reading.plain import plain
from bot.reading.read import read
from schemas import contract as c

STOP = "Stop loss 7%. "
BASE = "{}, {}. Buy when RSI(2) is below 10. Sell when RSI(2) is above 70. Long only. "
"""The note is read beside two rules that are known: what differs then is what it says."""
FRAMES = {"M1": "1 minute", "M5": "5 minute", "M15": "15 minute", "M30": "30 minute",
          "H1": "1 hour", "H4": "4 hour", "D1": "daily", "W1": "weekly"}  # fmt: skip
_POLITE = re.compile(
    r"\b(?:please|pls|thanks|thank you|actually|just|use|make it|make that|make the|change(?: it| the)?"
    r"|set(?: the)?|switch(?: it)?|let's|i want|i'd like|could you|can you|instead|now|and)\b",
    re.I,
)
_INSTEAD = re.compile(r"[\s,]*\b(?:instead of|rather than|not)\b[^.;\n]*", re.I)
_THRESHOLD = re.compile(
    r"\b(?P<kind>rsi|cci|adx|mfi|roc|williams|stochastic)\b *(?:\( *(?P<length>\d+) *\))?"
    r"(?: is| at| drops?| falls?| rises?| crosses)* (?P<way>below|under|<|above|over|>)=? *"
    r"(?P<value>-?\d+(?:\.\d+)?)"
)
_WAYS = {"below": "below", "under": "below", "<": "below", "above": "above", "over": "above", ">": "above"}  # fmt: skip


def revised(contract: c.Contract, note: str) -> c.Contract | None:
    """The contract with the slot that the note names; None where it names none that is known."""
    said = _INSTEAD.sub("", note).strip(" .!\n")
    said = re.sub(r"\b(?:should|must|shall|will|has to|needs to) be\b", " ", said)
    for change in (_without, _threshold, _market, _risk):
        found = change(contract, said)
        if found is not None:
            return found
    return None


_NONE = re.compile(
    r"(?i)\W*(?:please )?(?:no|without(?: an?| the)?|remove(?: the)?|drop(?: the)?|skip(?: the)?) "
    r"(?P<what>stops?(?:[ -]?loss)?|sl|targets?|take[ -]profit|tp|trailing stop)(?: please)?\W*"
)


def _without(contract: c.Contract, said: str) -> c.Contract | None:
    """ "No stop". A size that is measured by the stop needs it."""
    found = _NONE.fullmatch(said)
    if found is None:
        return None
    what, risk = found["what"].lower(), contract.risk
    if what.startswith("trailing"):
        return replace(contract, risk=replace(risk, trailing=()))
    if what.startswith(("t", "target")):
        return replace(contract, risk=replace(risk, targets=()))
    if risk.sizing.kind.startswith("risk_"):
        return None
    return replace(contract, risk=replace(risk, stops=()))


def _threshold(contract: c.Contract, said: str) -> c.Contract | None:
    """ "RSI below 5": the level of the one rule that compares that indicator that way."""
    found = _THRESHOLD.search(plain(said))
    rest = _POLITE.sub(
        "", f"{plain(said)[: found.start()]} {plain(said)[found.end() :]}" if found else ""
    )
    if found is None or re.search(
        r"\w", re.sub(r"\b(?:buy|sell|exit|enter|long|short|when|if|is|the|at)\b", "", rest)
    ):
        return None
    ids = {
        i.id for i in contract.indicators if i.kind == found["kind"] and _long(i, found["length"])
    }
    every = [n for n in _nodes(contract) if isinstance(n, c.Compare | c.Cross)]
    hits = [n for n in every if _compares(n, ids, _WAYS[found["way"]])]
    if len(hits) != 1:
        return None
    node = hits[0]
    changed = replace(node, right=c.Constant(value=float(found["value"])))
    return replace(
        contract,
        entries=tuple(replace(e, when=_put(e.when, node, changed)) for e in contract.entries),
        exits=tuple(replace(x, when=_put(x.when, node, changed)) for x in contract.exits),
    )


def _long(indicator: c.Indicator, length: str | None) -> bool:
    return length is None or any(p.value == float(length) for p in indicator.parameters)


def _compares(node: c.Compare | c.Cross, ids: set[str], way: str) -> bool:
    if not isinstance(node.left, c.Series):
        return False
    told = node.direction if isinstance(node, c.Cross) else node.op
    same = {"below": ("below", "at_most"), "above": ("above", "at_least")}[way]
    return node.left.indicator in ids and told in same and isinstance(node.right, c.Constant)


def _nodes(contract: c.Contract) -> list[c.Condition]:
    found, open_ = list[c.Condition](), [e.when for e in contract.entries]
    open_ += [x.when for x in contract.exits]
    while open_:
        node = open_.pop()
        match node:
            case c.Every() | c.Either():
                open_ += node.of
            case c.Never() | c.InARow() | c.Within():
                open_.append(node.of)
            case _ if node not in found:
                found.append(node)
    return found


def _put(node: c.Condition, old: c.Condition, new: c.Condition) -> c.Condition:
    match node:
        case _ if node == old:
            return new
        case c.Every() | c.Either():
            return replace(node, of=tuple(_put(x, old, new) for x in node.of))
        case c.Never() | c.InARow() | c.Within():
            return replace(node, of=_put(node.of, old, new))
    return node


def _market(contract: c.Contract, said: str) -> c.Contract | None:
    """Another symbol, other bars, and nothing else in the note."""
    frame, places = market.timeframe(said.lower())
    rest = said
    for start, end in reversed(places):
        rest = rest[:start] + " " + rest[end:]
    symbol = market.symbol(rest)
    rest = re.sub(re.escape(symbol), " ", rest, flags=re.I) if symbol else rest
    rest = re.sub(
        r"\b(?:symbol|ticker|timeframe|bars?|chart|on|to|a|the|trade|it|with|in|for)\b",
        "",
        _POLITE.sub("", rest),
        flags=re.I,
    )
    if re.search(r"\w", rest) or not (symbol or frame):
        return None
    hours = any(x in repr(contract) for x in ("Session(", "exit_at='", "opening_range"))
    if frame in ("D1", "W1") and hours:
        return None  # its hours would never be met
    return replace(
        contract, symbol=symbol or contract.symbol, timeframe=frame or contract.timeframe
    )


def _risk(contract: c.Contract, said: str) -> c.Contract | None:
    """Stop, target, trailing stop, size, costs and counts, read beside two known rules."""
    base = BASE.format(contract.symbol, FRAMES[contract.timeframe])
    return _beside(base, contract, said) or (
        _beside(base + STOP, contract, said) if contract.risk.stops else None
    )


def _beside(base: str, contract: c.Contract, said: str) -> c.Contract | None:
    known, found = read("a plan", base), read("a plan", f"{base}\n\n{said}.")
    if not isinstance(known, c.Contract) or not isinstance(found, c.Contract):
        return None
    if (known.entries, known.exits) != (found.entries, found.exits):
        return None
    if unaccounted("a plan", f"{base}\n\n{said}.", found):
        return None
    named = [
        f.name for f in fields(c.Risk) if getattr(known.risk, f.name) != getattr(found.risk, f.name)
    ]
    costs = found.costs if found.costs != known.costs else contract.costs
    if not named and costs == contract.costs:
        return None
    risk = replace(contract.risk, **{n: getattr(found.risk, n) for n in named})
    have = {i.id for i in contract.indicators}
    more = tuple(i for i in found.indicators if i.id not in have and f"'{i.id}'" in repr(risk))
    told = {a.topic for a in known.assumptions} - {a.topic for a in found.assumptions}
    kept = tuple(a for a in contract.assumptions if a.topic not in told)
    return replace(
        contract, risk=risk, costs=costs, indicators=(*contract.indicators, *more), assumptions=kept
    )
