"""Settings of indicators that take a sentence: bands, channels, the turtles' N, a tick."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.forms.form import Sentence, Settings, form


@form(
    r"super ?trend,? ?\(?(\d+)(?:[\s-]*(?:period|bar|day)s?)?,?(?: and| with)?(?: an?)? (?:factor|multiplier|mult)(?: of|:| =)? {n}()()\)?"
)
@form(
    r"(?:with |using |,? )*(?:an? )?(?:atr )?(?:length|period)s?(?: of|:| =)? (\d+),?(?: and| with)?(?: an?)? (?:factor|multiplier|mult)(?: of|:| =)? {n}|(?:with |using )?(?:factor|multiplier|mult)(?: of|:| =)? {n},?(?: and| with)?(?: an?)? (?:atr )?(?:length|period)s?(?: of|:| =)? (\d+)"
)
def _factor(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    length, width = (match[1], match[2]) if match[1] else (match[4], match[3])
    book.given["supertrend"] = {"length": float(length), "width": float(width)}
    return True


@form(
    r"\(?(?:(?:1 |a |one )?tick (?:=|is|being)|tick[\s-]size(?: is| of|:| =)*) {n}(?: points?| in price)?\)?"
)
def _tick(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    book.tick = float(match[1])
    return True


@form(
    r"keltner[^.]{0,30}?ema\s*\(?\s*(\d+)\s*\)?[^.]{0,40}?{n}\s*(?:x|times|\*)?\s*(?:the )?atr\s*\(?\s*(\d+)?\s*\)?"
)
def _keltner(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    book.given["keltner"] = {
        "length": float(match[1]),
        "width": float(match[2]),
        "atr_length": float(match[3] or 10),
    }
    book.channel = "keltner"
    return True


@form(
    r"channel (?:is|=|:)[^.]{0,20}?(\d+)[\s-]*(?:day |period |bar )?ema[^.]{0,40}?{n}\s*(?:x|times|\*)?\s*(?:the )?atr\s*\(?\s*(\d+)?\s*\)?(?: away)?"
)
def _own_channel(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    return _keltner(match, sentence, told, book) is True


@form(
    r"bollinger[^.]{0,30}?(\d+)[\s-]*(?:day|period|bar)?s?[^.\d]{0,30}?{n}\s*(?:standard deviations?|std(?:ev)?s?(?: dev(?:iations?)?)?|sd|sigmas?|deviations?)"
)
def _bollinger(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    book.given["bollinger"] = {"length": float(match[1]), "width": float(match[2])}
    book.channel = "bollinger"
    return False


@form(r"\bn (?:is|=|being)(?: the)? (\d+)?[\s-]*(?:day|period|bar)?s?\s*atr\s*(?:\((\d+)\))?")
def _turtle_n(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    book.given["atr"] = {"length": float(match[1] or match[2] or 20)}
    return True


@form(r"\(r (?:is|=|being) [^()]*(?:\([^()]*\)[^()]*)*\)|(?<!\()\br (?:is|=|being) [^.;]*")
def _definition_of_r(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    return True
