"""Cuts out of GitHub's API description what the twin serves, as plain JSON Schema.

    npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-23.0.2.tgz
    python -m tests.twin.extract package/generated/api.github.com.json

The whole description has 13 MB; the cut, compressed and committed, is what the tests check by.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

from bot.twin import rest
from bot.twin.call import ROUTES

SOURCE = "@octokit/openapi 23.0.2"
OUT = Path(__file__).parents[2] / "fixtures" / "github" / "openapi.json.gz"
NOISE = {"description", "example", "examples", "x-github", "title", "externalDocs", "deprecated",
         "default", "format"}  # fmt: skip
EVENTS = re.compile(
    r"""(issues-(opened|edited|closed|reopened|(un)?labeled|(un)?assigned|(un)?locked)|issue-comment-\w+|push|ping|status
    |pull-request-(opened|edited|closed|reopened|synchronize|(un)?labeled|(un)?assigned|(un)?locked
    |review-requested)|pull-request-review-(submitted|dismissed)
    |pull-request-review-comment-created|check-run-(created|completed)|release-published
    |deployment-created|deployment-status-created|workflow-dispatch|repository-dispatch-.*)$""",
    re.X,
)
"""What the twin tells."""
VERBS = {"get", "post", "put", "patch", "delete"}


def blank(path: str) -> str:
    """Both ways of writing a path, without the names of its parameters."""
    return re.sub(r"\{[^}]+\}|<[^>]+>", "{}", path)


def converted(schema: Any, names: bool = False) -> Any:
    """OpenAPI 3.0 -> JSON Schema: `nullable` becomes a type; what only people read goes.

    Alternatives overlap so often that hardly anything is exactly one of them: any is enough.
    """
    if isinstance(schema, list):
        return [converted(x) for x in schema]
    if not isinstance(schema, dict):
        return schema
    if names:  # the keys are names of properties, also those called `title`
        return {k: converted(v) for k, v in schema.items()}
    kept = {
        ("anyOf" if k == "oneOf" else k): converted(v, names=k == "properties")
        for k, v in schema.items()
        if k not in NOISE and k != "nullable"
    }
    return nullable(kept) if schema.get("nullable") else kept


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    if "enum" in schema and None not in schema["enum"]:
        schema = {**schema, "enum": [*schema["enum"], None]}
    if "type" in schema and not {"anyOf", "oneOf", "allOf"} & schema.keys():
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def operation(spec: dict[str, Any], verb: str, path: str) -> dict[str, Any]:
    found = spec["paths"][path][verb]
    asked = [follow(spec, p) for p in found.get("parameters", [])]
    body = follow(spec, found.get("requestBody", {}))
    answers = {code: follow(spec, r) for code, r in found["responses"].items()}
    return {
        "id": found["operationId"],
        "query": {p["name"]: converted(p["schema"]) for p in asked if p["in"] == "query"},
        "body": contents(body),
        "needs_body": body.get("required", False),
        "answers": {code: contents(r) for code, r in answers.items()},
    }


def contents(part: dict[str, Any]) -> dict[str, Any]:
    return {kind: converted(c.get("schema", {})) for kind, c in part.get("content", {}).items()}


def follow(spec: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in part:
        here: Any = spec
        for step in part["$ref"].removeprefix("#/").split("/"):
            here = here[step]
        part = here
    return part


def reachable(spec: dict[str, Any], start: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    todo = references(start)
    while todo:
        name = todo.pop()
        if name not in found:
            found[name] = converted(spec["components"]["schemas"][name])
            todo |= references(found[name])
    return dict(sorted(found.items()))


def references(schema: Any) -> set[str]:
    text = json.dumps(schema)
    return set(re.findall(r'"#/components/schemas/([^"]+)"', text))


def cut(spec: dict[str, Any]) -> dict[str, Any]:
    served = {(r.verb.lower(), blank(r.path.removeprefix("/uploads"))) for r in ROUTES}
    paths: dict[str, Any] = {}
    for path, verbs in spec["paths"].items():
        for verb in sorted(VERBS & verbs.keys()):
            if (verb, blank(path)) in served:
                paths.setdefault(path, {})[verb] = operation(spec, verb, path)
    events = {
        name: contents(follow(spec, hook["post"]["requestBody"]))["application/json"]
        for name, hook in spec["x-webhooks"].items()
        if EVENTS.match(name)
    }
    needed = [paths, events, {"$ref": "#/components/schemas/basic-error"}]
    return {
        "paths": paths, "events": events, "components": {"schemas": reachable(spec, needed)},
    }  # fmt: skip


def main() -> None:
    rest.load_chapters()
    raw = Path(sys.argv[1]).read_bytes()
    shown = {"source": SOURCE, "sha256": hashlib.sha256(raw).hexdigest(), **cut(json.loads(raw))}
    text = json.dumps(shown, separators=(",", ":"), sort_keys=True).encode()
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_bytes(gzip.compress(text, mtime=0))
    print(f"{OUT}: {len(shown['paths'])} paths, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
