"""What keeps a model's contract from being shown as a plan, in sentences to mend it by. Pure.

More than `faults`, which asks what can be written as code: this also asks what a person should be
able to approve. A contract that was approved before is not judged by it again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from decimal import Decimal

from bot.agents import architect
from bot.agents.faults import faults
from bot.agents.tree import levels_of, sides
from schemas import contract as c

MOST_TRADES = 1_000
"""`min_trades` above this is no test of a strategy: no data of ours has so many."""


def plan_faults(contract: c.Contract) -> tuple[str, ...]:
    """Every fault once; none if it may be shown."""
    found = [
        *architect.problems(contract),
        *faults(contract),
        *_endless(contract),
        *_below_zero(contract),
        *_undecided(contract),
        *_costs(contract.costs),
    ]
    return tuple(dict.fromkeys(found))


def _endless(contract: c.Contract) -> Iterator[str]:
    """A break-even exit alone is no way out: a position that never gains stays open."""
    risk, entered = contract.risk, sides(contract)
    if risk.exit_after_bars is not None or risk.exit_at is not None:
        return
    ways = {x.side for x in contract.exits} | {x.side for x in (*risk.stops, *risk.targets)}
    ways |= {trail.side for trail in risk.trailing if trail.starts_after is None}
    for side in entered:
        turned = contract.reverse and len(entered) > 1
        if not turned and not ways & {side, None}:
            yield (
                f"a {side} position has no way out: give it an exit, a stop, a target, a trailing "
                "exit or a time exit, or ask how it is left"
            )


def _below_zero(contract: c.Contract) -> Iterator[str]:
    """A short whose target would be at or below zero: its order would never be sent."""
    risk = contract.risk
    if c.Side.SHORT not in sides(contract):
        return
    stops = [x.distance for x in levels_of(risk.stops, c.Side.SHORT)]
    percent = [far.amount if far is not None and far.unit == "percent" else 0.0 for far in stops]
    each = {"percent": 1.0, "r": min(percent, default=0.0)}
    for target in levels_of(risk.targets, c.Side.SHORT):
        far = target.distance
        if far is not None and far.amount * each.get(far.unit, 0.0) >= 100.0:
            told = (
                f"a short's target is {far.amount * each[far.unit]:g}% away: no price falls so far"
            )
            yield f"{told}, and the short would never be entered; give less than 100%"


def _undecided(contract: c.Contract) -> Iterator[str]:
    if contract.open_questions:
        yield (
            "open_questions must be empty: answer with questions_asked, or take a default and list "
            "it under assumptions"
        )
    if contract.min_trades > MOST_TRADES:
        yield f"min_trades is {contract.min_trades}: give 1, or at most {MOST_TRADES}"


def _costs(given: c.Costs) -> Iterator[str]:
    for field in fields(given):
        value = getattr(given, field.name)
        if isinstance(value, Decimal) and value < 0:  # a later field may be none of money
            yield f"costs.{field.name} is {value}: give zero or a positive number"
