"""Systems, regimes and averages that a request names once and then speaks of in short. Pure."""

from __future__ import annotations

import re

_BULL, _BEAR = r"(?:bull(?:ish)?|up|rising|positive)", r"(?:bear(?:ish)?|down|falling|negative)"
_PHASE = r"(?:regime|market|trend|phase|environment)"
_IN = re.compile(rf"\b(?:in|during) an? ({_BULL}|{_BEAR})[ -]?{_PHASE} ?\(([^()]*)\)")
_SIDE = re.compile(r"^(.+?) (?:is )?(above|below|over|under|>|<) (.+)$")
_OTHER = {"above": "below", "over": "below", ">": "below", "below": "above", "under": "above", "<": "above"}  # fmt: skip
_SYSTEM = re.compile(
    r"\b(?:turtle|donchian)(?: (?:system|channel|breakout|style|strategy))* \(?(\d+)/(\d+)\)?(?: (?:breakout|channel|system))?"
)


_Z = re.compile(
    r"\bz(?:[ -]?score)? ?= ?\(close ?- ?(?:the )?(?:sma|average|mean) ?\(?(\d+)?\)?\) ?/ ?(?:the )?(?:standard deviation|stdev|sd|std)(?:[^.;\n\d]*(\d+))?[^.;\n]*"
)


def named_once(text: str) -> str:
    """What is told in one place and used in another, in full where it is used."""
    if z := _Z.search(text):
        text = re.sub(r"\bz\b", f"z-score({z[1] or z[2]})", _Z.sub(" ", text))
    return _at_line(_regimes(_by_length(_numbered_system(text))))


_AT_LINE = re.compile(
    r"\b(exit|exits|out|leave|close|get out|cover)(?: it| both| all| the trade| trades)? at (?:the )?(zero|0|50|mid)(?:[ -]?line| level)?(?=\s*(?:$|[.,;\n]))"
)
_OSCILLATOR = re.compile(r"\b(rsi|cci|macd histogram|macd|roc|momentum|stochastic|%k|mfi)\b")


def _at_line(text: str) -> str:
    """ "Exit at the zero line": of the one oscillator that is spoken of."""
    spoken = set(_OSCILLATOR.findall(text))
    if len(spoken) != 1:
        return text
    of = spoken.pop()
    middle = "50" if of in ("rsi", "stochastic", "%k", "mfi") else "0"
    level = {"zero": "0", "mid": middle}
    return _AT_LINE.sub(lambda m: f"{m[1]} when {of} reaches {level.get(m[2], m[2])}", text)


def _numbered_system(text: str) -> str:
    """ "Turtle 20/10": in beyond 20 bars, out beyond 10 the other way, where no exit is told."""
    found = _SYSTEM.search(text)
    if not found or re.search(r"\b(?:exit|exits|leave|get out|sell when|close when)\b", text):
        return text
    out = (
        f"\nexit longs when the close is below the lowest low of the previous {found[2]} bars."
        f" exit shorts when the close is above the highest high of the previous {found[2]} bars.\n"
    )
    return text[: found.start()] + f"donchian {found[1]} breakout" + text[found.end() :] + out


def _regimes(text: str) -> str:
    """ "In a bull regime (A above B) buy ...": the regime is that state, its turn the opposite."""
    found = _IN.search(text)
    state = _SIDE.match(found[2]) if found else None
    if not found or not state:
        return text
    up = re.fullmatch(_BULL, found[1]) is not None
    turned = f"{state[1]} is {_OTHER[state[2]]} {state[3]}"
    text = _IN.sub(lambda m: f"if {m[2]}, ", text, count=1)
    against = _BEAR if up else _BULL
    text = re.sub(
        rf"in an? {against}[ -]?{_PHASE},? (?:we |i )?(?:do nothing|stay (?:out|flat|in cash)|no trades)",
        " ",
        text,
    )
    ends = rf"(?:the )?{_PHASE} (?:turns|becomes|goes|flips|switches|changes|is)(?: to)? (?:{against}|no longer \w+|over)\b"
    return re.sub(ends, turned, text)


_LENGTHS = re.compile(
    r"\b(\d+)(?:, ?(\d+))? and (?:the )?(\d+)[ -](?:day|period|bar)s? (?:simple |exponential )?(?:moving )?(?:averages|smas|emas|mas)\b"
    r"|\b(?:averages|smas|emas|mas)(?: of| with lengths?)?:? (\d+), ?(\d+)(?:,? (?:and )?(\d+))?"
)


def _by_length(text: str) -> str:
    """ "4, 9 and 18 day averages ... when the 4 crosses above the 9": each is named by its length."""
    found = _LENGTHS.search(text)
    if not found:
        return text
    kind = "ema" if re.search(r"\bexponential|\bemas?\b", text) else "sma"
    lengths = "|".join(x for x in found.groups() if x)
    verb = r"(?=\s*(?:crosses|cross|is|falls|rises|goes|drops|moves|closes|>|<|above|below|over|under|[,.;)]|$|\n|and|while|with|->))"
    head, rest = text[: found.start()], text[found.end() :]
    compared = re.search(
        r"(?:\b(?:above|below|over|under|than)|[<>]) +(?:(?:all|both|the|its|of) )*$", head
    )
    if compared or not re.search(
        rf"(?:\b(?:the|when|if|above|below)|[<>]) (?:{lengths})\b{verb}", rest
    ):
        return text
    return f"{head}lines" + re.sub(
        rf"(?<![\w.(] )(?<![\w.(])(?:the )?\b({lengths})\b{verb}|\bthe ({lengths})\b{verb}",
        lambda m: f"{kind} {m[1] or m[2]}",
        _beside(rest, lengths, kind),
    )


def _beside(text: str, lengths: str, kind: str) -> str:
    """The right side of a comparison: "crosses above 9"."""
    return re.sub(
        rf"\b(above|below|over|under|long when|short when|when|if|>|<) (?:the )?({lengths})\b(?! ?(?:%|pips|points|atr|days?|bars?|r\b))",
        rf"\1 {kind} \2",
        text,
    )
