"""Commission, spread and slippage."""

from __future__ import annotations

import re
from decimal import Decimal

from bot.reading.book import Book
from bot.reading.forms.form import Sentence, Settings, form


@form(
    r"(?:commissions?|fees?|costs?|trading costs?|transaction costs?)(?: of| is| are|:| =| at)*\s*(?:about )?{n}\s*(%|percent|bps|bp|basis points)(?: (?:per|a|each|on each|for each) (?:trade|side|fill|order|transaction|way|leg))?|{n}\s*(%|percent|bps|basis points) (?:commissions?|fees?|costs?)(?: (?:per|a) (?:trade|side|fill|order))?"
)
def _commission(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    amount, unit = (match[1], match[2]) if match[1] else (match[3], match[4])
    told.costs["commission_percent"] = Decimal(amount) / (100 if unit.startswith("b") else 1)
    return True


@form(
    r"(?:commissions?|fees?|costs?)(?: of| is| are|:| =| at)*\s*[$€£]?\s?{n}(?: ?(?:dollars|usd|[$€£]))?\s*(?:per|a|each|/)\s*(trade|order|fill|side|share|unit|lot|contract)s?(?: (?:round trip|traded))?|[$€£]\s?{n}\s*(?:per|a|/) (trade|order|side|share|unit|lot|contract)(?:s)? (?:commissions?|fees?)"
)
def _commission_cash(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    amount, per = (match[1], match[2]) if match[1] else (match[3], match[4])
    name = (
        "commission_per_trade"
        if per in ("trade", "order", "fill", "side")
        else "commission_per_unit"
    )
    told.costs[name] = Decimal(amount)
    return True


@form(
    r"(spread|slippage)(?: of| is|:| =)*\s*(?:about )?{n}\s*(pips?|points?|ticks?|%|percent|bps|cents?)(?: per (?:trade|side|fill))?|{n}\s*(pips?|points?|ticks?|%|percent|bps|cents?) (?:of )?(spread|slippage)"
)
def _slippage(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    name, amount, unit = (
        (match[1], match[2], match[3]) if match[1] else (match[6], match[4], match[5])
    )
    size = Decimal(amount) * (Decimal(str(book.pip)) if unit.startswith(("pip", "tick")) else 1)
    size = size / 100 if unit.startswith("cent") else size
    if unit in ("%", "percent", "bps"):
        told.costs["commission_percent"] = told.costs.get("commission_percent", Decimal(0)) + (
            size / 100 if unit == "bps" else size
        )
    else:
        told.costs[name] = size
    return True


@form(
    r"(?:no|zero|without|ignore(?: the)?|free of|assume no|assume zero)\s*(?:trading |transaction )?(?:costs?|commissions?|fees?|slippage|spread)(?:(?:,| and| or|,? no)\s*(?:costs?|commissions?|fees?|slippage|spread))*|commission[\s-]*free|costs? (?:don't matter|are zero)|(?:commission|costs|fees): (?:none|zero|0|no)"
)
def _no_costs(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.no_costs = True
    return True
