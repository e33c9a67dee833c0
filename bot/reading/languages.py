"""Other languages, word for word, into the English that the reader knows. Pure."""

from __future__ import annotations


def to_english(text: str) -> str:
    return text
