"""Branches and tags."""

from __future__ import annotations

from urllib.parse import quote

from pygit2 import Commit

from bot.twin import gitrepo
from bot.twin.call import REPO, Answer, Call, Json, Problem, missing, route
from bot.twin.protection import rules_of
from bot.twin.rest.gitdata import opened
from bot.twin.shapes.code import commit_json
from bot.twin.shapes.people import html_url, node_id, repo_url

READ = "contents:read"
BRANCH = f"{REPO}/branches/<path:branch>"


@route("GET", f"{REPO}/branches", scope=READ)
def listing(call: Call) -> Answer:
    store = opened(call)
    rows = [(n.removeprefix("refs/heads/"), sha) for n, sha in gitrepo.refs(store, "refs/heads/")]
    rows = [r for r in rows if call.query.get("protected") != "true" or rules_of(call, r[0])]
    base = repo_url(call.view, call.repo)
    return call.page_of(
        rows,
        lambda r: {
            "name": r[0], "commit": {"sha": r[1], "url": f"{base}/commits/{r[1]}"},
            "protected": bool(rules_of(call, r[0])),
        },
    )  # fmt: skip


@route("GET", BRANCH, scope=READ)
def get(call: Call) -> Json:
    store, branch = opened(call), call.args["branch"]
    sha = gitrepo.ref_target(store, f"refs/heads/{branch}")
    if sha is None:
        raise Problem(404, "Branch not found")
    url = f"{repo_url(call.view, call.repo)}/branches/{quote(branch, safe='')}"
    html = f"{html_url(call.view, call.repo)}/tree/{quote(branch)}"
    rules = rules_of(call, branch)
    checks = rules.get("required_status_checks") or {}
    return {
        "name": branch, "commit": commit_json(call.view, call.repo, store[sha].peel(Commit)),
        "_links": {"self": url, "html": html}, "protected": bool(rules),
        "protection": {
            "enabled": bool(rules),
            "required_status_checks": {
                "enforcement_level": "non_admins" if checks else "off",
                "contexts": checks.get("contexts") or [], "checks": [],
            },
        },
        "protection_url": f"{url}/protection",
    }  # fmt: skip


@route("GET", f"{REPO}/tags", scope=READ)
def tags(call: Call) -> Answer:
    store, base = opened(call), repo_url(call.view, call.repo)

    def shape(row: tuple[str, str]) -> Json:
        name = row[0].removeprefix("refs/tags/")
        commit = gitrepo.commit_of(store, row[0])
        if commit is None:
            raise missing()
        return {
            "name": name, "commit": {"sha": str(commit.id), "url": f"{base}/commits/{commit.id}"},
            "zipball_url": f"{base}/zipball/{row[0]}", "tarball_url": f"{base}/tarball/{row[0]}",
            "node_id": node_id("Ref", row[0]),
        }  # fmt: skip

    return call.page_of(list(gitrepo.refs(store, "refs/tags/"))[::-1], shape)
