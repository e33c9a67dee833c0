"""What traders say in short, spelt out: risks as R, settings by name, systems by their numbers."""

from __future__ import annotations

import re

from bot.reading.lists import listed
from bot.reading.named_settings import with_settings
from bot.reading.neighbours import as_crosses
from bot.reading.own_levels import with_own_levels
from bot.reading.passing import in_plain_rules
from bot.reading.phrases import replaced
from bot.reading.placed_candles import placed
from bot.reading.signals import with_signals
from bot.reading.systems import named_once
from bot.reading.turns import turned

N = r"(\d+(?:\.\d+)?)"
_ACT = r"(buy|sell|enter|enter long|enter short|go long|go short|sell short|exit|get out|cover|leave|close it)"
_STOP, _TARGET = r"(?:sl|stop(?: loss)?)", r"(?:tp|target|take profit)"
_UNIT = r"(pips?|points?|pts|ticks?|%|percent)"
_CLOUD = r"(?:(?:is|falls|drops|rises|closes|goes|moves|gets|trades|slips|comes|climbs) )?(?:back )?(?:in|into|inside|inside of)"
_WITHOUT = r"(?:not counting|excluding|not including|without|leaving out|before) (?:today|the (?:current|signal|breakout|entry|present) (?:bar|day|candle)|this (?:bar|one|day)|itself)"


def _crossing(found: re.Match[str]) -> str:
    """ "crosses its signal line from below"."""
    return f"crosses {'above' if found[2] == 'below' else 'below'} {found[1]}"


_SIGN = {"green": "is above", "bullish": "is above", "red": "is below", "bearish": "is below"}
SPELT = (
    (r"\b(highest|lowest) ?\((high|low|close)\[1\], ?(\d+)\)", r"\1 \2 of the previous \3 bars"),
    (r"\b(highest|lowest) ?\((high|low|close), ?(\d+)\)\[1\]", r"\1 \2 of the previous \3 bars"),
    (rf"\b{_ACT}\s+(?:at|on) the (?:close|closing price)(?=,? (?:when|if|once|as soon as|whenever)\b)", r"\1"),
    (
        rf"\b{N}\s*(?:x|times|\*)\s*(?:the |my |our |its |initial )*(?:risk|amount risked|(?:stop(?: loss)?|sl)(?: distance| size)?|distance (?:to|of) the stop)\b(?! (?:at|of|is|below|above|under))",
        r"\1 r",
    ),
    (rf"\batr\s*(\(\d+\)|\d+)?\s*(?:x|\*|times)\s*{N}", r"\2 x atr \1"),
    (
        r"(?:recent |last |latest |previous |prior )*swing (?:low|high)s? ?\((?:i\.?e\.?,? |= ?)?((?:the )?(?:lowest|highest|low of|high of|min|max)[^()]*)\)",
        r"\1",
    ),
    (
        r"(?:recent |last |latest )*swing low (?:of|over|in|from) (?:the )?(?:last|previous|past) (?=\d)",
        "lowest low of the last ",
    ),
    (
        r"(?:recent |last |latest )*swing high (?:of|over|in|from) (?:the )?(?:last|previous|past) (?=\d)",
        "highest high of the last ",
    ),
    (r"\b(\d+)[ -](?:bar|day|candle|period) swing low\b", r"lowest low of the last \1 bars"),
    (r"\b(\d+)[ -](?:bar|day|candle|period) swing high\b", r"highest high of the last \1 bars"),
    (rf"{_CLOUD} or (?:under|below|beneath) the (?:cloud|kumo)\b", "is no longer above the cloud"),
    (rf"{_CLOUD} or (?:over|above) the (?:cloud|kumo)\b", "is no longer below the cloud"),
    (rf"\b({_STOP}\W{{0,3}}{N} ?){_UNIT}(,? ?(?:and |/ ?)?{_TARGET}\W{{0,3}}{N})(?=\s*(?:$|[,;\n]|\.(?!\d)))", r"\1\3\4 \3"),
    (rf"\b({_STOP}\W{{0,3}}{N})(,? ?(?:and |/ ?)?{_TARGET}\W{{0,3}}{N} ?){_UNIT}", r"\1 \5\3\5"),
    (rf"\b{_STOP} ?/ ?{_TARGET}:? ?{N} ?/ ?{N} ?{_UNIT}", r"stop \1 \3, target \2 \3"),
    (r"\baroon ?(\(\d+\)|\d+) (up|down)\b", r"aroon \2 \1"),
    (r"\b(aroon (?:up|down)(?: \(\d+\)| \d+)?(?: line)?) (crosses (?:above|below|over|under)|is (?:above|below)|[<>]|above|below) (?:the )?(up|down)\b", r"\1 \2 aroon \3"),
    (
        r"(?<!aroon )(?<!aroon-)\b(up|down)( crosses (?:above|below|over|under) )(?:the )?(up|down)\b",
        r"aroon \1\2aroon \3",
    ),
    (
        r"\b(exit|leave|out|get out|close)(?: is)? (?:at|on|when|if) (?:(?:a |the )?close (?:is )?(?:beyond|outside|through) )?(?:the |an? )?opposite (\d+)[ -]?(?:day|bar|period)s? (?:extreme|breakout|channel|high/low|low/high)",
        r"exit longs when the close is below the lowest low of the previous \2 bars, exit shorts when the close is above the highest high of the previous \2 bars",
    ),
    (
        r"\b(?:a )?close (?:is )?(?:beyond|outside)(?: of)? (?:the )?(?:previous |prior |last )?(\d+)[ -]?(?:day|bar|period)s?'?(?: donchian)? (?:extremes?|channel|range|high or low|high/low)(?: \((?:of the )?(?:previous|last|prior) \1[^()]*\))?",
        r"donchian \1 breakout",
    ),
    (
        r"from the highest (close|high) \((?:for )?longs?\) ?(?:/|,|or|and)? ?(?:the )?lowest (?:close|low) \((?:for )?shorts?\)",
        r"from the highest \1",
    ),
    (
        r"(?:is )?(lower|smaller|narrower|tighter|less|higher|greater|larger|wider|bigger) than (?:it was )?(?:on |in |at )?(?:any|all|each|every)(?: one)?(?: of)? (?:the )?(?:previous|prior|last|past|preceding) (\d+) (bars|days|candles)",
        lambda m: f"is the {'lowest' if m[1][0] in 'lsnt' and m[1] != 'larger' else 'highest'} of the last {int(m[2]) + 1} {m[3]}",
    ),
    (
        r"\b(?:the )?bollinger(?: bands?)?( ?\([\d., ]+\))?(?: are| is| lie| sit| go)?(?: completely| fully| both)? (?:inside|within)(?: of)? (?:the )?keltner(?: channels?| bands?)?( ?\([\d., ]+\))?",
        r"upper bollinger band\1 is below the upper keltner channel\2 and lower bollinger band\1 is above the lower keltner channel\2",
    ),
    (
        r"\b(\d+) (?:consecutive|straight|successive) (?:daily )?closes (above|below|over|under) ((?:\([^()]*\)|[^.,;:()\n])*?)(?=\s*(?:->|=|[.,;:\n]|$|\bthen\b|\band\b|\bor\b|\bbuy\b|\bsell\b|\bexit\b))",
        r"close \2 \3 for \1 bars in a row",
    ),
    (r"\bvolume (?:of|being) (?=at least|at most|more than|over|above|greater|less|under|below|[<>]|\d)", "volume "),
    (r"\b(when|if|once|each time|every time|whenever) there is an? (?=new )", r"\1 "),
    (r"\btrade (?:the )?[\w /+-]{1,20} cross(?:overs?|es|ings?)(?: on [^:.\n]{0,40})?: ", ""),
    (r"(?<=[,(] )(\d+) (units|positions|entries) max(?:imum)?\b", r"max \1 \2"),
    (
        r"\b(?:once|when|after|as soon as) [^.;,\n]{0,40}?(\d+(?:\.\d+)? ?(?:%|pips|points|atr|r))(?!\w)[^.;,\n]{0,40}, an? (\d+(?:\.\d+)? ?(?:%|percent|pips|points|atr)) trailing stop([^.;\n]*?)(?: takes over| kicks in| starts| is activated| applies| becomes active)?(?=[.;\n]|$)",
        r"trailing stop \2\3, starting at \1 profit",
    ),
    (r"\buse (?:the |an? )?((?:\.(?=\d)|[^.;:\n]){2,40}?) as (?:the|an|my|our) (?:exit|entry|filter|trigger)(?: signal)?: ", r"\1. "),
    (r"(?m)((?:^|[.;] ))while ([^.;,\n]+), (?=(?:keep|place|put|have|work) )", r"\1when \2, "),
    (
        r"\bclos(?:es|ed?) (above|below) ((?:its |the )?[\w -]{2,30}?) and (?:yesterday|the (?:day|bar) before) (?:it )?(?:closed|was) (?:above|below)(?=\s*(?:[,.;:\n]|$|->))",
        r"crosses \1 \2",
    ),
    (r"\btake profits? (?=when|if|once|as soon as)|\bgive up (?=after)", "exit "),
    (
        r"\b(?:trailing(?: stop| exit)?:? ?(?:leave |exit |out )?|leave |exit |out |get out )(?:when )?(?:a |the )?close (?:is )?(\d+(?:\.\d+)? ?(?:pips?|points?|%))(?: or more)? (?:below|off|away from|from|under) the best close since entry(?: \([^()]*\))?",
        r"trailing stop \1 from the highest close since entry",
    ),
    (r"\b(close|open|high|low|volume) ?\[(\d+)\]", lambda m: _back(m[1], int(m[2]))),
    (r"\b((?:sma|ema|wma|rsi|atr|adx|cci|roc) ?\([^()]*\)) ?\[(\d+)\]", lambda m: _back(m[1], int(m[2]))),
    (r"\b(bollinger|bb|keltner|donchian)_(lower|upper|middle)\b", r"\2 \1"),
    (r"\badd up the last 2 values of (rsi ?\(\d+\))[^.;\n]*[.;] ?([^.;\n]*)\bthe sum\b", r"\2\1 + \1 1 bars ago"),
    (r"\bhalf (?:of )?(its|the) (?=\d+[ -](?:day|bar|period) (?:average|sma|avg|moving))", r"0.5 times \1 "),
    (
        r"\b([a-z][\w %()-]{1,30}?) (?:vs\.?|versus) ((?:its |the |a )?[\w ()-]{2,30}?)(?: on\b[^:\n]*)?: ?((?:crosses |is |goes |closes )?(?:above|below|over|under))\b(?! \w+ (?:sma|ema))",
        r"\1 \3 \2",
    ),
    (
        r"(?:the )?sum of (?:the )?(?:last|past|latest|previous|most recent) ([2-5]) ((?:rsi|roc|cci)\s*\(\d+\)|\d+ rsi)(?: values| readings)?",
        lambda m: _added(m[2], int(m[1])),
    ),
    (
        r"cumulative ((?:rsi)\s*\(\d+\)) (?:over|of|for) (?:the )?(?:last |past )?([2-5]) (?:days|bars)",
        lambda m: _added(m[1], int(m[2])),
    ),
    (
        r"\b(above|below|over|under|>|<) (?:all of |all |both |its |the |their )*(\d+)(?:[ -]day)?(?:,| and) ?(?:the )?(\d+)(?:[ -]day)?(?:,? and (?:the )?(\d+))?[ -](?:day |period |bar )?(simple |exponential )?(smas?|emas?|wmas?|moving averages?|averages?|mas?)\b(?! (?:is|are|crosses|rises|falls|turns|rising|falling|slopes|[<>]))",
        lambda m: f"{m[1]} {_each([m[2], m[3], m[4]], m[5] or '', m[6])}",
    ),
    (
        r"\b(\d+) (?:consecutive )?(green|red|bullish|bearish) (?:ha|heikin[ -]?ashi) (?:candles|bars)(?: in a row)?",
        lambda m: f"ha close {_SIGN[m[2]]} ha open for {m[1]} bars in a row",
    ),
    (
        r"(?:the |a |an )?(?:1st |next )?\b(green|red|bullish|bearish) (?:ha|heikin[ -]?ashi) (?:candle|bar)",
        lambda m: f"ha close {_SIGN[m[1]]} ha open",
    ),
    (r"(?: value)? (?:of|on|from) the (?:last|latest|just) (?:closed|completed|finished) (?:bar|candle)\b", ""),
    (
        rf"\bof (?:the )?last (\d+) (days|bars|candles|periods|sessions)(?:,? {_WITHOUT}| \({_WITHOUT}\))",
        r"of the previous \1 \2",
    ),
    (r"\bcross(?:es)? ((?:its|the) [a-z ]{2,30}?)(?: line)? from (below|above)\b", _crossing),
    (r"\bhigh (?:is )?(?:lower|below) and (?:the |its )?low (?:is )?(?:higher|above)(?: than)? (?:those of )?(?:the )?(?:bar before|previous bar|prior bar|last bar|candle before|previous candle|prior candle)(?:'s)?", "high is below the previous bar's high and low is above the previous bar's low"),
    (rf"\bis {N} times ((?:the|its) [^.,;\n]{{3,40}}?) or (?:more|higher|greater)", r"is at least \1 times \2"),
    (r"\b(buy|sell short|go long|go short|sell|short)\.{2,}", r"\1."),
    (r"\b(?:close |price |it )?makes? a (?:lower low|new low) than the (?:previous|last|prior) (\d+) lows\b", r"low is below the lowest low of the previous \1 bars"),
    (r"\b(?:close |price |it )?makes? a (?:higher high|new high) than the (?:previous|last|prior) (\d+) highs\b", r"high is above the highest high of the previous \1 bars"),
    (r"\b(?:an? )?(?:new )?(\d+)[- ](day|bar) (high|low) (?:in|of|for) (?:the )?volume\b", r"volume is the \3est of the last \1 \2s"),
    (r"\b((?:sma|ema|wma) ?\(?\d+\)?|\d+[ -](?:day |period )?(?:sma|ema|wma))[:,]? (?:be |go |stay )?long above(?: it)?,? (?:and )?(?:be |go |stay )?short below(?: it)?", r"long when the close is above \1, short when the close is below \1, stop and reverse"),
    (r"\b(long|buy|go long)\b([^.;\n]{0,40}?)\b(?:price |it |the price )?(?:pulls|comes|falls|dips) back to (?=the |its )", r"\1\2the low is at or below "),
    (r"\b(short|sell short|go short)\b([^.;\n]{0,40}?)\b(?:price |it |the price )?(?:pulls|comes|rallies|climbs) back (?:up )?to (?=the |its )", r"\1\2the high is at or above "),
    (r"\b(it|that|price|the close) is (lower|higher)(?=\s*(?:[.,;\n]|$))", lambda m: f"{m[1]} is {'below' if m[2] == 'lower' else 'above'}"),
    (r"\b(exit|cover|sell|out|get out|leave) (?=(?:rsi|cci|close|price|adx|macd|roc|%k|stochastic|williams %r|sma|ema)\b[^.,;\n]{0,20}[<>])", r"\1 when "),
    (r"\bcloses? at (?:a|the) new (\d+)[- ](day|bar|week|month) closing (high|low)", r"makes a new \1 \2 closing \3"),
    (r"\bat (?:a|the|its) (\d+)[- ](day|bar)s? (high|low) close\b", r"on a close at a \1-\2 \3"),
    (r"((?:^|[.;\n])\s*)(above|below|over|under) ((?:the |its )?(?:\d+[ -]?(?:day |period |bar )?)?(?:sma|ema|wma|ma|average|moving average) ?\(?\d*\)?) ?[:,] ", r"\1when the close is \2 \3: "),
    (r"\b((?:sma|ema|wma) ?\(?\d+\)?|\d+ (?:sma|ema|wma)) cross(?:over)? of (?:the )?(?:close|price)\b", r"close crosses \1"),
    (r"\b(stop(?: loss)?|sl|target|tp|take profit)\? ?(?:none|no|nope|nothing)\b", r"no \1"),
    (r"\bat the time of (?:the )?(?:entry|signal)\b|\bat entry time\b", "of the signal bar"),
)  # fmt: skip


def spelt_out(text: str) -> str:
    text = in_plain_rules(as_crosses(with_own_levels(text)))
    text = with_signals(with_settings(named_once(listed(placed(text)))))
    text = replaced(text, SPELT)
    if re.search(r"\bp?sar\b|parabolic", text):
        text = re.sub(
            r"(?<!sar )(?<!dots )(?<!dot )(?<!it )\bflips? (under|below|above|over) (?:the )?price",
            r"sar flips \1 price",
            text,
        )
    return turned(_once_a_day(text))


_FIRST = re.compile(
    r"\b(?:the )?1st (?:(?:bar|candle) (?:that |to |which )?)?clos(?:es?|ing) (?=above|below|outside|beyond)"
)


def _once_a_day(text: str) -> str:
    """ "The 1st close above the range": the first of the day."""
    if "range" not in text or not _FIRST.search(text):
        return text
    limit = (
        ""
        if re.search(r"\b(?:per|a|each) (?:day|session)\b|\bonce\b", text)
        else "\none trade per day.\n"
    )
    return _FIRST.sub("close ", text) + limit


def _back(series: str, steps: int) -> str:
    return f"{series} {steps} bars ago" if steps else series


def _each(lengths: list[str | None], smoothing: str, name: str) -> str:
    """ "the 20, 50 and 200 day SMA": one after the other."""
    kind = {"simple ": "sma", "exponential ": "ema"}.get(smoothing, name.rstrip("s"))
    return " and ".join(
        f"{kind} {n}" if kind.endswith("ma") else f"{n} {kind}" for n in lengths if n
    )


def _added(series: str, count: int) -> str:
    return " + ".join([series, *(f"{series} {n} bars ago" for n in range(1, count))])
