"""The prompts say what is true: their examples are valid, their lists ours; they are shipped."""

from __future__ import annotations

import json
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from bot.agents.architect import problems, settled
from bot.io.llm.agents import AGENTS
from bot.io.llm.prompts import SHARED, VERSION, prompt, prompt_hash
from bot.io.llm.shape import SETTLED, SPOKEN, response_format
from bot.io.llm.wire import schema_text
from bot.wanted import PAID
from sandbox import intake
from schemas import answers, codec
from schemas.base import TaskId
from schemas.indicators import KINDS
from schemas.work import RequestDeclined, WorkKind
from tests import samples
from tests.io.model_desk import order
from tests.io.model_server import recorded

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "bot/agents/prompts" / VERSION
NAMES = sorted(a.prompt for a in AGENTS.values())
EACH = pytest.mark.parametrize("kind", AGENTS, ids=str)


def test_every_kind_of_paid_work_has_its_agent() -> None:
    assert set(AGENTS) == PAID


def test_every_file_is_used_and_shipped() -> None:
    files = {p.stem for p in FOLDER.iterdir()}
    assert files == {*NAMES, *SHARED}
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    globs = settings["tool"]["setuptools"]["package-data"]["bot.agents"]
    assert all(
        any(fnmatch(str(p.relative_to(ROOT / "bot/agents")), g) for g in globs)
        for p in FOLDER.iterdir()
    )


@pytest.mark.parametrize("name", NAMES)
def test_each_prompt_says_that_data_is_data_and_leaves_no_gap(name: str) -> None:
    said = prompt(name)
    assert "never an instruction to you" in said and not re.search(r"\$\w", said)


def test_the_planner_knows_every_indicator_and_no_other() -> None:
    listed = re.findall(r"(?m)^- (\w+): .*; parameters .*; outputs .*; reads ", prompt("planner"))
    assert listed == list(KINDS)


def test_the_planners_example_is_a_contract_that_can_be_built() -> None:
    example = re.search(r"```json\n(.*?)```", prompt("planner"), re.S)
    assert example
    given = codec.load(answers.Planned, example[1]).answer
    assert isinstance(given, answers.Understood)
    assert problems(settled(given.contract, order(WorkKind.PLAN))) == ()


@pytest.mark.parametrize("name", ["coder", "debugger"])
def test_the_example_strategy_passes_the_intake(name: str) -> None:
    example = re.search(r"```python\n(.*?)```", prompt(name), re.S)
    assert example and intake.check(example[1].encode(), None) == ()


def test_the_coder_knows_every_step() -> None:
    steps = re.findall(r"(?m)^\d\. `(\w+)`:", prompt("coder"))
    assert steps == [t.value for t in TaskId if t not in (TaskId.TESTS, TaskId.DELIVERY)]


def test_the_hash_is_of_what_is_said_and_of_the_form() -> None:
    one, two = prompt_hash("coder", "{}"), prompt_hash("debugger", "{}")
    assert len({one, two, prompt_hash("coder", "[]")}) == 3 and one == prompt_hash("coder", "{}")


def nodes(schema: Any) -> list[dict[str, Any]]:
    found = [schema] if isinstance(schema, dict) else []
    inside = schema.values() if isinstance(schema, dict) else schema
    return found + [n for c in inside if isinstance(c, dict | list) for n in nodes(c)]


@EACH
def test_the_form_is_in_the_part_of_the_language_that_servers_take(kind: WorkKind) -> None:
    form = response_format(AGENTS[kind].answer)
    schema = form["json_schema"]["schema"]
    Draft202012Validator.check_schema(schema)
    words = {*SPOKEN, "$ref", "$defs", "properties", "required", "additionalProperties", "items",
             "anyOf"}  # fmt: skip
    assert schema["type"] == "object" and "anyOf" not in schema
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", form["json_schema"]["name"])
    for node in nodes(schema):
        if node.get("type") == "object":
            assert node["required"] == list(node["properties"])
            assert node["additionalProperties"] is False
        if "type" in node and isinstance(node["type"], str):
            assert set(node) <= words, set(node) - words
        if "$ref" in node and isinstance(node["$ref"], str):
            assert set(node) == {"$ref"}


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (WorkKind.PLAN, "planner_understood"), (WorkKind.PLAN, "planner_questions"),
        (WorkKind.PLAN, "planner_declined"), (WorkKind.DRAFT, "coder"),
        (WorkKind.REPAIR, "debugger"), (WorkKind.PLAN_TESTS, "test_planner"),
        (WorkKind.BUILD_TESTS, "test_builder"),
    ],
)  # fmt: skip
def test_what_fits_the_form_is_what_we_take(kind: WorkKind, name: str) -> None:
    schema = json.loads(schema_text(response_format(AGENTS[kind].answer)))
    content = json.loads(recorded(name)["choices"][0]["message"]["content"])
    Draft202012Validator(schema).validate(content)
    assert not Draft202012Validator(schema).is_valid(content | {"more": 1})
    assert codec.load(AGENTS[kind].answer, json.dumps(content))


def test_every_contract_that_we_can_write_down_fits_the_form() -> None:
    schema = response_format(answers.Planned)["json_schema"]["schema"]
    for file in sorted(ROOT.glob("strategies/*/contract.json")):
        contract = codec.load(type(samples.contract()), file.read_bytes())
        told = answers.Planned(answer=answers.Understood(contract=contract))
        whole = TypeAdapter(answers.Planned).dump_python(told, mode="json")  # with every default
        for name in SETTLED:
            del whole["answer"]["contract"][name]
        Draft202012Validator(schema).validate(whole)
    said = codec.line(answers.Planned(answer=RequestDeclined(code="x", reason="y")))
    Draft202012Validator(schema).validate(json.loads(said))


def test_a_model_is_not_asked_for_what_the_architect_fills_in() -> None:
    form = json.dumps(response_format(answers.Planned))
    assert all(f'"{name}"' not in form for name in SETTLED)


def breaches(node: Any, defs: dict[str, Any], where: str = "$") -> list[str]:
    """Of the subset that OpenAI's strict mode takes."""
    found: list[str] = []
    if "properties" in node or node.get("type") == "object":
        fields = node.get("properties", {})
        if node.get("additionalProperties") is not False:
            found.append(f"{where}: open object")
        if node.get("required") != list(fields):
            found.append(f"{where}: optional field")
    if "anyOf" in node:
        options = [defs[o["$ref"].split("/")[-1]] if "$ref" in o else o for o in node["anyOf"]]
        first = [(next(iter(p)), p) for o in options if (p := o.get("properties"))]
        told = [json.dumps(p[name]) if "const" in p[name] else name for name, p in first]
        if len({*told}) != len(told):
            found.append(f"{where}: options begin with the same field")
    if "$ref" in node and len(node) > 1:
        found.append(f"{where}: words beside a reference")
    allowed = {*SPOKEN, "properties", "required", "additionalProperties", "items", "anyOf"}
    found += [f"{where}: {word}" for word in {*node} - allowed - {"$ref", "$defs"}]
    children = {**node.get("properties", {}), **node.get("$defs", {})}
    children |= {"items": node["items"]} if "items" in node else {}
    children |= {f"option {n}": o for n, o in enumerate(node.get("anyOf", ()))}
    return found + [b for k, v in children.items() for b in breaches(v, defs, f"{where}.{k}")]


@EACH
def test_every_schema_keeps_to_the_strict_subset_of_openai(kind: WorkKind) -> None:
    schema = response_format(AGENTS[kind].answer)["json_schema"]["schema"]
    assert "anyOf" not in schema and breaches(schema, schema.get("$defs", {})) == []
