"""An audit log as it is printed, held line by line to the JSON Schemas."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from bot.journal import lines as as_printed
from schemas import codec
from schemas.types import EVENTS
from schemas.workflow import Record
from tests.fakes import MemoryStore

SCHEMAS = Path(__file__).parent.parent / "schemas/json"


@cache
def _validator(event_type: str) -> Draft202012Validator:
    return Draft202012Validator(
        json.loads((SCHEMAS / f"{EVENTS[event_type]}.schema.json").read_text())
    )


def audited(printed: str) -> list[dict[str, Any]]:
    """Every line is one event that its schema accepts, with a time and a correlation id."""
    lines = [json.loads(line) for line in printed.splitlines()]
    for line in lines:
        _validator(line["event_type"]).validate(line)
        assert line["timestamp"] and line["correlation_id"], line
    return lines


def logged(store: MemoryStore, issue: int, commit: str = "c" * 40) -> list[dict[str, Any]]:
    """What `stratbot audit` prints of a request. Each record is stored without a loss."""
    records = [record for _, record, _ in store.history(issue)]
    for record in records:
        assert codec.load(Record, codec.dump(record)) == record
    return audited("\n".join(codec.line(e) for r in records for e in as_printed(commit, r)))


def milestones(lines: list[dict[str, Any]]) -> list[str]:
    """What a release is made of, in order, and who got a branch todo."""
    found = []
    for line in lines:
        name = line["event_type"]
        if name == "workflow.branch_created":
            found.append(f"{name} {line['branch_todo']['target_agent']}")
        for key in {"subject", "stage", "positions"} & line.keys():
            found.append(f"{name} {line[key]}")
    return found


def open_tests(lines: list[dict[str, Any]]) -> Counter[tuple[str, str]]:
    """Tests that began and have not ended. No test ends that did not begin, or ends twice."""
    waiting: Counter[tuple[str, str]] = Counter()
    for line in lines:
        name = line["event_type"]
        if name == "test.started":
            waiting[line["task_id"], line["commit_sha"]] += 1
        if name in ("test.passed", "test.failed"):
            waiting[line["task_id"], line["commit_sha"]] -= 1
        assert min(waiting.values(), default=0) >= 0, line
    return +waiting
