"""Is a strategy what the generator writes from its contract? Asked before it is run. Pure."""

from __future__ import annotations

from itertools import zip_longest

from bot.agents.coder import VERSION, write_strategy
from bot.agents.faults import Unwritable
from bot.live.refused import Code, Refused
from schemas import codec
from schemas.contract import Contract
from schemas.live import Passport

BY_RULES = "none"
"""The model of what no model wrote."""


def require_generated(
    contract: Contract, file: str, found: bytes, passport: Passport | None = None
) -> str:
    """The source that may be run: the generator's own text, once it is known to be the file's.

    A passport only says why another text is refused; it opens nothing.
    """
    try:
        wanted = write_strategy(contract)
    except Unwritable as error:
        detail = f"{file}: the generator writes nothing from contract.json: {error}"
        raise Refused(Code.NOT_GENERATED, detail[:600]) from None
    if found != wanted.encode():
        differs = f"{file}, {_first_difference(wanted.encode(), found)}"
        if passport and (version := _earlier(passport, file, found)):
            raise Refused(Code.EARLIER_GENERATOR, f"{version}, here is {VERSION}; {differs}")
        raise Refused(Code.NOT_GENERATED, differs)
    return wanted


def _earlier(passport: Passport, file: str, found: bytes) -> str:
    """The version that wrote exactly this file by rules, where it is not the one that is here."""
    by = passport.written_by
    kept = {a.path: a.digest for a in passport.files}
    same = kept.get(file) == codec.digest_of(found.decode("utf-8", "replace"))
    return by.agent_version if same and by.model == BY_RULES and by.agent_version != VERSION else ""


def _first_difference(wanted: bytes, found: bytes) -> str:
    # Split at line feeds alone: a carriage return or a form feed is a difference, not a line end.
    pairs = zip_longest(wanted.split(b"\n"), found.split(b"\n"))
    for number, (ours, theirs) in enumerate(pairs, 1):
        if ours != theirs:
            return f"line {number}: it has {_shown(theirs)}, the generator writes {_shown(ours)}"
    raise AssertionError("the same bytes have the same lines")


def _shown(line: bytes | None) -> str:
    return "no such line" if line is None else ascii(line.decode("utf-8", "replace")[:80])
