"""What happened: kept with its cause in one transaction, then told to hooks and workflows."""

from __future__ import annotations

import json
from typing import Any

from bot.twin.call import Call, Json, View
from bot.twin.shapes import people
from bot.twin.store import Row, insert, seldom


def record(call: Call, issue_id: int, event: str, commit: str | None = None, **more: Any) -> None:
    """One line of an issue's timeline."""
    insert(
        call.db, "timeline", repo_id=call.repo["id"], issue_id=issue_id, event=event,
        actor_id=call.me["id"], commit_id=commit, more=json.dumps(more), created_at=call.now(),
    )  # fmt: skip


def heard(view: View, repo: Row) -> bool:
    """Nobody listens to most repositories, and a payload that nobody hears costs a write."""
    sql = """SELECT 1 FROM hooks WHERE repo_id = ?
             UNION ALL SELECT 1 FROM workflows WHERE repo_id = ? LIMIT 1"""
    return seldom(view.db, sql, repo["id"], repo["id"]) is not None


def emit(
    call: Call, name: str, action: str | None, parts: Json, *, ref: str = "", sha: str = "",
    starts: bool = False,
) -> None:  # fmt: skip
    """`starts`: also from a job, as only the two dispatches do."""
    if not heard(call.view, call.repo):
        return
    call.told = True
    payload: Json = {} if action is None else {"action": action}
    payload |= {"repository": people.repo_json(call.view, call.repo), **parts}
    payload["sender"] = people.user_of(call.view, call.me)
    insert(
        call.db, "events", repo_id=call.repo["id"], name=name, action=action,
        payload=json.dumps(payload), actor_id=call.me["id"], ref=ref, sha=sha,
        silent=call.silent and not starts, created_at=call.now(),
    )  # fmt: skip
