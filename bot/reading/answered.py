"""A request and the answers that followed: what was asked about and then answered is left out. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.reading import market
from bot.reading.accounting.account import cannot_be_built, unaccounted
from bot.reading.accounting.said import said
from bot.reading.read import Asked, Declined, Reading, english, read
from schemas import contract as c

Faults = Callable[[c.Contract], tuple[str, ...]]
"""What keeps a contract from being built."""
MOST_LEFT = 20
_QUOTED = re.compile(r'"([^"]{4,})"')
_PIECES = re.compile(r"(?<=[.!?;])(?=\s)|(?<=\n)")


def read_answered(
    title: str, body: str, answers: Sequence[str], workflow: str, correlation: str, faults: Faults
) -> Reading:
    """Without answers, as it stands. With them, a sentence of the body or of an earlier answer that
    still cannot be read is what the newest is about: the reading goes on without it, and says so."""
    older = "\n\n".join([body, *answers[:-1]])
    pieces, left = _PIECES.split(older), list[str]()

    def now() -> Reading:
        text = "\n\n".join(["".join(pieces), *answers[-1:]])
        return _checked(title, text, read(title, text, workflow, correlation), faults)

    found = now()
    if isinstance(found, Declined) and len(answers) > 1:  # the newest may take that back
        fresh = read_answered(title, body, answers[-1:], workflow, correlation, faults)
        return _noted(fresh, list(answers[:-1])) if isinstance(fresh, c.Contract) else fresh
    while answers and isinstance(found, Asked) and len(left) < MOST_LEFT:
        at = _asked_about(found, pieces, f"{title}\n{older}")
        if at is None:
            return found
        left.append(pieces.pop(at).strip())
        found = now()
    return _noted(found, left) if isinstance(found, c.Contract) else found


def _checked(title: str, text: str, found: Reading, faults: Faults) -> Reading:
    """What the contract does not account for, or what cannot be built, is asked about."""
    if not isinstance(found, c.Contract):
        return found
    if asked := unaccounted(title, text, found):
        return Asked(asked)
    if wrong := faults(found):
        return Asked(cannot_be_built(wrong, said(title, text, found.symbol)))
    return found


def _asked_about(found: Asked, pieces: list[str], text: str) -> int | None:
    """The first sentence before the newest answer that a question quotes."""
    quoted = [q[:30].strip() for asked in found.questions for q in _QUOTED.findall(asked)]
    symbol = market.symbol(text, market.field(text, "symbol"))
    for n, piece in enumerate(pieces):
        plain = english(piece, symbol)
        if any(q in plain or q in " ".join(piece.split()) for q in quoted):
            return n
    return None


def _noted(contract: c.Contract, left: list[str]) -> c.Contract:
    """Nothing is left out in silence."""
    more = [
        c.Assumption(topic="left out", taken=f'"{piece[:200]}"', because="you answered otherwise")
        for piece in left
    ]
    return replace(contract, assumptions=(*contract.assumptions, *more))
