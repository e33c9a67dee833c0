"""Check runs, suites and annotations as GitHub shows them."""

from __future__ import annotations

from pygit2 import Commit

from bot.twin.call import Json, View
from bot.twin.shapes.code import signature_json
from bot.twin.shapes.people import html_url, node_id, repo_json, repo_url, user_json
from bot.twin.store import Row, many, value

APP_ID, BOT_ID = 15368, 41898282
"""The numbers of GitHub Actions on github.com."""


MARKS = [
    "path", "start_line", "end_line", "start_column", "end_column", "annotation_level", "title",
    "message", "raw_details",
]  # fmt: skip


def app_json(view: View) -> Json:
    return {
        "id": APP_ID, "slug": "github-actions", "node_id": node_id("App", APP_ID),
        "owner": user_json(view, BOT_ID), "name": "GitHub Actions", "events": [],
        "description": "Automate your workflow from idea to production",
        "external_url": "https://help.github.com/en/actions",
        "html_url": f"{view.web}/apps/github-actions", "created_at": "2018-07-30T09:30:17Z",
        "updated_at": "2024-04-10T20:33:16Z",
        "permissions": {"checks": "write", "contents": "write", "issues": "write"},
    }  # fmt: skip


def check_json(view: View, repo: Row, row: Row) -> Json:
    url = f"{repo_url(view, repo)}/check-runs/{row['id']}"
    html = f"{html_url(view, repo)}/runs/{row['id']}"
    marks = value(view.db, "SELECT count(*) FROM annotations WHERE check_id = ?", row["id"])
    same = ("id", "head_sha", "name", "status", "conclusion", "started_at", "completed_at")
    return {
        **{k: row[k] for k in same}, "node_id": node_id("CheckRun", row["id"]),
        "external_id": row["external_id"] or "", "url": url, "html_url": html,
        "details_url": row["details_url"] or html,
        "output": {
            "title": row["title"], "summary": row["summary"], "text": row["text"],
            "annotations_count": marks, "annotations_url": f"{url}/annotations",
        },
        "check_suite": {"id": row["suite_id"]}, "app": app_json(view), "pull_requests": [],
    }  # fmt: skip


def annotation_json(view: View, repo: Row, sha: str, row: Row) -> Json:
    own = {k: row[k] for k in MARKS}
    return {**own, "blob_href": f"{html_url(view, repo)}/blob/{sha}/{row['path']}"}


def suite_json(view: View, repo: Row, row: Row, commit: Commit) -> Json:
    shown = told_suite_json(view, repo, row)
    counted = value(view.db, "SELECT count(*) FROM checks WHERE suite_id = ?", row["id"])
    return {
        **shown, "repository": repo_json(view, repo), "head_commit": simple_commit_json(commit),
        "latest_check_runs_count": counted, "check_runs_url": f"{shown['url']}/check-runs",
    }  # fmt: skip


def told_suite_json(view: View, repo: Row, row: Row) -> Json:
    """As the event of a check run carries it."""
    url = f"{repo_url(view, repo)}/check-suites/{row['id']}"
    checks = many(view.db, "SELECT status, conclusion FROM checks WHERE suite_id = ?", row["id"])
    done = bool(checks) and all(c["status"] == "completed" for c in checks)
    bad = any(c["conclusion"] not in ("success", "neutral", "skipped") for c in checks)
    return {
        "id": row["id"], "node_id": node_id("CheckSuite", row["id"]), "url": url,
        "head_branch": row["head_branch"], "head_sha": row["head_sha"],
        "status": "completed" if done else "queued",
        "conclusion": ("failure" if bad else "success") if done else None, "before": None,
        "after": row["head_sha"], "pull_requests": [], "app": app_json(view),
        "created_at": row["created_at"], "updated_at": row["created_at"],
    }  # fmt: skip


def simple_commit_json(commit: Commit) -> Json:
    author, committer = signature_json(commit.author), signature_json(commit.committer)
    return {
        "id": str(commit.id), "tree_id": str(commit.tree_id), "message": commit.message.rstrip(),
        "timestamp": committer["date"],
        "author": {k: author[k] for k in ("name", "email")},
        "committer": {k: committer[k] for k in ("name", "email")},
    }  # fmt: skip
