"""Which market and which bars a request speaks of. Pure."""

from __future__ import annotations

import re
from typing import Literal

from bot.reading.wordlists import NOT_A_SYMBOL

Timeframe = Literal["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"]

CURRENCIES = "EUR|USD|GBP|JPY|CHF|AUD|NZD|CAD|SEK|NOK|MXN|ZAR|TRY|PLN|SGD|HKD|CNH"
COINS = "BTC|ETH|SOL|XRP|ADA|DOGE|LTC|BNB|DOT|AVAX|LINK|MATIC|XBT"
LOWER = (
    "aapl|amzn|amd|googl|goog|gld|intc|iwm|jpm|msft|nflx|nvda|qqq|slv|spx|spy|tlt|tsla|xle|xlf|xlk"
)
"""Tickers that are no words, so that they are known in small letters too."""
NAMED = {
    "bitcoin": "BTCUSD", "btc": "BTCUSD", "ethereum": "ETHUSD", "ether": "ETHUSD", "eth": "ETHUSD",
    "gold": "XAUUSD", "xau": "XAUUSD", "silver": "XAGUSD", "crude oil": "CL", "crude": "CL",
    "oil": "CL", "wti": "CL", "natural gas": "NG", "s&p 500": "SPY", "s&p": "SPY", "sp500": "SPY",
    "s and p 500": "SPY", "nasdaq": "QQQ", "dow jones": "DIA", "the dow": "DIA", "dax": "DAX",
    "ftse": "FTSE", "nikkei": "NIKKEI", "euro": "EURUSD", "cable": "GBPUSD", "apple": "AAPL",
    "tesla": "TSLA", "microsoft": "MSFT", "nvidia": "NVDA", "amazon": "AMZN", "google": "GOOGL",
    "russell": "IWM", "wheat": "ZW", "corn": "ZC", "solana": "SOLUSD", "copper": "HG",
    "soybeans": "ZS", "e-mini": "ES", "es futures": "ES", "es future": "ES", "nq futures": "NQ", "cl futures": "CL",
    "gc futures": "GC", "emini": "ES", "bund": "FGBL",
}  # fmt: skip
KNOWN = "AAPL|AMZN|BA|COIN|DIA|ES|EWG|GLD|GOOG|GOOGL|IBM|INTC|IWM|JPM|KO|META|MSFT|NFLX|NQ|NVDA|QQQ|SLV|SPX|SPY|TLT|TSLA|V|WMT|XLE|XLF|XLK|AMD|CL|GC"
TIMEFRAMES: tuple[tuple[Timeframe, str], ...] = (
    ("M1", r"m1|1\s*-?\s*m(?:in(?:ute)?s?)?(?=\W|$)|minutely"),
    ("M5", r"m5|5\s*-?\s*m(?:in(?:ute)?s?)?(?=\W|$)"),
    ("M15", r"m15|15\s*-?\s*m(?:in(?:ute)?s?)?(?=\W|$)|quarter[\s-]hour(?:ly)?"),
    ("M30", r"m30|30\s*-?\s*m(?:in(?:ute)?s?)?(?=\W|$)|half[\s-]hour(?:ly)?"),
    ("H1", r"h1|1\s*-?\s*h(?:(?:ou)?rs?|ourly)?(?=\W|$)|60\s*-?\s*m(?:in(?:ute)?s?)?(?=\W|$)|hourly|one[\s-]hour"),
    ("H4", r"h4|4\s*-?\s*h(?:(?:ou)?rs?|ourly)?(?=\W|$)|240\s*-?\s*m(?:in(?:ute)?s?)?(?=\W|$)"),
    ("D1", r"d1|1\s*-?\s*d(?:ays?)?(?=\W|$)|daily|day chart|day bars|end of day data|eod data|one[\s-]day"),
    ("W1", r"w1|1\s*-?\s*w(?:eeks?)?(?=\W|$)|weekly"),
)  # fmt: skip
_CHART = r"(?:[^\S\n]*-?[^\S\n]*(?:chart|charts|bars?|candles?|timeframe|time frame|tf|data|basis|graph|period bars))?"
_NOT_BEFORE = (
    r"(?<!after )(?<!for )(?<!within )(?<!last )(?<!previous )(?<!past )(?<!every )(?<!1st )"
    r"(?<!hold )(?<!wait )(?<!least )(?<!prior )(?<!next )(?<!max )(?<!about )(?<!than )(?<![\d.:])"
)
_NOT_AFTER = (
    r"(?![^\S\n]*-?[^\S\n]*(?:high|low|average|moving|sma|ema|wma|rsi|atr|range|opening|roc|momentum|later|ago"
    r"|after|old|rate|breakout|or\b|max|before|return|vol|rsi|close|open|highs|lows|ma\b|loss|\w*term|trend))"
)


def timeframe(text: str) -> tuple[Timeframe | None, list[tuple[int, int]]]:
    """The first one named, and where all that say the same stand, so that they are not read twice."""
    places: list[tuple[int, int, Timeframe]] = []
    for name, pattern in TIMEFRAMES:
        whole = rf"(?:{_NOT_BEFORE}|(?<=for )(?=hourly|daily|weekly))\b(?:{pattern}){_CHART}(?!\w){_NOT_AFTER}"
        places += [(m.start(), m.end(), name) for m in re.finditer(whole, text)]
    places.sort()
    if not places:
        return None, []
    first = places[0][2]
    return first, [(a, b) for a, b, name in places if name == first]


_OF_BARS = r"[^\S\n]*-?[^\S\n]*(?:rsi|sma|ema|wma|macd|roc|atr|adx|cci|momentum|breakout|trend|ma\b|moving average|range breakout)"


def timeframe_of_indicator(text: str) -> Timeframe | None:
    """ "4h RSI", "hourly EMA cross": the bars, where nothing else names them."""
    places: list[tuple[int, Timeframe]] = []
    for name, pattern in TIMEFRAMES:
        whole = rf"{_NOT_BEFORE}\b(?:{pattern}){_OF_BARS}"
        places += [(m.start(), name) for m in re.finditer(whole, text)]
    return min(places)[1] if places else None


def symbol(raw: str, named: str = "") -> str:
    """A symbol as it was typed. `named` is what the form's own field says."""
    for text in (named, raw):
        if found := _typed(text):
            return found
    for text in (named, raw):
        if small := re.search(rf"(?<![\w$/.-])(?:{LOWER})(?![\w/-])", text.lower()):
            return small[0].upper()
    for text in (named.lower(), raw.lower()):
        for word, ticker in NAMED.items():
            if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text):
                return ticker
    return ""


def _typed(text: str) -> str:
    second = re.search(
        r"(?:sorry|no|no,? wait|wait|i mean|actually|make that|rather),? +(?:the )?([A-Z]{2,8})\b",
        text,
    )
    if second and second[1] not in NOT_A_SYMBOL:
        return second[1]
    pair = re.search(
        rf"(?<![A-Za-z])((?:{CURRENCIES}|XAU|XAG|{COINS})) ?[/_-]? ?(USDT|USDC|{CURRENCIES})(?![A-Za-z])",
        text,
        re.I,
    )
    if pair:
        return (pair[1] + pair[2]).upper()
    dollar = re.search(r"(?<!\w)\$([A-Za-z]{1,6})(?!\w)", text)
    if dollar:
        return dollar[1].upper()
    single = re.search(
        r"(?:[Dd]aily|[Oo]n|[Tt]rade|[Ff]or|[Oo]f)\s+([B-HJ-Z])(?=[\s.,]|$)(?!\s*\()", text
    )
    if single and single[1] not in ("N", "R", "K", "D"):
        return single[1]
    letters_only = [x for x in text if x.isalpha()]
    shouting = len(letters_only) > 40 and sum(x.isupper() for x in letters_only) > 0.7 * len(
        letters_only
    )
    if shouting:
        known = re.search(rf"\b({KNOWN})\b", text)
        return known[1] if known else ""
    for found in re.finditer(
        r"(?<![\w.$/%+'-])([A-Z][A-Z0-9]{0,7}(?:[.=/-][A-Z0-9]{1,4})?[!]?)(?![\w%'(])", text
    ):
        word = found[1].strip("!")
        letters = word.rstrip("0123456789")
        if (
            word not in NOT_A_SYMBOL
            and letters not in NOT_A_SYMBOL
            and not re.fullmatch(r"[A-Z]?\d+|[A-Z]{7,}|[A-Z]|\w+-(?:ETFs?|CFDs?)", word)
        ):
            return re.sub(r"[^A-Z0-9.-]", "-", word)
    return ""


def is_pair(symbol: str) -> bool:
    """Currencies and coins, which trade round the clock."""
    one = rf"(?:{CURRENCIES}|XAU|XAG)[/_-]?(?:{CURRENCIES})"
    return is_coin(symbol) or bool(re.fullmatch(one, symbol))


def is_coin(symbol: str) -> bool:
    """Coins trade on every day of the week; what is paired with a dollar and no currency is one."""
    paired = re.fullmatch(r"([A-Z]{2,6})[/_-]?(?:USDT|USDC|USD)", symbol)
    return bool(paired) and not re.fullmatch(rf"{CURRENCIES}|XAU|XAG", paired[1] if paired else "")


def field(body: str, name: str) -> str:
    """What the form's own field of this name says."""
    found = re.search(
        rf"^[ \t]*(?:#+[ \t]*|[-*][ \t]+|\|[ \t]*)?\**{name}s?\**[ \t]*[:|]?\**\s*([^\n|]+)",
        body,
        re.I | re.M,
    )
    return found[1] if found else ""
