"""A new version takes up what the version before it stored: names, orders, results, requests."""

from __future__ import annotations

import ast
import dataclasses
import json
import os
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

import pytest
from pydantic import TypeAdapter

from bot.wanted import wanted
from schemas import codec, later
from schemas.base import Cost, Real, Usage, document
from schemas.contract import Contract
from schemas.first_fields import FIRST
from schemas.types import DOCUMENTS
from schemas.work import WorkOrder
from schemas.workflow import Workflow
from tests.upgrade import MOMENTS, Taken, states

ROOT = Path(__file__).parent.parent
STORED = ROOT / "fixtures/documents"
FILES = sorted(STORED.rglob("*.json"))
NAMED = dict(row.split() for row in (STORED / "digests.txt").read_text().splitlines())


def test_every_recorded_document_has_its_digest_written_down() -> None:
    assert {str(f.relative_to(STORED)) for f in FILES} == set(NAMED)


@pytest.mark.parametrize("file", FILES, ids=lambda f: f"{f.parent.name}/{f.stem}")
def test_a_stored_document_keeps_its_name(file: Path) -> None:
    doc = codec.load(DOCUMENTS[file.stem], file.read_bytes())
    assert codec.digest(doc) == NAMED[str(file.relative_to(STORED))]


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_state_of_the_version_before_asks_for_the_work_that_is_under_way(moment: str) -> None:
    home = STORED / f"v1_{moment}"
    workflow = codec.load(Workflow, (home / "workflow.json").read_bytes())
    stored = home / "work_order.json"
    orders = [codec.load(WorkOrder, stored.read_bytes())] if stored.exists() else []
    assert [o.key for o in wanted(workflow)] == [o.key for o in orders]
    if workflow.contract:
        assert codec.digest(workflow.contract) == workflow.contract_digest


def test_a_request_of_the_version_before_is_delivered() -> None:
    for moment, workflow, results in states(STORED):
        for story in (Taken(workflow), Taken(workflow, results)):
            ended = story.finish()
            assert (ended.phase, ended.note) == ("delivered", ""), moment


def test_every_document_may_get_an_optional_field(tmp_path: Path) -> None:
    """The next version, run as it would be: each type of `schemas` has one more field."""
    shutil.copytree(ROOT / "schemas", tmp_path / "schemas")
    grown = sum(grow(file) for file in (tmp_path / "schemas").glob("*.py"))
    assert grown > 90
    env = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.upgrade", "finish", str(STORED)],
        cwd=tmp_path, env=env, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    rows = [row.split() for row in done.stdout.splitlines()]
    assert [r[1:] for r in rows if r[0] == "schemas"] == [[str(tmp_path / "schemas")]]
    assert {r[1]: r[2] for r in rows if r[0] == "digest"} == NAMED
    ended = {(r[1], r[2]): r[3:] for r in rows if r[0] == "ended"}
    assert ended == {(m, when): ["delivered"] for m in MOMENTS for when in ("late", "done")}


def grow(file: Path, name: str = "brand_new") -> int:
    """Puts an optional field in front of the others of each document; how many there are."""
    rows = file.read_text().splitlines()
    kinds = [n for n in ast.parse(file.read_text()).body if isinstance(n, ast.ClassDef)]
    made = 0
    for kind in reversed(kinds):
        fields = [n for n in kind.body if isinstance(n, ast.AnnAssign)]
        if [ast.unparse(d) for d in kind.decorator_list] == ["document"] and fields:
            rows.insert(fields[0].lineno - 1, f"    {name}: tuple[bool, ...] = ()")
            made += 1
    file.write_text("\n".join(rows) + "\n")
    return made


@document
class Later:
    """A type that is younger than every stored digest."""

    must: Real
    share: Real = 0.0
    paid: Cost = Decimal(0)
    often: bool = False
    inside: Usage = Usage()
    kind: Literal["later"] = "later"


@document
class Grown(Contract):
    inside: Later | None = None
    deep: tuple[Later, ...] = ()


def text(**fields: Any) -> str:
    return json.dumps({"must": 1, "kind": "later"} | fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"share": 0},
        {"share": 0.0},
        {"paid": "0"},
        {"often": False},
        {"inside": {}},
        {"inside": {"cost": "0", "seconds": 0}},
    ],
    ids=str,
)
def test_a_default_that_is_written_is_the_same_as_one_that_is_not(fields: Any) -> None:
    short, said = codec.load(Later, text()), codec.load(Later, text(**fields))
    assert codec.digest(said) == codec.digest(short) and codec.dump(said) == codec.dump(short)
    assert codec.line(short) == '{"must":1.0,"kind":"later"}'


@pytest.mark.parametrize(
    "fields",
    [
        {"share": 0.5},
        {"paid": "0.00"},
        {"often": True},
        {"inside": {"seconds": 1}},
    ],
    ids=str,
)
def test_what_is_not_the_default_to_the_letter_is_written(fields: Any) -> None:
    said = codec.load(Later, text(**fields))
    assert codec.digest(said) != codec.digest(codec.load(Later, text()))
    assert codec.load(Later, codec.dump(said)) == said
    assert codec.line(codec.load(Later, codec.dump(said))) == codec.line(said)


def test_a_later_field_is_left_out_at_any_depth_and_only_with_its_default() -> None:
    raw = (STORED / "v1/contract.json").read_bytes()
    then, now = codec.load(Contract, raw), codec.load(Grown, raw)
    assert codec.digest(now) == codec.digest(then) and codec.dump(now) == codec.dump(then)
    used = dataclasses.replace(now, deep=(Later(must=1.0), Later(must=2.0, often=True)))
    assert codec.digest(used) != codec.digest(then)
    written = json.loads(codec.dump(used))
    assert "inside" not in written
    assert written["deep"] == [
        {"must": 1.0, "kind": "later"},
        {"must": 2.0, "often": True, "kind": "later"},
    ]
    assert codec.load(Grown, codec.dump(used)) == used


def types() -> list[type[Any]]:
    """Every type that a document is made of; no two have the same name."""
    found: dict[str, type[Any]] = {}
    seen: set[type[Any]] = set()
    todo: list[Any] = list(DOCUMENTS.values())
    while todo:
        hint = todo.pop()
        if not (dataclasses.is_dataclass(hint) and isinstance(hint, type)):
            todo += get_args(hint)
        elif found.setdefault(hint.__name__, hint) is not hint:
            raise AssertionError(f"two documents are called {hint.__name__}")
        elif hint not in seen:
            seen.add(hint)
            todo += get_type_hints(hint, include_extras=True).values()
    return list(found.values())


def test_the_list_of_first_fields_names_fields_that_are_there() -> None:
    """A stored name depends on them: none may go, none may be renamed."""
    for kind in types():
        there = {f.name for f in dataclasses.fields(kind)}
        assert {*FIRST.get(kind.__name__, "").split()} <= there, kind


@pytest.mark.parametrize("kind", types(), ids=lambda k: k.__name__)
def test_a_default_is_what_is_read_when_it_is_written(kind: type[Any]) -> None:
    """Else a document that spells it out would have another name than one that does not."""
    hints = get_type_hints(kind, include_extras=True)
    for field in dataclasses.fields(kind):
        default = later.default_of(field)
        if default is not dataclasses.MISSING:
            one: Any = document(type("One", (), {"__annotations__": {"value": hints[field.name]}}))
            adapter: TypeAdapter[Any] = TypeAdapter(one)
            written = adapter.dump_json(one(value=default))
            assert adapter.dump_json(adapter.validate_json(written)) == written


def test_no_union_is_told_apart_by_a_word_that_may_be_left_out() -> None:
    text = json.dumps([codec.shape(kind) for kind in DOCUMENTS.values()])
    tags = {word.split('"')[0] for word in text.split('"propertyName": "')[1:]}
    assert tags and tags <= later.TAGS
