"""The actions that the quick executor stands in for, and composite actions of the repository."""

from __future__ import annotations

import io
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruamel.yaml import YAML

from bot.twin.actions import expressions
from bot.twin.store import one

if TYPE_CHECKING:
    from bot.twin.actions.quick import State
    from bot.twin.actions.runner import Work

Given = dict[str, str]


class Failed(Exception):
    def __init__(self, why: str, outputs: dict[str, str] | None = None) -> None:
        super().__init__(why)
        self.outputs = outputs or {}


def use(state: State, name: str, given: Given) -> dict[str, str]:
    if name.startswith("./"):
        return composite(state, name, given)
    action = name.partition("@")[0]
    if action not in ACTIONS:
        raise Failed(f"{action}: the quick executor does not know this action")
    return ACTIONS[action](state, given)


def checkout(state: State, given: Given) -> dict[str, str]:
    """A real clone from the real repository; the token stays in it unless told otherwise."""
    work = state.work
    ref = given.get("ref") or state.context["github"]["sha"]
    target = state.workspace / given.get("path", ".")
    target.mkdir(parents=True, exist_ok=True)
    fetch(work, target, ref, [] if given.get("fetch-depth") == "0" else ["--depth=1"])
    if given.get("persist-credentials", "true") != "false":
        header = f"AUTHORIZATION: bearer {given.get('token') or work.token}"
        key = f"http.{work.site.url}/.extraheader"
        subprocess.run(["git", "config", "--local", key, header], cwd=target, check=True)
    return {"commit": ref}


def fetch(work: Work, target: Path, ref: str, depth: list[str]) -> None:
    url = f"{work.site.url}/{work.repo['owner']}/{work.repo['name']}.git"
    source = str(work.site.folder(work.repo).resolve())
    _git(target, ref, "init", "--quiet")
    # Lent, not packed and sent: a checkout is most of what a short job costs.
    lent = target / ".git" / "objects" / "info" / "alternates"
    lent.parent.mkdir(exist_ok=True)
    lent.write_text(f"{source}/objects\n")
    _git(target, ref, "remote", "add", "origin", url)
    allowed = ("-c", "protocol.file.allow=always")
    _git(target, ref, *allowed, "fetch", "--quiet", *depth, f"file://{source}", ref)
    _git(target, ref, "checkout", "--quiet", "--force", "FETCH_HEAD")


def _git(target: Path, ref: str, *args: str) -> None:
    done = subprocess.run(["git", *args], cwd=target, capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"checkout of {ref}: {done.stderr.strip()}")


def upload(state: State, given: Given) -> dict[str, str]:
    from bot.twin.actions.runner import keep_artifact

    found = _matching(state.workspace, given.get("path", ""))
    if not found:
        if given.get("if-no-files-found") == "error":
            raise Failed(f"No files were found with the provided path: {given.get('path')}")
        return {}
    root = found[0].parent if len(found) == 1 else _common(found)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in found:
            archive.write(file, file.relative_to(root))
    keep_artifact(state.work, given.get("name", "artifact"), held.getvalue())
    return {}


def _matching(root: Path, paths: str) -> list[Path]:
    found: set[Path] = set()
    for line in (x.strip() for x in paths.splitlines()):
        start = Path(line) if line.startswith("/") else root / line
        hits = [start] if start.exists() else list(root.glob(line)) if line[:1] not in "/" else []
        for hit in hits:
            found |= {f for f in hit.rglob("*") if f.is_file()} if hit.is_dir() else {hit}
    return sorted(found)


def _common(files: list[Path]) -> Path:
    shared = set(files[0].parents)
    for file in files[1:]:
        shared &= set(file.parents)
    return max(shared, key=lambda p: len(p.parts))


def download(state: State, given: Given) -> dict[str, str]:
    sql = "SELECT content FROM artifacts WHERE run_id = ? AND name = ? ORDER BY id DESC"
    run_id = int(given.get("run-id") or state.work.run["id"])
    name = given.get("name", "artifact")
    row = one(state.work.site.store.reader, sql, run_id, name)
    if row is None:
        raise Failed(f"Unable to find an artifact with the name: {name}")
    target = state.workspace / given.get("path", ".")
    target.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(io.BytesIO(row["content"])) as archive:
        archive.extractall(target)
    return {"download-path": str(target)}


def nothing(state: State, given: Given) -> dict[str, str]:
    """What this machine has already."""
    return {}


def composite(state: State, name: str, given: Given) -> dict[str, str]:
    from bot.twin.actions.quick import run_steps

    folder = state.workspace / name
    file = next((folder / n for n in ("action.yml", "action.yaml") if (folder / n).exists()), None)
    if file is None:
        raise Failed(f"Can't find 'action.yml' under {name}. Was the repository checked out?")
    raw: dict[str, Any] = YAML(typ="safe").load(file.read_text())
    if raw["runs"].get("using") != "composite":
        raise Failed(f"{name}: the quick executor runs composite actions only")
    defaults = {k: str((v or {}).get("default", "")) for k, v in (raw.get("inputs") or {}).items()}
    outer = dict(state.context)
    filled = {k: expressions.fill(v, outer) for k, v in defaults.items()}
    state.context |= {"inputs": {**filled, **given}, "steps": {}}
    state.context["github"] = {**outer["github"], "action_path": str(folder)}
    run_steps(state, [dict(step) for step in raw["runs"]["steps"]])
    outputs = {
        k: expressions.fill(str(v.get("value", "")), state.context)
        for k, v in (raw.get("outputs") or {}).items()
    }
    failed = not state.context["success"]
    state.context |= {k: outer[k] for k in ("inputs", "steps", "github")}
    if failed:
        state.context |= {"success": outer["success"], "failure": outer["failure"]}
        raise Failed(f"{name} failed", outputs)
    return outputs


ACTIONS: dict[str, Callable[[State, Given], dict[str, str]]] = {
    "actions/checkout": checkout,
    "actions/setup-python": nothing,
    "actions/cache": nothing,
    "actions/cache/restore": nothing,
    "actions/upload-artifact": upload,
    "actions/download-artifact": download,
}
