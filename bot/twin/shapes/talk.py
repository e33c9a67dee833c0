"""Issues, comments, labels, milestones, reactions and the timeline as GitHub shows them."""

from __future__ import annotations

import json
from urllib.parse import quote

from bot.twin.call import Json, View
from bot.twin.shapes.people import association, html_url, node_id, repo_url, user_json
from bot.twin.store import Row, many, one, value

REACTIONS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes")


def label_json(view: View, repo: Row, row: Row) -> Json:
    return {
        "id": row["id"], "node_id": node_id("Label", row["id"]), "name": row["name"],
        "url": f"{repo_url(view, repo)}/labels/{quote(row['name'], safe='')}",
        "color": row["color"], "default": bool(row["standard"]), "description": row["description"],
    }  # fmt: skip


def labels_of(view: View, issue_id: int) -> list[Row]:
    sql = """SELECT labels.* FROM labels JOIN issue_labels ON label_id = labels.id
             WHERE issue_id = ? ORDER BY labels.id"""
    return many(view.db, sql, issue_id)


def milestone_json(view: View, repo: Row, key: int | None) -> Json | None:
    row = one(view.db, "SELECT * FROM milestones WHERE id = ?", key) if key else None
    if row is None:
        return None
    url = f"{repo_url(view, repo)}/milestones/{row['number']}"
    count = "SELECT count(*) FROM issues WHERE milestone_id = ? AND state = ?"
    return {
        "url": url, "html_url": f"{html_url(view, repo)}/milestone/{row['number']}",
        "labels_url": f"{url}/labels", "id": row["id"], "node_id": node_id("Milestone", row["id"]),
        "number": row["number"], "state": row["state"], "title": row["title"],
        "description": row["description"], "creator": user_json(view, row["creator_id"]),
        "open_issues": value(view.db, count, row["id"], "open"),
        "closed_issues": value(view.db, count, row["id"], "closed"),
        "created_at": row["created_at"], "updated_at": row["updated_at"],
        "closed_at": row["closed_at"], "due_on": row["due_on"],
    }  # fmt: skip


def rollup_json(view: View, url: str, kind: str, subject_id: int) -> Json:
    sql = """SELECT content, count(*) AS n FROM reactions WHERE kind = ? AND subject_id = ?
             GROUP BY content"""
    counts = {row["content"]: row["n"] for row in many(view.db, sql, kind, subject_id)}
    by_kind = {name: counts.get(name, 0) for name in REACTIONS}
    return {"url": f"{url}/reactions", "total_count": sum(by_kind.values()), **by_kind}


def reaction_json(view: View, row: Row) -> Json:
    return {
        "id": row["id"], "node_id": node_id("Reaction", row["id"]), "content": row["content"],
        "user": user_json(view, row["user_id"]), "created_at": row["created_at"],
    }  # fmt: skip


def people_json(view: View, table: str, issue_id: int) -> list[Json]:
    sql = f"SELECT user_id FROM {table} WHERE issue_id = ? ORDER BY rowid"  # nosec B608
    found = (user_json(view, row["user_id"]) for row in many(view.db, sql, issue_id))
    return [user for user in found if user]


def issue_json(view: View, repo: Row, row: Row) -> Json:
    base = repo_url(view, repo)
    url, kind = f"{base}/issues/{row['number']}", "pull" if row["is_pull"] else "issues"
    assignees = people_json(view, "assignees", row["id"])
    shown: Json = {
        "url": url, "repository_url": base, "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments", "events_url": f"{url}/events",
        "html_url": f"{html_url(view, repo)}/{kind}/{row['number']}", "id": row["id"],
        "node_id": node_id("Issue", row["id"]), "number": row["number"], "title": row["title"],
        "user": user_json(view, row["user_id"]),
        "labels": [label_json(view, repo, x) for x in labels_of(view, row["id"])],
        "state": row["state"], "locked": bool(row["locked"]), "assignees": assignees,
        "assignee": assignees[0] if assignees else None,
        "milestone": milestone_json(view, repo, row["milestone_id"]), "comments": row["comments"],
        "created_at": row["created_at"], "updated_at": row["updated_at"],
        "closed_at": row["closed_at"],
        "author_association": association(view, repo, row["user_id"]),
        "active_lock_reason": row["lock_reason"], "body": row["body"],
        "closed_by": user_json(view, row["closed_by"]),
        "reactions": rollup_json(view, url, "issue", row["id"]), "timeline_url": f"{url}/timeline",
        "performed_via_github_app": None, "state_reason": row["state_reason"],
        "sub_issues_summary": _subs(view, row["id"]),
    }  # fmt: skip
    if row["parent_id"]:
        parent = one(view.db, "SELECT number FROM issues WHERE id = ?", row["parent_id"])
        shown["parent_issue_url"] = f"{base}/issues/{parent['number']}" if parent else None
    if row["is_pull"]:
        shown |= _pull_part(view, repo, row)
    return shown


def _pull_part(view: View, repo: Row, row: Row) -> Json:
    pull = one(view.db, "SELECT draft, merged_at FROM pulls WHERE id = ?", row["id"])
    html = f"{html_url(view, repo)}/pull/{row['number']}"
    return {
        "draft": bool(pull and pull["draft"]),
        "pull_request": {
            "url": f"{repo_url(view, repo)}/pulls/{row['number']}", "html_url": html,
            "diff_url": f"{html}.diff", "patch_url": f"{html}.patch",
            "merged_at": pull["merged_at"] if pull else None,
        },
    }  # fmt: skip


def _subs(view: View, issue_id: int) -> Json:
    sql = "SELECT count(*) AS n, total(state = 'closed') AS done FROM issues WHERE parent_id = ?"
    row = view.db.execute(sql, (issue_id,)).fetchone()
    total, done = row["n"], int(row["done"])
    return {
        "total": total, "completed": done, "percent_completed": 100 * done // total if total else 0
    }  # fmt: skip


def comment_json(view: View, repo: Row, row: Row, issue: Row | None = None) -> Json:
    """Without its issue, `row` carries `number` and `is_pull` of it."""
    of = row if issue is None else issue
    base, kind = repo_url(view, repo), "pull" if of["is_pull"] else "issues"
    url = f"{base}/issues/comments/{row['id']}"
    html = f"{html_url(view, repo)}/{kind}/{of['number']}#issuecomment-{row['id']}"
    return {
        "url": url, "html_url": html, "issue_url": f"{base}/issues/{of['number']}",
        "id": row["id"], "node_id": node_id("IssueComment", row["id"]),
        "user": user_json(view, row["user_id"]), "created_at": row["created_at"],
        "updated_at": row["updated_at"], "body": row["body"],
        "author_association": association(view, repo, row["user_id"]),
        "reactions": rollup_json(view, url, "comment", row["id"]),
        "performed_via_github_app": None,
    }  # fmt: skip


def timeline_json(view: View, repo: Row, row: Row) -> Json:
    url = f"{repo_url(view, repo)}/issues/events/{row['id']}"
    commit = f"{repo_url(view, repo)}/commits/{row['commit_id']}" if row["commit_id"] else None
    return {
        "id": row["id"], "node_id": node_id("Event", row["id"]), "url": url,
        "actor": user_json(view, row["actor_id"]), "event": row["event"],
        "commit_id": row["commit_id"], "commit_url": commit, "created_at": row["created_at"],
        "performed_via_github_app": None, **json.loads(row["more"]),
    }  # fmt: skip
