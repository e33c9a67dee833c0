"""What issues and pull requests take alike: comments, labels, edits, closing."""

from __future__ import annotations

from bot.twin.call import Answer, Handler
from bot.twin.pages import issues as issue_page
from bot.twin.pages import pulls as pull_page
from bot.twin.pages.table import REPO, form
from bot.twin.pages.visit import Visit
from bot.twin.rest import comments, issues, labels, pulls

ISSUE = f"{REPO}/issues/<int:number>"


def _is_pull(visit: Visit) -> bool:
    return "pull_request" in visit.ask(issues.get)


def show(visit: Visit) -> Answer:
    """The page that a form was on."""
    return pull_page.show(visit) if _is_pull(visit) else issue_page.show(visit)


def _back(visit: Visit) -> str:
    return visit.to(f"/{'pull' if _is_pull(visit) else 'issues'}/{visit.args['number']}")


def _editor(visit: Visit) -> Handler:
    return pulls.edit if _is_pull(visit) else issues.edit


@form(f"{ISSUE}/comments", again=show)
def comment(visit: Visit) -> str:
    """The button beside it closes or reopens in one go; an empty box says nothing then."""
    state, where = visit.text("state"), "#talk-end"
    if visit.text("body").strip() or not state:
        made = visit.ask(comments.create, body={"body": visit.text("body")})
        where = f"#issuecomment-{made['id']}"
    if state == "not_planned":
        visit.ask(_editor(visit), body={"state": "closed", "state_reason": "not_planned"})
    elif state:
        visit.ask(_editor(visit), body={"state": state})
    return _back(visit) + where


@form(f"{ISSUE}/labels", again=show)
def put_labels(visit: Visit) -> str:
    wanted = [name for name in visit.form.get("label", []) if name]
    wanted += [name.strip() for name in visit.text("new").split(",") if name.strip()]
    visit.ask(labels.replace, body={"labels": wanted})
    return _back(visit)


@form(f"{ISSUE}/comments/<int:key>/edit", again=show)
def edit_comment(visit: Visit) -> str:
    visit.ask(comments.edit, body={"body": visit.text("edited")})
    return f"{_back(visit)}#issuecomment-{visit.args['key']}"


@form(f"{ISSUE}/edit", again=show)
def edit(visit: Visit) -> str:
    visit.ask(_editor(visit), body={"title": visit.text("title"), "body": visit.text("edited")})
    return _back(visit)
