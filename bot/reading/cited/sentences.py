"""A request as the sentences that were typed: each unaltered, with the heading it stands under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.reading.layout import BULLET, ROLE, SENTENCES, UNSAID, goes_on, starts

ENDS = re.compile(SENTENCES.pattern, re.IGNORECASE)
HEADING = re.compile(r"^\s*(?:#{1,6}\s+(.*?)\s*#*|(?:\*\*|__)([^*_]{1,30}?)(?:\*\*|__):?)\s*$")
SKIPPED = re.compile(
    r"(?i)^\s*(?:>|```|~~~|[-*] \[[x ]\] i (?:have|agree|confirm|understand|read))"
)
SAYS = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`typed` is what the person wrote; `under` is the heading of the form, if there is one."""

    typed: str
    under: str = ""


def sentences(text: str) -> tuple[Sentence, ...]:
    """Quoted lines, code fences and empty fields are none."""
    found = list[Sentence]()
    for under, line in _paragraphs(text):
        found += [Sentence(part, under) for part in _parts(line)]
    return tuple(found)


def _paragraphs(text: str) -> Iterator[tuple[str, str]]:
    """Lines that go on in the next one are joined, as the reader joins them."""
    under, open_line = "", ""
    for line in [*text.splitlines(), ""]:
        heading = HEADING.match(line)
        ends = not line.strip() or heading or SKIPPED.match(line)
        if open_line and (ends or starts(line.lower()) or not goes_on(open_line.lower())):
            yield under, open_line
            open_line = ""
        if heading:
            under = (heading[1] or heading[2]).strip(" :")
        elif not ends and line.strip().lower() not in UNSAID:
            open_line = f"{open_line} {line.strip()}" if open_line else BULLET.sub("", line).strip()


def _parts(line: str) -> Iterator[str]:
    """With the mark that ends it."""
    at = 0
    for end in ENDS.finditer(line):
        yield from _said(line[at : end.end()])
        at = end.end()
    yield from _said(line[at:])


def _said(part: str) -> Iterator[str]:
    if SAYS.search(part):
        yield part.strip()


def role(sentence: Sentence) -> str:
    """What the heading is about, as in `stop`; empty where nothing is known of it."""
    return ROLE.get(sentence.under.lower().strip(" :*?."), "")
