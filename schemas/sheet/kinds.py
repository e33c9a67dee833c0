"""What a printed statement is about: its kind, and its side where it has one."""

from __future__ import annotations

import re


def kind_of(text: str) -> str:
    words = text.split()
    if words[0] == "exit":
        return f"exit {words[1]}" if words[1] in ("after", "at") else "exit"
    if words[0] == "max":
        return f"max {words[2].rstrip('s')}"
    return text if text == "costs none" else words[0]


def side_of(text: str) -> str:
    found = re.match(r"\w+ (long|short)\b", text)
    return found[1] if found else ""
