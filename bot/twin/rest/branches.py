"""Branches, tags, and the protection of a branch."""

from __future__ import annotations

import json
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
SWITCHES = [
    "required_linear_history", "allow_force_pushes", "allow_deletions", "block_creations",
    "required_conversation_resolution", "lock_branch", "allow_fork_syncing",
]  # fmt: skip


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


@route("GET", f"{BRANCH}/protection", role="admin", scope="administration:read")
def protection(call: Call) -> Json:
    rules = rules_of(call, call.args["branch"])
    if not rules:
        raise Problem(404, "Branch not protected")
    return _shown(call, call.args["branch"], rules)


@route("PUT", f"{BRANCH}/protection", role="admin", scope="administration:write")
def protect(call: Call) -> Json:
    branch = call.args["branch"]
    if gitrepo.ref_target(opened(call), f"refs/heads/{branch}") is None:
        raise Problem(404, "Branch not found")
    sql = "INSERT OR REPLACE INTO protections VALUES (?, ?, ?)"
    rules = {**call.body, "on": True}
    call.db.execute(sql, (call.repo["id"], branch, json.dumps(rules)))
    return _shown(call, branch, rules)


@route("DELETE", f"{BRANCH}/protection", role="admin", scope="administration:write")
def unprotect(call: Call) -> Answer:
    sql = "DELETE FROM protections WHERE repo_id = ? AND branch = ?"
    if not call.db.execute(sql, (call.repo["id"], call.args["branch"])).rowcount:
        raise Problem(404, "Branch not protected")
    return Answer(204)


def _shown(call: Call, branch: str, rules: Json) -> Json:
    url = f"{repo_url(call.view, call.repo)}/branches/{quote(branch, safe='')}/protection"
    shown: Json = {"url": url}
    shown["enforce_admins"] = {
        "url": f"{url}/enforce_admins", "enabled": bool(rules.get("enforce_admins")),
    }  # fmt: skip
    shown |= {name: {"enabled": bool(rules.get(name))} for name in SWITCHES}
    checks = rules.get("required_status_checks")
    if checks:
        names = checks.get("contexts") or [c["context"] for c in checks.get("checks") or []]
        shown["required_status_checks"] = {
            "url": f"{url}/required_status_checks", "strict": bool(checks.get("strict")),
            "contexts": names, "contexts_url": f"{url}/required_status_checks/contexts",
            "checks": [{"context": name, "app_id": None} for name in names],
        }  # fmt: skip
    reviews = rules.get("required_pull_request_reviews")
    if reviews:
        flags = (
            "dismiss_stale_reviews",
            "require_code_owner_reviews",
            "require_last_push_approval",
        )
        count = reviews.get("required_approving_review_count", 1)
        shown["required_pull_request_reviews"] = {
            "url": f"{url}/required_pull_request_reviews", "required_approving_review_count": count,
            **{flag: bool(reviews.get(flag)) for flag in flags},
        }  # fmt: skip
    return shown


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
