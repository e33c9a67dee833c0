"""The four fixed steps of a plan in words."""

from __future__ import annotations

from schemas.base import TaskId
from schemas.contract import Contract, Indicator, Side
from schemas.indicators import KINDS

SIDES = {Side.LONG: "long", Side.SHORT: "short", None: "either way"}


def step(task: TaskId, contract: Contract) -> str:
    """What has to be there at the end of this step."""
    match task:
        case TaskId.DATA:
            return (
                f"A strategy file after the template that takes {contract.timeframe} bars of "
                f"{contract.symbol}, and tests of what it expects of them."
            )
        case TaskId.INDICATORS:
            return f"{_indicators(contract)} No value may come from a later bar."
        case TaskId.ENTRY:
            rules = [f"{SIDES[e.side]}: {e.reason}" for e in contract.entries]
            return "Enter at the next open. " + _listed(rules)
    rules = [f"{SIDES[e.side]}: {e.reason}" for e in contract.exits]
    return "Leave as agreed. " + _listed([*rules, *_risk(contract)])


def todo_list_title(contract: Contract) -> str:
    return f"{contract.name} on {contract.symbol}, {contract.timeframe}"


def sandbox_passes(checks: list[str]) -> str:
    return f"the sandbox passes: {', '.join(checks)}"


def contract_is_valid() -> str:
    return "the contract is a valid document"


def backtest_runs() -> str:
    return "a backtest runs to its end"


def artifacts_are_valid() -> str:
    return "the artifacts are there and valid"


def _indicators(contract: Contract) -> str:
    if not contract.indicators:
        return "The rules need prices alone: there is no indicator to compute."
    return "Compute once, for all bars: " + ", ".join(map(_indicator, contract.indicators)) + "."


def _indicator(indicator: Indicator) -> str:
    known = KINDS.get(indicator.kind)
    values = ", ".join(f"{p.value:g}" for p in indicator.parameters)
    return (known.label if known else indicator.kind) + (f" ({values})" if values else "")


def _risk(contract: Contract) -> list[str]:
    risk = contract.risk
    counted = {"stop": risk.stops, "target": risk.targets, "trailing stop": risk.trailing}
    rules = [
        f"{len(rows)} {name}" + "s" * (len(rows) > 1) for name, rows in counted.items() if rows
    ]
    if risk.break_even_after:
        rules.append("the stop moves to the entry price")
    if risk.exit_after_bars is not None:
        rules.append(f"after {risk.exit_after_bars + 1} bars")
    if risk.exit_at:
        rules.append(f"on the {risk.exit_at} bar")
    return rules


def _listed(rules: list[str]) -> str:
    return ("; ".join(rules) or "There is no rule for it") + "."
