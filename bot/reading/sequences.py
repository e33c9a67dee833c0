"""One thing after another: "3 green candles and then a doji" as bars before this one. Pure."""

from __future__ import annotations

import re

_WAY = r"(?:lower|higher|down|up|red|green|bearish|bullish|black|white)"
_WHAT = r"(?:closes?|days?|bars?|candles?|highs?|lows?)"
_RUN = (
    rf"\d+ (?:consecutive |straight |successive )?{_WAY} {_WHAT}(?: in a row| straight| running)?"
)
_THEN = r",? (?:(?:and |and are |are |is )?(?:then|followed by|directly followed by|immediately followed by)|and after that|and right after that)(?: there is| we get| comes| came|:)?,? "
_LATER_RUN = re.compile(rf"({_RUN}){_THEN}(?:by )?(?:the |another )?(\d+) ((?:{_WAY}) {_WHAT})")
_LATER_ONE = re.compile(rf"({_RUN}){_THEN}(?:by )?(?:the |an? )?(?:1st |single |one |1 )?(?=\w)")
_AFTER = re.compile(
    r"\b(?:right |directly |immediately )?after (?:at least )?(\d+) (?:straight|consecutive|successive) closes (above|below|over|under) ((?:the )?[\w()]+(?: [\w()]+){0,2}?)(?=\s*(?:[.,;\n:]|$|->| and | then |buy|sell|short|long))"
)


def in_order(text: str) -> str:
    text = re.sub(rf"({_THEN}(?:the |an? )?(?:1st )?{_WAY}) one\b", r"\1 candle", text)
    text = _LATER_RUN.sub(lambda m: f"{m[1]} barminus{min(int(m[2]), 9)} and {m[2]} {m[3]}", text)
    text = _LATER_ONE.sub(_one_bar_later, text)
    return _AFTER.sub(r"and the close is \2 \3 for \1 bars barminus1", text)


def _one_bar_later(found: re.Match[str]) -> str:
    """An action that follows is none: "3 red candles in a row, then buy"."""
    rest = found.string[found.end() :]
    if re.search(r"\b(?:an?|the) $", found[0]):
        return f"{found[1]} barminus1 and "
    if re.match(r"(?:buy|sell|go|enter|exit|short|long|close|i |we |it |cover|out|place)\b", rest):
        return found[0]
    one = "1 " if re.match(rf"{_WAY} (?:close|high|low)", rest) else ""
    return f"{found[1]} barminus1 and {one}"


_L = r"(-?\d+(?:\.\d+)?|the (?:lower|upper|middle) (?:bollinger |keltner )?(?:band|channel)|(?:the )?(?:\d+ )?(?:sma|ema|wma)(?: ?\(?\d+\)?)?)"
_WENT = (
    r"(?:is |was |goes |dips |falls |drops |moves |closes |gets |rises |climbs |comes |trades )?"
)
_COMES = r"(?:(?:crosses|comes|goes|closes|gets|rises|falls|drops|moves|climbs|is) )?(?:back )?(?:up |down )?"
_AND_BACK = re.compile(
    rf"\b{_WENT}(?P<side>below|under|above|over) (?P<line>{_L})(?:,? (?:and|but))?,? (?:then|afterwards|after that),? "
    rf"(?:it |the close |price )?{_COMES}(?P<other>above|over|through|below|under|inside) (?:it|that(?: level)?|(?P<again>{_L}))(?!\w|\.\d)"
)
_UP = ("above", "over")
_FROM_INSIDE = re.compile(
    rf"\bcloses? (?P<side>above|below|outside) (?P<line>{_L}),? (?:after|when|while|and|but) (?:the )?(?:one|bar|candle|day|close) before (?:it )?(?:had |was |has )?(?:closed |still )*(?:inside|within|in)(?: (?:it|the bands?|the channel))?(?![\w])"
)
_CANDLE_THEN = re.compile(
    r"(?:an? |the )?(?P<name>doji|hammer|shooting star|inside (?:bar|day|candle)|nr[47])(?: candle| bar)?(?P<own> ?\([^()]*\))?"
    r"(?: forms| appears| prints)?,? (?:is |and is |and |and then |then )*(?:directly |immediately )?(?:followed by|then|next,?) (?:an? |the )?(?:next )?"
    r"(?:(?P<colour>green|red|bullish|bearish) )?(?:candle|bar|one|day)(?: that| which)? (?=clos)"
)
_NEXT_DAY = re.compile(
    r"\b(?:on|after) (?:an? |the )?(?P<name>doji|hammer|shooting star|inside (?:bar|day|candle)|nr[47])(?: day| bar| candle)?,? "
    r"(?P<act>buy|sell short|go long|go short|short|enter long|enter short)(?: on)? the next (?:day|bar|candle) (?:if|when) it (?=clos)"
)
""" "On an NR7 day, buy the next day if it closes above its high"."""
_AFTER_ONE = re.compile(
    r"\bafter (?:an? )(?P<name>doji|hammer|shooting star|inside (?:bar|day|candle)|nr[47])(?: day| bar| candle)?[:,]? "
    r"(?P<rest>(?:go|buy|sell|enter|short|long)\b[^.;\n]*\b(?:if|when) the next (?:candle|bar|day) clos[^.;\n]*)"
)


def _on_the_next(found: re.Match[str]) -> str:
    """ "After an inside bar: buy if the next candle closes above its high": that bar is one back."""
    was = f"if the previous bar is an {found['name']} and it "
    return re.sub(r"\b(?:if|when) the next (?:candle|bar|day) (?=clos)", was, found["rest"])


def across(text: str) -> str:
    """ "Goes below 30 and then comes back above 30": one cross, and of the second way."""
    text = _AFTER_ONE.sub(_on_the_next, text)
    text = _NEXT_DAY.sub(r"\g<act> if the previous bar is a \g<name> and it ", text)
    text = _AND_BACK.sub(_one_cross, text)
    text = _FROM_INSIDE.sub(r"crosses \g<side> \g<line>", text)
    return _CANDLE_THEN.sub(_confirmed, text)


def _one_cross(found: re.Match[str]) -> str:
    same = not found["again"] or found["again"] == found["line"]
    back = (found["side"] in _UP) != (found["other"] in _UP)
    if not same or not back or found["other"] in ("through", "inside"):
        return found[0]
    return f"crosses {'above' if found['other'] in _UP else 'below'} {found['line']}"


def _confirmed(found: re.Match[str]) -> str:
    colour = f"the candle is {found['colour']} and " if found["colour"] else ""
    return f"the previous bar is a {found['name']}{found['own'] or ''} and {colour}it "


_INSIDE_BEFORE = re.compile(
    r"\b(?:previous|prior|last) (?:bar|candle|day) (?:is|was) an? inside (?:bar|day|candle)"
)
_FORMS = r"(?:when |if )?(?:an? |the )?(inside (?:bar|day|candle))(?: ?\(([^()]*)\))?(?: forms| appears| prints| shows up| is there)?,? (?:and|then|and then)?,? (?=(?:if |when )?the next (?:bar|candle|day) clos)"


def of_mother_bars(text: str) -> str:
    """The bar before an inside bar; where the next bar has to confirm, one bar further back."""
    confirmed = bool(re.search(_FORMS, text) or _INSIDE_BEFORE.search(text))
    back = "barminus2" if confirmed else "previous bar"
    text = re.sub(
        r"(?:the |its )?mother (?:bar|candle)(?:'s)? (?=high|low|open|close)", f"{back}'s ", text
    )
    text = re.sub(
        r"(high|low|open|close) of (?:the |its )?mother (?:bar|candle)", rf"{back}'s \1", text
    )
    text = re.sub(r"(side|end) of (?:the |its )?mother (?:bar|candle)", rf"\1 of {back}", text)
    return re.sub(rf"{_FORMS}(?:if |when )?the next (?:bar|candle|day) ", _was_one, text)


def _was_one(found: re.Match[str]) -> str:
    own = f" ({found[2]})" if found[2] else ""
    return f"if the previous bar is an {found[1]}{own} and it "
