"""Text <-> documents. The only module that validates; it says what is wrong, and where."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from pydantic import TypeAdapter, ValidationError

from schemas.later import left_out
from schemas.types import DOCUMENTS

T = TypeVar("T")

MAX_BYTES = 8_000_000
MAX_DEPTH = 60
CURRENT = 1

UPGRADES: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""(document, from version) -> the same document one version later. Old documents load for ever."""


class Invalid(ValueError):
    """Not a document. Each problem is `path: what is wrong`."""

    def __init__(self, kind: str, problems: tuple[str, ...]) -> None:
        self.kind, self.problems = kind, problems
        super().__init__(f"not a valid {kind}: " + "; ".join(problems[:5]))


def load(kind: type[T], text: str | bytes, most: int = MAX_BYTES) -> T:
    """One document from JSON, or `Invalid`. `most` is how many bytes are read at all."""
    name, document = name_of(kind), raw(kind, text, most)
    try:
        return _adapter(kind).validate_json(json.dumps(document))
    except ValidationError as error:
        raise Invalid(name, tuple(_problem(e) for e in error.errors())) from None
    except (ValueError, RecursionError) as error:
        raise Invalid(name, (f"$: {error}",)) from None


def raw(kind: type[Any], text: str | bytes, most: int = MAX_BYTES) -> Any:
    """What JSON says, brought up to the current version; nobody has looked at its fields yet."""
    name = name_of(kind)
    found = _parse(name, text, most)
    while isinstance(found, dict) and (step := UPGRADES.get((name, _version(found)))):
        found = step(found)
    _check_version(name, kind, found)
    return found


def dump(doc: object) -> str:
    """The document as it is stored. Later fields are left out where they have their default."""
    return _adapter(type(doc)).dump_json(doc, indent=1, exclude=_left_out(doc)).decode() + "\n"


def line(doc: object) -> str:
    """The same on one line."""
    return _adapter(type(doc)).dump_json(doc, exclude=_left_out(doc)).decode()


def digest(doc: object) -> str:
    """Names a document by its content. An optional field that it does not use changes nothing."""
    return digest_of(line(doc))


def digest_as_written(text: str | bytes) -> str:
    """What `digest` said of a document when this text of it was dumped: also where its type has got
    more fields since. Spaces between the words are no part of a document."""
    told = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return digest_of(_SPACES.sub(lambda found: found[1] or "", told))


def digest_of(content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    return "sha256:" + hashlib.sha256(data).hexdigest()


def shape(kind: type[Any]) -> dict[str, Any]:
    """The JSON Schema that the type generates."""
    return _adapter(kind).json_schema()


def json_schema(name: str) -> str:
    schema = shape(DOCUMENTS[name])
    if "schema" in DOCUMENTS[name].__dataclass_fields__ and not _is_event(DOCUMENTS[name]):
        top = schema["$defs"][schema["$ref"].split("/")[-1]] if "$ref" in schema else schema
        top["required"] = sorted({*top.get("required", ()), "schema"})
    _require_tags(schema)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return json.dumps(schema, indent=1, sort_keys=True) + "\n"


def _require_tags(node: Any) -> None:
    """A union is told apart by its tag: the types need it, so the schema must say so."""
    if isinstance(node, dict) and isinstance(node.get("discriminator"), dict):
        node["required"] = [node["discriminator"]["propertyName"]]
    for child in node.values() if isinstance(node, dict) else node:
        if isinstance(child, dict | list):
            _require_tags(child)


def name_of(kind: type[Any]) -> str:
    return next((name for name, t in DOCUMENTS.items() if t is kind), kind.__name__)


_SPACES = re.compile(r'("(?:[^"\\]|\\.)*")|\s+')
"""A string, which stays as it is, or what stands between two words."""
_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def _left_out(doc: object) -> Any:
    return left_out(doc, lambda part: _adapter(type(part)).dump_json(part)) or None


def _is_event(kind: type[Any]) -> bool:
    """The owner's events carry no version; in them it may be left out."""
    return "event_type" in kind.__dataclass_fields__


def _parse(name: str, text: str | bytes, most: int) -> Any:
    if len(text) > most:
        raise Invalid(name, (f"$: {len(text)} bytes, at most {most} are read",))
    try:
        raw = json.loads(
            text, parse_constant=_no_constant, parse_float=_number, object_pairs_hook=_no_twins
        )
    except (ValueError, RecursionError) as error:
        raise Invalid(name, (f"$: not JSON: {error}",)) from None
    if _depth(raw) > MAX_DEPTH:
        raise Invalid(name, (f"$: nested deeper than {MAX_DEPTH}",))
    return raw


def _check_version(name: str, kind: type[Any], raw: Any) -> None:
    if not isinstance(raw, dict) or "schema" not in kind.__dataclass_fields__:
        return
    if "schema" not in raw and not _is_event(kind):
        raise Invalid(name, ("$.schema: missing; which version is this?",))
    if "schema" in raw and _version(raw) != CURRENT:
        unknown = f"{raw['schema']!r}"[:40]
        raise Invalid(name, (f"$.schema: version {unknown} is unknown, {CURRENT} is the newest",))


def _version(raw: dict[str, Any]) -> int:
    """0 is no version of ours. True is not 1 here, though Python thinks so."""
    found = raw.get("schema")
    return found if isinstance(found, int) and not isinstance(found, bool) else 0


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _number(digits: str) -> int | float:
    """To JSON 1.0 and 1 are the same number; to a strict int they must be too."""
    value = float(digits)
    return int(value) if value.is_integer() and abs(value) < 2**63 else value


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"a key appears twice among {sorted(found)[:5]}")
    return found


def _depth(raw: Any) -> int:
    depth, layer = 0, [raw]
    while layer and depth <= MAX_DEPTH:
        depth += 1
        layer = [
            child
            for node in layer
            if isinstance(node, dict | list)
            for child in (node.values() if isinstance(node, dict) else node)
        ]
    return depth


def _problem(error: Any) -> str:
    path = "$" + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error["loc"])
    return f"{path}: {error['msg']}"
