"""Other languages, phrase by phrase, into the English that the reader knows. Pure."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from bot.reading.plain import decimal_commas
from bot.reading.tongues.de import GERMAN
from bot.reading.tongues.es import SPANISH
from bot.reading.tongues.fr import FRENCH
from bot.reading.tongues.it import ITALIAN
from bot.reading.tongues.ja import JAPANESE
from bot.reading.tongues.nl import DUTCH
from bot.reading.tongues.order import put_in_order
from bot.reading.tongues.pl import POLISH
from bot.reading.tongues.pt import PORTUGUESE
from bot.reading.tongues.ru import RUSSIAN
from bot.reading.tongues.tongue import Tongue, translated
from bot.reading.tongues.zh import CHINESE

TONGUES = (GERMAN, SPANISH, FRENCH, ITALIAN, PORTUGUESE, DUTCH, POLISH, RUSSIAN, CHINESE, JAPANESE)
ENGLISH = (
    "the and when if above below with for at my it this that please would than crosses only from"
    " by then after not we you are has have be been was your should once until all each"
)
MIXED = {
    "close": "schlusskurs|schlusskurse|slotkoers|clôture|cierre|chiusura|fechamento",
    "buy": "kaufen|kaufe|comprar|acheter|achetez|comprare|kopen|kupuj|купить|покупать|买入",
    "sell": "verkaufen|verkaufe|vender|vendre|vendez|vendere|verkopen|sprzedaj|продать|продавать|卖出",
    "percent": "prozent|procent|porcentaje|pourcent|percento|процентов|процента",
    "daily chart": "tageschart|tageskerzen|dagkaarsen",
    "bar": "kerze|vela|bougie|candela|świeca|свеча",
    "bars": "kerzen|velas|bougies|candele|świece|свечи|свечей",
    "when": "wenn|cuando|quand|когда",
    "please": "bitte",
}
"""Single words that people leave in their own language in an English request. None is English."""
LIST = re.compile(
    r"\(\s*\d+(?:\.\d+)?(?:\s*[,;]\s*\d+(?:\.\d+)?)+\s*\)|\d+(?:,\d+){2,}"
    r"|\b(?:ema|sma|wma|macd|bollinger|stoch\w*|keltner|supertrend)\s*\d+,\d+(?!\s*%)"
)


def to_english(text: str) -> str:
    """`text` is plain, title first. What is English already stays as it is, byte for byte."""
    tongue = spoken(text)
    if tongue is None:
        pattern, meant = _mixed()
        return pattern.sub(lambda m: meant[m[0]], text)
    title, line, body = _points(text).partition("\n")
    return put_in_order(translated(title, tongue)) + line + put_in_order(translated(body, tongue))


def spoken(text: str) -> Tongue | None:
    """The language with the most of its own words here; None if that is English."""
    words = Counter(re.findall(r"[^\W\d_]+", text))
    score, best = max((_heard(text, words, t), -n) for n, t in enumerate(TONGUES))
    english = sum(words[word] for word in ENGLISH.split())
    return TONGUES[-best] if score >= 3 and score > 2 * english else None


def _heard(text: str, words: Counter[str], tongue: Tongue) -> int:
    """A word that no other of the languages has counts twice."""
    letters = len(re.findall(tongue.letters, text)) if tongue.letters else 0
    known = _known()[tongue]
    return 2 * letters + sum(n * known[word] for word, n in words.items() if word in known)


@cache
def _known() -> dict[Tongue, dict[str, int]]:
    spread = Counter(word for t in TONGUES for word in set(t.words.split()))
    return {t: {w: 2 if spread[w] == 1 else 1 for w in t.words.split()} for t in TONGUES}


@cache
def _mixed() -> tuple[re.Pattern[str], dict[str, str]]:
    meant = {word: english for english, said in MIXED.items() for word in said.split("|")}
    words = "|".join(sorted(meant, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])"), meant


def _points(text: str) -> str:
    """2,5 is 2.5 and 10.000 € is 10000 €, but (12,26,9) are three numbers."""
    text = re.sub(r"(?<![\d.,])(\d{1,3})\.(\d{3})(?=\s*(?:€|\$|eur|usd|zł|руб))", r"\1\2", text)
    parts, at = list[str](), 0
    for found in LIST.finditer(text):
        parts += [decimal_commas(text[at : found.start()]), found[0]]
        at = found.end()
    return "".join(parts) + decimal_commas(text[at:])
