"""Code: folders and files at a branch, tag or commit; the commits, and one with its diff."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import quote

from bot.twin import gitrepo
from bot.twin.call import Answer, Json, Problem, missing
from bot.twin.pages import checks, draw
from bot.twin.pages.patch import rows_of
from bot.twin.pages.table import REPO, file, form, page
from bot.twin.pages.visit import Visit
from bot.twin.rest import branches, commits, contents, pulls, repos
from bot.twin.rest.gitdata import opened

LARGEST = 500_000
SANDBOX = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
PICTURES = {"svg": "image/svg+xml", "png": "image/png", "webp": "image/webp"}
"""Drawn by a browser without running anything in them."""


@page(REPO)
def front(visit: Visit) -> Answer:
    repo = visit.ask(repos.get)
    return _folder(visit, repo, repo["default_branch"], "")


@page(f"{REPO}/tree/<path:rest>")
def folder(visit: Visit) -> Answer:
    ref, path = split(visit)
    return _folder(visit, visit.ask(repos.get), ref, path)


def _folder(visit: Visit, repo: Json, ref: str, path: str) -> Answer:
    try:
        rows = visit.ask(contents.get, path=path, query={"ref": ref})
    except Problem as problem:
        if problem.body["message"] != "This repository is empty.":
            raise
        rows = []
    if isinstance(rows, dict):
        return Answer(302, None, {"Location": visit.to(f"/blob/{quote(ref)}/{quote(path)}")})
    rows = sorted(rows, key=lambda row: (row["type"] != "dir", row["name"]))
    readme = next((row for row in rows if row["name"].lower() == "readme.md"), None)
    return draw.page(
        visit, "tree.html", repo=repo, ref=ref, path=path, rows=rows, tab="code",
        readme=_text(visit, readme["path"], ref)[0] if readme else "", last=_last(visit, ref, path),
        branches=visit.all(branches.listing), steps=steps(path),
    )  # fmt: skip


def _last(visit: Visit, ref: str, path: str) -> Json | None:
    query = {"sha": ref, "per_page": 1, **({"path": path} if path else {})}
    try:
        rows: list[Json] = visit.ask(commits.listing, query=query)
    except Problem:
        return None
    return rows[0] if rows else None


def _text(visit: Visit, path: str, ref: str) -> tuple[str, bool]:
    """What a file says, and whether it is text at all."""
    shown = visit.ask(contents.get, path=path, query={"ref": ref})
    data = base64.b64decode(shown["content"])[:LARGEST]
    return data.decode(errors="replace"), b"\0" not in data[:8000]


def split(visit: Visit) -> tuple[str, str]:
    """`feature/x/docs/a.md`: the longest beginning that is a branch, tag or commit is the ref."""
    parts = visit.args["rest"].strip("/").split("/")
    store = opened(visit.call(repos.get))
    for count in range(len(parts), 0, -1):
        ref = "/".join(parts[:count])
        if gitrepo.commit_of(store, ref) is not None:
            return ref, "/".join(parts[count:])
    raise missing()


def steps(path: str) -> list[tuple[str, str]]:
    parts = [part for part in path.split("/") if part]
    return [(part, "/".join(parts[: n + 1])) for n, part in enumerate(parts)]


@page(f"{REPO}/blob/<path:rest>")
def blob(visit: Visit) -> Answer:
    ref, path = split(visit)
    if visit.query.get("raw") == "true":
        return Answer(302, None, {"Location": visit.to(f"/raw/{quote(ref)}/{quote(path)}")})
    shown = visit.ask(contents.get, path=path, query={"ref": ref})
    if not isinstance(shown, dict):
        return Answer(302, None, {"Location": visit.to(f"/tree/{quote(ref)}/{quote(path)}")})
    text, readable = _text(visit, path, ref)
    return draw.page(
        visit, "blob.html", ref=ref, path=path, file=shown, text=text, readable=readable,
        steps=steps(path), lines=text.splitlines(), tab="code", plain="plain" in visit.query,
    )  # fmt: skip


@file(f"{REPO}/raw/<path:rest>")
def raw(visit: Visit) -> Answer:
    """In a sandbox, and as text unless it is a picture: a page in a repository is not ours."""
    ref, path = split(visit)
    found = visit.answer(contents.get, path=path, query={"ref": ref}, headers={"Accept": "raw"})
    kind = PICTURES.get(path.rpartition(".")[2].lower(), "text/plain; charset=utf-8")
    return Answer(raw=found.raw, kind=kind, headers=dict(SANDBOX))


@page(f"{REPO}/commits")
@page(f"{REPO}/commits/<path:rest>")
def history(visit: Visit) -> Answer:
    repo = visit.ask(repos.get)
    ref, path = split(visit) if "rest" in visit.args else (repo["default_branch"], "")
    query = {"sha": ref, **({"path": path} if path else {})}
    rows, beside = visit.part(commits.listing, query=query)
    return draw.page(visit, "commits.html", commits=rows, ref=ref, beside=beside, tab="code")


@page(f"{REPO}/commit/<sha>")
def commit(visit: Visit) -> Answer:
    shown: Any = visit.ask(commits.get, ref=visit.args["sha"])
    files = [{**row, "rows": rows_of(row.get("patch", ""))} for row in shown["files"]]
    found = checks.of_commit(visit, shown["sha"])
    return draw.page(visit, "commit.html", commit=shown, files=files, checks=found, tab="code")


@page(f"{REPO}/compare/<path:basehead>")
def compare(visit: Visit) -> Answer:
    shown: Any = visit.ask(commits.compare)
    files = [{**row, "rows": rows_of(row.get("patch", ""))} for row in shown["files"]]
    base, _, head = visit.args["basehead"].partition("...")
    return draw.page(
        visit, "compare.html", shown=shown, files=files, base_ref=base, head_ref=head, tab="pulls"
    )


@form(f"{REPO}/compare/<path:basehead>", again=compare)
def open_pull(visit: Visit) -> str:
    base, _, head = visit.args["basehead"].partition("...")
    asked = {"base": base, "head": head, "title": visit.text("title"), "body": visit.text("body")}
    return visit.to(f"/pull/{visit.ask(pulls.create, body=asked)['number']}")


@page(f"{REPO}/branches")
def list_branches(visit: Visit) -> Answer:
    repo, found = visit.ask(repos.get), visit.all(branches.listing)
    return draw.page(visit, "branches.html", repo=repo, branches=found, tab="code")
