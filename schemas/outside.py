"""Documents from outside, held to their committed JSON Schema: what is wrong, and where."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import best_match

from schemas import codec
from schemas.types import DOCUMENTS

MOST = 20
WIDEST = 160


def problems(name: str, text: str | bytes) -> list[str]:
    """Each as `path: sentence`; none where the document is a valid one of this type.

    The schema says more of what was written wrongly; the types have the last word, because a few
    of their rules are none of JSON Schema's.
    """
    try:
        raw = codec.raw(DOCUMENTS[name], text)
        found = list(_wrong(name, raw))
        if not found:
            codec.load(DOCUMENTS[name], text)
        return found
    except codec.Invalid as error:
        return list(error.problems)


def _wrong(name: str, raw: Any) -> Iterator[str]:
    errors = sorted(_validator(name).iter_errors(raw), key=lambda e: (e.json_path, e.message))
    told = [line for error in errors for line in _told(error)]
    yield from told[:MOST]
    if len(told) > MOST:
        yield f"$: {len(told) - MOST} more"


def _told(error: ValidationError) -> Iterator[str]:
    """Of a union what is wrong with the kind that it says to be, not that none of them fits."""
    tag, groups = _tag(error), _alternatives(error)
    right = [g for g in groups if all(list(e.relative_path) != [tag] for e in g)]
    if not groups:
        yield f"{error.json_path}: {_short(error.message)}"
    elif not right or (tag and _lacks(error, tag)):
        kinds = ", ".join(sorted(_union(error).get("mapping", {})))
        yield f"{error.json_path}: its {tag} is none of {kinds}"
    elif len(right) == 1:
        yield from (line for inner in right[0] for line in _told(inner))
    else:
        nearest = best_match(inner for group in right for inner in group)
        yield from _told(nearest or right[0][0])


def _alternatives(error: ValidationError) -> list[list[ValidationError]]:
    """The errors of each alternative of a union."""
    found: dict[object, list[ValidationError]] = {}
    for inner in error.context or ():
        found.setdefault(inner.relative_schema_path[0], []).append(inner)
    return list(found.values())


def _lacks(error: ValidationError, tag: str) -> bool:
    return isinstance(error.instance, dict) and tag not in error.instance


def _union(error: ValidationError) -> dict[str, Any]:
    schema = error.schema
    return schema.get("discriminator", {}) if isinstance(schema, dict) else {}


def _tag(error: ValidationError) -> str:
    return str(_union(error).get("propertyName", ""))


def _short(message: str) -> str:
    """It repeats the value that is wrong, which may be a whole document."""
    shown = message if len(message) <= WIDEST else f"{message[:WIDEST]} ..."
    return "".join(c if c.isprintable() else "?" for c in shown)


def _validator(name: str) -> Draft202012Validator:
    text = resources.files("schemas").joinpath("json", f"{name}.schema.json").read_text("utf-8")
    return Draft202012Validator(json.loads(text))
