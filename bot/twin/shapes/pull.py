"""Pull requests, reviews and review comments as GitHub shows them."""

from __future__ import annotations

from bot.twin.call import Call, Json
from bot.twin.shapes.people import (
    association,
    html_url,
    node_id,
    repo_json,
    repo_url,
    user_json,
)  # fmt: skip
from bot.twin.shapes.talk import issue_json, people_json, rollup_json
from bot.twin.store import Row, value

SHARED = [
    "number", "state", "locked", "title", "user", "body", "labels", "milestone", "created_at",
    "updated_at", "closed_at", "assignee", "assignees", "author_association",
    "active_lock_reason",
]  # fmt: skip


def pull_json(call: Call, row: Row) -> Json:
    """As in a listing. `row` is the issue and the pull request in one."""
    view, repo = call.view, call.repo
    number, base = row["number"], repo_url(view, repo)
    url, html = f"{base}/pulls/{number}", f"{html_url(view, repo)}/pull/{number}"
    issue = issue_json(view, repo, row)
    links = {
        "self": url, "html": html, "issue": f"{base}/issues/{number}",
        "comments": f"{base}/issues/{number}/comments", "review_comments": f"{url}/comments",
        "review_comment": f"{base}/pulls/comments{{/number}}", "commits": f"{url}/commits",
        "statuses": f"{base}/statuses/{row['head_sha']}",
    }  # fmt: skip
    return {
        "url": url, "id": row["id"], "node_id": node_id("PullRequest", row["id"]),
        "html_url": html, "diff_url": f"{html}.diff", "patch_url": f"{html}.patch",
        **{f"{k}_url": v for k, v in links.items() if k not in ("self", "html")},
        **{k: issue[k] for k in SHARED}, "draft": bool(row["draft"]),
        "requested_reviewers": people_json(view, "reviewers", row["id"]), "requested_teams": [],
        "merged_at": row["merged_at"], "merge_commit_sha": row["merge_sha"],
        "head": _end(call, row["head_ref"], row["head_sha"]),
        "base": _end(call, row["base_ref"], row["base_sha"]),
        "_links": {k: {"href": v} for k, v in links.items()}, "auto_merge": None,
    }  # fmt: skip


def _end(call: Call, ref: str, sha: str) -> Json:
    repo = repo_json(call.view, call.repo)
    return {
        "label": f"{call.repo['owner']}:{ref}", "ref": ref, "sha": sha, "user": repo["owner"],
        "repo": repo,
    }  # fmt: skip


def full_pull_json(call: Call, row: Row, state: str, counts: dict[str, int]) -> Json:
    """As alone: what needs the diff, and whether it can be merged."""
    said = "SELECT count(*) FROM review_comments WHERE issue_id = ?"
    mergeable = None if row["mergeable"] is None else bool(row["mergeable"])
    return {
        **pull_json(call, row), "merged": row["merged_at"] is not None, "mergeable": mergeable,
        "rebaseable": mergeable, "mergeable_state": state,
        "merged_by": user_json(call.view, row["merged_by"]), "comments": row["comments"],
        "review_comments": value(call.db, said, row["id"]), "maintainer_can_modify": False,
        **counts,
    }  # fmt: skip


def review_json(call: Call, pull: Row, row: Row) -> Json:
    html = f"{html_url(call.view, call.repo)}/pull/{pull['number']}#pullrequestreview-{row['id']}"
    url = f"{repo_url(call.view, call.repo)}/pulls/{pull['number']}"
    shown = {
        "id": row["id"], "node_id": node_id("Review", row["id"]),
        "user": user_json(call.view, row["user_id"]), "body": row["body"], "state": row["state"],
        "html_url": html, "pull_request_url": url, "commit_id": row["commit_id"],
        "author_association": association(call.view, call.repo, row["user_id"]),
        "_links": {"html": {"href": html}, "pull_request": {"href": url}},
    }  # fmt: skip
    return {**shown, "submitted_at": row["submitted_at"]} if row["submitted_at"] else shown


def review_comment_json(call: Call, pull: Row, row: Row) -> Json:
    base = repo_url(call.view, call.repo)
    url, pull_url = f"{base}/pulls/comments/{row['id']}", f"{base}/pulls/{pull['number']}"
    html = f"{html_url(call.view, call.repo)}/pull/{pull['number']}#discussion_r{row['id']}"
    same = ("path", "line", "side", "start_line", "start_side", "commit_id", "body", "diff_hunk",
            "subject_type", "created_at", "updated_at")  # fmt: skip
    shown = {
        "url": url, "id": row["id"], "node_id": node_id("ReviewComment", row["id"]),
        "pull_request_review_id": row["review_id"], **{k: row[k] for k in same},
        "original_commit_id": row["commit_id"],
        "position": row["position"], "original_position": row["position"],
        "original_line": row["line"],
        "original_start_line": row["start_line"], "user": user_json(call.view, row["user_id"]),
        "html_url": html, "pull_request_url": pull_url,
        "author_association": association(call.view, call.repo, row["user_id"]),
        "_links": {"self": {"href": url}, "html": {"href": html},
                   "pull_request": {"href": pull_url}},
        "reactions": rollup_json(call.view, url, "review_comment", row["id"]),
    }  # fmt: skip
    if row["in_reply_to_id"]:
        shown["in_reply_to_id"] = row["in_reply_to_id"]
    return shown
