"""Does it do what its contract says? The contract's own meaning against what was decided."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from sandbox.reference import Reference, Unknown
from schemas.contract import Contract, Side
from schemas.report import FailureClass, Finding
from simbroker.decisions import Decision

WARM = 300
"""Bars before which smoothing still remembers how it was started."""
MOST = 5
ACTION = {Side.LONG: "BUY", Side.SHORT: "SELL"}


Row = tuple[int, str, str]
Held = Sequence[Sequence[Mapping[str, Any]]]


def accept(
    contract: Contract, df: pd.DataFrame, decisions: Sequence[Decision], held: Held, bars: str
) -> list[Finding]:
    """The first few bars on which contract and strategy differ. `bars` names the table."""
    reference = Reference(contract, df)
    found: list[Finding] = []
    for check in (_entries, _exits, _levels):
        try:
            rows = check(reference, decisions, held)
        except Unknown:
            continue
        found += [_finding(bar, rule, f"bar {bar} of {bars}: {says}") for bar, rule, says in rows]
    return found[:MOST]


def _entries(r: Reference, decisions: Sequence[Decision], held: Held) -> list[Row]:
    """What depends on earlier trades can only be allowed by the rule, not demanded."""
    risk, found = r.contract.risk, []
    free = not (risk.cooldown_bars or risk.max_entries_per_day or risk.max_positions > 1)
    wanted = {side: r.entries(side).to_numpy() for side in Side}
    for bar in range(WARM, len(decisions) - 1):
        said = dict(decisions[bar].entry).get("action")
        may = [ACTION[s] for s in Side if wanted[s][bar]]
        if (said and said not in may) or (free and may and not said):
            expected = " or ".join(may) or "no entry"
            found.append((bar, "entry_differs", f"the contract says {expected}, "
                          f"the strategy says {said or 'no entry'}"))  # fmt: skip
    return found


def _exits(r: Reference, decisions: Sequence[Decision], held: Held) -> list[Row]:
    """Every position that was asked about, real or made up for the question."""
    risk, found = r.contract.risk, []
    only = not (risk.trailing or risk.exit_after_bars or risk.exit_at or risk.break_even_after)
    wanted = {ACTION[s]: r.exits(s).to_numpy() for s in {e.side for e in r.contract.entries}}
    for bar in range(WARM, len(decisions) - 1):
        left = {position for position, _ in decisions[bar].exits}
        for position in held[bar]:
            action, ident = str(position["action"]), str(position["position_id"])
            if action not in wanted or decisions[bar].error:
                continue
            must, did = bool(wanted[action][bar]), ident in left
            if must and not did:
                found.append((bar, "exit_differs", f"the contract closes a {action}, it stays"))
            if did and not must and only:
                found.append((bar, "exit_differs", f"the contract keeps a {action}, it leaves"))
    return found


def _levels(r: Reference, decisions: Sequence[Decision], held: Held) -> list[Row]:
    found, risk = [], r.contract.risk
    for side in Side:
        stops = r.level(risk.stops, side, -1).to_numpy()
        targets = r.level(risk.targets, side, 1).to_numpy()
        for bar in range(WARM, len(decisions) - 1):
            order = dict(decisions[bar].entry)
            if order.get("action") != ACTION[side]:
                continue
            for name, level in (("sl", stops[bar]), ("tp", targets[bar])):
                if not _agrees(order.get(name), float(level)):
                    says = f"the contract's {name} is {level:.6g}, the order's {order.get(name)}"
                    found.append((bar, "level_differs", says))
    return found


def _agrees(told: str | None, level: float) -> bool:
    value = float(told) if told not in (None, "None") else 0.0
    if math.isnan(level):
        return value == 0.0
    return math.isclose(value, level, rel_tol=1e-6)


def _finding(bar: int, rule: str, message: str) -> Finding:
    return Finding(
        failure_class=FailureClass.TEST_FAILURES,
        rule=rule,
        message=message,
        bar=bar,
        test_name="contract",
        fix="follow the contract, or /revise the plan if the contract is wrong",
    )
