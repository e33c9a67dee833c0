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
from bot.reading.tongues.tongue import Tongue, translated, without_accent
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
    return from_tongue(text, spoken(text))


def from_tongue(text: str, tongue: Tongue | None) -> str:
    """The same for a part of a text whose language is known."""
    if tongue is None:
        pattern, meant = _mixed()
        return pattern.sub(lambda m: meant[m[0]], text)
    title, line, body = _points(text).partition("\n")
    return put_in_order(translated(title, tongue)) + line + put_in_order(translated(body, tongue))


def spoken(text: str) -> Tongue | None:
    """The language that knows most of the words here; None if too few of them are its own."""
    words = Counter(re.findall(r"[^\W\d_]+", text))
    tongue = max(TONGUES, key=lambda t: _heard(text, words, _known(t), t))
    own = _heard(text, words, frozenset(tongue.words.split()), tongue)
    english = sum(words[word] for word in ENGLISH.split())
    return tongue if own >= 2 and own > english else None


def _heard(text: str, words: Counter[str], known: frozenset[str], tongue: Tongue) -> int:
    letters = len(re.findall(tongue.letters, text)) if tongue.letters else 0
    return letters + sum(n for word, n in words.items() if word in known)


@cache
def _known(tongue: Tongue) -> frozenset[str]:
    """Every word of its phrases, also without accents."""
    words = set(re.findall(r"[^\W\d_]{2,}", " ".join((tongue.words, *tongue.phrases.values()))))
    return frozenset(words | {"".join(map(without_accent, word)) for word in words})


@cache
def _mixed() -> tuple[re.Pattern[str], dict[str, str]]:
    meant = {word: english for english, said in MIXED.items() for word in said.split("|")}
    words = "|".join(sorted(meant, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])"), meant


def _points(text: str) -> str:
    """2,5 is 2.5 and 10.000 € is 10000 €, but (12,26,9) are three numbers."""
    text = re.sub(r"(?<![\d.,:])0(\d{3})(?=\s*%)", r"0.\1", text)
    text = re.sub(r"(?<![\d.,])(\d{1,3})\.(\d{3})(?=\s*(?:€|\$|eur|usd|zł|руб))", r"\1\2", text)
    parts, at = list[str](), 0
    for found in LIST.finditer(text):
        parts += [decimal_commas(text[at : found.start()]), _list(found[0])]
        at = found.end()
    return "".join(parts) + decimal_commas(text[at:])


def _list(said: str) -> str:
    """Where something else parts the numbers, a comma without a blank is a point."""
    apart = ";" in said or re.search(r",\s", said)
    return decimal_commas(said).replace(";", ",") if apart else said
