"""The few words that the checks look for, and which sentences say a rule. Pure."""

from __future__ import annotations

import re

from bot.reading.asides import is_aside

IF = r"\b(?:if|when|whenever|once|while|unless|as soon as|after|provided|where|until)\b"
ENTER = (
    r"\b(?:buy|buys|buying|bought|enters?|go(?:es)? (?:long|short)|(?<!a )(?<!the )(?<!for )(?<!of )(?:longs?|shorts?)(?! is| are| exit| only)|get in|grabs?"
    r"|scoop|pick up|load up|hop in|jump in|step in)\b"
)
LEAVE = (
    r"\b(?:sell(?!\s+(?:short|limit))|sells|selling|sold|exits?|leave|get out|cover|covers|dumps?|unload|offload|bail"
    r"|ditch|close (?:it|the (?:long|short|trade|position)|out|all|positions?|longs?|shorts?)"
    r"|flatten|flat|liquidate)\b"
)
LEVEL = (
    r"\b(?:stops?|stop-?loss|sl|tp|targets?|take[ -]profits?|profits?|gains?|loss|loses?|trail\w*"
    r"|risk\w*|break[ -]?even|size|sizing|equity|account|capital|cash|commissions?|fees?|slippage"
    r"|spread|costs?|limit|entry price|reward)\b"
)
_RULE = re.compile(
    rf"{IF}|{ENTER}|{LEAVE}|{LEVEL}|%|[<>]|->|\b(?:above|below|over|under|cross\w*|break\w*|bars?"
    r"|days?|candles?|atr|rsi|ema|sma|macd|only|pips?|lots?|shares|contracts|trades?)\b"
)
_STORY = re.compile(
    r"\b(?:i am \d+|years? of experience|\d0s|swears? by|swore by|everyone does that|kids|intended recipient)\b"
)


def is_rule(sentence: str) -> bool:
    """Something that a strategy could do; not a story, and not what is hoped for."""
    return bool(_RULE.search(sentence)) and not is_aside(sentence) and not _STORY.search(sentence)
