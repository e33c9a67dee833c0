"""Phrases and the plainer ones that they stand for: a table. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

_HOLD = r"\bhold (?:it |the trade |the position |on )?until (?:the )?(\d{1,2}:\d{2})( bar)?"
_STOP, _TARGET = r"(?:sl|stop|stop loss)", r"(?:tp|target|take profit)"
_BOTH = r" (?:are )?(?:both )?(?:at |of )?(?=\d)((?:\.(?=\d)|[^.;\n])*)"
_SINGLE = r"(pip|tick|point|dollar|cent|percent|%)"
_AT = r"(?:look )?(?:at|on) (?:the )?(?:\d{1,2}:\d{2}(?: bar)?|(?:mon|tues|wednes|thurs|fri)days?(?:'s close)?)"
CANDLE = (
    r"(inside (?:bar|day|candle)|outside (?:bar|day|candle)|nr[47]|doji|hammer|shooting star"
    r"|bullish engulfing|bearish engulfing|bullish harami|bearish harami)"
)
_AT_LEVEL = r"\b(exit|exits|close|out|leave|cover|sell)(?: it| the trade| trades| both| all)* at (?:an? )?(rsi|cci|stochastic|%k|williams %r|mfi) (?:of )?(-?\d+)(?![\d(]|\s*\()"
_OF_A_BAR = r"(?=[^.,;\n]{0,30}\b(?:body|range|candle|bar|wick|shadow)\b)"
_MORE = r"( or more| or less)? of "
_BAR_WORD = r"(?:that |its |the )?(?:barminus|yesterday|previous|prior|body|today|day before|inside (?:bar|day)|hammer)"
_ITS_BAR = r"(?:the |that )?(?:\w+ ){0,2}(?:candle|bar|day)'s (?:range|body)"
_LATER = r"(?:no,? |make that |sorry,? |i mean |rather |actually )+(?:the )?"
_PIERCES = (
    r"(?:trades?|trading|dips?|pokes?|spikes?|wicks?|goes|pierces|pushes|drops|falls|sweeps|runs)"
)
_BACK = r"(?=,? (?:but|and|yet)(?: then)? (?:it )?clos(?:es|ed?)\b)"
_WEEKDAY = r"((?:mon|tues|wednes|thurs|fri)day)"
_PART = r"(?:top|bottom|upper|lower|highest|lowest)"
_SHARE = r"(?:\d+ ?%|quarter|third|3rd|half)"
_GO = r"(?:buy|go long|long|sell short|go short|short|sell)"
_NOT_SO = r"(?:,? ?(?:forget (?:that|it)|keep it simple|scratch that|no such rule|never mind|rather|just)[:,;.]?)*"


def _own_extreme(found: re.Match[str]) -> str:
    """ "It must make the highest high of the last 20 bars": its own high is that."""
    return f"{found[1].split()[1]} is the {found[1]} of the last {found[2]} {found[3]}"


_EXTREME = r"(?:the |an? )?(highest high|lowest low) of the (?:last|previous|past) (\d+) (bars|days|candles)(?: \([^)]*\))?"
REWRITES: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"\b(?:at|on) the close (?=(?:if|when)\b)", ""),
    (r"\b(?:an? |every |each |all )?entr(?:y|ies) (?:also )?(?:needs?|requires?) ", "only if "),
    (r"\b(?:on|with) (above|below)[\s-]average volume\b", r"and volume is \1 average volume"),
    (
        r"(?m)(?:^|(?<=[.;\n] ))1?r (?:=|is) (?:(?:the |today's |signal )*close|(?:the )?entry(?: price)?) (?:-|minus) (?:the )?stop\b,?",
        "",
    ),
    (
        r"\b(?:closes? )?at an? (?:new )?(\d+)[- ](day|bar|period)s? closing (high|low)\b",
        lambda m: (
            f"when close is {'above the highest' if m[3] == 'high' else 'below the lowest'}"
            f" close of the previous {m[1]} {m[2]}s"
        ),
    ),
    (
        r"(?:=|->|:) ?(long|short) until (?=[^.;\n]*\b(?:above|below|over|under|crosses)\b)",
        r"-> \1, exit \1 when ",
    ),
    (
        r"\bif (?:it|price|the price) (?:falls|drops|goes|trades) (\d+(?:\.\d+)? ?%) (?:below|under) (?:my|the) entry(?: price)?,? (?:then )?(?:get|take) me out with a stop(?: loss)?",
        r"stop loss \1",
    ),
    (r"\b((?:a|the|any) (?:\w+ )?)sell[\s-]off\b", r"\1selloff"),
    (r"\b(an? )long (?=(?:decline|drop|fall|move|run|rally)\b)", r"\1lengthy "),
    (
        r"\b(?:excluding|excl\.?|except for|other than|apart from) (?=(?:on )?(?:mon|tue|wed|thu|fri))",
        "except ",
    ),
    (
        r"\b(sell|exit|cover|get out)(?: it)? (?:at|on) the close of (?:the )?(?:(?:following|next) )?(?=(?:mon|tues|wednes|thurs|fri)day)",
        r"\1 on ",
    ),
    (r"\b(?:valid|good)(?: only)? (?:for )?tomorrow(?: only)?\b", "valid for one day"),
    (r"\b(?:for|on) tomorrow only\b", "valid for one day"),
    (
        r"\b(?:at |on )?(?:tomorrow's open|tomorrow at the open|tomorrow morning)\b",
        "at the next open",
    ),
    (r"\b(buy|sell|short|enter|exit|cover)(?: it)? tomorrow\b(?! (?:if|when))", r"\1"),
    (
        r"\bcloses? at (?:its|the) (high|low)(?: of the (?:bar|day))?(?: \([^)]*\))?(?=[\s,.;]|$)",
        lambda m: f"close {'>=' if m[1] == 'high' else '<='} {m[1]}",
    ),
    (
        r"\b(\d+)[- ](day|bar|period)s? (high|low) of (?:the )?closes(?: \([^)]*\))?",
        r"\3est close of the previous \1 \2s",
    ),
    (
        rf"\b(?:it|the candle|the bar|which) (?:must |has to |also |should |needs to )+(?:make|be|set|mark|print)s? {_EXTREME}",
        _own_extreme,
    ),
    (
        r"\b(high|low)(?: also)? (?:has to|must|needs to)(?: also)? be (?=the (?:highest|lowest))",
        r"\1 is ",
    ),
    (
        r"\b(?:cover|sell|exit|close(?: it| out)?|get out) at (yesterday's|the previous day's|previous day's) (close|high|low|open)(?: \([^)]*\))?( or)?(?=\s*(?:[.,;\n]|$|after|on|if|when))",
        r"target \1 \2,\3 exit",
    ),
    (r"(?m)(^|[.\n] ?)trailing exit: (?=close|a close|when|a bar)", r"\1exit: "),
    (
        r"\b(buy|sell|short|go long|go short) (?:at|on) (?:that|the|this) (?:green |red |same )?close(?=\s*(?:[.,;\n]|$))",
        r"\1",
    ),
    (
        r"(\d ?%(?: or (?:more|less))?) of (?:the|its|that)(?: whole| entire| total| full)? (?:bar|candle)\b(?!'s)",
        r"\1 of the range",
    ),
    (
        rf"\b(stop(?: loss)?|sl|target|take profit|tp)\b[^.;\n,?]*\?+\s*no\b[,:;.]?\s*{_NOT_SO}\s*(?=\d)",
        r"\1 ",
    ),
    (rf"(?m)(?:^|(?<=[.;\n,]))[^.;\n,?]*\?+\s*no\b[,:;.]?\s*{_NOT_SO}", " "),
    (r"\b(highest|lowest)\((high|low|close)\[1\], ?(\d+)\)", r"\1 \2 of the previous \3 bars"),
    (r"\bhalf (?:of )?(?:the )?(?=barminus)", "50% of "),
    (
        rf"((?:when|if) (?:[^.;\n]|\.(?=\d))*?)(closes? (?:is )?in the )({_PART} {_SHARE}(?: of (?:the|its)(?: day's| bar's)? range)?),? (?:then )?({_GO})\s*[;,.]\s*(?:and )?(?:if |when |it closes |closes |in the )*({_PART} {_SHARE})(?: of (?:the|its)(?: day's| bar's)? range)?,? (?:then )?({_GO})\b",
        r"\1\2\3, \4. \1\2\5 of its range, \6",
    ),
    (
        r"\bin the (top|bottom|upper|lower) (\d+ ?%|quarter|third|3rd|half)(?=,| ->| and |\.|\n| then)(?! of)",
        r"in the \1 \2 of its range",
    ),
    (
        r"\b(?:on|at) (?:the )?close of the (\d)(?:st|nd|rd|th) (bar|day|candle) after (?:the )?(?:entry|fill)\b",
        r"after \1 \2s",
    ),
    (
        rf"\b(low|high) (?:of the (?:day|bar|candle) )?{_PIERCES} (below|under|above|over) ((?:[^.,;\n]|\.(?=\d)){{3,50}}?),? (?:but|and|yet)(?: then)? (?:the )?(?:close|price) (?:is|closes|comes) back (above|below|over|under) it\b",
        r"\1 is \2 \3 and the close is \4 \3",
    ),
    (rf"\b{_PIERCES} (below|under) ((?:[^.,;\n]|\.(?=\d)){{3,50}}?){_BACK}", r"low is below \2"),
    (rf"\b{_PIERCES} (above|over) ((?:[^.,;\n]|\.(?=\d)){{3,50}}?){_BACK}", r"high is above \2"),
    (
        r"\bskip (?:the|this|that) (?:week|day|trade|entry|signal|setup)s?,? (?:if|when)\b",
        "skip if",
    ),
    (
        r"\b(above|below|over|under) ((?:the )?[\w()]+(?: [\w()]+){0,2}?) (?:for )?(\d) (days|bars|candles|closes) in a row after (?:being|having been|closing|it was) (above|below|over|under) (?:it|that)\b",
        r"\1 \2 \3 \4 in a row and barminus\3's close is \5 \2",
    ),
    (
        rf"\b(?:on )?{_WEEKDAY}(?:'s bar|'s candle)? closes (lower|higher|below|above)(?: than)? (?:the |on )?(?:previous |last |prior )?{_WEEKDAY}(?:'s close)?(?: previous)?(?: \([^)]*\))?",
        r"it is \1 and the close is \2 than the previous close",
    ),
    (r"\b[23] (?:bar|candle|day) (?=reversal|pattern|setup|play\b)", ""),
    (
        r"\b(low)(?:er|est) low of (?:both|the 2|these 2|those 2)(?: bars| candles| days)?\b",
        "lowest low of the last 2 bars",
    ),
    (
        r"\b(high)(?:er|est) high of (?:both|the 2|these 2|those 2)(?: bars| candles| days)?\b",
        "highest high of the last 2 bars",
    ),
    (rf"\b(?:mid-? ?point|middle|mid|cent(?:er|re)) of (?={_BAR_WORD}|{_ITS_BAR})", "halfway of "),
    (r"(?<=range) \(\(?high ?\+ ?low\)? ?/ ?2\)", ""),
    (rf"(\d{{1,2}}:\d{{2}})(?: bar)?[.,\s-]+{_LATER}(\d{{1,2}}:\d{{2}})", r"\2"),
    (r"(?<![\d.])(\d+(?:\.\d+)?) ?x ?(?=atr|risk\b|r\b|n\b|sma|ema|average)", r"\1 x "),
    (r"(?<![\w.])(\d+(?:\.\d+)?) ?(?:x )?atr ?(\d+)\b", r"\1 x atr(\2)"),
    (
        r"\b(\d+)[ -](day|bar|period) (low|high) of the previous (?:bars|days)\b",
        r"previous \1 \2 \3",
    ),
    (r"\blimit order to (buy|sell)\b", r"\1 limit order"),
    (
        r"\b((?:stop|stop loss|sl|target|tp|take profit)\b[^.;\n]*?\d[^.;\n]*?) (?:below|under|above|over|from) the limit(?: price)?",
        r"\1",
    ),
    (r"(?m)(^|[.\n] ?)trail(?:ing)?(?: stop| exit)?: (?=get out|exit|leave|close|sell|out)", r"\1"),
    (r"\bbuys? it back\b", "cover"),
    (
        r"\bmirror(?:ed)?(?: it| this)? for (?:yesterday's|the previous day's|the prior day's) (?:high|low)\b[^.\n]*",
        "mirror image for shorts",
    ),
    (
        r"\b(\d+)[ -](day|bar|period)s? average((?: volume)?) ?\((?:the )?(?:average )?(?:of )?(?:the )?(?:(?:previous |prior |last )?\d+ (?:days|bars|periods) before (?:today|this bar|it)|(?:previous|prior) \d+ (?:days|bars|periods)[^)]*|(?:excluding|without|not (?:counting|including)) (?:today|this|the current|the signal)[^)]*)\)",
        r"\1 \2 average\3 of the previous bar",
    ),
    (
        r"\b(\d+)[ -](day|bar|period)s? average((?: volume)?),? (?:excluding|without|not (?:counting|including)) (?:today|this bar|the current bar|the signal bar)(?:'s volume)?",
        r"\1 \2 average\3 of the previous bar",
    ),
    (rf"\b(?:an?|one|1) (?:3rd|third){_MORE}{_OF_A_BAR}", r"33.3333333333%\1 of "),
    (rf"(?<![\d/])1/3{_MORE}{_OF_A_BAR}", r"33.3333333333%\1 of "),
    (rf"(?<![\d/])(?:2/3|2 (?:3rds|thirds)){_MORE}{_OF_A_BAR}", r"66.6666666667%\1 of "),
    (rf"(?<![\d/])(?:(?:an? |one |1 )quarter|1/4){_MORE}{_OF_A_BAR}", r"25%\1 of "),
    (rf"(?<![\d/])(?:3 quarters|3/4){_MORE}{_OF_A_BAR}", r"75%\1 of "),
    (rf"\b(?:a|one) {_SINGLE} (?=below|above|under|over|beyond|beneath|away)", r"1 \1 "),
    (rf"(?m)((?:^|[.:,\n] ?){_AT}[,:]? if (?:[^.;\n]|\.(?=\d))*); (?:and )?(?=if )", r"\1, "),
    (r"\bbuy ([$€£] ?[\d.,]*\d)(?: worth)?(?: of)?\b", r"size \1 per trade, buy"),
    (r"\b(?:nothing|no more)(?: new)? after (?=\d{1,2}:\d{2})", "no new entries after "),
    (r"(?m)\bor at (\d{1,2}:\d{2})(?=\s*(?:$|[.,;]))", r"or exit at \1"),
    (
        r"\b(sar|dots?) (?:flips?|switch(?:es)?|jumps?|moves?) (above|below)(?! (?:the )?price)",
        r"\1 flips \2 price",
    ),
    (
        r"(?<!upper )(?<!lower )(?<!top )(?<!bottom )\bhalf (?:of )?(?:the |its )(?=body|range|atr|lower|upper)",
        "0.5 times the ",
    ),
    (
        rf"(?m)((?:^|[.\n])\s*)(?:an? |the )?{CANDLE}(?: candle)? ?(?:=|means|is when)\s*",
        r"\1my definition of \2: ",
    ),
    (_AT_LEVEL, r"\1 when \2 reaches \3"),
    (r"(of|in) the next month\b", r"\1 the month"),
    (r"\bflips (below|above) (?:the )?(?:candles?|bars?)\b", r"flips \1 price"),
    (
        r"\bin the (?:lowest|bottom) (\d+ ?%) of (?:the day's|the bar's|its|the) range",
        r"in the bottom \1 of its range",
    ),
    (
        r"\bin the (?:highest|top) (\d+ ?%) of (?:the day's|the bar's|its|the) range",
        r"in the top \1 of its range",
    ),
    (r"(?m)((?:^|[.\n] ?)at \d{1,2}:\d{2})(?=[,:]? (?:if|when|buy|sell|go) )", r"\1 bar"),
    (_HOLD + r" unless\b", r"exit at \1 or exit when"),
    (_HOLD, r"exit at \1"),
    (rf"\b{_TARGET} and {_STOP}{_BOTH}", r"target \1. stop \1"),
    (rf"\b{_STOP} and {_TARGET}{_BOTH}", r"stop \1. target \1"),
)
