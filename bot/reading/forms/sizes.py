"""How much is traded: risk, a share of the equity, money, units."""

from __future__ import annotations

import re
from decimal import Decimal

from bot.reading.book import Book
from bot.reading.forms.form import Sentence, Settings, form
from schemas import contract as c


@form(
    r"(?:risk(?:ing|s)?|lose|with a risk of)\s*(?:is |of |at most |max(?:imum)? |about |exactly |:)*{n}\s*(?:%|percent)(?: of (?:my |the |our |your |current |account )*(?:equity|account|capital|balance|portfolio|money))?(?:\s*(?:per|on (?:each|every)|each|a|every) (?:trade|position|entry))?(?: (?:if|when) the stop (?:is|gets) hit)?"
)
@form(
    r"risk (?:per|on (?:each|every)|a|each) (?:trade|position)(?: is| of|:| =|,)* ?{n}\s*(?:%|percent)(?: of (?:my |the |our |account )*(?:equity|account|capital|balance))?"
)
@form(
    r"{n}\s*(?:%|percent)(?: of (?:my |the |our )*(?:equity|account|capital|balance))? (?:at )?risk(?:ed)?(?:\s*(?:per|on (?:each|every)|each|a) (?:trade|position))?"
)
@form(
    r"(?:position |trade )?(?:size|sizing|volume|quantity)?(?: is| each position| the position| positions| it)*(?: sized| chosen| set)? ?(?:so|such) that (?:the |a |an )?(?:stop[\s-]?out|loss at the stop|stop|loss|losing trade|hit stop)?(?: loss)?(?: being)?(?: hit)?(?: costs| is| loses| means losing| equals| would cost| would be| would lose| =)* ?(?:about |exactly |at most )*{n}\s*(?:%|percent)(?: of (?:my |the |our |current )*(?:equity|account|capital|balance))?(?: (?:is |are |gets |would be )?(?:lost|at risk|risked))?(?: (?:if|when) (?:the |my )?(?:stop|sl|stop loss) (?:is|gets) hit)?"
)
def _risk(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.sizing = c.Sizing(kind="risk_percent", amount=Decimal(match[1]))
    return True


_MONEY = r"(?:[$€£]\s?{n}|{n}\s?(?:dollars|usd|euros?|eur|bucks|[$€£]))"
_HIT = r"(?: (?:if|when) (?:the |my )?(?:stop|sl|stop loss) (?:is|gets) hit)?"
_A_TRADE = r"(?:\s*(?:per|on (?:each|every|any|a)|each|a|every) (?:trade|position|entry))?"


@form(
    rf"(?:max(?:imum)? )?(?:risk(?:ing|s)?|lose|with a risk of)\s*(?:is |of |at most |no more than |not more than |max(?:imum)? |about |exactly |always |:)*{_MONEY}{_A_TRADE}{_HIT}"
)
@form(
    rf"{_MONEY} (?:at )?risk(?:ed)?{_A_TRADE}|(?:fixed |max(?:imum)? )*risk(?: is| of| =|:)* {_MONEY}{_A_TRADE}"
)
@form(
    rf"(?:position |trade )?(?:size|sizing|volume|quantity|shares)?(?: is| each position| the position| positions| it)*(?: sized| chosen| set)? ?(?:so|such) that (?:i |we )?(?:the |a |an )?(?:stop[\s-]?out|loss at the stop|stop|loss|losing trade|hit stop)?(?: loss)?(?: being)?(?: hit)?(?: costs?| is| loses?| means losing| equals| would cost| would be| would lose| lose| =)*(?: me| us)? ?(?:about |exactly |at most |no more than )*{_MONEY}(?: (?:is |are |gets |would be )?(?:lost|at risk|risked))?{_HIT}"
)
@form(
    r"(?:: |, |so |\()?(?:volume|size|shares|quantity|units|position size) = [$€£]?\s?{n}\s?(?:/|divided by) ?(?:\(?close - stop\)?|(?:the )?stop distance|\(?(?:the )?distance to the stop\)?)\)?"
)
def _risk_cash(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """Money that is lost at the stop: "risk $200 per trade"."""
    amount = next(g for g in match.groups() if g)
    told.sizing = c.Sizing(kind="risk_cash", amount=Decimal(amount))
    return True


@form(
    r"(?:,? ?i\.?e\.?,? |\(|so |: |, )?(?:volume|size|shares|quantity|units|position size) = (?:{n}\s*(%|percent) of equity|{n}\s*\*\s*(?:the )?(?:equity|balance)) ?(?:/|divided by) ?(\(?close - stop\)?|the stop distance|\(?distance to the stop\)?|close|price|{n})\)?[^.;]*"
)
def _formula(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """Over the price it is a share of the equity; over the distance to the stop it is a risk."""
    percent = Decimal(match[1]) if match[1] else Decimal(match[3]) * 100
    if match[5] and (told.sizing is None or told.sizing.kind != "risk_percent"):
        return False
    if match[4] in ("close", "price"):
        told.sizing = c.Sizing(kind="percent_of_equity", amount=percent)
    else:
        told.sizing = c.Sizing(kind="risk_percent", amount=percent)
    return True


@form(r"(?:,? ?i\.?e\.?,? |\(|so |, )?(?:volume|size|shares|quantity|units|position size) = [^.;]*")
def _other_formula(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    return told.sizing is not None


@form(
    r"(?:use|invest|put|with|allocate|trade|size(?: is)?:?|sized? at|position size(?: is)?(?: of)?:?|for|using)?\s*(?:always )?{n}\s*(?:%|percent) (?:of )?(?:my |the |our |your |current |account |available |total )*(?:equity|capital|account(?: balance| equity)?|balance|portfolio|cash|money)(?:\s*(?:per|on (?:each|every)|each|in each|into each|in every|for each|a) (?:trade|position|entry))?"
)
def _share(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if re.search(
        r"\b(?:stop(?:[\s-]?loss)?|sl|loss|drawdown)(?: of| at| is| =|:)* ?$",
        sentence.text[: match.start()],
    ):
        return False
    told.sizing = c.Sizing(kind="percent_of_equity", amount=Decimal(match[1]))
    return True


@form(
    r"(?:position )?siz(?:e|ing)(?: is| of|:| =)* {n}\s*(?:%|percent)(?=\s*(?:$|[.,;]| (?:per|a|each) (?:trade|position)))"
)
def _bare_share(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    return _share(match, sentence, told, book) is True


@form(r"^\W*{n}\s*(?:%|percent)(?: (?:per|a|each) (?:trade|position))?\W*$")
def _under_size(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """ "10%" alone, where the label says that it is the size."""
    return sentence.role == "size" and _share(match, sentence, told, book) is True


@form(
    r"^\W*{n}\s*(?:%|percent)(?: of (?:my |the |our )*(?:equity|account|capital|balance))?(?: (?:per|a|each) (?:trade|position)|(?=\s*(?:$|[,;])))"
)
def _under_risk(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """ "1% per trade", where the label says that it is the risk."""
    return sentence.role == "risk" and _risk(match, sentence, told, book) is True


@form(
    r"all[\s-]in|(?:with )?(?:the )?(?:full|whole|entire) (?:account|equity|balance|capital)|fully invested"
)
def _all_in(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.sizing = c.Sizing(kind="percent_of_equity", amount=Decimal(100))
    return True


@form(
    r"(?:[$€£]\s?{n}|{n}\s?(?:dollars|usd|euros?|eur|bucks|[$€£]))\s*(?:worth )?(?:per|a|each|in each|for each|on each|of (?:stock|shares)(?: per| each)?|in every|into each|into every|for every)?\s*(?:trade|position|entry|worth|time)s?(?: (?:size|notional))?"
)
@form(
    r"(?:position size|size|notional|invest|buy for|buy)(?: is| of| :|:)*\s*[$€£]\s?{n}(?:)(?: (?:worth|per trade|each time|each|a trade))*"
)
def _cash(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    amount = next(g for g in match.groups() if g)
    if sentence.role == "costs" or re.search(r"commission|\bfees?\b|\bcosts?\b", sentence.text):
        told.costs["commission_per_trade"] = Decimal(amount)
        return True
    told.sizing = c.Sizing(kind="fixed_cash", amount=Decimal(amount))
    return True


@form(
    r"(?:always |fixed |size(?: is)?:? |with |trade |trading |use |buy(?= \d+ (?:shares|units|contracts|lots)) )*(?:a )?{n}\s*(standard lots?|mini lots?|lots?|shares|units?|contracts?|coins?|btc|bitcoins?|eth|ether|sol|xrp|ada|bnb|ltc|doge|ounces?|oz)(?:\s*(?:per|each|a|every|fixed|at a time|of (?!every|each|it)\w+)\s*(?:trade|position|entry|signal|time)?)?"
)
@form(
    r"(?:fixed )?lot ?size(?: is| of|:| =)* ?{n}(?: lots?)?(?: (?:per|a|each) (?:trade|position))?()"
)
def _units(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    before = sentence.text[: match.start()]
    if re.search(r"(?:up to|max\.?(?:imum)?(?: of)?|at most|no more than|total of) ?$", before):
        return False  # how many at once, not how much
    if (
        re.search(r"(?:more|another|next|of) $", before)
        or re.search(r"\bbuy $", before)
        and told.positions
    ):
        return True
    if told.sizing is None:
        told.sizing = c.Sizing(kind="fixed_units", amount=Decimal(match[1]))
    return True


@form(r"(?:position |trade )?size(?: is| of|:| =)* ?{n}(?=\s*(?:$|[.,;]))|^\W*{n}\W*$")
def _bare_units(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """ "Size 0.5", or the number alone where the label says that it is the size."""
    if not match[1] and sentence.role != "size":
        return False
    amount = Decimal(match[1] or match[2])
    told.sizing = told.sizing or c.Sizing(kind="fixed_units", amount=amount)
    return True
