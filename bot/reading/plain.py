"""Plain text: one spelling for signs, quotes, numbers and number words. Pure."""

from __future__ import annotations

import re
import unicodedata

SIGNS = {
    "‘": "'", "’": "'", "`": " ", "´": "'", "“": '"', "”": '"', "«": '"', "»": '"', "„": '"',
    "–": "-", "—": " - ", "−": "-", "‑": "-", "×": " x ", "→": " -> ", "⇒": " -> ", "➜": " -> ",
    "➡": " -> ", "=>": " -> ", "-->": " -> ", "≥": " >= ", "≤": " <= ", "≠": " != ", "·": " ",
    "…": ". ", "•": "\n- ", "％": "%", "½": ".5", "±": " plus/minus ", "+/-": " plus/minus ",
    "&&": " and ", "||": " or ", "&": " and ", "″": '"', "’s": "'s", "\t": " ",
    "⟦": "[", "⟧": "]",
}  # fmt: skip
UNITS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
COUNTED = "percent|%|bars?|candles?|days?|hours?|weeks?|positions?|trades?|lots?|units?|contracts?|shares?|pips?|atrs?|r|times|higher|lower|consecutive|red|green|up|down|entry|entries|more"
ORDINALS = {"first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th"}
GLUED = "sma|ema|wma|hma|ma|rsi|atr|adx|cci|roc|macd|mfi|dema|tema|vwma|highest|lowest|bb|stoch|donchian|mom|wpr|di|obv|sl|tp"
AFTER_LENGTH = "sma|ema|wma|hma|dema|tema|vwma|rsi|adx|cci"
"""What people write right behind its length: 200sma."""
_TENS = "|".join(TENS)
_UNITS = "|".join(UNITS)


def plain(text: str) -> str:
    """Lower case, one kind of each sign, digits for number words."""
    text = unicodedata.normalize("NFKC", text)
    for sign, usual in SIGNS.items():
        text = text.replace(sign, usual)
    text = re.sub(r"[^\S\n]+", " ", re.sub(r"\n\s*\n", "\n\n", text.lower()))
    text = re.sub(r"(?<=\d)[,'](?=\d{3}(?!\d))", "", text)
    text = _crossings(text)
    text = re.sub(
        r"(?<![a-z])(\d+(?:\.\d+)?)\s*x(?![a-z])[^\S\n]*|(?<![a-z])(\d+(?:\.\d+)?)\s*x(?=atr|risk|stop|average)",
        _times,
        text,
    )
    text = re.sub(r"\b(\d+(?:\.\d+)?)n\b", r"\1 n", text)
    text = re.sub(rf"\b({GLUED})(?=\d)", r"\1 ", text)
    text = re.sub(rf"(?<![\w.])(\d+)({AFTER_LENGTH})\b", r"\1 \2", text)
    return _numbers(text)


def _crossings(text: str) -> str:
    """ "x-over" as a verb before what is crossed, else as a noun."""
    text = re.sub(r"(?<![a-z])x[- ]?under\b", "crosses under", text)
    text = re.sub(r"(?<![a-z])x[- ]?over (?:back )?(?=above\b|below\b)", "crosses ", text)
    noun = r"(?=s?\s*(?:$|[.,;:=)\n]|->|(?:both|in|on|with|and|of|signal|system|strategy)\b))"
    text = re.sub(rf"(?<![a-z])x[- ]?over{noun}", "crossover", text)
    return re.sub(r"(?<![a-z])x[- ]?over\b", "crosses over", text)


def _numbers(text: str) -> str:
    def compound(found: re.Match[str]) -> str:
        return str(TENS[found[1]] + (UNITS[found[2]] if found[2] else 0))

    text = re.sub(rf"\b({_TENS})(?:[\s-]({_UNITS}))?\b", compound, text)
    text = re.sub(rf"\b({_UNITS})\b", lambda m: str(UNITS[m[1]]), text)
    text = re.sub(rf"(?<!\d )(?<!\d-)\b({'|'.join(ORDINALS)})\b", lambda m: ORDINALS[m[1]], text)
    text = re.sub(r"\b(?:one|a|1) hundred\b|\bhundred\b", "100", text)
    text = re.sub(r"\b(\d+) 100\b", lambda m: str(int(m[1]) * 100), text)
    text = re.sub(rf"\bone(?=[\s-](?:{COUNTED})\b)", "1", text)
    text = re.sub(r"\b(?:one|1) and a half\b", "1.5", text)
    text = re.sub(r"\b(\d+) and a half\b", r"\1.5", text)
    text = re.sub(r"\bhalf (?:a |an )?(?=percent|%|lot|atr)", "0.5 ", text)
    text = re.sub(r"(\d(?:\.\d+)?)\s*k\b(?!\s*(?:line|is|crosses|above|below))", _thousands, text)
    text = re.sub(r"\btwice\b", "2 times", text)
    text = re.sub(r"\bdouble\b(?! ?(?:exp|top|bottom|ema))", "2 times", text)
    return re.sub(r"\btriple\b(?! ?(?:exp|ema))", "3 times", text)


def _times(found: re.Match[str]) -> str:
    return f"{found[1] or found[2]} x "


def _thousands(found: re.Match[str]) -> str:
    return f"{float(found[1]) * 1000:g}" if float(found[1]) >= 1 else found[0]


def decimal_commas(text: str) -> str:
    """For languages that write 2,5 for 2.5."""
    return re.sub(r"(?<=\d),(?=\d)", ".", text)
