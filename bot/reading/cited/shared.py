"""What a sentence says in plain English: its numbers with their units, its words, its times."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.reading.accounting.grammar import ENTER, LEAVE
from bot.reading.cited.statements import label
from bot.reading.lexer import WEEKDAYS, tokens

_NUMBER = re.compile(
    r"(?<![\w.:/])[-+]?[$€£]?\s?(\d+(?:\.\d+)?)(?!\d|:\d|\.\d|\s?[ap]\.?m\b|st\b|nd\b|rd\b|th\b)"
    r"(?:[\s-]*([a-z%]+))?"
)
_AVERAGE = r"average|\bma\b|mas\b|mean\b|line\b"
WORDS = {
    "sma": _AVERAGE, "ema": rf"{_AVERAGE}|exponential", "rma": rf"{_AVERAGE}|wilder|smma",
    "wma": _AVERAGE, "hma": rf"{_AVERAGE}|hull", "dema": _AVERAGE, "tema": _AVERAGE,
    "vwma": _AVERAGE, "highest": r"\bhighs?\b|breakout|breaks? out|channel|peak|\btop\b|max",
    "lowest": r"\blows?\b|breakdown|breaks? down|channel|bottom|min", "rsi": r"relative strength",
    "macd": r"\bmacd\b", "bb": r"bollinger|\bbands?\b", "atr": r"average true range|volatility",
    "donchian": r"channel|breakout|\bhighs?\b|\blows?\b|turtle", "keltner": r"channel|bands?",
    "stoch": r"stochastic|%k|%d", "williams": r"williams|%r", "mfi": r"money flow",
    "plus": r"\bdi\b|\+di|\bdmi\b|\badx\b", "minus": r"\bdi\b|-di|\bdmi\b|\badx\b",
    "psar": r"parabolic|\bsar\b", "obv": r"on[- ]balance", "prev": r"yesterday|(?:previous|prior|last) "
    r"(?:day|week|session)|day before|week before", "day": r"today|of the day|session",
    "opening": r"opening|first (?:half )?(?:hour|\d+ min)|\borb?\b|\brange", "ha": r"heikin",
    "stdev": r"standard deviation|\bsd\b|sigma", "zscore": r"z-?score", "range": r"\brange",
    "roc": r"rate of change|%|return|gain|los[st]|rise|fall|up|down", "true": r"true range",
    "momentum": r"momentum|change", "pivot": r"pivot|\b[rs][123]\b", "ichimoku": r"cloud|tenkan|kijun"
    r"|senkou|span|conversion|base line", "range_": r"range",
}  # fmt: skip
"""How people call what the sheet calls by its first word; its label and its own name always count."""
UP = (
    r"above|\bover\b|exceed|>|greater|\bmore|higher|\bup\b|upward|\bris(?:e|ing)|break|\bgain|highest|"
    r"\btop\b|upper|bull|green|at least|past\b|reclaim|positive|increas|climb|\brall|golden|"
    r"overbought|\bhigh"
)
DOWN = (
    r"below|\bunder\b|<|\bless|lower|\bdown\b|downward|drop|\bfall|\bdip|\blos[est]|break|beneath|"
    r"\bred\b|bear|oversold|lowest|at most|through|negative|decreas|declin|\bdeath|\blow|weak|pull"
)
_OUTPUTS = {"lower": r"\blower\b", "upper": r"\bupper\b", "middle": r"\bmid|\bbasis|\bcentre"}
"""Of a sentence that names one of them, only that one is meant."""
_DENIED = r"\b(?:not|no|never|unless|isn't|don't|without|except|until|avoid|skip)\b"


@dataclass(frozen=True, slots=True)
class Told:
    """`text` is plain English; `role` is what its heading is about."""

    text: str
    role: str
    numbers: tuple[tuple[float, str], ...]
    clocks: frozenset[int]
    days: frozenset[int]

    @property
    def enters(self) -> bool:
        return bool(re.search(ENTER, self.text)) or self.role.endswith("entry")

    @property
    def leaves(self) -> bool:
        return bool(re.search(LEAVE, self.text)) or self.role.endswith("exit")

    def says(self, pattern: str) -> bool:
        return re.search(pattern, f"{self.role.replace('_', ' ')}: {self.text}") is not None

    def names(self, name: str) -> bool:
        """An indicator of the sheet by one of its names."""
        first, _, output = name.partition("_")
        spoken = WORDS.get(first, "")
        others = output in _OUTPUTS and self.says("|".join(_OUTPUTS.values()))
        if others and not self.says(_OUTPUTS[output]):
            return False
        if re.search(rf"\b{re.escape(first)}(?![a-z])|{re.escape(label(name))}", self.text):
            return True
        return bool(spoken) and re.search(spoken, self.text) is not None

    def goes(self, up: bool) -> bool:
        """Whether it speaks of this direction; where something is denied both may be meant."""
        return self.says(UP if up else DOWN) or self.says(_DENIED)


def told(text: str, role: str) -> Told:
    """`text` is plain English already."""
    found = list(tokens(text))
    days = {int(str(t.value)) for t in found if t.kind == "weekday"}
    numbers = tuple((float(m[1]), m[2] or "") for m in _NUMBER.finditer(text))
    clocks = frozenset(int(str(t.value)) for t in found if t.kind == "clock")
    return Told(text, role, numbers, clocks, frozenset(d for d in days if d < len(WEEKDAYS)))


def covers(value: float, unit: str, known: frozenset[float], minutes: int) -> bool:
    """The same number, in whatever unit it was said: 5% as 0.95, two hours as 24 bars of M5."""
    return any(abs(x - y) < 1e-9 for x in _spelt(value, unit, minutes) for y in known)


def _spelt(value: float, unit: str, minutes: int) -> set[float]:
    if unit in ("%", "percent", "pct", "per"):
        return {value, value / 100, 1 + value / 100, 1 - value / 100}
    if unit.startswith(("bp", "basis")):
        return {value / 100, value / 10_000}
    if unit.startswith(("cent", "tick", "pip")):
        return {value, *(value * size for size in (0.0001, 0.01, 0.25, 0.5, 0.05, 0.1, 0.001))}
    if unit == "times":
        return {value, value * 100}
    return {value, *_bars(value, unit, minutes)}


_SPANS = (("min", (1,)), ("h", (60,)), ("day", (1440, 390)), ("week", (7200, 10080)),
          ("month", (30240, 43200, 28800)), ("year", (362_880, 525_600, 360_000)))  # fmt: skip


def _bars(value: float, unit: str, minutes: int) -> set[float]:
    """A stretch of time as a number of bars. Daily bars come five times a week."""
    spans = next((found for word, found in _SPANS if unit.startswith(word)), ())
    if unit in ("high", "highs", "higher"):
        return set()
    return {float(round(value * span / minutes)) for span in spans if value * span >= minutes}
