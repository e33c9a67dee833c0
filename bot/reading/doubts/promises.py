"""What a request names and its contract must then have: break-even, trailing, a pause, a limit."""

from __future__ import annotations

import re
from collections.abc import Callable

from schemas import contract as c

_DENIED = re.compile(r"\b(?:no|not|never|without|don't|isn't|skip|ignore|nor|or)\b[^.;\n]{0,25}$")
PROMISES: dict[str, Callable[[c.Contract], bool]] = {
    r"break[\s-]?even": lambda x: x.risk.break_even_after is not None or "entry_price" in repr(x),
    r"trailing (?:stop|exit|sl)|trail the stop|chandelier": lambda x: (
        bool(x.risk.trailing) or "field='highest_" in repr(x) or "field='lowest_" in repr(x)
    ),
    r"cool[\s-]?down|cool[\s-]?off": lambda x: x.risk.cooldown_bars > 0,
    r"pyramid(?:ing)?|scale in": lambda x: x.risk.max_positions > 1,
    r"limit (?:order|buy|sell)s?|(?:buy|sell) limit|(?:with|use|at) a limit|limit at": lambda x: (
        any(e.limit for e in x.entries)
    ),
    r"heikin[\s-]?ashi": lambda x: any(i.kind == "heikin_ashi" for i in x.indicators),
    r"(?:start|begin|then|profit,?|ahead,?|we|i) (?:to )?trail(?:ing)?": lambda x: bool(
        x.risk.trailing
    ),
    r"(?:lot ?|position |trade )?siz(?:e|ing)(?: is| of|:| =)* ?[$€£]?[\d.]+(?! ?(?:x|times|atr))": lambda x: (
        _is_told(x, "size")
    ),
    r"(?:commissions?|fees?|slippage|spread)(?: is| of|:| =)* ?[$€£]?[\d.]+": lambda x: _is_told(
        x, "costs"
    ),
    r"risk(?:ing)?(?: per trade)?:? [\d.]+ ?(?:%|percent)": lambda x: (
        x.risk.sizing.kind == "risk_percent"
    ),
    r"max(?:imum)?(?: of)? \d+ (?:trades?|entr(?:y|ies)|positions?) (?:per|a|each) (?:day|session)": lambda x: (
        x.risk.max_entries_per_day is not None
    ),
}
"""By the words that promise it. What is ruled out in the same breath is no promise."""


def _is_told(contract: c.Contract, topic: str) -> bool:
    """Not what is taken where nobody says it."""
    return all(a.topic != topic for a in contract.assumptions)


_CLOCK = re.compile(
    r"\b(?:from|between|until|till|before|after|by|at|only) (?:the )?(\d{1,2}:\d{2})\b"
)


def _lost_hour(contract: c.Contract, text: str) -> str | None:
    """An hour of the clock that no rule has."""
    if any(i.kind == "opening_range" for i in contract.indicators):
        return None
    rules = repr((contract.entries, contract.exits, contract.risk))
    lost = (m for m in _CLOCK.finditer(text) if f"'{m[1].zfill(5)}'" not in rules)
    return next((m[0] for m in lost if not _DENIED.search(text[: m.start()])), None)


def broken(contract: c.Contract, text: str) -> str | None:
    """The words of the request that the contract has nothing for."""
    for words, holds in PROMISES.items():
        for said in re.finditer(rf"\b(?:{words})\b", text):
            if not _DENIED.search(text[: said.start()]) and not holds(contract):
                return said[0]
    return _lost_hour(contract, text)
