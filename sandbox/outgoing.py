"""What leaves the sandbox goes through here: secrets out, nothing alive, nothing too long."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable

ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)")
SECRET = re.compile(
    r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|sk-[A-Za-z0-9_-]{20,}"
    r"|AKIA[0-9A-Z]{16}|xox[abprs]-[A-Za-z0-9-]{10,}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----"
)
ALIVE = (
    ("::", ": :"), ("##[", "# #["), ("<", "\u2039"), (">", "\u203a"), ("`", "'"), ("|", "\u00a6"),
    ("@", "(at)"), ("![", "! ["), ("](", "] ("), ("~~~", "~ ~ ~"),
)  # fmt: skip
"""Workflow commands, HTML and hidden markers, fences, tables, mentions, pictures and links."""
HIDDEN = "***"


def tame(text: object, limit: int = 500, secrets: Iterable[str] = ()) -> str:
    """Words from inside as harmless words: one line each, printable, redacted, capped."""
    words = ANSI.sub("", str(text)[: limit * 8])
    words = redact(words, secrets)
    words = "".join(c if c == "\n" or c.isprintable() else " " for c in words)
    for raw, safe in ALIVE:
        words = words.replace(raw, safe)
    return words[:limit]


def cell(text: object, limit: int = 120, secrets: Iterable[str] = ()) -> str:
    """For a table: one line, and no spreadsheet takes it for a formula."""
    words = " ".join(tame(text, limit, secrets).split())
    return f"'{words}" if words[:1] in ("=", "+", "-", "(") and words[:2] != "- " else words


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """Known secrets in any usual dress, then what looks like one."""
    for secret in secrets:
        if len(secret) >= 6:
            for dress in _dresses(secret):
                text = re.sub(dress, HIDDEN, text, flags=re.IGNORECASE)
    return SECRET.sub(HIDDEN, text)


def _dresses(secret: str) -> list[str]:
    """As it is, split by separators, backwards, in base64 and in hex."""
    raw = secret.encode()
    gaps = r"[\s\W_]{0,3}".join(re.escape(c) for c in secret)
    shifted = [base64.b64encode(b"x" * n + raw).decode()[4 * n // 3 + 2 : -4] for n in range(3)]
    coded = [base64.b64encode(raw).decode().rstrip("="), raw.hex(), *shifted]
    return [gaps, re.escape(secret[::-1]), *(re.escape(c) for c in coded if len(c) >= 8)]
