"""One function per check: from facts to an outcome and findings. None of them judges the whole."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from sandbox import findings
from sandbox.acceptance import accept
from sandbox.conversations import Case, Talks, held
from sandbox.job import Ended
from sandbox.outgoing import SECRET
from sandbox.runs import Told
from schemas.report import FailureClass, Finding, Outcome, TestOutcome

Result = tuple[Outcome, Sequence[Finding]]
ASSIGNED = re.compile(
    r"(?i)(api[_-]?key|secret|token|passw(or)?d|private[_-]?key)\w*\s*[:=]\s*"
    r"""["'][^"'\s]{12,}["']"""
)
KNOWN, UNSEEN = "the known bars", "unseen bars"
STRANGE = ("bars of high prices and late dates", "bars of low prices and early dates")


def ended(found: Sequence[Finding]) -> Result:
    return (Outcome.FAILED if found else Outcome.PASSED), found


def backtest(case: Case, talks: Talks) -> Result:
    if talks.known.trouble:
        return Outcome.FAILED, [findings.of_trouble(talks.known.trouble, KNOWN)]
    return ended(findings.of_orders(talks.known, KNOWN))


def acceptance(case: Case, talks: Talks) -> Result:
    """Without a contract only the interface can be held against it, which the backtest does."""
    if talks.known.trouble or talks.unseen.trouble:
        return Outcome.ERROR, []
    found = [_example(e.fixture, e.bar, e.expects, d.entry) for e, d in talks.examples
             if e.expects != "exit" and _said(d.entry) != e.expects]  # fmt: skip
    if case.contract:
        for told, df, name in (
            (talks.known, case.known, KNOWN),
            (talks.unseen, case.unseen, UNSEEN),
        ):
            if df is not None:
                found += accept(case.contract, df, told.decisions, held(told, df), name, told.run)
    return ended(found)


def _said(entry: tuple[tuple[str, str], ...]) -> str:
    return {"BUY": "long", "SELL": "short"}.get(dict(entry).get("action", ""), "nothing")


def _example(fixture: str, bar: int, expects: str, entry: tuple[tuple[str, str], ...]) -> Finding:
    return Finding(
        failure_class=FailureClass.TEST_FAILURES,
        rule="example_differs",
        message=f"bar {bar} of {fixture}: the contract's example says {expects}, "
        f"the strategy says {_said(entry)}",
        bar=bar,
        fixture=f"fixtures/bars/{fixture}.csv",
        test_name="example",
        fix="follow the contract",
    )


def determinism(case: Case, talks: Talks) -> Result:
    if talks.known.trouble or talks.varied.trouble:
        return _broken(KNOWN, talks.known, talks.varied)
    one, two = talks.known, talks.varied
    said = findings.of_chance(one.decisions, two.decisions, KNOWN)
    return ended(said or findings.of_chance(one.acted.decisions, two.acted.decisions, KNOWN))


def causality(case: Case, talks: Talks) -> Result:
    if talks.known.trouble or talks.past_known.trouble:
        return _broken(KNOWN, talks.known, talks.past_known)
    return ended(_leaks(talks.known, talks.past_known, KNOWN))


def unseen(case: Case, talks: Talks) -> Result:
    if talks.unseen.trouble or talks.past_unseen.trouble:
        return _broken(UNSEEN, talks.unseen, talks.past_unseen)
    whole, past = talks.unseen, talks.past_unseen
    found = [*findings.of_orders(whole, UNSEEN), *_leaks(whole, past, UNSEEN)]
    for said, again, bars in zip(whole.strange, past.strange, STRANGE, strict=True):
        found += findings.of_leaks(said, again, bars)
    return ended(found)


def _leaks(whole: Told, past: Told, bars: str) -> list[Finding]:
    """In what it says about every bar, and in what it did where that is something else."""
    said = findings.of_leaks(whole.decisions, past.decisions, bars)
    if said or not past.acted.decisions:
        return said
    return findings.of_leaks(whole.acted.decisions, past.acted.decisions, bars)


def _broken(bars: str, *told: Told) -> Result:
    trouble = next(t.trouble for t in told if t.trouble)
    return Outcome.FAILED, [findings.of_trouble(trouble, bars)]


def own_tests(done: Ended, again: Ended) -> tuple[Result, Result, list[TestOutcome], object]:
    """pytest, the mutants, the tests and the covered lines as they were told.

    The exit codes decide; the report only explains. `again`: in another order and environment.
    """
    try:
        (code, told), (code_again, told_again) = _told(done), _told(again)
        mutants = {str(k): int(v) for k, v in told["mutants"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        silent = done if done.exit_code != 0 or done.reason != "exited" else again
        return (Outcome.ERROR, [_silent(silent)]), (Outcome.ERROR, []), [], None
    outcomes, failed = findings.of_tests(told)
    flaky = findings.of_flaky(outcomes, findings.of_tests(told_again)[0])
    changed = {f.test_name for f in flaky}
    failed = [f for f in failed if f.test_name not in changed]
    if code == 0 and not any(o.outcome is Outcome.PASSED for o in outcomes):
        failed = [_tests("no_tests", "no test ran", "write a test that can fail")]
    elif code != code_again and not flaky:
        flaky = [findings.flaky("", f"pytest ended with {code}", f"with {code_again}")]
    elif code and not failed and not flaky:
        failed = [_tests("pytest", f"pytest ended with {code}", "run the tests by hand")]
    alive = [name for name, end in mutants.items() if end != 1]
    weak = [_unnoticed(name.replace("_", " ")) for name in sorted(alive)]
    return ended([*failed, *flaky]), ended(weak), outcomes, told.get("coverage")


def _told(done: Ended) -> tuple[int, dict[str, Any]]:
    told = json.loads(done.stdout if done.exit_code == 0 else b"")
    return int(told["code"]), told


def _unnoticed(mutant: str) -> Finding:
    says = f"the tests do not notice a strategy that is broken: {mutant}"
    return _tests("weak_tests", says, "assert what it decides on given bars")


def _tests(rule: str, message: str, fix: str) -> Finding:
    return Finding(
        failure_class=FailureClass.TEST_FAILURES, rule=rule, message=message,
        file="test_strategy.py", fix=fix,
    )  # fmt: skip


def _silent(done: Ended) -> Finding:
    return Finding(
        failure_class=FailureClass.SANDBOX_ERROR,
        rule="timeout" if done.reason == "timed_out" else "ended",
        message=f"the tests did not end as tests do: {done.reason}",
        file="test_strategy.py",
        fix="tests must end by themselves, and must not exit or kill",
    )


def secrets(texts: Mapping[str, bytes]) -> Result:
    """By the name of each file."""
    found = []
    for name, text in texts.items():
        for n, line in enumerate(text.decode(errors="replace").splitlines(), 1):
            if SECRET.search(line) or ASSIGNED.search(line):
                found.append(
                    Finding(
                        failure_class=FailureClass.STATIC_FAILURES,
                        rule="secret",
                        message="this line holds something that looks like a secret",
                        file=name,
                        line=n,
                        fix="take it out, and change the secret: it has been seen",
                    )
                )
    return ended(found)
