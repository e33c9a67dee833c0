"""Stands in for `sandbox/work.py` in repositories of stories: the same protocol, facts by rules.

A comment in the request or in the strategy says what it finds; the product knows nothing of it:

    <!-- red t1_data -->      that task fails each time, each time in another way
    <!-- stuck t1_data -->    that task fails each time in the same way
    <!-- gate /some/file -->  tests wait until that file is there
    # mistake one             a strategy with such a line fails, by the name of the mistake

What fails by the request's words comes back with a line more: there is something to mend.
"""

from __future__ import annotations

import argparse
import re
import time
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from schemas import codec
from schemas.acts import File
from schemas.base import TaskId, Usage
from schemas.report import (
    EXPECTED,
    Artifact,
    Check,
    CheckName,
    FailureClass,
    Finding,
    Mutant,
    Outcome,
    Summary,
    TestOutcome,
    TestReport,
)
from schemas.work import (
    PaperTraded,
    Product,
    Tested,
    TestsBuilt,
    WorkKind,
    WorkOrder,
    WorkResult,
    answered,
)

MISTAKE = "# mistake "
PATIENCE = 300
SUMMARY = Summary(
    total_trades=24,
    net_pnl=Decimal("812.50"),
    win_rate=0.625,
    max_drawdown=Decimal("140.25"),
    profit_factor=1.8,
    sharpe=1.1,
    buy_and_hold=Decimal("640.00"),
    net_pnl_at_double_costs=Decimal("771.25"),
)
FILES = {
    "trades.csv": "action,entry_time,entry_price,exit_time,exit_price,gross_pnl,commission,spread,"
    "slippage,pnl\nBUY,2024-01-03,100,2024-01-05,104,4,1,0.01,0,2.99\n",
    "equity_curve.csv": "timestamp,balance,equity\n2024-01-03,10000,10000\n"
    "2024-01-04,10000,10002\n2024-01-05,10002.99,10002.99\n",
    "events.log": "2024-01-03 filled BUY 1\n2024-01-05 filled SELL 1\n",
    "summary.json": '{"total_trades": 24}\n',
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--order", "--tree", "--out"):
        parser.add_argument(name, type=Path, required=True)
    for name in ("--backend", "--summary"):
        parser.add_argument(name)
    args = parser.parse_args()
    order = codec.load(WorkOrder, args.order.read_bytes())
    _wait(order)
    product = _product(order, args.tree, args.out)
    result = answered(order, product, Usage(seconds=1.0), int(time.time()))
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "result.json").write_text(codec.dump(result))


def _product(order: WorkOrder, tree: Path, out: Path) -> Product:
    if order.kind is WorkKind.BUILD_TESTS:
        built = codec.load(WorkResult, (out / "result.json").read_bytes()).product
        assert isinstance(built, TestsBuilt)
        return replace(built, tests=replace(built.tests, notes=("line 12 is noticed now",)))
    if order.kind is WorkKind.PAPER:
        assert order.head
        return PaperTraded(sha=order.head, bars=450, differences=0)
    return _tested(order, tree)


def _tested(order: WorkOrder, tree: Path) -> Tested:
    assert order.contract and order.head and order.task_id
    home = tree / "strategies" / order.contract.name
    strategy = (home / "strategy.py").read_text()
    tests = [f.read_text() for f in (home / "test_strategy.py", *home.glob("tests/test_*.py"))]
    found = _finding(order, strategy)
    if found and MISTAKE not in strategy:
        strategy += f"# as tested, {len(order.tried)}\n"
    trades = order.task_id in (TaskId.EXIT, TaskId.TESTS) and found is None
    report = TestReport(
        correlation_id=order.correlation_id,
        workflow_id=order.workflow_id,
        task_id=order.task_id,
        commit_sha=order.head,
        contract_digest=codec.digest(order.contract),
        strategy_digest=codec.digest_of(strategy),
        tests_digest=codec.digest_of("\0".join(tests)),
        isolated=True,
        started_at=1_700_000_000,
        seconds=1.0,
        environment="rules",
        checks=tuple(_check(name, found) for name in sorted(EXPECTED[order.task_id])),
        tests=(
            TestOutcome(nodeid="test_strategy.py::test_x", outcome=Outcome.PASSED, seconds=0.1),
        ),
        summary=SUMMARY if trades else None,
        sealed=SUMMARY if trades and order.opens else None,
        line_coverage=92.0,
        mutants=(Mutant(line=12, function="find_exits", change="< to <=", outcome="survived"),),
        decisions_digest=codec.digest_of("decisions"),
        artifacts=tuple(_artifact(n, t) for n, t in FILES.items()) if trades else (),
    )
    if found:
        return Tested(report=report, files=(
            File(path="strategy.py", text=strategy), File(path="test_strategy.py", text=tests[0]),
        ))  # fmt: skip
    return Tested(
        report=report,
        files=tuple(File(path=n, text=t) for n, t in FILES.items()) if trades else (),
    )


def _finding(order: WorkOrder, strategy: str) -> Finding | None:
    rows = strategy.splitlines()
    said = order.request.body
    for number, row in enumerate(rows, 1):
        if row.startswith(MISTAKE):
            return _wrong(f"mistake_{row.removeprefix(MISTAKE).strip()}", number)
    if f"<!-- red {order.task_id} -->" in said:
        return _wrong(f"wrong_{len(order.tried)}", 3)
    if f"<!-- stuck {order.task_id} -->" in said:
        return _wrong("stuck", 3)
    return None


def _wrong(rule: str, line: int) -> Finding:
    return Finding(
        failure_class=FailureClass.TEST_FAILURES,
        rule=rule,
        message=f"expected 28.5, got 32.1 ({rule})",
        test_name=f"test_{rule}",
        trace=f"test_strategy.py:42: AssertionError {rule}",
        file="strategy.py",
        line=line,
        fix="use the close of this bar",
        reproduce_command="python sandbox/run_in_sandbox.py --strategy strategy.py",
    )


def _check(name: CheckName, found: Finding | None) -> Check:
    if found and name is CheckName.PYTEST:
        return Check(name=name, outcome=Outcome.FAILED, seconds=0.1, findings=(found,))
    return Check(name=name, outcome=Outcome.PASSED, seconds=0.1)


def _artifact(name: str, text: str) -> Artifact:
    return Artifact(path=name, digest=codec.digest_of(text), size=len(text.encode()))


def _wait(order: WorkOrder) -> None:
    gate = re.search(r"<!-- gate (\S+) -->", order.request.body)
    end = time.monotonic() + PATIENCE
    while gate and not Path(gate[1]).exists() and time.monotonic() < end:
        time.sleep(0.1)


if __name__ == "__main__":
    main()
