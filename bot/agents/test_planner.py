"""The test planner without a model: from missed lines and living mutants to missing tests. Pure."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.agents.tree import remembers
from bot.tasks import home
from schemas.contract import Contract
from schemas.report import Mutant, TestCase, TestReport, TestSpec
from schemas.work import TestsPlanned, WorkOrder

CASES: dict[str, str] = {
    "test_added_early_bars": "no order before every series of the rules is known",
    "test_added_entries": "on every made bar the order that the contract's rules ask for, or none",
    "test_added_prices": "limit, stop and target of each order are those of the contract",
    "test_added_sizes": "the size of each order is that of the contract",
    "test_added_exits": "a position is closed on the bars on which the contract closes it",
    "test_added_rest": "no entry while the contract wants a rest, and one as soon as it does not",
    "test_added_backtest": "a backtest runs to its end and gives back the broker's report",
    "test_added_live": "live trading is refused without an approved deployment",
}
"""Name -> what it shows. These are the cases that the builder without a model can write."""
ENTRY = ("test_added_early_bars", "test_added_entries", "test_added_prices", "test_added_sizes")
TRADES = (*ENTRY, "test_added_exits", "test_added_rest")
OF_FUNCTION: dict[str, tuple[str, ...]] = {
    "find_entries": ENTRY,
    "find_exits": ("test_added_exits",),
    "run_backtest": ("test_added_backtest",),
    "run_live": ("test_added_live",),
}
"""Function -> the cases that look at it; anything else may change every decision."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that no test notices."""

    line: int
    function: str
    told: str


def plan(order: WorkOrder) -> TestsPlanned:
    """Document in, document out. Nothing missing gives a spec without cases."""
    if order.contract is None or order.draft is None or order.report is None:
        raise ValueError("a test plan needs contract, draft and report")
    spec = missing(order.contract, order.draft.strategy, order.report)
    return TestsPlanned(spec=replace(spec, min_line_coverage=order.min_line_coverage))


def missing(contract: Contract, strategy: str, report: TestReport) -> TestSpec:
    spec = spec_of(contract, strategy, report.missed_lines, report.mutants)
    return replace(
        spec,
        id=f"spec_{report.workflow_id.removeprefix('wf_')}",
        correlation_id=report.correlation_id,
        parent_commit_sha=report.commit_sha,
    )


def spec_of(
    contract: Contract, strategy: str, missed: Sequence[int], mutants: Sequence[Mutant]
) -> TestSpec:
    """What is missing, whatever commit it is about."""
    found = gaps(strategy, missed, mutants)
    target = f"{home(contract.name)}/strategy.py"
    cases = [
        TestCase(name=name, goal=_goal(name, about), target_path=target)
        for name, about in _by_case(found, contract).items()
    ]
    return TestSpec(
        id=f"spec_{contract.workflow_id.removeprefix('wf_')}",
        correlation_id=contract.correlation_id,
        parent_commit_sha="0" * 40,
        cases=tuple(cases),
    )


def gaps(strategy: str, missed: Sequence[int], mutants: Sequence[Mutant]) -> list[Gap]:
    """Living mutants first: they say more than a line that was not reached."""
    places = _functions(strategy)
    alive = [Gap(m.line, m.function, f"line {m.line}: {m.change}") for m in mutants
             if m.outcome == "survived"]  # fmt: skip
    unseen = [Gap(n, places.get(n, ""), f"line {n} is not reached") for n in missed]
    return alive + unseen


def _by_case(found: list[Gap], contract: Contract) -> dict[str, list[Gap]]:
    """In the order of CASES; a case that this contract has no use for is left out."""
    wanted: dict[str, list[Gap]] = {name: [] for name in CASES}
    for gap in found:
        for name in OF_FUNCTION.get(gap.function.rpartition(".")[2], TRADES):
            wanted[name].append(gap)
    if not rests(contract):
        del wanted["test_added_rest"]
    return {name: about for name, about in wanted.items() if about}


def rests(contract: Contract) -> bool:
    """Whether earlier trades forbid an entry in a way that a plain test can count."""
    risk = contract.risk
    counted = bool(risk.cooldown_bars and risk.cooldown_after == "exit") or (
        risk.max_entries_per_day is not None and not risk.cooldown_bars
    )
    plain = risk.max_positions == 1 and not any(e.limit for e in contract.entries)
    return remembers(contract) and counted and plain


def _goal(name: str, about: list[Gap]) -> str:
    """What it shows, and which gaps it is for."""
    told = "; ".join(dict.fromkeys(gap.told for gap in about))
    return f"{CASES[name]}. Unnoticed so far: {told}"[:500]


def _functions(strategy: str) -> dict[int, str]:
    """Line -> the function that it is in, the innermost one."""
    try:
        tree = ast.parse(strategy)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            last = node.end_lineno or node.lineno
            found |= dict.fromkeys(range(node.lineno, last + 1), node.name)
    return found
