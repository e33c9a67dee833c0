"""A word that the language does not have: what comes later, what was meant, what is ambiguous."""

from __future__ import annotations

from lark import Token

from schemas.sheet import names
from schemas.sheet.expressions import Reader, place
from schemas.sheet.grammar import nearest
from schemas.sheet.problems import Fault

FAMILIES = ("ta.", "talib.", "math.", "qtpylib.", "pta.", "tech.", "self.", "df.", "dataframe.")
"""What other languages put before a name."""


def known(name: str) -> str:
    """A name by which the sheet knows it, where it is called otherwise elsewhere."""
    for family in FAMILIES:
        name = name.removeprefix(family)
    return names.ALSO.get(name, name)


def unknown(reader: Reader, word: Token) -> Fault:
    """No word of the language: what is built later, or the nearest known word."""
    name = known(str(word).lower())
    column, typed = place(word), str(word)
    if name in names.INSTEAD:
        return Fault(f"`{typed}` is not built yet: {names.INSTEAD[name]}", column, typed)
    if name in names.LATER:
        return Fault(f"`{typed}` ({names.LATER[name]}) is not built yet", column, typed)
    if many := names.MANY.get(name):
        one = " or ".join(f"`{x}`" for x in many)
        return Fault(f"`{typed}` can mean several things; say {one}", column, typed, many)
    words = [*names.SERIES, *names.ALSO, *names.PRICES, *names.CALENDAR, *names.HELD,
             *reader.scope.lets, "min", "max", "abs", *names.LATER]  # fmt: skip
    meant = nearest(name, words)
    tail = f"; did you mean `{meant}`?" if meant else ""
    return Fault(f"I do not know `{typed}`{tail}", column, typed, (meant,) if meant else ())
