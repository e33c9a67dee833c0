"""Open an issue: choose a form of the repository, or write title and text."""

from __future__ import annotations

from typing import Any

from bot.twin.call import Answer, missing
from bot.twin.pages import draw
from bot.twin.pages.issueforms import Template, filled, templates
from bot.twin.pages.table import REPO, form, page
from bot.twin.pages.visit import Visit
from bot.twin.rest import issues, repos

BLANK = Template("", "Blank issue", "Start with an empty page.")


@page(f"{REPO}/issues/new/choose")
def choose(visit: Visit) -> Answer:
    visit.ask(repos.get)
    found, blank = templates(visit)
    offered = [*found, BLANK] if blank else found
    return draw.page(visit, "choose.html", templates=offered, tab="issues")


@page(f"{REPO}/issues/new")
def write(visit: Visit) -> Answer:
    visit.ask(repos.get)
    found, blank = templates(visit)
    wanted = visit.query.get("template") or visit.text("template")
    if not wanted and found and not visit.problem and "blank" not in visit.query:
        return choose(visit)
    chosen = _chosen(found, blank, wanted)
    return draw.page(visit, "newissue.html", template=chosen, tab="issues")


def _chosen(found: list[Template], blank: bool, wanted: str) -> Template:
    if not wanted and blank:
        return BLANK
    for template in found:
        if template.file == wanted:
            return template
    raise missing()


@form(f"{REPO}/issues/new", again=write)
def create(visit: Visit) -> str:
    chosen = _chosen(*templates(visit), visit.text("template"))
    body: dict[str, Any] = {"title": visit.text("title"), "body": visit.text("body")}
    if chosen.fields:
        body["body"] = filled(chosen, visit.form)
    call = visit.call(issues.create, body=body)
    if chosen.labels or chosen.assignees:
        # A template's labels are the repository's word, not the visitor's: GitHub puts them on
        # whoever opens the issue, though the same person could not put them on by hand.
        call.body |= {"labels": list(chosen.labels), "assignees": list(chosen.assignees)}
        call.role = "triage"
    made = issues.create(call)
    number = made.shown["number"] if isinstance(made, Answer) else 0
    return visit.to(f"/issues/{number}")
