"""What a sheet says by what it does not have: "long only", "no stop", "next open". Pure."""

from __future__ import annotations

from collections.abc import Iterator

from bot.reading.cited.shared import Told
from schemas import contract as c

_ONE = r"\b(?:one|1|single) (?:open )?(?:position|trade)s? (?:at a|max|only|open)|\bmax(?:imum)? 1 "
_NO_STOP = r"\b(?:no|without(?: an?)?) (?:stop|sl\b)"
_NO_TARGET = r"\b(?:no|without(?: an?)?) (?:\w+[ /]){0,2}(?:target|tp\b|take profit)"
_NEXT = r"\bnext (?:bar'?s? |day'?s? )?(?:open|morning|bar|day|session)\b"


def facts(said: Told, contract: c.Contract) -> Iterator[str]:
    yield from _sides(said, {str(e.side) for e in contract.entries})
    if contract.risk.max_positions == 1 and said.says(_ONE):
        yield "one position at a time"
    if all(e.limit is None for e in contract.entries) and said.says(_NEXT):
        yield "filled at the next bar's open"
    if not contract.risk.stops and said.says(_NO_STOP):
        yield "no stop"
    if not contract.risk.targets and said.says(_NO_TARGET):
        yield "no target"


def _sides(said: Told, traded: set[str]) -> Iterator[str]:
    for side, other in (("long", "short"), ("short", "long")):
        only = rf"\b{side}s?(?: side)?[ -]?only\b|\bonly (?:go )?{side}"
        denied = rf"\b(?:no|never|without|don't want|not) (?:go )?{other}"
        if traded == {side} and said.says(f"{only}|{denied}"):
            yield f"no `enter {other}` in the sheet"
