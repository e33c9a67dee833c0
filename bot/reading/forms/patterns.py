"""Patterns that forms share: numbers, times, stretches, words of leaving."""

from __future__ import annotations

import re

from bot.reading.book import Book

N = r"(\d+(?:\.\d+)?|\.\d+)"
T = r"(\d{1,2}(?::|h)\d{2}(?:\s*[ap]m)?|\d{1,2}\s*[ap]m|noon|midnight)"
SPAN = r"(bars?|candles?|periods?|days?|trading days?|sessions?|hours?|hrs?|h|weeks?|minutes?|mins?|months?)"
UNIT = {"b": "bars", "c": "bars", "p": "bars", "d": "days", "t": "days", "s": "bars", "h": "hours",
        "w": "weeks", "m": "minutes"}  # fmt: skip
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
OUT = r"\b(?:sell|exit|exits|close[sd]?|closed|out|leave|cover|flat|flatten|liquidate|square|hold|holding|held|time[\s-]*(?:stop|exit|limit)|keep|stay|max|latest|over|end)\b"
INCLUDED = r"(?:\s*\(?(?:bar times?,? |bars?,? |bar stamps?,? )?(?:both |ends )*(?:bars |are )?(?:includ(?:ed|ing)|inclusive|incl\.?)(?: both)?(?: ends)?\)?)"


def bars(book: Book, value: str, span: str) -> int:
    unit = "months" if span.startswith("mo") else UNIT[span[0]]
    return book.bars(float(value), unit)


def clock(text: str) -> str:
    """A time that `T` matched, as HH:MM."""
    if text in ("noon", "midnight"):
        return "12:00" if text == "noon" else "00:00"
    hour, minute = (int(x) for x in (re.findall(r"\d+", text) + ["0"])[:2])
    if half := re.search(r"[ap](?=m)", text):
        hour = hour % 12 + (12 if half[0] == "p" else 0)
    return f"{hour % 24:02d}:{min(minute, 59):02d}"
