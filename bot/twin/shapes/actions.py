"""Workflows, runs, jobs, artifacts, environments and deployments as GitHub shows them."""

from __future__ import annotations

import json
from urllib.parse import quote

from bot.twin import gitrepo
from bot.twin.actions.runs import triggering_actor
from bot.twin.call import Call, Json
from bot.twin.shapes.checks import simple_commit_json
from bot.twin.shapes.people import html_url, node_id, repo_json, repo_url, user_json
from bot.twin.store import Row, many, one


def workflow_json(call: Call, row: Row) -> Json:
    base, html = repo_url(call.view, call.repo), html_url(call.view, call.repo)
    file = row["path"].rsplit("/", 1)[-1]
    return {
        "id": row["id"], "node_id": node_id("Workflow", row["id"]), "name": row["name"],
        "path": row["path"], "state": row["state"], "created_at": row["created_at"],
        "updated_at": row["updated_at"], "url": f"{base}/actions/workflows/{row['id']}",
        "html_url": f"{html}/blob/{call.repo['default_branch']}/{row['path']}",
        "badge_url": f"{html}/workflows/{quote(file)}/badge.svg",
    }  # fmt: skip


def run_json(call: Call, row: Row) -> Json:
    base = repo_url(call.view, call.repo)
    url = f"{base}/actions/runs/{row['id']}"
    workflow = one(call.db, "SELECT * FROM workflows WHERE id = ?", row["workflow_id"])
    store = gitrepo.open_repo(call.site.folder(call.repo))
    commit = gitrepo.commit_of(store, row["head_sha"])
    repo = repo_json(call.view, call.repo)
    before = f"{url}/attempts/{row['attempt'] - 1}" if row["attempt"] > 1 else None
    return {
        "id": row["id"], "name": workflow["name"] if workflow else "", "url": url,
        "node_id": node_id("WorkflowRun", row["id"]), "head_branch": row["branch"],
        "head_sha": row["head_sha"], "path": workflow["path"] if workflow else "",
        "display_title": row["title"], "run_number": row["number"], "event": row["event"],
        "status": row["status"], "conclusion": row["conclusion"],
        "workflow_id": row["workflow_id"], "check_suite_id": row["suite_id"],
        "check_suite_node_id": node_id("CheckSuite", row["suite_id"]),
        "html_url": f"{html_url(call.view, call.repo)}/actions/runs/{row['id']}",
        "pull_requests": [], "created_at": row["created_at"], "updated_at": row["updated_at"],
        "actor": user_json(call.view, row["actor_id"]),
        "triggering_actor": user_json(call.view, triggering_actor(row)),
        "run_attempt": row["attempt"],
        "run_started_at": row["started_at"], "jobs_url": f"{url}/jobs", "logs_url": f"{url}/logs",
        "check_suite_url": f"{base}/check-suites/{row['suite_id']}",
        "artifacts_url": f"{url}/artifacts", "cancel_url": f"{url}/cancel",
        "rerun_url": f"{url}/rerun", "previous_attempt_url": before,
        "workflow_url": f"{base}/actions/workflows/{row['workflow_id']}",
        "head_commit": simple_commit_json(commit) if commit else None, "repository": repo,
        "head_repository": repo, "referenced_workflows": [],
    }  # fmt: skip


def job_json(call: Call, run: Row, row: Row) -> Json:
    base = repo_url(call.view, call.repo)
    workflow = one(call.db, "SELECT name FROM workflows WHERE id = ?", run["workflow_id"])
    html = f"{html_url(call.view, call.repo)}/actions/runs/{run['id']}/job/{row['id']}"
    took = row["status"] in ("in_progress", "completed") and row["conclusion"] != "skipped"
    same = ("id", "run_id", "status", "conclusion", "created_at", "started_at", "completed_at",
            "name")  # fmt: skip
    return {
        **{k: row[k] for k in same}, "node_id": node_id("CheckRun", row["id"]),
        "run_url": f"{base}/actions/runs/{run['id']}", "head_sha": run["head_sha"],
        "url": f"{base}/actions/jobs/{row['id']}", "html_url": html,
        "steps": json.loads(row["steps"]), "labels": ["ubuntu-24.04"],
        "check_run_url": f"{base}/check-runs/{row['check_id']}", "runner_id": 1 if took else None,
        "runner_name": "twin" if took else None, "runner_group_id": 1 if took else None,
        "runner_group_name": "twin" if took else None, "run_attempt": row["attempt"],
        "workflow_name": workflow["name"] if workflow else None, "head_branch": run["branch"],
    }  # fmt: skip


def artifact_json(call: Call, row: Row) -> Json:
    url = f"{repo_url(call.view, call.repo)}/actions/artifacts/{row['id']}"
    run = one(call.db, "SELECT * FROM runs WHERE id = ?", row["run_id"])
    key = call.repo["id"]
    return {
        "id": row["id"], "node_id": node_id("Artifact", row["id"]), "name": row["name"],
        "size_in_bytes": len(row["content"]), "url": url, "archive_download_url": f"{url}/zip",
        "expired": row["expires_at"] < call.now(), "created_at": row["created_at"],
        "updated_at": row["created_at"], "expires_at": row["expires_at"],
        "workflow_run": {
            "id": row["run_id"], "repository_id": key, "head_repository_id": key,
            "head_branch": run["branch"] if run else "", "head_sha": run["head_sha"] if run else "",
        },
    }  # fmt: skip


def bare_environment_json(call: Call, row: Row) -> Json:
    name = quote(row["name"], safe="")
    return {
        "id": row["id"], "node_id": node_id("Environment", row["id"]), "name": row["name"],
        "url": f"{repo_url(call.view, call.repo)}/environments/{name}",
        "html_url": f"{html_url(call.view, call.repo)}/deployments?environments_filter={name}",
        "created_at": row["created_at"], "updated_at": row["updated_at"],
    }  # fmt: skip


def environment_json(call: Call, row: Row) -> Json:
    rules: list[Json] = []
    if row["wait_timer"]:
        rules.append(_rule(row, "wait_timer", wait_timer=row["wait_timer"]))
    reviewers = reviewers_json(call, row)
    if reviewers:
        own = bool(row["prevent_self_review"])
        rules.append(_rule(row, "required_reviewers", prevent_self_review=own, reviewers=reviewers))
    policy = json.loads(row["branch_policy"]) if row["branch_policy"] else None
    if policy:
        rules.append(_rule(row, "branch_policy"))
    return {
        **bare_environment_json(call, row), "protection_rules": rules,
        "deployment_branch_policy": policy,
    }  # fmt: skip


def _rule(row: Row, kind: str, **more: object) -> Json:
    key = row["id"] * 10 + len(kind) % 10
    return {"id": key, "node_id": node_id("Gate", key), "type": kind, **more}


def reviewers_json(call: Call, row: Row) -> list[Json]:
    people = (user_json(call.view, key) for key in json.loads(row["reviewers"]))
    return [{"type": "User", "reviewer": user} for user in people]


def deployment_json(call: Call, row: Row) -> Json:
    base = repo_url(call.view, call.repo)
    url = f"{base}/deployments/{row['id']}"
    same = ("id", "sha", "ref", "task", "environment", "description", "created_at", "updated_at")
    return {
        **{k: row[k] for k in same}, "url": url, "node_id": node_id("Deployment", row["id"]),
        "payload": json.loads(row["payload"]), "original_environment": row["environment"],
        "creator": user_json(call.view, row["creator_id"]), "statuses_url": f"{url}/statuses",
        "repository_url": base, "transient_environment": bool(row["transient"]),
        "production_environment": bool(row["production"]), "performed_via_github_app": None,
    }  # fmt: skip


def deployment_status_json(call: Call, deployment: Row, row: Row) -> Json:
    base = repo_url(call.view, call.repo)
    url = f"{base}/deployments/{deployment['id']}"
    same = ("id", "state", "description", "target_url", "environment_url", "created_at")
    return {
        **{k: row[k] for k in same}, "url": f"{url}/statuses/{row['id']}",
        "node_id": node_id("DeploymentStatus", row["id"]), "log_url": row["target_url"],
        "creator": user_json(call.view, row["creator_id"]), "updated_at": row["created_at"],
        "environment": deployment["environment"], "deployment_url": url, "repository_url": base,
        "performed_via_github_app": None,
    }  # fmt: skip


def jobs_of_attempt(call: Call, run: Row, attempt: int) -> list[Row]:
    sql = "SELECT * FROM jobs WHERE run_id = ? AND attempt = ? ORDER BY id"
    return many(call.db, sql, run["id"], attempt)
