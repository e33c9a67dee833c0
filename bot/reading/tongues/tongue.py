"""What is known of one language, and how its phrases are found in a text. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

KEPT = 0xF0000
"""From here on, characters of private use stand for English that is not translated again."""
GAP = r"(?:[ -]+|[ ]*\n[ ]*)"
N = r"(\d+(?:\.\d+)?)"
T = r"(\d{1,2}(?::|h)\d{2})"
X = r"((?:\([^()\n]*\)|(?<=\d)\.(?=\d)|[^,.;:()\n]){1,80}?)"
GERMAN = {"ä": "(?:ä|ae|a)", "ö": "(?:ö|oe|o)", "ü": "(?:ü|ue|u)", "ß": "(?:ß|ss)", "ł": "[łl]", "ø": "[øo]"}  # fmt: skip
SHARED = {
    "stop": "stop loss|stoploss|stop|stops", "target": "take profit|takeprofit", "trailing stop": "trailing stop loss|trailing stop",
    "ema": "mme", "sma": "mms|mma|mm", "pips": "pips|pip", "points": "points|pts", "exit": "exit", "entry": "entry",
}  # fmt: skip
"""What traders of most languages write."""


@dataclass(frozen=True, eq=False)
class Tongue:
    """`forms` have a word order of their own; `phrases` are English and what says the same.

    In a form {n} is a number, {t} a time and {x} whatever stands there; what begins with = is
    not English yet. In a phrase * is any ending. An accent may be missing in the text.
    """

    words: str
    forms: tuple[tuple[str, str], ...]
    phrases: dict[str, str]
    letters: str = ""
    """What only this language writes: each that is found counts as one of its words."""
    spaced: bool = True
    """Words are set apart by blanks."""


Change = Callable[[str], str]


def translated(text: str, tongue: Tongue) -> str:
    """Phrase by phrase, the longest first, each into its English."""
    text = re.sub(f"[{chr(KEPT)}-\U000ffffd]", "", text)
    kept: list[str] = []

    def keep(english: str) -> str:
        kept.append(english)
        return chr(KEPT + len(kept) - 1)

    for pattern, parts in _forms(tongue):
        text = pattern.sub(lambda m, p=parts: _filled(m, p, keep), text)  # type: ignore[misc]
    pattern = _any_phrase(tongue)
    text = pattern.sub(lambda m: m[0] if _is_name(m) else keep(_meaning(m[0], tongue)), text)
    return re.sub(f"[{chr(KEPT)}-\U000ffffd]", lambda m: kept[ord(m[0]) - KEPT], text)


def _filled(match: re.Match[str], parts: tuple[str, ...], keep: Change) -> str:
    """Every second part is the number of a group, whose words are still to be translated."""
    raw = parts[0].startswith("=")
    said = [
        match[int(p)] or "" if i % 2 else p.lstrip("=") if raw else keep(p)
        for i, p in enumerate(parts)
        if p
    ]
    return "".join(said)


def _meaning(said: str, tongue: Tongue) -> str:
    english = next(e for pattern, e in _rows(tongue)[said[0]] if _compiled(pattern).fullmatch(said))
    return f" {english} " if said.endswith("'") or not tongue.spaced else english


def _is_name(match: re.Match[str]) -> bool:
    """A short word that opens a line and stands alone is the name of a market: "ES, 15 min"."""
    alone = re.compile(r"\s*[,.:;(/|-]").match(match.string, match.end())
    opens = match.string[: match.start()].rpartition("\n")[2].strip(" -*#|") == ""
    return bool(len(match[0]) <= 3 and alone and opens and match[0].isascii())


@cache
def _forms(tongue: Tongue) -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    edges = (r"(?<!\w)(?:", r")(?!\w)") if tongue.spaced else ("(?:", ")")
    return tuple(
        (re.compile(edges[0] + _body(said) + edges[1]), tuple(re.split(r"\\(\d)", english)))
        for said, english in tongue.forms
    )


def _body(said: str) -> str:
    body = bare(said).replace(" ", GAP)
    return body.replace("{n}", N).replace("{t}", T).replace("{x}", X)


@cache
def _any_phrase(tongue: Tongue) -> re.Pattern[str]:
    edge = r"(?<!\w)" if tongue.spaced else ""
    return re.compile(f"{edge}(?:{'|'.join(_phrase(p, tongue) for p, _ in _table(tongue))})")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@cache
def _rows(tongue: Tongue) -> dict[str, list[tuple[str, str]]]:
    """By the letter that they begin with: there are too many to try them all."""
    rows: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for said, english in _table(tongue):
        for letter in {said[0], without_accent(said[0])[0]}:
            rows[letter].append((_phrase(said, tongue), english))
    return rows


def _table(tongue: Tongue) -> list[tuple[str, str]]:
    """The longest first."""
    table = (*SHARED.items(), *tongue.phrases.items())
    rows = [(p, english) for english, said in table for p in said.split("|")]
    return sorted(rows, key=lambda row: (-len(row[0].rstrip("*")), row[0]))


def _phrase(said: str, tongue: Tongue) -> str:
    body = GAP.join(bare(re.escape(w)).replace(r"\*", r"\w*") for w in said.split(" "))
    ends = tongue.spaced and (said[-1].isalnum() or said[-1] == "*")
    return body + r"(?!\w)" if ends else body


def bare(said: str) -> str:
    """Each letter with an accent also matches without it."""
    return "".join(_either(letter) for letter in said)


def _either(letter: str) -> str:
    plain = without_accent(letter)
    if letter in GERMAN:
        return GERMAN[letter]
    return f"[{letter}{plain}]" if plain != letter else letter


def without_accent(letter: str) -> str:
    """Of Latin letters and ё: elsewhere a mark makes another letter."""
    plain = {"ß": "ss", "ł": "l"}.get(letter) or unicodedata.normalize("NFD", letter)[0]
    return plain if plain.isascii() or letter == "ё" else letter
