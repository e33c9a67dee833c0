"""Which side is traded, that it is left, and how much of it: said, and not in the contract."""

from __future__ import annotations

import re

from bot.reading.accounting import texts
from bot.reading.accounting.grammar import IF, LEAVE, LEVEL, is_rule
from bot.reading.accounting.said import Said
from schemas import contract as c

DENIED = re.compile(
    r"\b(?:no|not|never|without|don't|isn't|skip|ignore|nor|neither|exclude|avoid)\b[^.;]{0,40}$"
)
_SHORT = re.compile(
    r"\b(?:shorts|shorting|short selling|sell short|sells short|go(?:es)? short|short (?:when|if|on|it|at|after)"
    r"|cover|covers|both (?:ways|sides|directions)|long (?:and|or|/) short|longs (?:and|or|/) shorts)\b"
)
_LONG = re.compile(r"\b(?:buy(?! (?:to cover|back|it back|to close))|go(?:es)? long|longs)\b")
_ONE_SIDED = {c.Side.SHORT: r"\blong[ -]?only\b|\bonly long", c.Side.LONG: r"\bshort[ -]?only\b"}


def lost_side(sentence: Said, contract: c.Contract) -> str | None:
    if not is_rule(sentence.plain):
        return None
    traded = {e.side for e in contract.entries}
    for side, pattern in ((c.Side.SHORT, _SHORT), (c.Side.LONG, _LONG)):
        for found in pattern.finditer(sentence.plain):
            denied = DENIED.search(sentence.plain[: found.start()])
            no_more = re.match(r"\s*(?::|=)?\s*(?:no\b|off\b)", sentence.plain[found.end() :])
            if side not in traded and not denied and not no_more:
                return texts.lost_side(found[0], sentence, side)
    return None


_RULED = re.compile(
    rf"{LEAVE}[^.]{{0,30}}?\b(?:when|if|once)\b(?![^.]*{LEVEL})(?![^.]*\b(?:after|since entry|still? open)\b)"
)
"""A rule that leaves: no stop, no target and no time stands for it."""


def lost_exit(sentence: Said, contract: c.Contract) -> str | None:
    """A way out is described, and the contract has a stop alone."""
    risk = contract.risk
    timed = risk.exit_after_bars is not None or risk.exit_at
    if contract.exits or contract.reverse:
        return None
    shorts = any(e.side is c.Side.SHORT for e in contract.entries)
    ruled = _RULED.search(sentence.plain)
    if ruled and not (shorts and ruled[0].startswith("sell")):
        return texts.lost_exit(sentence)
    if risk.targets or risk.trailing or timed:
        return None
    heading = sentence.role in ("exit", "long_exit", "short_exit")
    found = re.search(rf"({LEAVE})[^.]*?(?:{IF}|\bat\b|\bon\b)", sentence.plain)
    if (heading or found) and not DENIED.search(sentence.plain):
        if heading and re.search(r"\bstop", sentence.plain) and not found:
            return None
        return texts.lost_exit(sentence)
    return None


_SIZE = re.compile(
    r"\ball[ -]in\b|\b(?:whole|entire|full|all)(?: (?:of|my|the|available|trading|account))* (?:account|balance|capital|equity|position|cash|funds|money)\b|\bfully invested\b"
    r"|\bhalf (?:(?:of )?(?:my|the) (?:position|account|capital|cash|equity|money)|size|position)\b|\b(?:small|tiny|quarter|third|max(?:imum)?) (?:size|position)\b"
    r"|\bgo(?:ing)? (?:big|small|heavy|light)\b|\b(?:buy|sell|short|add|grab) (?:a (?:little|bit|lot|few|couple)|big|heavily|lightly)\b"
    r"|\b(?:double|triple|halve) (?:my|the) (?:size|position|stake)\b|\bleverage\b"
    r"|\b\d+ (?:shares|contracts|lots|units|coins)\b|[$€£] ?\d+ (?:a|per|each|every) trade"
)


def lost_size(sentence: Said, contract: c.Contract) -> str | None:
    """How much to trade, where the contract's size is an assumption."""
    assumed = any(a.topic == "size" for a in contract.assumptions)
    found = _SIZE.search(sentence.plain)
    if found is None or not assumed or DENIED.search(sentence.plain[: found.start()]):
        return None
    if re.fullmatch(r"1 \w+", found[0]) or re.search(r"\d+ units", found[0]):
        return None
    return texts.lost(found[0], sentence)
