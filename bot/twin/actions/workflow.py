"""A workflow file as the twin needs it: what starts it, what its jobs wait for and may do."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

Json = dict[str, Any]
SCOPES = ("actions", "attestations", "checks", "contents", "deployments", "discussions",
          "id_token", "issues", "packages", "pages", "pull_requests", "security_events",
          "statuses")  # fmt: skip
PULLS = ("pull_request", "pull_request_target")
PULL_TYPES = ("opened", "synchronize", "reopened")


WILD = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


class Broken(ValueError):
    """A file that is no workflow; says why."""


@dataclass(frozen=True, slots=True)
class Group:
    """`queue: max` keeps all that wait; else a newer one that waits replaces the older."""

    name: str
    cancels: Any = False
    keeps: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    key: str
    raw: Json = field(repr=False)

    @property
    def needs(self) -> list[str]:
        found = self.raw.get("needs") or []
        return [found] if isinstance(found, str) else list(found)

    @property
    def steps(self) -> list[Json]:
        return [dict(step) for step in self.raw.get("steps") or []]

    @property
    def environment(self) -> str | None:
        found = self.raw.get("environment")
        return str(found["name"]) if isinstance(found, dict) else found

    @property
    def matrix(self) -> Any:
        return (self.raw.get("strategy") or {}).get("matrix") or {}


@dataclass(frozen=True, slots=True)
class Workflow:
    path: str
    raw: Json = field(repr=False)

    @property
    def name(self) -> str:
        return str(self.raw.get("name") or self.path)

    @property
    def jobs(self) -> dict[str, Job]:
        return {key: Job(key, dict(raw)) for key, raw in (self.raw.get("jobs") or {}).items()}

    @property
    def on(self) -> dict[str, Json]:
        found = self.raw.get("on")
        if isinstance(found, str):
            return {found: {}}
        if isinstance(found, list):
            return {str(name): {} for name in found}
        return {str(k): v if isinstance(v, dict) else {} for k, v in (found or {}).items()}

    @property
    def inputs(self) -> dict[str, Json]:
        return {k: v or {} for k, v in (self.on["workflow_dispatch"].get("inputs") or {}).items()}


@lru_cache(maxsize=256)
def read(path: str, text: str) -> Workflow:
    """Every open run is looked at again and again, and its file never changes."""
    try:
        raw = YAML(typ="safe").load(text)
    except YAMLError as error:
        raise Broken(f"{path}: {error}") from None
    if not isinstance(raw, dict) or not isinstance(raw.get("jobs"), dict) or "on" not in raw:
        raise Broken(f"{path}: no jobs or no events")
    return Workflow(path, raw)


def group_of(raw: Json) -> Group | None:
    found = raw.get("concurrency")
    if not found:
        return None
    if isinstance(found, str):
        return Group(found)
    return Group(
        str(found["group"]), found.get("cancel-in-progress", False), found.get("queue") == "max"
    )


def permissions_of(workflow: Json, job: Json, default: str) -> dict[str, str]:
    """The job's, else the workflow's, else the repository's. What is not named is not given."""
    asked: Any = job.get("permissions", workflow.get("permissions"))
    if asked is None:
        asked = "write-all" if default == "write" else {"contents": "read", "packages": "read"}
    if asked in ("read-all", "write-all"):
        return {scope: str(asked).removesuffix("-all") for scope in SCOPES}
    named = {str(k).replace("-", "_"): str(v) for k, v in (asked or {}).items()}
    return {scope: named.get(scope, "none") for scope in SCOPES}


def starts(
    workflow: Workflow, name: str, action: str | None, payload: Json, changed: list[str] | None
) -> bool:
    """Whether this event starts it: its name, type, branch, and the files that it changed."""
    on = workflow.on.get(name)
    if on is None:
        return False
    types = on.get("types") or (PULL_TYPES if name in PULLS else None)
    types = [types] if isinstance(types, str) else types
    if action is not None and types and action not in types:
        return False
    if name == "push":
        wanted = _ref_wanted(on, str(payload["ref"])) and not payload["deleted"]
        return wanted and _paths_wanted(on, changed)
    if name in PULLS:
        wanted = _named(on, "branches", payload["pull_request"]["base"]["ref"])
        return wanted and _paths_wanted(on, changed)
    return True


def _paths_wanted(on: Json, changed: list[str] | None) -> bool:
    """One file that is wanted and not ignored is enough; who does not know asks for nothing."""
    if changed is None or not any(key in on for key in ("paths", "paths-ignore")):
        return True
    return any(_named(on, "paths", path) for path in changed)


def _ref_wanted(on: Json, ref: str) -> bool:
    kind, other = ("tags", "branches") if ref.startswith("refs/tags/") else ("branches", "tags")
    says = any(x in on for x in (kind, f"{kind}-ignore"))
    if not says:
        return not any(x in on for x in (other, f"{other}-ignore"))
    return _named(on, kind, ref.split("/", 2)[2])


def _named(on: Json, kind: str, name: str) -> bool:
    wanted, ignored = on.get(kind), on.get(f"{kind}-ignore") or []
    if any(_matches(p, name) for p in ignored):
        return False
    if wanted is None:
        return True
    found = False
    for pattern in [wanted] if isinstance(wanted, str) else wanted:
        if _matches(pattern.removeprefix("!"), name):
            found = not pattern.startswith("!")
    return found


def _matches(pattern: str, name: str) -> bool:
    """`*` stays within a part of the name, `**` does not."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    text = "".join(WILD.get(p, re.escape(p)) for p in parts)
    return re.fullmatch(text, name) is not None
