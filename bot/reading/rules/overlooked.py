"""Finds words that change a rule and that nothing was made of: "on the 2nd touch", "in profit". Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.reading.cursor import Cursor

_BARS = r"(?:bars?|candles?|days?|sessions?|hours?)"
_EVENT = r"(?:time|signal|cross(?:over)?|touch|test|attempt|try|breakout|setup|occurrence|trade)"
_MOVE = (
    r"(?:pull[\s-]?backs?|dips?|drops?|declines?|falls?|rall(?:y|ies)|sell[\s-]?offs?|corrections?"
    r"|re-?tests?|bounces?|moves?|runs?|spikes?|consolidations?|losses|loss|wins?|winners?|losers?"
    r"|(?:losing|winning) (?:trade|day)s?)"
)
_HOW = (
    r"(?:strong|weak|sharp|steep|decisive|clear|convincing|high|heavy|light|thin|low|big|huge|long)"
)
KINDS: dict[str, str] = {
    "which one": (
        rf"(?:for )?the (?:2nd|3rd|\d+th|last) {_EVENT}|every (?:2nd|3rd|other|\d+th) {_EVENT}s?"
        rf"|(?:on |at )?the (?:2nd|3rd|\d+th) {_BARS} (?:after|that|of)"
        rf"|(?:skip|ignore) (?:the )?(?:1st|2nd|every|each) (?:\w+ )?{_EVENT}s?|more than once"
        r"|only the 1st time|only once|repeatedly"
        r"|(?:once|\d+ times|\d+ (?:trades?|entries|signals?)) (?:a|per|each|every|in a) (?:calendar )?(?:week|month|year)"
    ),
    "a delay": (
        rf"(?:one|1|a|\d+) {_BARS} (?:later|delay)|delay(?:ed)?(?: (?:of|by)(?: \d+ {_BARS})?)?"
        rf"|wait (?:for|until|till|one|1|a|\d+)\b[^,.;⟦]*"
        rf"|^\W*\d+ {_BARS} after\b|\d+ {_BARS} (?:after|since|before|of) (?:the|it|that|a|an)\b[^,.;⟦]{{0,20}}"
    ),
    "a move": (
        rf"(?:after|on|following|during|upon|into) (?:a |an |the |any |some |every |\d )?"
        rf"(?:[a-z]+ )?{_MOVE}\b(?! (?:above|below|over|under|of|to|through|bar|candle|day))|(?:is |gets |and )?re-?test(?:ed|s|ing)?"
    ),
    "volume": (
        rf"(?:{_HOW}|rising|increasing|good|decent|solid) (?:trading )?volumes?"
        r"|volume (?:is |should be |must be |should |has to |must )?(?:high|low|strong|heavy|good|decent|confirms?|dries up|spikes?|picks? up|agrees?)"
    ),
    "the regime": (
        rf"(?:in |with |during )?(?:an? |the )?(?:(?:{_HOW}|prevailing|overall|general|main|bigger) )?"
        r"(?:up|down)[\s-]?trends?|in (?:an? |the )?(?:\w+ )?trend\b|in (?:an? |the )?(?:bull|bear)(?:ish)? markets?"
        r"|(?:the )?(?:market|trend|price|it) (?:is|must be|should be|has to be|stays) (?:not )?(?:up|down|intact|strong|weak|trending|ranging|choppy|sideways|calm|quiet|volatile|flat)\b"
        r"|(?:with|against|in line with|in (?:the )?direction of) the (?:\w+ )?trend|trend ends|trend (?:must be|is|should be|has to be)? ?(?:up|down)\b"
        rf"|(?:low|high|rising|falling) volatility|volatility is (?:low|high)|volatile (?:markets?|days?)"
    ),
    "how much": (
        r"(?:very )?(?:strong(?:ly)?|sharp(?:ly)?|decisive(?:ly)?|convincing(?:ly)?|steep(?:ly)?|slowly|quickly|aggressive(?:ly)?|conviction)"
        r"|by a (?:\w+ )?margin|(?:well|far) (?:above|below)(?! (?:the )?(?:entry|fill))|with momentum|confirm(?:s|ation)|confirmed by"
        r"|(?:and |or |if |when )+(?:it |the \w+ |my \w+ )(?:looks?|seems|feels) [^,.;⟦]*|(?:near|close to|around|not far from|too far from) (?:its|the|support|resistance)\b[^,.;⟦]{0,20}"
        r"|(?:best|good|a\+|high quality|quality) (?:setups?|signals?|trades)|agrees?"
        r"|at (?:support|resistance)|(?:over)?extended|room to run|momentum fades|goes nowhere|stalls?"
        r"|(?:the )?bands (?:are|get) (?:narrow|wide|tight)"
    ),
    "the result": (
        r"(?:only )?(?:if |when |while )?(?:it is |i'm |i am |we are |the (?:trade|position) is )?(?:in profit|in the green|profitable|in the red|losing)\b"
        r"|(?:only )?at an? (?:profit|loss)"
    ),
    "the size": (
        r"(?:half|2 times|3 times|a quarter|a third|twice) (?:the |of the |of my |my |a |usual |normal )*(?:size|position|account|capital|lot|risk)"
        r"|of (?:the |my |our )?(?:account|equity|capital|balance)|leverage|on margin|half of it|partially|re-?invest\w*|compound(?:ing|ed)?|volatility[\s-]adjusted"
    ),
    "the hour or the season": (
        r"in (?:the )?(?:early |late )?(?:morning|afternoon|evening|summer|winter|spring|autumn)s?|\bq[1-4]\b"
        r"|(?:in |on )?(?:the )?(?:1st|2nd|last) (?:half|week|weeks|quarter|\d+ days|trading day)(?: of (?:the|each|every) (?:month|year|week))?"
        r"|(?:at )?(?:the )?(?:month|quarter|year)[\s-]?end|turn of the month|expir(?:y|ation)|opex|holidays?|fomc|nfp"
        r"|over (?:the )?weekends?|during (?:london|new york|asia|tokyo|the \w+ (?:session|hours))|overlap|(?:in |during )?(?:the )?1st (?:hour|\d+ (?:minutes|hours))"
        r"|\d+ (?:minutes|hours) (?:before|after) the (?:open|close)"
    ),
    "the stop later": (
        r"widened|tighten(?:ed)?|ratchet\w*|raised|adjusted|doubled|mental|for the 1st (?:trade|day)|after the 1st (?:day|bar)|plus the spread|intra-?bar"
    ),
}
"""What the words are about, and the words."""
_WORDS = {kind: re.compile(rf"(?<![\w⟦])(?:{words})(?!\w)") for kind, words in KINDS.items()}
_EXPLAINED = re.compile(
    r"\s*(?:\w+\s+){0,2}(?:\(|=|:|,? ?i\.?e|,? ?mean|,? ?that is|is when|,? by which)"
)


_DEMAND = re.compile(
    r"\b(?:only|never|avoid|skip|ignore|cancel|wait|must|should|has to|have to|needs? to|requires?"
    r"|use|check|filter|don't|do not|no trades?|no entries|not during|trade|trades|after a|max|maximum|at most|more than)\b"
)
_OPINION = re.compile(
    r"\b(?:works?|worked|perform\w*|designed|meant|idea|likes?|loves?|think|best in|suits?|seems?|know|hope"
    r"|maybe|perhaps|probably|usually|i (?:use|used|trade|traded))\b|\?"
)


def demands(said: str) -> bool:
    """A sentence that asks for something, though no rule is in it: "trend must be up"."""
    return bool(_DEMAND.search(said)) and not _OPINION.search(said)


@dataclass(frozen=True)
class Vague:
    """Words of a rule that change it, and the rule."""

    kind: str
    words: str
    said: str


def overlooked(text: str, said: str, cur: Cursor) -> list[Vague]:
    """`text` is the sentence as its tokens are counted; what is explained at once is not vague."""
    taken = {
        place
        for i in cur.read
        if i < len(cur.tokens)
        for place in range(cur.tokens[i].at, cur.tokens[i].at + len(cur.tokens[i].text))
    }
    return [
        Vague(kind, found[0].strip(), said)
        for kind, words in _WORDS.items()
        for found in words.finditer(text)
        if found.end() - 1 not in taken
        and not _EXPLAINED.match(text, found.end())
        and not _is_in_brackets(text, found.start())
        and not _is_denied(text[: found.start()])
    ]


def _is_in_brackets(text: str, at: int) -> bool:
    return text.count("(", 0, at) > text.count(")", 0, at)


def _is_denied(before: str) -> bool:
    """ "No confirmation needed": what is ruled out needs not be read."""
    return bool(
        re.search(r"\b(?:no|without|not|don't|ignore|regardless of|even|also)(?: \w+)? $", before)
    )
