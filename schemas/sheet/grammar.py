"""One statement of text to its tree, by `sheet.lark`; a fault says what was expected there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TypeAlias

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser
from rapidfuzz.distance import OSA
from rapidfuzz.process import extractOne

from schemas.sheet.names import LATER_STATEMENTS
from schemas.sheet.problems import Fault

Node: TypeAlias = "Tree[Token]"
GRAMMAR = Path(__file__).parent / "sheet.lark"
SHOWN = {
    "NUMBER": "a number", "NAME": "a name", "CLOCK": "a time such as 09:30", "LPAR": "(",
    "RPAR": ")", "COMMA": ",", "LSQB": "[", "RSQB": "]", "DOT": ".", "PERCENT": "%", "SIGN":
    "a comparison such as >", "EQUALS": "=", "PLUS": "+", "MINUS": "-", "TIMES": "*", "OVER": "/",
    "HOLE": "???", "SYMBOL": "a symbol such as AAPL", "TIMEFRAME": "a timeframe such as D1",
    "TIMEFRAME_WORD": "a timeframe", "DAY": "a weekday", "DOTS": "..",
    "$END": "the end of the line",
    "CURRENCY": "$", "ZONE": "a zone",
}  # fmt: skip


@cache
def parser() -> Lark:
    """Made at the first use: it takes half a second."""
    return Lark(
        GRAMMAR.read_text(encoding="utf-8"), parser="lalr", maybe_placeholders=False,
        propagate_positions=True,
    )  # fmt: skip


@cache
def spellings() -> dict[str, tuple[str, ...]]:
    """Terminal -> the words that it stands for."""
    found = {}
    for terminal in parser().terminals:
        words = re.fullmatch(r"\(?([a-z_|]+)\)?\\b", terminal.pattern.value)
        if words:
            found[terminal.name] = tuple(words[1].split("|"))
    return found


def parse(text: str) -> Node:
    """The tree of one statement, or `Fault`."""
    try:
        return parser().parse(text)
    except UnexpectedInput as error:
        raise _fault(text, error) from None


def nearest(word: str, known: tuple[str, ...] | list[str]) -> str | None:
    """The known word that was probably meant."""
    least = 0.66 if len(word) < 6 else 0.72
    found = extractOne(word.lower(), known, scorer=OSA.normalized_similarity, score_cutoff=least)
    return found[0] if found and len(word) > 1 else None


def _fault(text: str, error: UnexpectedInput) -> Fault:
    if isinstance(error, UnexpectedEOF):
        return Fault("the line ends too early", len(text))
    start = len(text) - len(text.lstrip())
    if (opening := _word_at(text, start)).lower() in LATER_STATEMENTS:
        return _unknown_statement(text, start, opening)
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        accepted = _accepted(error)
        told = f"the line ends too early; next comes {_list(_expected(accepted))}"
        tries = [f"{text} {word}" for word in _first_words(accepted)]
        return Fault(told, len(text), "", tuple(tries))
    column = (error.column or 1) - 1
    word = _word_at(text, column)
    if not text[:column].strip():
        return _unknown_statement(text, column, word)
    accepted = _accepted(error)
    keywords = [w for name in accepted for w in spellings().get(name, ())]
    meant = nearest(word, keywords)
    first = _word_at(text, len(text) - len(text.lstrip()))
    if meant is None and _second_word(text, column) and first.lower() not in _starts():
        return _unknown_statement(text, text.index(first), first)
    tail = (
        f"; did you mean `{meant}`?" if meant else f"; here may follow {_list(_expected(accepted))}"
    )
    tries = [text[:column] + meant + text[column + len(word) :]] if meant else []
    before = _first_words(accepted)
    tries += [f"{text[:column]}{between} {text[column:]}" for between in before]
    return Fault(f"I cannot read `{word}` here{tail}", column, word, tuple(tries))


JOINTS = {"WHEN", "_FROM", "SPAN", "_AFTER"}
"""Words that only join others: put in, they add nothing to what was said."""


def _first_words(accepted: set[str]) -> list[str]:
    """What could stand there, one word for each."""
    return [spellings()[name][0] for name in sorted(accepted & JOINTS) if name in spellings()]


def _accepted(error: UnexpectedInput) -> set[str]:
    if isinstance(error, UnexpectedToken):
        return set(error.accepts or error.expected)
    return set(error.allowed or ()) if isinstance(error, UnexpectedCharacters) else set()


def _second_word(text: str, column: int) -> bool:
    return len(text[:column].split()) == 1


@cache
def _starts() -> tuple[str, ...]:
    """The words that a statement begins with."""
    state = parser().parse_interactive("")
    return tuple(sorted(w for name in _state_accepts(state) for w in spellings().get(name, ())))


def _state_accepts(state: InteractiveParser) -> set[str]:
    return set(state.accepts())  # type: ignore[no-untyped-call]


def _unknown_statement(text: str, column: int, word: str) -> Fault:
    if later := LATER_STATEMENTS.get(word.lower()):
        named = re.match(r"inputs?\s+(\w+\s*=.*)", text[column:], re.IGNORECASE)
        tries = (f"let {named[1]}",) if named else ()
        return Fault(f"`{word}` is not built yet: {later}", column, "", tries)
    meant = nearest(word, _starts())
    if meant is None:
        known = "enter, exit, stop, target, trail, size, max, wait, session, commission, slippage"
        return Fault(f"`{word}` begins no statement; statements begin with {known} …", column, word)
    fixed = text[:column] + meant + text[column + len(word) :]
    return Fault(f"`{word}` begins no statement; did you mean `{meant}`?", column, word, (fixed,))


def _word_at(text: str, column: int) -> str:
    found = re.match(r"[A-Za-z_][\w.]*|\d[\d.:]*\w*|\S", text[column:])
    return found[0] if found else ""


TOGETHER = (
    ("a value", {"NAME", "NUMBER", "LPAR", "CLOCK", "DAY", "MINUS", "HOLE"}),
    ("an operator", {"PLUS", "MINUS", "TIMES", "OVER", "LSQB", "DOT", "_ON"}),
    ("a comparison", {"SIGN", "EQUALS", "ABOVE", "BELOW", "CROSSES", "RISING", "FALLING", "_IS",
                      "_BETWEEN", "_IN"}),
)  # fmt: skip


def _expected(names: set[str]) -> list[str]:
    shown = []
    for told, group in TOGETHER:
        if len(group & names) > 3:
            names = names - group
            shown.append(told)
    for name in sorted(names):
        words = spellings().get(name)
        shown.append(f"`{words[0]}`" if words else SHOWN.get(name, name.lower()))
    return list(dict.fromkeys(shown))


def _list(expected: list[str]) -> str:
    few = expected[:6]
    return ", ".join(few) + (" …" if len(expected) > 6 else "") if few else "nothing"
