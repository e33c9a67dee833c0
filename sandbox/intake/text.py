"""The rules for the bytes of a submission, before anything reads them as Python."""

from __future__ import annotations

import io
import re
import tokenize
import unicodedata
from collections.abc import Iterator

from sandbox.intake.rules import found
from schemas.report import Finding

MOST_BYTES = 100_000
LONGEST_LINE = 400
UNSEEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}

PRAGMA = re.compile(
    r"\bnoqa|\bnosec|\bno[-_ ]qa\b|\bno[-_ ]sec\b"
    r"|\btype\s*:\s*ignore|\bpylint\b|\bflake8\b|\bruff\b|\bpyright\b"
    r"|\bpyre-|\byapf\b|\b(?:mypy|fmt|isort|pytype|lint)\s*:|\bpragma\b|\bnosonar\b|\bnopep8\b"
    r"|\bnoinspection\b|\bskipcq\b",
    re.IGNORECASE,
)
COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=]", re.IGNORECASE)


def decode(source: bytes) -> tuple[str, list[Finding]]:
    """The text, or "" and why there is none."""
    if len(source) > MOST_BYTES:
        return "", [found("too_big")]
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError as error:
        return "", [found("encoding", source.count(b"\n", 0, error.start) + 1)]
    if not text.strip():
        return "", [found("empty")]
    return text, []


def check_text(text: str) -> Iterator[Finding]:
    """Line by line: what can be said without knowing Python."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            yield found("long_line", number)
        if number <= 2 and COOKIE.match(line):
            yield found("encoding", number)
        _, hash_sign, comment = line.partition("#")
        # Also inside of a string: some checkers look at lines, not at comments.
        if hash_sign and (pragma := PRAGMA.search(comment)):
            yield found("pragma", number, pragma.group().strip().lower().replace(" ", ""))
        if not (line.isascii() and line.isprintable()):
            yield from _characters(line, number)


def _characters(line: str, number: int) -> Iterator[Finding]:
    for letter in dict.fromkeys(line):
        kind = unicodedata.category(letter)
        if kind in UNSEEN or (kind == "Zs" and letter != " "):
            yield found("character", number, f"U+{ord(letter):04X}")


def check_identifiers(text: str) -> Iterator[Finding]:
    """Python folds look-alike letters into ASCII before we see the tree: look at the tokens."""
    if text.isascii():
        return
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.NAME, tokenize.ERRORTOKEN) and not token.string.isascii():
                yield found("identifier", token.start[0])
    except (tokenize.TokenError, SyntaxError):  # the parser says it better
        return
