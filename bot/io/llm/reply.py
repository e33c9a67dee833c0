"""What a server sent back, taken apart: the answer, the bill, the reason of a refusal. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from openai import APIStatusError

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""What may be better in a while."""


@dataclass(frozen=True, slots=True)
class Said:
    """`trouble` is why `text` is no answer, whatever is in it."""

    text: str
    refusal: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Bill:
    """Tokens read, how many of them the server still had, and tokens written."""

    read: int
    again: int
    written: int


def said(raw: Any) -> Said:
    match raw:
        case {"choices": [{"message": dict(message), **choice}, *_]}:
            return _message(message, choice.get("finish_reason"))
    return Said("", trouble="there was no answer in it")


def _message(message: Mapping[str, Any], end: object) -> Said:
    text, refusal = _text(message.get("content")), _text(message.get("refusal"))
    if refusal:
        return Said(text, refusal=refusal)
    if end == "content_filter":
        return Said(text, refusal="the model's content filter stopped the answer")
    if end == "length":
        return Said(text, trouble="it was cut off because it was too long; be brief")
    if message.get("tool_calls") or message.get("function_call"):
        return Said(text, trouble="it called a tool; there are none")
    return Said(text)


def _text(value: object) -> str:
    """Half a character, which JSON can spell and no file can hold, becomes a question mark."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else ""


def bill(raw: Any) -> Bill | None:
    """None where there is none that can be read."""
    usage = raw.get("usage") if isinstance(raw, dict) else None
    if not isinstance(usage, dict):
        return None
    read, written = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    if read is None or written is None:
        return None
    details = usage.get("prompt_tokens_details")
    again = _count(details, "cached_tokens") if isinstance(details, dict) else 0
    return Bill(read, min(again or 0, read), written)


def _count(usage: Mapping[str, Any], name: str) -> int | None:
    found = usage.get(name)
    is_count = isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= 2**53
    return found if is_count else None


def why(error: APIStatusError) -> str:
    """The server's own words."""
    match error.body:
        case {"message": str(message)}:
            return message
    return error.response.text


def retry_after(error: APIStatusError, now: float) -> float | None:
    """Seconds, or a date."""
    asked = error.response.headers.get("retry-after", "")
    try:
        return max(0.0, float(asked))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - now)
    except ValueError:
        return None
