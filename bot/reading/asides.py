"""Sentences that tell a story and no rule: past results, who trades it, what is hoped. Pure."""

from __future__ import annotations

import re

_WHO = r"(?:i|we|he|she|they|it|this|that|which|my \w+(?: \w+)?|a (?:friend|colleague|guy|buddy)(?: of mine)?)"
_DID = r"(?:made|earned|returned|lost|won|gained|did|had|was|were|has|have|got|gave|would have|used to|read|saw|heard|found|tested|backtested|traded|have been|has been|worked|works|swears?|claims?|says?|told|think|thinks|believe|guess|suppose|expect|hope|know|am told)"
_WHEN = r"(?:last|past|this|previous) (?:year|month|week|summer|winter|quarter|decade)|(?:a|per) (?:year|month|annum)|since (?:19|20)\d\d|in (?:19|20)\d\d|(?:over|for|in) (?:the )?(?:last |past )?\d+ (?:years|months)|years? ago|or so (?:he|she|they) sa(?:y|id|ys)"
_RESULT = r"win[\s-]?rate|winners|hit[\s-]?rate|sharpe|draw[\s-]?down|profit factor|cagr|returns?|equity curve|backtest(?:ed|s)?|times (?:a|per) (?:year|month)|trades? (?:a|per) (?:year|month)|trades twice|track record"
_STORY = re.compile(rf"\b{_WHO}(?:'ve|'d|'s)? (?:\w+ ){{0,3}}?{_DID}\b")
_PAST = re.compile(rf"\b(?:{_WHEN}|{_RESULT})\b")
_RULE = re.compile(
    r"\b(?:buy|sell|short|long|exit|enter|entry|stop|sl|tp|target|above|below|over|under|cross\w*|breaks?|when|if|unless|only|limit|risk|size|lots?|shares|pips?|hold)\b|[<>]|->|\batr\b|\brsi\b|\bema\b|\bsma\b"
)


_DISMISSED = re.compile(
    r"\b(?:don't care (?:about|for) (?:that|it|this)|(?:an)?other story|for something else|beside the point|not important here)\b"
)


def is_aside(sentence: str) -> bool:
    """Told of the past or of results, and without any word that a rule needs."""
    told = _STORY.search(sentence) and _PAST.search(sentence)
    if _DISMISSED.search(sentence):
        return True
    return bool(told or _is_hope(sentence)) and not _RULE.search(sentence)


def _is_hope(sentence: str) -> bool:
    """ "I'd guess this trades twice a year, that's fine by me"."""
    return bool(
        re.search(r"\bi(?:'d| would| will)? (?:guess|expect|hope|suppose|reckon)\b", sentence)
    )
