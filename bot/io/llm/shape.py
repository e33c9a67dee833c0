"""A document's JSON Schema in the part of the language that every server takes. Pure."""

from __future__ import annotations

from typing import Any

from schemas import codec

SPOKEN = ("type", "enum", "const", "description")
"""Limits and patterns are left out: many servers refuse them, and the codec checks them anyway."""

SETTLED = {"data_models", "exceptions", "sheet"}
"""Fields of a contract that the architect fills in alike for all: a model is not asked for them."""


def response_format(kind: type[Any]) -> dict[str, Any]:
    schema = {"name": kind.__name__, "strict": True, "schema": strict(codec.shape(kind))}
    return {"type": "json_schema", "json_schema": schema}


def strict(node: dict[str, Any]) -> dict[str, Any]:
    """Every object closed, every field required, unions as `anyOf`. A constant comes first: OpenAI
    refuses options of a union that begin with the same field."""
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    said: dict[str, Any] = {word: node[word] for word in SPOKEN if word in node}
    if "properties" in node:
        asked = ((k, v) for k, v in node["properties"].items() if k not in SETTLED)
        named = sorted(asked, key=lambda field: "const" not in field[1])
        said["properties"] = {k: strict(v) for k, v in named}
        said |= {"required": [k for k, _ in named], "additionalProperties": False}
    if "items" in node:
        said["items"] = strict(node["items"])
    if options := node.get("anyOf") or node.get("oneOf"):
        said["anyOf"] = [strict(option) for option in options]
    if "$defs" in node:
        said["$defs"] = {name: strict(child) for name, child in node["$defs"].items()}
    return said
