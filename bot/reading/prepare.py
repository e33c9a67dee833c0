"""What rules refer to and so comes first: the bars, the pip, settings of indicators. Pure."""

from __future__ import annotations

import re

from bot.reading import market
from bot.reading.asides import is_aside
from bot.reading.book import AVERAGES, CHANNELS, Book
from bot.reading.cursor import Cursor
from bot.reading.layout import Statement
from bot.reading.lexer import Amount, Token, tokens
from bot.reading.operands.settings import arrange, settings

_LAGGED = re.compile(
    r"use (?:yesterday's|the (?:previous|prior) (?:bar|day)'s)(?: value of)?(?: the)? (atr|rsi|adx)"
)
SESSION = 390.0
"""Minutes from 09:30 to 16:00: a day of shares, as their intraday bars have it."""
_ALL_WEEK = re.compile(r"\b24 ?/ ?7\b|\bcrypto")
_BY_CLOCK = re.compile(r"\b\d{1,2}:\d{2}\b|opening range|\bvwap\b")


def prepared(found: list[Statement], heading: str, text: str, symbol: str) -> Book:
    book = Book(text=text)
    book.timeframe = _timeframe(found, heading, text, book)
    book.has_macd = "macd" in text
    if re.search(r"super ?trend", text):
        book.flipper = "supertrend"
    elif re.search(r"\bp?sar\b|parabolic", text):
        book.flipper = "psar"
    if re.search(r"stoch(?:astic)?[\s-]?rsi", text):
        book.renamed["stochastic"] = "stochastic_rsi"
    book.is_fast = bool(re.search(r"\b(?:fast|raw) (?:stoch|%k)", text)) and "slow" not in text
    book.golden = _golden(text)
    if lagged := _LAGGED.search(text):
        book.lagged.add(lagged[1])
    if book.timeframe in ("M1", "M5", "M15", "M30") and not market.is_pair(symbol):
        book.day = SESSION
    book.week = 7 if market.is_coin(symbol) or _ALL_WEEK.search(text) else 5
    book.pip = 0.01 if symbol.endswith("JPY") else 0.0001
    for line in (*of_rules(found, symbol), Statement("", heading)):
        _collect(line.text, book)
    return book


_KIND = r"(sma|ema|wma|hma|simple|exponential)"
_LENGTHS = re.compile(
    rf"(?:\b{_KIND}s? ?\(?)?\b(\d+)\)?(?:[ -]*(?:day|period|bar)s?)?(?: {_KIND}s?)? ?(?:/|and|x|over|with|,)"
    rf" ?(?:the )?(?:{_KIND} ?\(?)?(\d+)\)?(?:[ -]*(?:day|period|bar)s?)?(?: {_KIND})?"
)


def _golden(text: str) -> tuple[str, float, float]:
    """Of which averages a golden cross is: the usual ones, unless two lengths are told."""
    default = ("sma", 50.0, 200.0)
    if not re.search(r"\b(?:golden|death|dead) cross", text):
        return default
    for found in _LENGTHS.finditer(text):
        kind = next((g for g in (found[1], found[3], found[4], found[6]) if g), "")
        fast, slow = sorted((float(found[2]), float(found[5])))
        if kind or (fast, slow) == default[1:]:
            named = {"simple": "sma", "exponential": "ema", "": "sma"}.get(kind, kind)
            return named, fast, slow
    return default


def _timeframe(found: list[Statement], heading: str, text: str, book: Book) -> market.Timeframe:
    named = " ".join(s.text for s in found if s.role == "timeframe")
    told = "\n".join(s.text for s in found if not is_aside(s.text))
    for said in (named, told, text.partition("\n")[2], heading):
        if frame := market.timeframe(said)[0]:
            return frame
    for said in (told, heading):
        if frame := market.timeframe_of_indicator(said):
            return frame
    frame = "M15" if _BY_CLOCK.search(text) else "D1"
    book.assume("timeframe", frame, "none was given")
    return frame


def of_rules(found: list[Statement], symbol: str) -> list[Statement]:
    """Without what names the market and the bars."""
    return [_without(s, symbol) for s in found if s.role not in ("symbol", "timeframe")]


def _without(statement: Statement, symbol: str) -> Statement:
    text = statement.text
    for start, end in reversed(market.timeframe(text)[1]):
        text = text[:start] + " " + text[end:]
    if symbol:
        spelt = r"[\s/_-]?".join(re.escape(x) for x in (symbol[:3], symbol[3:]) if x).lower()
        text = re.sub(rf"(?<!\w)\$?{spelt}(?!\w)", " ", text)
    return Statement(statement.role, text)


_IN_A_ROW = re.compile(r"\bfor (?:at least )?\d+ \w+ (?:in a row|straight|running|in succession)")
"""No setting of the indicator before it: "below the lower band for 2 bars in a row"."""


def _collect(text: str, book: Book) -> None:
    """Settings said once hold wherever the indicator is named again."""
    cur = Cursor(tokens(_IN_A_ROW.sub(" ", text)), book)
    while not cur.done():
        token = cur.peek()
        cur.at += 1
        if token.kind == "ind" and isinstance(token.value, tuple):
            _keep(str(token.value[0]), cur, book)


def _keep(kind: str, cur: Cursor, book: Book) -> None:
    before = cur.tokens[cur.at - 2] if cur.at > 1 else None
    numbers = settings(cur, kind)
    if kind in CHANNELS and not book.channel:
        book.channel = kind
    if kind in AVERAGES:
        book.average = kind
        return
    numbers = numbers or _length_before(before)
    if kind == "ichimoku" and len(numbers) == 1:
        return
    if numbers and kind not in book.given:
        book.given["stochastic" if kind == "fast_stochastic" else kind] = arrange(kind, numbers)


def _length_before(token: Token | None) -> list[float]:
    """ "14 day RSI"."""
    if token is None or not isinstance(token.value, Amount):
        return []
    return [token.value.value] if token.value.unit in ("bars", "days") else []
