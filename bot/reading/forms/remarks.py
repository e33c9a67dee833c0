"""Phrases that change nothing: they are taken out so that nobody is asked about them."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.forms.form import Sentence, Settings, form

REMARKS = (
    r"no adding without (?:an? |the )?(?:1st |open )?position[^.;]*|at most one per bar|(?:always )?all at the same size",
    r"(?:i|he|she|we|they) (?:never|don't|didn't|did not|do not) (?:use|used|have|had) (?:a |any )?stops?(?:[\s-]loss(?:es)?)?(?:,? (?:so|and) neither (?:will|do|would) i)?",
    r",? ?hold (?:it |on )?(?:over|through) (?:the )?(?:month[\s-]end|end of the month|turn of the month|weekend)",
    r"(?:asian|asia|overnight|london|morning|session|tokyo)(?: session)? range breakouts?(?=\s*$)",
    r"(?:i|we) (?:want|would like|need)(?: you)?(?: to)? (?:be |have |test |build |try )?(?:a |an )?(?:strategy|bot|system)?",
    r"(?:at most |max(?:imum)? )?(?:one|1|a) per bar",
    r"to (?:lock in|secure|bank) (?:the |my |our )?(?:gains?|profits?)",
    r"(?<=\d )(?:and |then |and then )(?:i |we )?(?:just )?(?:wait for|start over with) (?:the |a )(?:next|new) (?:signal|one|setup)(?=\s*(?:$|[.,;]))",
    r"until the (?:stop|target|sl|tp)(?: or (?:the )?(?:stop|target|sl|tp))? (?:is|are|gets) hit",
    r"(?:2 times|double) (?:7|seven)'?s?(?: setup| strategy)?",
    r"larry williams|(?:stop[\s-]and[\s-]reverse|sar) system",
    r"no adding without [^.;]*",
    r"(?<=\d )(?:at|on) the (?:time of the |moment of the |bar of the )?cross(?:over)?(?: bar)?",
    r"(?:after|once) (?:the|a|each|every) (?:trade|position) is closed,? (?:we |i )?wait for the next (?:cross|signal|one)[^.;]*",
    r"(?:with or without|regardless of|independent(?:ly)? of|irrespective of) [^.,;()]*",
    r"(?<=reverse )(?:on|at|with) (?:the |each |every |a )?(?:cross|crossing|crossover|change) of (?:the )?[\w ]{1,20}(?=\s*(?:$|[.,;]))",
    r"only (?:the )?(?:sl|stop(?: loss)?) ?(?:and|or|/) ?(?:the )?(?:tp|target|take profit) (?:close|exit|end|closes|may close)[^.;]*",
    r"\((?:from then on|after that|from there|i then|then) [^()]*\)",
    r"(?:no matter|regardless of|whatever) (?:where |what |the )*(?:cloud|adx|rsi|trend|filter)(?: is| says)?",
    r"(?<=[\d)] )from (?:below|above)(?! \w)|(?:with the )?same (?:stop|target|stop loss|sl|tp)(?: (?:loss|and target))?(?=\s*(?:$|[.,;]))",
    r"(?:on (?:a )?)?(?:closing|close|end of day) basis",
    r"(?:i |we )?(?:don't|do not) (?:need|want|use) (?:a |any )?(?:stop(?:[\s-]loss)?|sl|target|tp|take[\s-]profit)s?(?: (?:or|and) (?:a |any )?(?:stop(?:[\s-]loss)?|sl|target|tp|take[\s-]profit)s?)?",
    r"\((?:that's|that is|thats|which is|so that's|about|roughly|approx\.?) [^)]*\)",
    r"skip the \"?[^.;\"]*\"? filter",
    r"(?:that's|that is) (?:it|all)(?: folks)?|nothing else (?:closes|matters|needed|to it|is needed)[^.,;]*|no other (?:exits?|rules?|stops?|filters?|conditions?|stop|target)(?: needed)?(?:,? no (?:target|stop|tp|sl))?|no filters?|nothing fancy|no adding(?: to positions?)?|no pyramiding|no scaling(?: in)?|no re-?entr(?:y|ies) filter|no overnight positions?|even (?:when|if)[^.,;-]*",
    r"after (?:having |it )?(?:been|being|was|closing|trading|dipping|dropping|falling|rising) (?:below|above|under|over)(?: (?:it|that|there|that level|this level))?(?=\s*(?:$|[.,;]))",
    r"vwap (?:restarts|resets|is reset|starts (?:over|new|again|fresh)) (?:every|each) (?:day|morning|session)",
    r"\(?it was (?:below|above),? (?:and )?now it is (?:below|above)\)?",
    r"(?:with|using) the current atr(?: value)?|(?:atr )?at (?:the time of )?entry|on the next (?:bar's )?open|at the next (?:bar's )?open|next (?:bar|day|candle)(?:'s)? open|at the open of the next (?:bar|day|candle)|at the close of the bar|on the (?:bar|candle) of the (?:cross|signal)|on (?:the )?(?:bar|candle|daily|day's) close|on a closing basis|at market|market orders?|at the opening",
    r"(?:checked|evaluated|measured|decided|calculated|computed|based) (?:only )?(?:on|at|from|off) (?:the )?(?:bar |candle |daily )?(?:close|signal (?:candle|bar)(?:'s)?(?: close)?|entry price|close of (?:the )?(?:signal|breakout|decision|entry) (?:bar|candle|day))(?: only)?",
    r"let the (?:sl/tp|sl and tp|stop(?: loss)? and (?:the )?(?:target|take profit)|stop and target|sl or tp) do the work",
    r"(?:,? ?(?:or|and) )?(?:at|by|on|via|through|when) (?:the )?(?:sl/tp|tp/sl|sl or tp|sl and tp|stop/target|stop or target|stop and target|stop loss or take profit)(?: (?:is |are |gets )?hit)?(?=\s*(?:$|[.,;]))",
    r"(?:in that case )?(?:just )?stay(?:ing|s)? (?:flat|out|in cash)(?! for (?:at least )?\d)(?: until[^.,;]*| otherwise)?",
    r"use (?:yesterday's|the (?:previous|prior) (?:bar|day)'s)(?: value of)?(?: the)? (atr|rsi|adx)[^.;]*",
    r"stochastic rsi[^.]*?stochastic of[^.]*",
    r"\((?:every|each) (?:bar|day|candle|one) (?:higher|lower)[^)]*\)|\(i\.?e\.?,? [^)]*\)|\(e\.g\.?[^)]*\)|\(default[^)]*\)|\(whichever[^)]*\)",
    r"1 (?:point|pt) (?:=|is) {n}(?: in price| usd| dollars?)?|\(mon(?:day)? (?:to|-) fri(?:day)?\)",
    r"(?:target|take[\s-]*profit|tp|stop|sl|stop[\s-]*loss)s?\s*(?:(?::|=|is)?\s*(?:none|nothing|n/a)|(?::|=)\s*no)",
    r"on every further (?:bar|day|candle) (?:where|when|on which) (?:that|this|it) (?:holds|is true)(?: i)? buy another(?: one| unit)?",
    r"(?:if it|if it's|if) (?:isn't|is not|not) filled[^.;]*|not filled = [^.;]*|(?:the )?order is (?:good|valid) for (?:1|one|the next) bar[^.;]*|(?:good|valid) for (?:1|one|the next) (?:bar|day)(?: only)?",
    r"with the stop hit in bar n[^.;]*|(?:an? )?open (?:trade|position)s? (?:is|are) not closed[^.;]*|i\.?e\.?,? (?:the )?target is [^.;]*as far[^.;]*|(?:only )?(?:sl and tp|sl/tp|stop and target) only|\(same atr\)|after a winner no wait|trades? (?:may|can) run into the next day|no leverage",
    r"\((?:state|level|a state|not the cross|signal|order fills)[^)]*\)|\(so [^)]*\)|\(= [^)]*\)",
    r"if (?:the )?(?:stop|target|sl|tp)[^.;,]{0,20}(?:isn't|is not|hasn't been|has not been|wasn't|not) (?:hit|reached)(?: (?:before|by then|until then))?",
)


_STOP_AT = re.compile(
    r"(?<!trailing )\b(?:stop(?:[\s-]*loss)?|sl)(?: is| at| of|:| =)* [\d.]+\s*(?:%|percent|pips?|points?)"
    r"(?: (?:below|above|under|from) (?:the |my )?entry(?: price)?)?,? \(?$"
)


def _remark(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if "weekend" in match[0] and re.search(
        r"\b(?:never|not|don't|no) $", sentence.text[: match.start()]
    ):
        return False
    if re.search(r"\bclos", match[0]) and _STOP_AT.search(sentence.text[: match.start()]):
        return False  # a stop that only a close can hit is another stop
    told.no_stop |= bool(
        re.match(r"(?:i |we )?(?:don't|do not) \w+ (?:a |any )?(?:stop|sl)", match[0])
    )
    if re.search(r"no adding(?! without)", match[0]) or "no pyramiding" in match[0]:
        told.positions = 1
    return True


for _pattern in REMARKS:
    form(_pattern)(_remark)


@form(
    r"\((?:it |which |i\.e\. )?(?:was|were|the previous|previous|prior|the prior|the bar before|yesterday|not |now|coming from|from below|from above)[^)]*\)"
)
def _told_again(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """Brackets about the bar before only explain, unless they compare several things."""
    return not re.search(r"[<>]=?[^,]*,|,[^,]*[<>]|,.*\b(?:above|below)\b", match[0])


@form(
    r"(?:no|without(?: a| any)?|and no|or|never a|don't use (?:a |any )?)\s?(?:hard |fixed |initial |other )?(?:stops?(?:[\s-]*loss(?:es)?)?|sl)(?:\s*(?:,|/|and|or|nor|,? no|and no|or a)\s*(?:take[\s-]*profits?|tp|targets?|profit targets?))?(?: (?:needed|please|at all|for now))?"
)
@form(
    r"(?:no|without(?: a| any)?|and no)\s?(?:fixed )?(?:take[\s-]*profits?|tp|targets?|profit targets?)(?:\s*(?:,|/|and|or|nor|,? no|and no|or a)\s*(?:stops?(?:[\s-]*loss)?|sl))?"
)
def _none(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """No stop, no target. After "or" it is a stop that is meant, as in "target or stop"."""
    told.no_stop |= bool(re.match(r"(?:and )?(?:no|without(?: any)?) ?(?:stops?|sl)\b", match[0]))
    return not match[0].startswith("or")
