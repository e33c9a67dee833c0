"""The signals of an indicator by name: "the Supertrend buy signal" is its turn. Pure."""

from __future__ import annotations

import re

_OF = {
    "supertrend": ("turns green", "turns red"),
    "sar": ("flips below price", "flips above price"),
    "macd": ("crosses above its signal line", "crosses below its signal line"),
    "stochastic": ("%k crosses above %d", "%k crosses below %d"),
}
_NAME = r"(super ?trend|(?:parabolic )?p?sar|macd|stochastic|stoch)"
_SIGNAL = rf"(?:the |an? |every |each )?{_NAME}((?: ?\([^()]*\)| \d+(?:[ ,/]\d+(?:\.\d+)?)+)?)(?:'s)? (buy|long|bullish|sell|short|bearish)[ -]signals?"
_TAKE = re.compile(rf"\b(?:take|trade|follow|go with)(?: only)? {_SIGNAL}")
_ON = re.compile(rf"\b(?:on|at|with|when there is|if there is|upon) {_SIGNAL}")
_ALONE = re.compile(rf"\b{_SIGNAL}")


def with_signals(text: str) -> str:
    text = _TAKE.sub(lambda m: f"{_entry(m[3])} when {_turn(m)}", text)
    text = _ON.sub(lambda m: f"when {_turn(m)}", text)
    return _ALONE.sub(_turn, text)


def _entry(way: str) -> str:
    return "buy" if _is_up(way) else "sell short"


def _is_up(way: str) -> bool:
    return way in ("buy", "long", "bullish")


def _turn(found: re.Match[str]) -> str:
    name = re.sub(r"parabolic |(?<=super) |p(?=sar)", "", found[1])
    turn = _OF["stochastic" if name.startswith("stoch") else name][not _is_up(found[3])]
    return f"{found[1]}{found[2]} {turn}"
