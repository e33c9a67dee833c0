"""The register of forms: phrases of a fixed shape that are taken out of a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from bot.reading.book import Book
from bot.reading.conditions.cond import Cond
from bot.reading.forms.patterns import SPAN, N, T
from schemas import contract as c


@dataclass
class Settings:
    """What a request says beside its rules. None or an empty list is: not said."""

    exit_after: int | None = None
    exit_at: str | None = None
    day_limit: int | None = None
    positions: int | None = None
    cooldown: int = 0
    cooldown_after: Literal["exit", "stop", "loss"] = "exit"
    sizing: c.Sizing | None = None
    costs: dict[str, Decimal] = field(default_factory=dict)
    no_costs: bool = False
    ratio: float | None = None
    break_even: c.Distance | None = None
    ignore_opposite: bool = False
    no_stop: bool = False
    until_exit: bool = False
    trail_after: c.Distance | None = None
    on_opposite: Literal["", "event", "signal"] = ""
    """What of the other side's entry closes: its cross or break alone, or the whole signal."""
    profit: c.Distance | None = None
    loss: c.Distance | None = None
    adds: Cond | None = None
    """When to add to an open position; the rules of entry are then for the first one alone."""
    single: bool = False
    """Said: only one position at a time."""
    filters: list[Cond] = field(default_factory=list)
    exits: list[Cond] = field(default_factory=list)


@dataclass(frozen=True)
class Wrap:
    """What a phrase makes of the condition before it: "within", "row" or "edge"."""

    kind: Literal["within", "row", "edge"]
    bars: int = 1


Slot = Cond | Wrap | None
"""What a form made of its words; None where they are only a setting or a remark."""


@dataclass
class Sentence:
    """The text as it shrinks, and what came out of it: slot number to condition or None."""

    text: str
    role: str
    slots: list[Slot] = field(default_factory=list)
    only: bool = False
    """The form said all that the sentence says."""


Handler = Callable[["re.Match[str]", Sentence, Settings, Book], Slot | bool]
FORMS: list[tuple[re.Pattern[str], Handler]] = []


def form(pattern: str) -> Callable[[Handler], Handler]:
    full = pattern.replace("{n}", N).replace("{t}", T).replace("{span}", SPAN)

    def keep(handler: Handler) -> Handler:
        FORMS.append((re.compile(rf"(?<!\w)(?:{full})(?!\w)"), handler))
        return handler

    return keep


def extract(
    text: str, role: str, settings: Settings, book: Book, slots: Iterable[Slot] = ()
) -> Sentence:
    """Each form that is found leaves a slot; a handler that says False leaves the words."""
    sentence = Sentence(text, role, list(slots))
    for pattern, handler in FORMS:
        start = 0
        while match := pattern.search(sentence.text, start):
            said = handler(match, sentence, settings, book)
            if said is False:
                start = match.end()
                continue
            sentence.slots.append(said if isinstance(said, Cond | Wrap) else None)
            if sentence.only:
                sentence.text = ""
                return sentence
            slot = f" ⟦{len(sentence.slots) - 1}⟧ "
            sentence.text = sentence.text[: match.start()] + slot + sentence.text[match.end() :]
            start = match.start() + len(slot)
    return sentence
