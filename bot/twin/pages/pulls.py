"""Pull requests: the list, one with its talk, commits, checks and files; review, merge, close."""

from __future__ import annotations

from typing import Any

from bot.twin.access import at_least
from bot.twin.call import Answer, Json
from bot.twin.pages import checks, draw, issues
from bot.twin.pages.patch import rows_of
from bot.twin.pages.table import REPO, file, form, page
from bot.twin.pages.visit import Visit
from bot.twin.protection import merge_hindrances
from bot.twin.rest import merging, pulls, reviews
from bot.twin.rest.gitdata import opened
from bot.twin.site import settings

PULL = f"{REPO}/pull/<int:number>"
METHODS = {
    "merge": ("allow_merge_commit", "Create a merge commit"),
    "squash": ("allow_squash_merge", "Squash and merge"),
    "rebase": ("allow_rebase_merge", "Rebase and merge"),
}
SAID = {"APPROVED": "approved", "CHANGES_REQUESTED": "requested changes", "COMMENTED": "reviewed",
        "DISMISSED": "had reviewed (dismissed)"}  # fmt: skip


@page(f"{REPO}/pulls")
def listing(visit: Visit) -> Answer:
    return draw.page(visit, "issues.html", tab="pulls", **issues.found(visit, pulls=True))


@page(PULL)
def show(visit: Visit) -> Answer:
    pull = visit.ask(pulls.get)
    return _drawn(
        visit, "pull.html", pull, talk=talk(visit), box=merge_box(visit, pull),
        checks=checks.of_commit(visit, pull["head"]["sha"]), known=issues.known_labels(visit),
        may=issues.may(visit, pull), mine=_mine(visit, pull),
    )  # fmt: skip


@page(f"{PULL}/commits")
def commits(visit: Visit) -> Answer:
    pull = visit.ask(pulls.get)
    return _drawn(visit, "pullcommits.html", pull, commits=visit.all(pulls.commits))


@page(f"{PULL}/checks")
def show_checks(visit: Visit) -> Answer:
    pull = visit.ask(pulls.get)
    found = checks.of_commit(visit, pull["head"]["sha"])
    return _drawn(visit, "pullchecks.html", pull, checks=found)


@page(f"{PULL}/files")
def files(visit: Visit) -> Answer:
    pull = visit.ask(pulls.get)
    found = [{**row, "rows": rows_of(row.get("patch", ""))} for row in visit.all(pulls.files)]
    said: dict[tuple[str, str, int], list[Json]] = {}
    for comment in visit.all(reviews.comments):
        at = (comment["path"], comment["side"] or "RIGHT", comment["line"] or 0)
        said.setdefault(at, []).append(comment)
    return _drawn(
        visit, "pullfiles.html", pull, files=found, said=said, may=issues.may(visit, pull),
        mine=_mine(visit, pull),
    )  # fmt: skip


def _drawn(visit: Visit, template: str, pull: Json, **more: Any) -> Answer:
    return draw.page(visit, template, pull=pull, issue=pull, tab="pulls", **more)


def _mine(visit: Visit, pull: Json) -> bool:
    return visit.user is not None and pull["user"]["login"] == visit.user["login"]


@file(f"{REPO}/pull/<int:number>.diff")
def diff(visit: Visit) -> Answer:
    return visit.answer(pulls.get, headers={"Accept": "application/vnd.github.diff"})


def talk(visit: Visit) -> list[Json]:
    """What was said and what happened, with reviews and their lines in their place."""
    rows = list(issues.talk(visit))
    lines = visit.all(reviews.comments)
    for review in visit.all(reviews.listing):
        own = [c for c in lines if c["pull_request_review_id"] == review["id"]]
        if review["state"] == "PENDING":
            continue
        rows.append(
            {
                **review, "event": "reviewed", "actor": review["user"], "lines": own,
                "created_at": review["submitted_at"], "said": SAID.get(review["state"], "reviewed"),
            }
        )  # fmt: skip
    for line in lines:
        if line["pull_request_review_id"] is None:
            rows.append({**line, "event": "line-commented", "actor": line["user"]})
    return sorted(rows, key=lambda row: str(row["created_at"]))


def merge_box(visit: Visit, pull: Json) -> Json:
    """Whether the button works, and everything that stands in the way."""
    call = visit.call(pulls.get)
    row, allowed = pulls.find_pull(call), settings(call.repo)
    why = merge_hindrances(call, row, opened(call))
    if pull["draft"]:
        why.append("This pull request is still a draft.")
    if pull["mergeable"] is False:
        why.append("It conflicts with the base branch.")
    return {
        "why": why, "unknown": pull["mergeable"] is None and not why,
        "may": visit.user is not None and at_least(call.role, "write"),
        "methods": [(k, words) for k, (key, words) in METHODS.items() if allowed[key]],
    }  # fmt: skip


@form(f"{PULL}/merge", again=show)
def merge(visit: Visit) -> str:
    """The sha that the page showed goes with it: what was pushed since is not merged unseen."""
    body = {"merge_method": visit.text("method") or "merge", "sha": visit.text("sha")}
    visit.ask(merging.merge, body=body)
    return visit.to(f"/pull/{visit.args['number']}")


@form(f"{PULL}/update-branch", again=show)
def update_branch(visit: Visit) -> str:
    visit.ask(merging.update_branch, body={"expected_head_sha": visit.text("sha")})
    return visit.to(f"/pull/{visit.args['number']}")


@form(f"{PULL}/reviews", again=files)
def review(visit: Visit) -> str:
    body = {
        "event": visit.text("event"),
        "body": visit.text("body"),
        "commit_id": visit.text("sha"),
    }
    made = visit.ask(reviews.create, body=body)
    return visit.to(f"/pull/{visit.args['number']}#review-{made['id']}")


@form(f"{PULL}/lines", again=files)
def comment_line(visit: Visit) -> str:
    line = visit.text("line")
    body = {
        "body": visit.text("body"), "path": visit.text("path"), "commit_id": visit.text("sha"),
        "side": visit.text("side") or "RIGHT", "line": int(line) if line.isdecimal() else 0,
    }  # fmt: skip
    made = visit.ask(reviews.comment, body=body)
    return visit.to(f"/pull/{visit.args['number']}/files#line-comment-{made['id']}")
