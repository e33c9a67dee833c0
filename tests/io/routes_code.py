"""GitHub's endpoints about commits, branches, pull requests, statuses and runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.io.github_world import REPO, Json, Problem, World
from tests.io.routes import Call, checked, get, route


@route("GET", "/commits")
def list_commits(world: World, call: Call) -> tuple[int, Any]:
    if call.query["sha"] not in world.refs:
        raise Problem(404, "Not Found")
    return 200, [world.commit_json(s) for s in world.ancestors(world.refs[call.query["sha"]])]


@route("POST", "/git/trees")
def create_tree(world: World, call: Call) -> tuple[int, Any]:
    below, rows = world.trees[call.body["base_tree"]], call.body["tree"]
    gone = {x["path"] for x in rows if "sha" in x and x["sha"] is None}
    if gone - set(below):
        raise Problem(422, "GitRPC::BadObjectState")
    files = {x["path"]: x["content"] for x in rows if x["path"] not in gone}
    kept = {path: text for path, text in below.items() if path not in gone}
    sha = world.write_tree({**kept, **files})
    return 201, {"sha": sha, "url": f"{world.url}/repos/{REPO}/git/trees/{sha}", "tree": []}


@route("GET", "/contents/(.+)")
def get_contents(world: World, call: Call) -> tuple[int, Any]:
    tree = world.trees[world.commits[call.query["ref"]]["tree"]]
    if call.path[0] not in tree:
        raise Problem(404, "Not Found")
    return 200, {"path": call.path[0], "type": "file"}


@route("POST", "/git/commits")
def create_commit(world: World, call: Call) -> tuple[int, Any]:
    sha = world.write_commit(call.body["message"], call.body["tree"], call.body["parents"])
    shown = world.commit_json(sha)
    return 201, {**shown["commit"], "sha": sha, "parents": shown["parents"]}


@route("GET", "/git/ref/heads/(.+)")
def get_ref(world: World, call: Call) -> tuple[int, Any]:
    if call.path[0] not in world.refs:
        raise Problem(404, "Not Found")
    return 200, ref_json(world, call.path[0])


@route("POST", "/git/refs")
def create_ref(world: World, call: Call) -> tuple[int, Any]:
    branch = call.body["ref"].removeprefix("refs/heads/")
    if branch in world.refs:
        raise Problem(422, "Reference already exists")
    if call.body["sha"] not in world.commits:
        raise Problem(422, "Object does not exist")
    world.refs[branch] = call.body["sha"]
    return 201, ref_json(world, branch)


@route("PATCH", "/git/refs/heads/(.+)")
def move_ref(world: World, call: Call) -> tuple[int, Any]:
    branch, sha = call.path[0], call.body["sha"]
    if branch not in world.refs:
        raise Problem(422, "Reference does not exist")
    if not call.body.get("force") and world.refs[branch] not in world.ancestors(sha):
        raise Problem(422, "Update is not a fast forward")
    world.refs[branch] = sha
    return 200, ref_json(world, branch)


def ref_json(world: World, branch: str) -> Json:
    base, sha = f"{world.url}/repos/{REPO}/git", world.refs[branch]
    return {
        "ref": f"refs/heads/{branch}", "url": f"{base}/refs/heads/{branch}",
        "object": {"sha": sha, "type": "commit", "url": f"{base}/commits/{sha}"},
    }  # fmt: skip


def matching(world: World, query: dict[str, str]) -> Iterator[int]:
    for number, pull in sorted(world.pulls.items(), reverse=True):
        state = world.issues[number]["state"]
        head = query.get("head", f"acme:{pull['head']}")
        base = query.get("base", pull["base"]) == pull["base"]
        if query.get("state", "open") in ("all", state) and head == f"acme:{pull['head']}" and base:
            yield number


@route("GET", "/pulls")
def list_pulls(world: World, call: Call) -> tuple[int, Any]:
    only_full = {"merged", "merged_by", "comments", "commits", "additions", "deletions"}
    rows = [world.pull_json(n) for n in matching(world, call.query)]
    return 200, [{k: v for k, v in row.items() if k not in only_full} for row in rows]


@route("GET", r"/pulls/(\d+)")
def get_pull(world: World, call: Call) -> tuple[int, Any]:
    get(world.pulls, call.number)
    return 200, world.pull_json(call.number)


@route("POST", "/pulls")
def create_pull(world: World, call: Call) -> tuple[int, Any]:
    head, base = call.body["head"], call.body["base"]
    for number in matching(world, {"head": f"acme:{head}"}):
        if world.pulls[number]["base"] == base:
            why = f"A pull request already exists for acme:{head}."
            raise Problem(422, "Validation Failed", {"code": "custom", "message": why})
    if head not in world.refs:
        raise Problem(422, "Validation Failed", {"field": "head", "code": "invalid"})
    if base not in world.refs:
        raise Problem(422, "Validation Failed", {"field": "base", "code": "invalid"})
    if world.refs[head] in world.ancestors(world.refs[base]):
        why = f"No commits between {base} and {head}"
        raise Problem(422, "Validation Failed", {"code": "custom", "message": why})
    made = world.pull(call.token, head, base, call.body["title"], checked(call.body["body"]))
    return 201, world.pull_json(int(made["number"]))


@route("PUT", r"/pulls/(\d+)/merge")
def merge_pull(world: World, call: Call) -> tuple[int, Any]:
    pull, issue = get(world.pulls, call.number), world.issues[call.number]
    head = world.refs[pull["head"]]
    if pull["blocked"] or issue["state"] != "open":
        raise Problem(405, pull["blocked"] or "Pull Request is not mergeable")
    if call.body["merge_method"] not in pull["ways"]:
        raise Problem(405, "Merge commits are not allowed on this repository.")
    if call.body.get("sha", head) != head:
        raise Problem(409, "Head branch was modified. Review and try the merge again.")
    below, above = (world.commits[s]["tree"] for s in (world.refs[pull["base"]], head))
    tree = world.write_tree({**world.trees[below], **world.trees[above]})
    sha = world.write_commit("Merge", tree, [world.refs[pull["base"]], head])
    world.refs[pull["base"]] = sha
    at, who = world.tick(), world.users[call.token]
    pull.update(sha=head, merged_at=at, merge_sha=sha, merged_by=who)
    issue.update(state="closed", closed_at=at, closed_by=who)
    return 200, {"sha": sha, "merged": True, "message": "Pull Request successfully merged"}


@route("GET", r"/commits/([0-9a-f]{40})/status")
def combined_status(world: World, call: Call) -> tuple[int, Any]:
    newest = {s["context"]: s for s in world.statuses if s["sha"] == call.path[0]}
    return 200, {
        "sha": call.path[0], "state": "pending", "statuses": list(newest.values()),
        "total_count": len(newest), "repository": world.repo_json(), "commit_url": "", "url": "",
    }  # fmt: skip


@route("GET", r"/compare/main\.\.\.([0-9a-f]{40})")
def compare(world: World, call: Call) -> tuple[int, Any]:
    below, above = (
        world.trees[world.commits[sha]["tree"]] for sha in (world.refs["main"], call.path[0])
    )
    names = [name for name in above if below.get(name) != above[name]]
    rows = [{"filename": name, "previous_filename": world.renamed.get(name)} for name in names]
    return 200, {"files": rows}


@route("POST", r"/statuses/([0-9a-f]{40})")
def create_status(world: World, call: Call) -> tuple[int, Any]:
    if len(call.body["description"]) > 140:
        raise Problem(422, "Validation Failed", "description is too long (maximum is 140)")
    at = world.tick()
    world.statuses.append(
        {**call.body, "id": world.new_id(), "sha": call.path[0], "created_at": at,
         "updated_at": at, "url": "", "target_url": None, "creator": world.users[call.token]}
    )  # fmt: skip
    return 201, world.statuses[-1]


@route("GET", "/actions/workflows/stratbot-work.yml/runs")
def list_runs(world: World, call: Call) -> tuple[int, Any]:
    rows = sorted(world.runs.values(), key=lambda r: -int(r["id"]))
    rows = [r for r in rows if call.query.get("branch", r["head_branch"]) == r["head_branch"]]
    return 200, {"total_count": len(rows), "workflow_runs": rows}


@route("PUT", "/actions/workflows/sweep.yml/(?:enable|disable)")
def switch(world: World, call: Call) -> tuple[int, Any]:
    return 204, None


@route("POST", "/actions/workflows/stratbot-work.yml/dispatches")
def start_run(world: World, call: Call) -> tuple[int, Any]:
    inputs = call.body["inputs"]
    run = world.run(f"wf_{inputs['issue']} {inputs['key']}")
    run["asked"] = call.body
    return 204, None


@route("POST", r"/actions/runs/(\d+)/(cancel|force-cancel)")
def cancel_run(world: World, call: Call) -> tuple[int, Any]:
    run = get(world.runs, call.number)
    if run["status"] == "completed":
        raise Problem(409, "Cannot cancel a workflow run that is completed.")
    run.update(status="completed", conclusion="cancelled", how=call.path[1])
    return 202, {}
