"""Every exchange against GitHub's own description: what we ask, and what the twin answers."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import requests
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from tests.twin.extract import OUT

WIDE = {"{ref}", "{path}", "{basehead}", "{branch}", "{tag}", "{sha}"}
NAME = "urn:github"
ANYWHERE = {"401", "403", "404", "421", "422", "429", "500", "502", "503"}
"""GitHub lists these with few operations and sends them from all."""

EXCEPTIONS: dict[tuple[str, str], str] = {
    ("issues/add-labels", "question"): "its own words allow a bare list, which both clients send",
    ("issues/set-labels", "question"): "the same",
    ("actions/create-repo-variable", "409"): "GitHub refuses a second one of a name so",
    ("repos/update-branch-protection", "question"): "PyGithub sends null for what is not set",
}
"""(operation, where) -> why the description is not what GitHub does."""


OLDER_NAMES = {
    re.compile(r"(/repos/[^/]+/[^/]+)/statuses/(\w+)$"): r"\1/commits/\2/statuses",
    re.compile(r"(/repos/[^/]+/[^/]+)/git/refs$"): r"\1/git/matching-refs/",
}
"""Older paths that PyGithub uses, GitHub serves and no longer describes."""


BY_NUMBER = re.compile(r"^/repositories/\d+")
"""Another way to write the path of a repository."""


class Violation(AssertionError):
    """One side of an exchange is not as GitHub describes it."""


@cache
def description() -> dict[str, Any]:
    text = gzip.decompress(OUT.read_bytes()).decode()
    found: dict[str, Any] = json.loads(text.replace('"#/components', f'"{NAME}#/components'))
    return found


@cache
def registry() -> Registry[Any]:
    parts = {"components": description()["components"]}
    empty: Registry[Any] = Registry()
    found: Registry[Any] = empty.with_resource(NAME, DRAFT202012.create_resource(parts))
    return found


@cache
def patterns() -> list[tuple[re.Pattern[str], str]]:
    """The more of a path is fixed, the earlier it is tried."""
    found = []
    for path in description()["paths"]:
        parts = re.split(r"(\{[^}]+\})", path)
        text = "".join(
            (".*" if p in WIDE else "[^/]+") if p.startswith("{") else re.escape(p) for p in parts
        )
        found.append((path.count("{"), -len(path), re.compile(text), path))
    return [(pattern, path) for *_, pattern, path in sorted(found, key=lambda x: x[:2])]


def find(verb: str, path: str) -> dict[str, Any] | None:
    for pattern, template in patterns():
        if pattern.fullmatch(path) and verb.lower() in description()["paths"][template]:
            found: dict[str, Any] = description()["paths"][template][verb.lower()]
            return found
    return None


def errors(schema: Any, value: Any) -> list[str]:
    validator = Draft202012Validator(schema, registry=registry())
    return [f"{e.json_path}: {e.message[:300]}" for e in validator.iter_errors(value)]


def check(sent: requests.PreparedRequest, got: requests.Response) -> None:
    url = urlsplit(str(sent.url))
    path = url.path.removeprefix("/api/v3").removeprefix("/uploads")
    path = BY_NUMBER.sub("/repos/octocat/by-its-number", path)
    if path.startswith("/_"):
        return
    if sent.method == "GET":
        for older, newer in OLDER_NAMES.items():
            path = older.sub(newer, path)
    operation = find(str(sent.method), path)
    if operation is None:
        if got.status_code == 404:
            return
        raise Violation(f"{sent.method} {path} is not in GitHub's description")
    what = f"{sent.method} {path} ({operation['id']})"
    if got.status_code < 400:
        _check_question(operation, what, sent, url.query)
    _check_answer(operation, what, got)


def _check_question(
    operation: dict[str, Any], what: str, sent: requests.PreparedRequest, query: str
) -> None:
    """A question that was refused may have been wrong on purpose."""
    for name, value in parse_qsl(query):
        schema = operation["query"].get(name, {})
        typed: Any = int(value) if schema.get("type") == "integer" and value.isdigit() else value
        typed = (
            {"true": True, "false": False}.get(value, value)
            if schema.get("type") == "boolean"
            else typed
        )
        if schema and errors(schema, typed):
            raise Violation(f"{what} asked: {name}={value}: {errors(schema, typed)}")
    schema = operation["body"].get("application/json")
    body = sent.body.decode() if isinstance(sent.body, bytes) else sent.body
    if schema is not None and isinstance(body, str) and body:
        problems = errors(schema, json.loads(body))
        _tell(operation, "question", f"{what} asked: {body[:200]}", problems)


def _check_answer(operation: dict[str, Any], what: str, got: requests.Response) -> None:
    code = str(got.status_code)
    described = operation["answers"].get(code)
    if described is None:
        if (operation["id"], code) in EXCEPTIONS or code == "304":
            return
        if code not in ANYWHERE:
            raise Violation(f"{what} answered {code}, which is not described")
        described = {"application/json": {"$ref": f"{NAME}#/components/schemas/basic-error"}}
    schema = described.get("application/json")
    if schema is None or not got.content:
        if schema is not None and code not in ("204", "304"):
            raise Violation(f"{what} answered {code} without the body that is described")
        if schema is None and got.content and code in ("204", "304"):
            raise Violation(f"{what} answered {code} with a body")
        return
    if "json" not in got.headers.get("Content-Type", ""):
        return
    _tell(operation, code, f"{what} answered {code}", errors(schema, got.json()))


def _tell(operation: dict[str, Any], where: str, what: str, problems: list[str]) -> None:
    if problems and (operation["id"], where) not in EXCEPTIONS:
        raise Violation(f"{what}:\n  " + "\n  ".join(problems[:8]))


def check_event(name: str, payload: dict[str, Any]) -> None:
    """A webhook's payload; one event is named after its action, which is the sender's choice."""
    known = description()["events"]
    full = f"{name}-{payload['action']}" if "action" in payload else name
    full = full.replace("_", "-")
    if name == "repository_dispatch":
        full = "repository-dispatch-sample.collected"
        app = {"id": 1, "node_id": ""}  # only an app has an installation, a repository's hook none
        payload = {**payload, "action": "sample.collected", "installation": app}
    if full not in known:
        raise Violation(f"GitHub has no event {full}")
    problems = errors(known[full], payload)
    if problems:
        raise Violation(f"event {full}:\n  " + "\n  ".join(problems[:8]))


@contextmanager
def checked_exchanges() -> Iterator[list[str]]:
    """Inside, everything that any client sends with `requests` is checked."""
    original, seen = requests.Session.send, []

    def send(self: requests.Session, request: Any, **more: Any) -> requests.Response:
        got = original(self, request, **more)
        if urlsplit(str(request.url)).hostname == "127.0.0.1":
            seen.append(f"{request.method} {urlsplit(str(request.url)).path}")
            for answer in (*got.history, got):
                check(answer.request, answer)
        return got

    requests.Session.send = send  # type: ignore[method-assign]
    try:
        yield seen
    finally:
        requests.Session.send = original  # type: ignore[method-assign]
