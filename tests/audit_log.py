"""A line of the audit log held to its schemas, and told in the words of a story."""

from __future__ import annotations

import json

from jsonschema import Draft202012Validator

from schemas import codec
from schemas.workflow import Record


def checked(record: Record) -> list[str]:
    """Every event is what its JSON Schema says; those that a release is made of, in order."""
    assert codec.load(Record, codec.dump(record)) == record
    found = []
    for event in record.events:
        schema = json.loads(codec.json_schema(codec.name_of(type(event))))
        Draft202012Validator(schema).validate(json.loads(codec.line(event)))
        assert event.correlation_id == record.correlation_id
        for what in ("subject", "stage", "positions"):
            if hasattr(event, what):
                found.append(f"{event.event_type} {getattr(event, what)}")
        if event.event_type == "workflow.branch_created":
            found.append(f"{event.event_type} {event.branch_todo.target_agent}")
    return found
