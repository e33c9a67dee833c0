"""You didn't specify these, so I assumed: defaults of the contract, and those of every test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.agents.worked import LEVERAGE, balance
from bot.text.base import code
from bot.text.findings import literal
from bot.text.sheets import not_in_the_sheet
from schemas.contract import Assumption, Contract

if TYPE_CHECKING:
    from bot.reading.cited.rows import Table

USUAL = (not_in_the_sheet(), "the usual meaning")
"""Reasons that the heading says already."""
COSTS = ("commission", "spread", "slippage", "costs")


def assumed(contract: Contract, table: Table | None) -> list[str]:
    told = [a for a in contract.assumptions if a.topic != "left out"]
    unsaid = _unsaid(contract, table)
    return [
        "#### You didn't specify these, so I assumed",
        "",
        *(_taken(a) for a in told),
        *([f"- **No sentence of yours says:** {', '.join(map(code, unsaid))}."] if unsaid else []),
        *_account(contract),
        *_slippage(contract),
        f"- **Prices:** synthetic bars made by this project, not market prices of "
        f"{literal(contract.symbol, 40)}. They show that the code follows the rules, and nothing "
        "about profit.",
        "",
    ]


def _taken(found: Assumption) -> str:
    because = "" if found.because in USUAL else f" ({literal(found.because, 300)})"
    topic = literal(found.topic, 200)
    return f"- **{topic[:1].upper()}{topic[1:]}:** {literal(found.taken, 300)}{because}."


def _unsaid(contract: Contract, table: Table | None) -> list[str]:
    """Statements that no sentence and no assumption speaks of."""
    topics = {a.topic for a in contract.assumptions}
    known = {"size"} & topics | (set(COSTS) if "costs" in topics else set())
    return [x for x in (table.unsaid if table else ()) if x.split()[0] not in known]


def _account(contract: Contract) -> list[str]:
    sides = sorted({str(e.side) for e in contract.entries})
    only = f"{sides[0]} only" if len(sides) == 1 else "long and short"
    many = contract.risk.max_positions
    most = f"at most {many} open positions" if many > 1 else "one open position at a time"
    return [
        f"- **Account:** ${balance(contract):,.0f}, all prices taken as dollars; {most}, {only}.",
        f"- **Leverage:** {LEVERAGE:.0f}:1 in these tests, so that hardly any order is too large. "
        "Your broker will offer less.",
    ]


def _slippage(contract: Contract) -> list[str]:
    costs = contract.costs
    if costs.spread or costs.slippage or costs.slippage_percent_of_range:
        return []
    return [
        "- **Slippage:** none. That is optimistic; `/revise slippage 2 % of range` adds some.",
    ]
