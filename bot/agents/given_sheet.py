"""The sheet that somebody typed into a request or a note."""

from __future__ import annotations

import re

from bot.agents.clean import clean
from schemas.sheet.edit import is_statements
from schemas.work import Request

FENCE = re.compile(
    r"(?ms)^ {0,3}(`{3,}|~{3,})[ \t]*(?P<name>[A-Za-z]*)[^\n]*\n(?P<body>.*?)^ {0,3}\1"
)
FIRST = re.compile(r"(?im)^\s*(symbol|timeframe)\s+\S+\s*$")


def sheet_in(words: str) -> str | None:
    """A code block that is called `sheet` or names symbol and timeframe, or a text that is one."""
    for found in FENCE.finditer(words):
        body = found["body"]
        if found["name"].lower() == "sheet" or len(FIRST.findall(body)) > 1:
            return body
    alone = len(FIRST.findall(words)) > 1 and is_statements(words)
    return words if alone else None


def is_sheet(request: Request) -> bool:
    """A whole sheet was given, in the request or in a note: its words say all."""
    given = (request.body, *(note.text for note in request.notes))
    return any(sheet_in(clean(words)) is not None for words in given)
