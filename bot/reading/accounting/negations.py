"""What a request rules out: a negation needs something in the contract that it is."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.reading.accounting import texts
from bot.reading.accounting.grammar import is_rule
from bot.reading.accounting.said import Said
from schemas import contract as c

_NOT = re.compile(
    r"\b(?:not|no|never|unless|without|except|neither|nor|avoid|skip|ignore|exclud(?:e|ing)|cannot"
    r"|(?:do|does|is|was|has|have|are|were|wo|ca|should|must)n't|dont|doesnt|isnt|none)\b"
    r"(?P<what>[^,.;:()]*)"
)
_ONLY_IF = re.compile(
    r"\b(?:but )?only (?:if|when|while|on|between|from|after|before|trade|take)\b"
)
HARMLESS: dict[str, Callable[[c.Contract], bool]] = {
    r"^ *(?:\w+ ){0,2}(?:stops?|sl|stop-?loss(?:es)?)\b|\bsl/tp\b": lambda x: not x.risk.stops,
    r"^ *(?:\w+ ){0,2}(?:targets?|tp|take[ -]profits?)\b": lambda x: not x.risk.targets,
    r"^ *(?:\w+ ){0,3}(?:shorts?|shorting|short selling|selling short)\b": lambda x: all(
        e.side is c.Side.LONG for e in x.entries
    ),
    r"^ *(?:\w+ )?(?:longs|buying long)\b": lambda x: all(
        e.side is c.Side.SHORT for e in x.entries
    ),
    r"^ *(?:other|another|further|more) (?:exits?|rules?|conditions?|filters?|ways?)": lambda x: (
        True
    ),
    r"^ *(?:use |have |need |want )?(?:any )?other exits?": lambda x: True,
    r"\bfilters?\b": lambda x: True,
    r"^ *(?:stated|given|mentioned|specified|percent|pips|points|in_?position|please)": lambda x: (
        True
    ),
    r"^ *flat\b": lambda x: x.reverse,
    r"^ *(?:\w+ )?(?:leverage|rounding|thanks|problem|matter|wait|idea|hurry|doubt)\b": lambda x: (
        True
    ),
    r"^ *(?:adding|pyramid\w*|averag\w*|scaling|martingale|hedging)": lambda x: (
        x.risk.max_positions == 1
    ),
    r"^ *(?:\w+ ){0,2}(?:more|less|longer|shorter|higher|lower|later|earlier|fewer|worse|better) than\b": lambda x: (
        True
    ),
    r"^ *(?:counted|included|the current|including|counting|the cross\b|a cross\b|zero)": lambda x: (
        True
    ),
    r"^ *(?:is |gets )?(?:filled|been filled|hit)\b": lambda x: True,
    r"\b(?:overnight|weekend)\b": lambda x: x.risk.exit_at is not None or "OnDays(" in repr(x),
    r"^ *(?:opposite signals?|close|closes|closed|exit|end|flip|reverse|matter|influence|change)\b": lambda x: (
        not x.reverse
    ),
}
"""By the words that follow: what the contract must be like for them to be true of it."""
_SPELT = re.compile(
    r"Never\(|at_most|at_least|Session\(|OnDays\(|Calendar\(|cooldown_bars=[1-9]|entries_per_day=\d|exit_at='"
)


def lost_negation(sentence: Said, contract: c.Contract) -> str | None:
    if sentence.role == "title" or not is_rule(sentence.plain):
        return None
    shown = repr((contract.entries, contract.exits, contract.risk))
    for found in _NOT.finditer(sentence.plain):
        what = found["what"]
        if not what.strip() or _is_harmless(what, contract) or _SPELT.search(shown):
            continue
        if _is_a_cross(sentence.plain[: found.start()], found[0], what) and "Cross(" in shown:
            continue
        return texts.lost_negation(found[0].strip(), sentence)
    return None


def _is_harmless(what: str, contract: c.Contract) -> bool:
    rules = [holds for words, holds in HARMLESS.items() if re.search(words, what)]
    return bool(rules) and all(holds(contract) for holds in rules)


def _is_a_cross(before: str, said: str, what: str) -> bool:
    """ "it was not above on the bar before"."""
    was = re.search(r"\b(?:was|were|is|been) ?$", before) or "n't" in said
    return bool(was and re.match(r" *(?:true|above|below|over|under|green|red)\b", what))


_NOT_A_BAR = re.compile(r"(?:\bnot|n't) (?:an? )(?:[a-z]+ ){1,2}(?:day|bar|candle|session|close)\b")


def misplaced_negation(sentence: Said, contract: c.Contract) -> str | None:
    """ "RSI(2) < 10 and yesterday was not a down day": read as RSI that was not below 10 yesterday
    on a day that is down."""
    found = _NOT_A_BAR.search(sentence.plain)
    rules = [e.when for e in contract.entries] + [x.when for x in contract.exits]
    if found and any(_denies_the_bar_before(node) for node in rules):
        return texts.misplaced_negation(found[0].strip(), sentence)
    return None


def _denies_the_bar_before(node: c.Condition) -> bool:
    parts = node.of if isinstance(node, c.Every) else ()
    beside = {_unshifted(x) for x in parts if not isinstance(x, c.Never)}
    return any(_unshifted(x.of) in beside for x in parts if isinstance(x, c.Never))


def _unshifted(node: c.Condition) -> str:
    return re.sub(r"shift=\d+", "shift=0", repr(node))
