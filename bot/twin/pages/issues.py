"""Issues: the list, and one with all that was said."""

from __future__ import annotations

from typing import Any

from bot.twin.access import at_least
from bot.twin.call import Answer
from bot.twin.pages import draw
from bot.twin.pages.table import REPO, page
from bot.twin.pages.visit import Visit
from bot.twin.rest import issues, labels, subs, timeline
from bot.twin.shapes.talk import issue_json

ISSUE = f"{REPO}/issues/<int:number>"
FILTERS = {
    "q": "title LIKE '%' || :q || '%'",
    "creator": "user_id = (SELECT id FROM users WHERE login = :creator)",
    "label": """id IN (SELECT issue_id FROM issue_labels JOIN labels ON label_id = labels.id
                WHERE labels.repo_id = :repo AND name = :label)""",
}
"""What a list can be narrowed to, and how; the values are bound, never written into it."""


@page(f"{REPO}/issues")
def listing(visit: Visit) -> Answer:
    return draw.page(visit, "issues.html", tab="issues", **found(visit, pulls=False))


def found(visit: Visit, *, pulls: bool) -> dict[str, Any]:
    """Issues or pull requests, as the list's own box and links ask for them."""
    asked = {k: v for k, v in visit.query.items() if k in FILTERS and v.strip()}
    where = " AND ".join(["repo_id = :repo AND is_pull = :pulls", *(FILTERS[k] for k in asked)])
    call = visit.call(issues.listing, query={"page": visit.query.get("page", 1)})
    state = "closed" if visit.query.get("state") == "closed" else "open"
    size, number = call.paging()
    values = {
        "repo": call.repo["id"], "pulls": pulls, "state": state, "size": size,
        "skip": (number - 1) * size, **asked,
    }  # fmt: skip
    count = f"SELECT state, count(*) FROM issues WHERE {where} GROUP BY state"  # nosec B608
    counts = {"open": 0, "closed": 0, **dict(map(tuple, visit.db.execute(count, values)))}
    sql = f"SELECT * FROM issues WHERE {where} AND state = :state"  # nosec B608
    sql += " ORDER BY number DESC LIMIT :size OFFSET :skip"
    rows = visit.db.execute(sql, values).fetchall()
    return {
        "rows": [issue_json(call.view, call.repo, row) for row in rows], "state": state,
        "counts": counts, "asked": asked, "beside": beside(number, size, counts[state]),
    }  # fmt: skip


def beside(number: int, size: int, total: int) -> dict[str, int]:
    return {"prev": number - 1, "next": number + 1 if number * size < total else 0}


@page(ISSUE)
def show(visit: Visit) -> Answer:
    issue = visit.ask(issues.get)
    if "pull_request" in issue:
        return Answer(302, None, {"Location": visit.to(f"/pull/{issue['number']}")})
    parent = visit.ask(subs.parent_of) if issue.get("parent_issue_url") else None
    return draw.page(
        visit, "issue.html", issue=issue, talk=talk(visit), tab="issues", parent=parent,
        subs=visit.all(subs.listing), may=may(visit, issue), known=known_labels(visit),
    )  # fmt: skip


def talk(visit: Visit) -> list[Any]:
    """A pull request's page puts reviews in their place itself, with their lines."""
    return [row for row in visit.all(timeline.timeline) if row["event"] != "reviewed"]


def known_labels(visit: Visit) -> list[Any]:
    return visit.all(labels.listing)


def may(visit: Visit, issue: Any) -> dict[str, bool]:
    """What is worth a button. The API decides again when it is pressed."""
    if visit.user is None:
        return dict.fromkeys(("comment", "close", "triage", "write"), False)
    role = visit.call(issues.get).role
    mine = issue["user"]["login"] == visit.user["login"]
    return {
        "comment": not issue["locked"] or at_least(role, "write"),
        "close": mine or at_least(role, "triage"),
        "triage": at_least(role, "triage"),
        "write": at_least(role, "write"),
    }
