"""How many trades: a day, at once; and pauses between them."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.forms.form import Sentence, Settings, form
from bot.reading.forms.patterns import N, bars


@form(
    r"(?:at )?(?:max(?:imum)?(?: of)?|at most|only|no more than|never more than|not more than|just|limit(?:ed)? to)?\s*(?:1|one|a single|{n})\s*(?:new )?(?:trades?|entry|entries|signals?|positions?|shots?|breakouts?|longs?|buys?)\s*(?:\(?(?:long or short)\)? )?(?:per|a|each|every|/|in a)\s*(?:calendar |trading )?(?:day|session)(?: max(?:imum)?)?"
)
@form(
    r"(?:once|(?<!one )(?:one|1)) (?:a|per|each) (?:day|session)(?: only| max(?:imum)?)?|once daily|only the 1st (?:signal|breakout|trade|cross|entry|one|time)(?: of (?:the|each|every) (?:day|session)| each day| per day)(?: counts)?|1st (?:signal|breakout|trade) of the day only"
)
def _day_limit(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    number_ = match.groups()[0] if match.groups() else None
    told.day_limit = int(float(number_)) if number_ else 1
    return True


@form(
    r"at most (?:1|one) (?:open )?(?:position|trade)|(?:only |just |max(?:imum)? |at most |hold )*(?:1|one|a single) (?:open )?(?:position|trade|order|unit)s? (?:open )?(?:at (?:a|any|the same|one) (?:given )?time|at once|max(?:imum)?|only|open(?: at (?:a|any) time)?)|one at a time|single position(?: only)?|(?:max|maximum)(?: of)? (?:1|one) (?:open )?(?:position|trade)|(?:only )?(?:1|one) position(?: only)?|never (?:have )?more than (?:1|one) (?:position|trade)(?: open)?(?: at (?:a|the same) time)?"
)
def _one(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.positions = told.positions or 1
    told.single |= bool(
        re.search(r"\b(?:position|trade)\b.*\b(?:at|only)\b|only.*\b(?:position|trade)\b", match[0])
    )
    return True


_OF_A_TIME = re.compile(r" (?:a|per|each|every|in a|in any) (?:calendar )?(?:week|month|year)\b")
"""After a number of trades: how often, not how many at once."""


@form(
    r"(?:but )?(?:pyramid(?:ing)?(?: up to|,? max(?:imum)?)?|up to|max\.?(?:imum)?(?: of)?(?: total)?|at most|no more than|never (?:have |hold )?more than|not more than|limit(?:ed)? (?:of|to)|a total of|with)\s*{n}\s*(?:open |simultaneous |concurrent |long |total )*(?:positions?|units?|entries|trades?|lots|tranches|adds|open at once|open)(?: (?:open|in total|total|max|on|running))*(?: at (?:the same time|once|a time|any time))?(?:\s*\(?pyramiding[^).]*\)?)?"
)
@form(
    r"pyramid(?:ing|s)?(?: allowed| ok| up to| is allowed)?,?(?: max(?:imum)?(?: of)?| up to| to| at most| with| with up to)? {n}(?: positions?| units?| entries| times| levels)?|\(?pyramiding,? max {n},? one per bar\)?"
)
def _positions(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    amount = next(int(float(g)) for g in match.groups() if g)
    if _OF_A_TIME.match(sentence.text, match.end()):
        return False
    told.positions = max(1, min(amount, 100))
    return True


@form(r"(?:add|buy) up to {n} (?:more|additional)(?: \w+)?")
def _adds(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.positions = 1 + int(float(match[1]))
    return True


_RESTS = (
    r"\b(?:after|following|since|between|once|stop|exit|loss|trades?|again|re-?enter\w*|cool\w*)\b"
)
_PAUSE = r"(?:wait(?:s|ing)?|pause|stay out|stays out|no new (?:trades?|entr(?:y|ies)|longs?|shorts?|positions?|buys?|signals?)|no (?:trades?|entr(?:y|ies)|re-?entr(?:y|ies)|buying)|cool[\s-]*(?:down|off)(?: period)?|sit out|stand aside|rest|skip|do nothing|don't (?:re-?enter|trade|buy)|do not (?:re-?enter|trade)|ignore (?:all )?(?:new )?signals?|flat|not re-?enter|take a break|block(?:ed)?)"
_CAUSE = r"(?:an?|the|each|every|any)?\s*(?:\w+ )?(?:(stop(?:ped out)?(?:[\s-]*loss)?(?: (?:is|was|gets) hit| exit)?|stopped out|sl|being stopped(?: out)?)|(loss|losing trade|loser|losing exit)|(exit|trade|sale|sell|closing|close|closed trade|closing a (?:trade|position)|position|leaving|exiting))"


@form(
    _PAUSE
    + r"[^.;]{0,30}?\b(?:for |of |the |at least |next |1st |:|is )*{n}\s*{span}(?:\s*(?:after|following|from|once|when|since|before)\s*(?:(?:we|i|it) (?:are|get|got|is|was|gets) )?"
    + _CAUSE
    + r"?[^.;,]{0,50})?"
)
@form(
    r"(?:after|following|once)\s*(?:(?:we|i) (?:are|get|got) )?"
    + _CAUSE
    + r"[^.;]{0,30}?"
    + _PAUSE
    + r"[^.;\d]{0,30}?{n}\s*{span}(?:[^.;,]{0,40})?"
)
@form(
    r"(?:after|following)\s*"
    + _CAUSE
    + r"[^.;\d]{0,40}?\b(?:must|should|has to|have to|needs? to)(?: be| pass| wait)?(?: at least)? {n}\s*{span}[^.;]*"
)
def _cooldown(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    caused = re.search(r"\b(?:after|following|since|once)\b", match[0])
    if re.match(r"wait", match[0]) and not re.search(_RESTS, sentence.text):
        return False  # "crosses above 30 and wait one bar": before the entry
    if re.search(r"\d:\d", match[0]) or re.search(r"\b1st\b", match[0]) and not caused:
        return False
    groups = [g for g in match.groups() if g]
    at = next(i for i, g in enumerate(groups) if re.fullmatch(N, g))
    told.cooldown = bars(book, groups[at], groups[at + 1])
    if re.search(
        r"\bstop|\bsl\b", match[0].split("wait")[-1] if match[0].startswith("wait") else match[0]
    ):
        told.cooldown_after = "stop"
    elif re.search(r"loss|loser|losing", match[0]):
        told.cooldown_after = "loss"
    return True
