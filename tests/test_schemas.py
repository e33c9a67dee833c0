"""The types and the JSON Schemas say the same; documents of every past version load for ever."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from schemas import codec, outside
from schemas.base import MOST, Usage
from schemas.codec import Invalid
from schemas.contract import Sizing
from schemas.report import GeneratedTests
from schemas.types import DOCUMENTS
from schemas.workflow import Workflow

ROOT = Path(__file__).parent.parent
SAMPLES = sorted((ROOT / "fixtures/documents").rglob("*.json"))
FIRST = {name: ROOT / f"fixtures/documents/v1/{name}.json" for name in DOCUMENTS}
EACH = pytest.mark.parametrize("name", DOCUMENTS)
VALIDATORS = {name: Draft202012Validator(json.loads(codec.json_schema(name))) for name in DOCUMENTS}


@EACH
def test_the_committed_schema_is_the_generated_one(name: str) -> None:
    file = ROOT / f"schemas/json/{name}.schema.json"
    assert file.read_text() == codec.json_schema(name), "run: make schemas"


def test_no_schema_is_left_over() -> None:
    assert {p.name for p in (ROOT / "schemas/json").iterdir()} == {
        f"{name}.schema.json" for name in DOCUMENTS
    }


@pytest.mark.parametrize("file", SAMPLES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_sample_of_every_version_loads_for_ever(file: Path) -> None:
    loaded = codec.load(DOCUMENTS[file.stem], file.read_bytes())
    assert codec.load(DOCUMENTS[file.stem], codec.dump(loaded)) == loaded


def keeps(now: Any, then: Any) -> bool:
    """A later version may add fields that have a default; what was said stays said."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(k in now and keeps(now[k], then[k]) for k in then)
    if isinstance(then, list):
        return isinstance(now, list) and len(now) == len(then) and all(map(keeps, now, then))
    return bool(now == then)


@EACH
def test_there_is_a_first_version_of_each_and_it_says_the_same_today(name: str) -> None:
    loaded = codec.load(DOCUMENTS[name], FIRST[name].read_bytes())
    assert keeps(json.loads(codec.dump(loaded)), json.loads(FIRST[name].read_text()))


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**60), 2**60),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.text(max_size=30).filter(lambda s: s.isprintable()),
    st.sampled_from(["", "7", "1.5", "-0", "01", "a\n", "x" * 600, "wf_7", "t1_data", 1.0, 0, 1]),
)
JSON = st.one_of(
    SCALARS,
    st.lists(SCALARS, max_size=3),
    st.dictionaries(st.text(max_size=5), SCALARS, max_size=2),
)


def places(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = node.items() if isinstance(node, dict) else enumerate(node)
    found = [path]
    for key, child in inside:
        found += places(child, (*path, key)) if isinstance(child, dict | list) else [(*path, key)]
    return found


def spoil(draw: Callable[[Any], Any], whole: Any) -> Any:
    """One change somewhere: a key gone, a key too many, or another value."""
    path = draw(st.sampled_from(places(whole)[1:]))
    node = whole
    for key in path[:-1]:
        node = node[key]
    match draw(st.sampled_from(["drop", "add", "change", "change", "change"])):
        case "drop":
            del node[path[-1]]
        case "add" if isinstance(node, dict):
            node[draw(st.text(max_size=8))] = draw(JSON)
        case _:
            node[path[-1]] = draw(JSON)
    return whole


@EACH
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_types_and_schema_accept_the_same(name: str, data: st.DataObject) -> None:
    raw = json.loads(FIRST[name].read_text())
    for _ in range(data.draw(st.integers(1, 3))):
        raw = spoil(data.draw, copy.deepcopy(raw))
    try:
        codec.load(DOCUMENTS[name], json.dumps(raw))
        typed = True
    except Invalid:
        typed = False
    assert VALIDATORS[name].is_valid(raw) == typed


@given(st.decimals(-(10**17), 10**17, places=8))
def test_money_survives_to_the_last_digit(amount: Decimal) -> None:
    sizing = Sizing(kind="fixed_cash", amount=amount)
    assert codec.load(Sizing, codec.dump(sizing)).amount == amount
    assert '"amount": "' in codec.dump(sizing)


@pytest.mark.parametrize(
    "figure", ['"cost": "-1"', '"cost": "-0"', '"input_tokens": -1', '"seconds": -0.5']
)
def test_nothing_costs_less_than_nothing(figure: str) -> None:
    with pytest.raises(Invalid):
        codec.load(Usage, "{" + figure + "}")


def test_a_sum_stays_a_figure_that_can_be_written_down() -> None:
    largest = Usage(input_tokens=2**53, output_tokens=2**53, cost=MOST, seconds=1e9)
    assert codec.load(Usage, codec.dump(largest + largest)) == largest


@pytest.mark.parametrize(
    "path", ["s/x/tests/conftest.py", "tests/test_x.py", "s/test_x.py", "s/tests/test_x.cfg"]
)
def test_generated_tests_are_nothing_but_tests(path: str) -> None:
    raw = json.loads(FIRST["generated_tests"].read_text())
    with pytest.raises(Invalid, match="path"):
        codec.load(GeneratedTests, json.dumps(raw | {"path": path}))


def test_a_reader_says_how_much_it_reads() -> None:
    with pytest.raises(Invalid, match="at most 10"):
        codec.load(Usage, '{"seconds": 1}', most=10)


OWNERS = {
    "test_passed": """{"event_type": "test.passed", "correlation_id": "corr_abc123",
        "workflow_id": "wf_456", "task_id": "task_tester_001",
        "metrics": {"total_trades": 12, "net_pnl": 120.5, "win_rate": 0.58, "max_drawdown": 45.2},
        "artifacts": {"test_report": "a/test_report.json", "trades": "a/trades.csv",
                      "equity_curve": "a/equity_curve.csv", "events_log": "a/events.log"},
        "duration_seconds": 34.2, "source": "tester"}""",
    "test_failed": """{"event_type": "test.failed", "correlation_id": "corr_abc123",
        "workflow_id": "wf_456", "task_id": "task_tester_001",
        "failures": [{"check": "pytest", "test_name": "test_find_entries",
                      "message": "order_request was None", "trace": "tests/test_rsi.py:42"}],
        "artifacts": {"logs": "a/events.log"}, "source": "tester"}""",
    "branch_created": """{"event_type": "workflow.branch_created", "correlation_id": "corr_abc123",
        "workflow_id": "wf_456", "origin_task": "task_tester_001",
        "branch_todo": {"title": "Debug failing tests", "description": "pytest failed",
            "attachments": ["a/traceback.txt"], "target_agent": "debugger",
            "failure_classification": "test_failures", "reproduce_command": "pytest"},
        "source": "tester"}""",
}


@pytest.mark.parametrize("name", OWNERS)
def test_the_owners_events_are_accepted_as_written(name: str) -> None:
    codec.load(DOCUMENTS[name], OWNERS[name])
    VALIDATORS[name].validate(json.loads(OWNERS[name]))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"issue": 7}', "$.schema: missing"),
        ('{"issue": 7, "schema": 2}', "$.schema: version 2 is unknown"),
        ('{"issue": 7, "schema": true}', "$.schema: version True is unknown"),
        ('{"issue": "7", "schema": 1}', "$.issue: Input should be a valid integer"),
        ('{"issue": 7, "schema": 1, "zzz": 1}', "$.zzz: Unexpected"),
        ('{"issue": 7, "schema": 1, "phase": "odd"}', "$.phase"),
        ('{"issue": 7, "schema": 1, "trials": NaN}', "NaN is not a number"),
        ('{"issue": 7, "schema": 1, "issue": 8}', "a key appears twice"),
        ('{"issue": 7, "sch', "$: not JSON"),
        ("[" * 5000, "$: "),
        ('{"a":' * 100 + "1" + "}" * 100, "nested deeper"),
        ('"just a string"', "$"),
        ("", "$: not JSON"),
        (b"\xff\xfe\x00", "$: not JSON"),
        ("x" * 9_000_000, "bytes"),
    ],
)  # fmt: skip
def test_a_foreign_document_is_refused_with_its_place(text: str | bytes, says: str) -> None:
    with pytest.raises(Invalid) as error:
        codec.load(Workflow, text)
    assert says in str(error.value)


def command(*args: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "schemas", *args]
    return subprocess.run(line, capture_output=True, text=True, cwd=ROOT, check=False)


def test_validate_by_hand(tmp_path: Path) -> None:
    assert command("validate", str(FIRST["todo"]), "--type", "todo").returncode == 0
    (tmp_path / "bad.json").write_text('{"schema": 1, "title": 7}')
    bad = command("validate", str(tmp_path / "bad.json"), "--type", "todo")
    assert bad.returncode == 1
    assert "$.title: 7 is not of type 'string'" in bad.stderr
    assert "$: 'items' is a required property" in bad.stderr
    gone = command("validate", str(tmp_path / "gone.json"), "--type", "todo")
    assert gone.returncode == 2 and "cannot be read" in gone.stderr


RULE = ("entries", 0, "when")
OUTSIDE = [
    ("a field of ours is missing", ("symbol",), None, "$: 'symbol' is a required property"),
    ("a field that we do not know", ("colour",), 1, "'colour' was unexpected"),
    ("money as a number", ("risk", "sizing", "amount"), 1, "amount: 1 is not of type 'string'"),
    ("a rule of no kind that there is", RULE, {"kind": "compares"},
     "$.entries[0].when: its kind is none of compare, cross, either, every,"),
    ("a rule that does not say its kind", RULE, {"op": "above"}, ".when: its kind is none of"),
    ("a rule that is a word", RULE, "buy", "$.entries[0].when: 'buy' is not of type 'object'"),
    ("a field of its own kind", (*RULE, "left"), {"kind": "price", "field": "bid"},
     "$.entries[0].when.left.field: 'bid' is not one of"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "says"), [row[1:] for row in OUTSIDE],
                         ids=[row[0] for row in OUTSIDE])  # fmt: skip
def test_a_document_from_outside_is_held_to_its_json_schema(
    path: tuple[str | int, ...], value: Any, says: str
) -> None:
    """In the words of the schema that people have, with the place; nothing of other kinds."""
    told = json.loads(FIRST["contract"].read_text())
    at = told
    for step in path[:-1]:
        at = at[step]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    found = outside.problems("contract", json.dumps(told))
    assert len(found) <= 2 and any(says in line for line in found), found


def test_what_only_the_types_know_is_still_refused() -> None:
    told = json.loads(FIRST["contract"].read_text())
    text = json.dumps({**told, "risk": {**told["risk"], "exit_at": "25:99"}})
    assert outside.problems("contract", text) and outside.problems("contract", "{") != []
    assert outside.problems("contract", FIRST["contract"].read_bytes()) == []


def test_a_huge_wrong_value_is_not_shown_whole() -> None:
    told = json.dumps({"schema": 1, "title": [0] * 10_000})
    assert max(map(len, outside.problems("todo", told))) < 300
