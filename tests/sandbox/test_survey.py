"""What the sandbox says about lines and mutants is read strictly; mutants are always the same."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox import covered
from sandbox.engine import Ended, ProcessEngine
from sandbox.mutants import mutants
from sandbox.survey import Files, read, survey
from schemas.report import MISSED

SOURCE = '''"""Words."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    LIMIT = 9
LOW: float = 30.0
class Strategy:
    def find_entries(self, df, indicators, idx: int = 2):
        if idx > 3 and not df < LOW:
            return idx - 1
        return None
def both(a, b):
    return (a > 1) & (b == -2)
if __name__ == "__main__":
    raise SystemExit(1)
'''


def test_every_kind_of_mutant_is_made_and_is_python() -> None:
    made = mutants(SOURCE, 100)
    changes = {m.change for m in made}
    assert {"30.0 became 33.0", "idx > 3 became idx <= 3", "and became or", "dropped idx > 3",
            "not df < LOW became df < LOW", "idx - 1 became idx + 1", "dropped b == -2",
            "returns None, not idx - 1", "-2 became 2", "2 became 3"} <= changes  # fmt: skip
    assert all(ast.dump(ast.parse(m.source)) != ast.dump(ast.parse(SOURCE)) for m in made)
    assert not any(m.line in (3, 4, 13, 14) for m in made)
    assert {m.line for m in made if m.change == "30.0 became 33.0"} == {5}


def test_a_few_mutants_come_from_all_functions_and_are_always_the_same() -> None:
    few = mutants(SOURCE, 3)
    assert {m.function for m in few} == {"Strategy.find_entries", "", "both"}
    assert few == mutants(SOURCE, 3) == mutants(SOURCE, 100)[:3]
    assert mutants("def (") == ()


def told(**more: object) -> str:
    return json.dumps({"lines": 4, "missed": [2, 3], **more})


def test_honest_coverage_is_read() -> None:
    assert covered.read(told(), b"1\n2\n3\n4\n") == covered.Covered(50.0, (2, 3))
    many = json.dumps({"lines": 900, "missed": list(range(1, 900))})
    seen = covered.read(many, b"\n" * 900)
    assert seen is not None and seen.percent == 0.11 and len(seen.missed) == MISSED


HOSTILE: list[object] = [
    None, 7, "", "nonsense", "[]", "{}", "[" * 100_000, told(more=1), told(lines=0),
    told(lines=-4), told(lines=True), told(lines=1e9), told(lines="4"), told(lines=10**9),
    told(missed=None), told(missed=[0]), told(missed=[True]), told(missed=[2.0]),
    told(missed=["2"]),
    told(missed=[3, 2]), told(missed=[2, 2]), told(missed=[99]), told(missed=[1, 2, 3, 4, 5]),
    told(missed=[[2]]), '{"lines": NaN, "missed": []}', '{"lines": 4, "missed": [Infinity]}',
]  # fmt: skip


@pytest.mark.parametrize("lie", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_coverage_is_not_known(lie: object) -> None:
    assert covered.read(lie, b"1\n2\n3\n4\n") is None


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(
        ["code", "mutant", "report", "coverage", "lines", "missed", "x"]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(st.lists(ANY, max_size=4))
def test_nothing_that_is_said_breaks_the_reader(lines: list[Any]) -> None:
    said = "\n".join(json.dumps(line) for line in lines).encode()
    tried = mutants(SOURCE, 2)
    seen = read(Ended(0, said + b"\n\xff{", b"", 1.0, "exited"), SOURCE.encode(), tried)
    assert not seen.green and seen.mutants == ()


TESTS = """
from strategies.made.strategy import Strategy

def test_it():
    assert Strategy().find_entries(0, {}, 1) is None
    assert Strategy().find_entries(50, {}, 5) == 4
"""


def test_lines_and_mutants_of_a_run() -> None:
    source = SOURCE.encode()
    tried = [m for m in mutants(SOURCE, 100) if m.function == "Strategy.find_entries"]
    seen = survey(
        ProcessEngine(), Files("made", source, {"test_strategy.py": TESTS.encode()}), tried
    )
    assert seen.green and seen.covered is not None
    assert seen.covered.missed == (12,)
    ends = {m.change: m.outcome for m in seen.mutants}
    assert ends["idx > 3 became idx <= 3"] == ends["idx - 1 became idx + 1"] == "killed"
    assert ends["dropped idx > 3"] == "survived" and len(ends) == 11


def test_a_mutant_that_does_not_end_is_ended_and_counts_as_noticed() -> None:
    looping = SOURCE.replace(
        "        if idx", "        while idx > 9:\n            idx = idx - 1\n        if idx"
    )
    tried = [m for m in mutants(looping, 100) if m.line == 8 and "<=" in m.change]
    files = Files("made", looping.encode(), {"test_strategy.py": TESTS.encode()})
    assert [m.outcome for m in survey(ProcessEngine(), files, tried).mutants] == ["killed"]


def test_the_tests_that_do_not_pass_are_named() -> None:
    red = TESTS.replace("== 4", "== 5").encode()
    seen = survey(ProcessEngine(), Files("made", SOURCE.encode(), {"test_strategy.py": red}))
    assert not seen.green and seen.failed == ("test_it",)


def test_what_a_time_limit_cuts_off_is_told_as_not_run() -> None:
    tried = mutants(SOURCE, 2)
    report = json.dumps({"tests": [{"nodeid": "t", "outcome": "passed"}]})
    lines = json.dumps({"code": 0, "report": report}).encode() + b"\n"
    seen = read(Ended(None, lines + b'{"mutant": 0, "code": -14}', b"", 9.0, "timed_out"),
                SOURCE.encode(), tried)  # fmt: skip
    assert [m.outcome for m in seen.mutants] == ["killed", "not_run"] and seen.covered is None
