"""From what tools and conversations said to findings: class, place, words made harmless, a fix."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from sandbox.outgoing import cell, tame
from sandbox.runs import Told, Trouble
from schemas.report import FailureClass, Finding, Outcome, TestOutcome
from simbroker.broker import WORKING
from simbroker.causality import FIX as NO_FUTURE
from simbroker.decisions import Decision, same
from simbroker.determinism import FIX as NO_CHANCE
from simbroker.determinism import differences

MOST = 10
LINE = re.compile(r"^([^:\n]*):(\d+):(?:\d+:)? (.*)$", re.MULTILINE)
TEST_FILE = re.compile(r"(?:^|/)((?:tests/)?test_\w{1,80}\.py)(?:::|$)", re.ASCII)
FIXES = {
    "raises": "mend the line; the trace shows how it was reached",
    "timeout": "compute indicators once, with pandas, and loop over no more than the bars",
    "memory": "keep no copies of the bars",
    "wrong_shape": "follow strategies/template.py: the same methods, parameters and return values",
    "bad_answer": "return None, an order, or a position_id with a reason: nothing else",
    "ended": "use no process, thread, file or network, and do not exit",
}

INTERFACE = {"wrong_shape", "bad_answer"}
"""The strategy is not what the contract's interface says: `spec_mismatch`, for the architect."""


def of_trouble(trouble: Trouble, bars: str) -> Finding:
    where = f"bar {trouble.bar} of {bars}: " if trouble.bar is not None else ""
    where = f"{trouble.rule}: {where}" if trouble.rule in INTERFACE else where
    timed = trouble.rule in ("timeout", "memory", "ended", "bad_answer")
    return Finding(
        failure_class=FailureClass.SANDBOX_ERROR if timed else FailureClass.TEST_FAILURES,
        rule="spec_mismatch" if trouble.rule in INTERFACE else trouble.rule,
        message=where + trouble.message,
        trace=trouble.trace,
        file="strategy.py",
        line=trouble.line,
        bar=trouble.bar,
        fixture=bars,
        fix=FIXES[trouble.rule],
    )


def of_orders(told: Told, bars: str) -> list[Finding]:
    """Orders that the broker did not take, with the broker's advice.

    A strategy is not told of an order that still works, so it may well send the next one.
    """
    every = told.run.refusals if told.run else ()
    refusals = [r for r in every if not r.reason.endswith(WORKING)]
    return [
        Finding(
            failure_class=FailureClass.TEST_FAILURES,
            rule="order_refused",
            message=f"bar {r.idx}: {cell(r.reason, 300)}",
            bar=max(r.idx, 0),
            fixture=bars,
            fix="return only orders that the broker can take",
        )
        for r in refusals[:MOST]
    ]


def of_leaks(whole: Sequence[Decision], past: Sequence[Decision], bars: str) -> list[Finding]:
    """Bars on which the future made a difference."""
    pairs = [(i, a, b) for i, (a, b) in enumerate(zip(whole, past, strict=True))]
    return [
        Finding(
            failure_class=FailureClass.TEST_FAILURES,
            rule="look_ahead",
            message=f"bar {i} of {bars}: with all bars {cell(a, 200)}; "
            f"with the bars up to it {cell(b, 200)}",
            bar=i,
            fixture=bars,
            fix=NO_FUTURE,
        )
        for i, a, b in pairs
        if not same(a, b) and not (b.error and a.nothing)
    ][:MOST]


def of_chance(one: Sequence[Decision], two: Sequence[Decision], bars: str) -> list[Finding]:
    return [
        Finding(
            failure_class=FailureClass.NON_DETERMINISTIC,
            rule="differs",
            message=f"bar {d.bar}: {cell(d.first, 200)}; elsewhere {cell(d.second, 200)}",
            bar=d.bar,
            fixture=bars,
            fix=NO_CHANCE,
        )
        for d in differences(one, two, MOST)
    ]


def of_tool(tool: str, stdout: bytes) -> tuple[Outcome, list[Finding]]:
    """A linter's end. Its exit code decides; its words only explain."""
    try:
        told = json.loads(stdout)
        code, out = int(told["code"]), str(told["out"])
    except (ValueError, KeyError, TypeError):
        return Outcome.ERROR, []
    if code == 0:
        return Outcome.PASSED, []
    rows = _bandit(out) if tool == "bandit" else LINE.findall(out)
    found = [
        Finding(
            failure_class=FailureClass.STATIC_FAILURES,
            rule=tool,
            message=tame(message, 400),
            file=_place(file, "strategy.py"),
            line=min(int(line), 100_000),
            fix="write it so that the tool has nothing to say; comments do not silence it",
        )
        for file, line, message in rows[:MOST]
    ]
    if not found:
        found = [Finding(failure_class=FailureClass.STATIC_FAILURES, rule=tool,
                         message=tame(out or str(told.get("err", "")), 800))]  # fmt: skip
    return Outcome.FAILED, found


def _place(told: str, otherwise: str) -> str:
    """Which file of a submission a tool or a test means; no other name is taken over."""
    named = TEST_FILE.search(told)
    return named[1] if named else otherwise


def _bandit(out: str) -> list[tuple[str, int, str]]:
    try:
        results = json.loads(out)["results"]
        return [("", int(r["line_number"]), f"{r['test_id']} {r['issue_text']}") for r in results]
    except (ValueError, KeyError, TypeError):
        return []


def of_tests(told: dict[str, Any]) -> tuple[list[TestOutcome], list[Finding]]:
    """The submission's own word for it: shown, never trusted beyond the exit code."""
    try:
        report = json.loads(str(told.get("report", "{}")))
        tests = report.get("tests", [])
        tests = [t for t in tests if isinstance(t, dict)] if isinstance(tests, list) else []
    except (ValueError, AttributeError, RecursionError):
        tests = []
    outcomes, findings = [], []
    for test in tests[:500]:
        name, ended = cell(test.get("nodeid", ""), 200), str(test.get("outcome", ""))
        known = Outcome(ended) if ended in list(Outcome) else Outcome.ERROR
        outcomes.append(TestOutcome(nodeid=name, outcome=known, seconds=_seconds(test)))
        if known is not Outcome.PASSED:
            findings.append(_failed(name, test))
    return outcomes, findings[:MOST]


def of_flaky(one: Sequence[TestOutcome], two: Sequence[TestOutcome]) -> list[Finding]:
    """Tests that ended otherwise in another order and environment."""
    first, second = ({o.nodeid: o.outcome.value for o in told} for told in (one, two))
    names = list(dict.fromkeys([*first, *second]))
    ends = [(n, first.get(n, "not run"), second.get(n, "not run")) for n in names]
    return [flaky(n, a, b) for n, a, b in ends if a != b][:MOST]


def flaky(name: str, first: str, second: str) -> Finding:
    return Finding(
        failure_class=FailureClass.NON_DETERMINISTIC,
        rule="flaky_test",
        message=f"{first} in the order of the file; {second} in reverse order with another hash "
        "seed, clock and time zone",
        test_name=name,
        file=_place(name, "test_strategy.py"),
        fix="let each test make what it needs; no order, clock, hash or zone may matter",
    )


def _seconds(test: dict[str, Any]) -> float:
    call = test.get("call")
    took = call.get("duration", 0.0) if isinstance(call, dict) else 0.0
    return float(took) if isinstance(took, float | int) and 0 <= took < 1e6 else 0.0


def _failed(name: str, test: dict[str, Any]) -> Finding:
    stages = [test.get(s) for s in ("setup", "call", "teardown")]
    crash = next((s for s in stages if isinstance(s, dict) and s.get("longrepr")), {})
    where = crash.get("crash", {}) if isinstance(crash, dict) else {}
    line = where.get("lineno", 0) if isinstance(where, dict) else 0
    return Finding(
        failure_class=FailureClass.TEST_FAILURES,
        rule="test",
        message=tame(
            where.get("message", "it did not pass") if isinstance(where, dict) else "", 600
        ),
        test_name=name,
        trace=tame(crash.get("longrepr", ""), 2000),
        file=_place(name, "test_strategy.py"),
        line=line if isinstance(line, int) and 0 <= line < 100_000 else 0,
    )
