"""Added tests hold on every contract of the table, pass the intake, and find a wrong strategy."""

from __future__ import annotations

import sys
import types
from dataclasses import replace
from typing import Any

import pytest

from bot.agents import test_builder, test_planner
from bot.agents.spelling import module_name
from sandbox.intake import check
from schemas.contract import Contract
from schemas.report import Mutant, TestCase, TestSpec
from tests.agents.running import source_of
from tests.agents.table import CONTRACTS

SLOW = {"vwap", "prior_day", "opening_range"}
"""Their series are worked out from every earlier bar; the others show the same."""


def spec(*names: str) -> TestSpec:
    cases = [TestCase(name=n, goal="g", target_path="strategies/x/strategy.py") for n in names]
    return TestSpec(id="s", correlation_id="c", parent_commit_sha="0" * 40, cases=tuple(cases))


def everything(contract: Contract) -> TestSpec:
    rests = test_planner.rests(contract)
    return spec(*(n for n in test_planner.CASES if n != "test_added_rest" or rests))


def loaded(contract: Contract, strategy: str, tests: str) -> Any:
    """The tests as a module, over this strategy."""
    name = f"strategies.{module_name(contract.name)}"
    package, module = types.ModuleType(name), types.ModuleType(f"{name}.strategy")
    exec(compile(strategy, "strategy.py", "exec"), module.__dict__)
    before = {n: sys.modules.get(n) for n in (name, f"{name}.strategy")}
    sys.modules |= {name: package, f"{name}.strategy": module}
    made = types.ModuleType("added")
    try:
        exec(compile(tests, "test_added.py", "exec"), made.__dict__)
    finally:
        for n, old in before.items():
            sys.modules.pop(n)
            if old is not None:
                sys.modules[n] = old
    return made


@pytest.mark.parametrize("name", sorted(CONTRACTS))
def test_no_line_is_too_long_for_the_linter_however_long_the_name(name: str) -> None:
    contract = replace(CONTRACTS[name], name="a_title_that_is_as_long_as_any_is_kept_1")
    text = test_builder.write(contract, everything(contract))
    assert [line for line in text.splitlines() if len(line) > 100] == []


@pytest.mark.parametrize("name", sorted(set(CONTRACTS) - SLOW))
def test_all_cases_hold_on_the_strategy_of_the_contract(name: str) -> None:
    contract, plan = CONTRACTS[name], everything(CONTRACTS[name])
    text = test_builder.write(contract, plan)
    assert check(source_of(contract).encode(), text.encode()) == ()
    assert max(map(len, text.splitlines())) <= 100
    made = loaded(contract, source_of(contract), text)
    for case in plan.cases:
        getattr(made, case.name)()


@pytest.mark.parametrize(("name", "case", "old", "new"), [
    ("rsi", "test_added_exits", "crosses_below(rsi", "crosses_above(rsi"),
    ("rsi", "test_added_entries", "both = gain + loss", "both = gain + gain"),
    ("cooldown", "test_added_rest", "rested >=", "rested <"),
    ("trail_percent", "test_added_exits", "trail_best - trail_reach", "trail_best + trail_reach"),
    ("risk_sized", "test_added_sizes", "/ 100.0 / away", "/ 50.0 / away"),
    ("limit_entry", "test_added_prices", '"LIMIT"', '"MARKET"'),
    ("rsi", "test_added_live", "refuse_live()", "refuse_live"),
    ("rsi", "test_added_backtest", "return backtest(Strategy, adapter, df, cfg)", "return {}"),
])  # fmt: skip
def test_a_strategy_that_differs_is_found(name: str, case: str, old: str, new: str) -> None:
    contract = CONTRACTS[name]
    source = source_of(contract)
    assert old in source
    made = loaded(contract, source.replace(old, new), test_builder.write(contract, spec(case)))
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        getattr(made, case)()


def test_a_gap_becomes_a_case_that_names_it() -> None:
    contract = CONTRACTS["rsi"]
    source = source_of(contract)
    line = source[: source.index("def run_live")].count("\n") + 2
    alive = Mutant(line=7, function="Strategy.find_exits", change="1 became 2", outcome="survived")
    dead = replace(alive, function="Strategy.find_entries", outcome="killed")
    found = test_planner.spec_of(contract, source, [line], [alive, dead])
    assert [c.name for c in found.cases] == ["test_added_exits", "test_added_live"]
    assert "line 7: 1 became 2" in found.cases[0].goal and f"line {line}" in found.cases[1].goal
    assert found.min_line_coverage == 80.0
    assert test_planner.spec_of(contract, source, [], [dead]).cases == ()


def test_a_plan_that_only_a_model_can_write_is_said_to_be_one() -> None:
    with pytest.raises(test_builder.Unplannable):
        test_builder.write(CONTRACTS["rsi"], spec("test_gap_through_the_stop"))
