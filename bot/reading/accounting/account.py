"""What a request says and its contract does not: one question for each, in the person's words.

Crude on purpose. It may ask about what was read rightly; it must not let through what was not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bot.reading.accounting import texts
from bot.reading.accounting.logic import impossible
from bot.reading.accounting.negations import lost_negation, misplaced_negation
from bot.reading.accounting.numbers import lost_number, misplaced_number
from bot.reading.accounting.said import Said, said
from bot.reading.accounting.sides import lost_exit, lost_side, lost_size
from bot.reading.accounting.times import at_a_close, lost_clock, lost_timeframe, lost_weekday
from bot.reading.accounting.words import lost_word
from schemas import contract as c

MOST_ASKED = 5
Check = Callable[[Said, c.Contract], str | None]
CHECKS: tuple[Check, ...] = (
    lost_number,
    misplaced_number,
    lost_clock,
    lost_weekday,
    lost_timeframe,
    at_a_close,
    lost_side,
    lost_exit,
    lost_size,
    lost_negation,
    misplaced_negation,
    lost_word,
)


def unaccounted(title: str, body: str, contract: c.Contract) -> tuple[str, ...]:
    """At most five questions. None: every number, hour, day, size, side and negation of the
    request has its place in the contract."""
    found, sentences = dict[str, None](), said(title, body, contract.symbol)
    if question := impossible(contract, sentences, f"{title}\n{body}"):
        found[question] = None
    for sentence in sentences:
        asked = (check(sentence, contract) for check in CHECKS)
        if question := next((q for q in asked if q), None):
            found[question] = None
    return tuple(found)[:MOST_ASKED]


_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")


def cannot_be_built(faults: Sequence[str], sentences: Sequence[Said]) -> tuple[str, ...]:
    """Each fault with the sentence that has most of its numbers: that one can then be replaced."""

    def shared(sentence: Said, fault: str) -> int:
        told = fault.replace("zero", "0")
        return len({*_NUMBER.findall(told)} & {*_NUMBER.findall(sentence.plain)})

    found = list[str]()
    for fault in faults[:MOST_ASKED]:
        best = max(sentences, key=lambda one: shared(one, fault), default=None)
        found.append(texts.cannot_be_built(fault, best if best and shared(best, fault) else None))
    return tuple(found)
