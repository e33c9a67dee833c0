"""Actions: runs with their jobs, logs and artifacts; what waits for a person, and their word."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from bot.twin.access import at_least
from bot.twin.actions.runs import file_at
from bot.twin.actions.workflow import Broken
from bot.twin.call import Answer, Json, Problem
from bot.twin.pages import draw
from bot.twin.pages.table import REPO, file, form, page
from bot.twin.pages.visit import Visit
from bot.twin.rest import dispatches, files, gates, runs

RUN = f"{REPO}/actions/runs/<int:run>"
COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
MOST_LINES = 5000


@page(f"{REPO}/actions")
def listing(visit: Visit) -> Answer:
    found = visit.all(dispatches.listing, "workflows")
    chosen = next((w for w in found if str(w["id"]) == visit.query.get("workflow")), None)
    if chosen:
        shown, beside = visit.part(runs.of_workflow, key=str(chosen["id"]))
    else:
        shown, beside = visit.part(runs.listing)
    return draw.page(
        visit, "actions.html", runs=shown["workflow_runs"], beside=beside, workflows=found,
        chosen=chosen, inputs=inputs(visit, chosen) if chosen else None, tab="actions",
        may=_writes(visit),
    )  # fmt: skip


def inputs(visit: Visit, workflow: Json) -> dict[str, Any] | None:
    """What a run by hand asks for; None when the workflow is not started by hand."""
    call = visit.call(dispatches.listing)
    try:
        raw = file_at(visit.site, call.repo, workflow["path"], call.repo["default_branch"])
    except Broken:
        return None
    if "workflow_dispatch" not in raw.on:
        return None
    return {k: v if isinstance(v, dict) else {} for k, v in raw.inputs.items()}


def _writes(visit: Visit) -> bool:
    return visit.user is not None and at_least(visit.call(runs.listing).role, "write")


@page(RUN)
def show(visit: Visit) -> Answer:
    run = visit.ask(runs.get)
    return draw.page(
        visit, "run.html", run=run, jobs=visit.all(runs.jobs, "jobs"),
        artifacts=visit.all(files.of_run, "artifacts"), pending=visit.ask(gates.pending),
        approvals=visit.ask(gates.approvals), state=run["conclusion"] or run["status"],
        may=_writes(visit), tab="actions",
    )  # fmt: skip


@dataclass
class Part:
    """The lines between `##[group]` and `##[endgroup]`, under their name."""

    name: str
    lines: list[tuple[int, str, str]] = field(default_factory=list)
    bad: bool = False


def parts_of(log: str) -> list[Part]:
    found = [Part("")]
    for number, raw in enumerate(log.splitlines()[-MOST_LINES:], 1):
        text = COLOURS.sub("", raw)
        if text.startswith("##[group]"):
            found.append(Part(text.removeprefix("##[group]")))
        elif text.startswith("##[endgroup]"):
            found.append(Part(""))
        else:
            kind = _kind(text)
            found[-1].lines.append((number, kind, text.removeprefix(f"##[{kind}]")))
            found[-1].bad = found[-1].bad or kind == "error"
    return [part for part in found if part.lines or part.name]


def _kind(text: str) -> str:
    hit = re.match(r"(?:##\[|::)(error|warning|notice)\b", text)
    return hit[1] if hit else ""


@page(f"{RUN}/job/<int:key>")
def job(visit: Visit) -> Answer:
    run, shown = visit.ask(runs.get), visit.ask(runs.get_job)
    log = _fetched(visit, visit.answer(files.job_log)).decode(errors="replace")
    return draw.page(
        visit, "job.html", run=run, job=shown, parts=parts_of(log), tab="actions",
        state=shown["conclusion"] or shown["status"],
    )  # fmt: skip


def _fetched(visit: Visit, elsewhere: Answer) -> bytes:
    """What lies behind the signed address that the API sends clients to."""
    url = urlsplit(elsewhere.headers["Location"])
    _, _, kind, key = url.path.split("/")
    query = dict(parse_qsl(url.query))
    return visit.answer(files.file, kind=kind, key=int(key), query=query).raw or b""


@file(f"{RUN}/artifacts/<int:key>")
def artifact(visit: Visit) -> Answer:
    shown = visit.ask(files.get_artifact)
    data = _fetched(visit, visit.answer(files.artifact_zip, form="zip"))
    name = re.sub(r"[^A-Za-z0-9._-]", "_", shown["name"])
    headers = {"Content-Disposition": f'attachment; filename="{name}.zip"'}
    return Answer(raw=data, kind="application/zip", headers=headers)


@form(f"{RUN}/review", again=show)
def review(visit: Visit) -> str:
    ids = [int(key) for key in visit.form.get("environment", []) if key.isdecimal()]
    if not ids:
        raise Problem(422, "Choose at least one environment.")
    body = {
        "environment_ids": ids, "state": visit.text("state"), "comment": visit.text("comment"),
    }  # fmt: skip
    visit.ask(gates.review, body=body)
    return _here(visit)


def _here(visit: Visit) -> str:
    return visit.to(f"/actions/runs/{visit.args['run']}")


@form(f"{RUN}/cancel", again=show)
def cancel(visit: Visit) -> str:
    visit.ask(runs.cancel)
    return _here(visit)


@form(f"{RUN}/rerun", again=show)
def rerun(visit: Visit) -> str:
    visit.ask(runs.rerun_failed if visit.text("failed") else runs.rerun)
    return _here(visit)


@form(f"{RUN}/approve", again=show)
def approve(visit: Visit) -> str:
    visit.ask(runs.approve)
    return _here(visit)


@form(f"{REPO}/actions/dispatch", again=listing)
def dispatch(visit: Visit) -> str:
    given = {
        name.removeprefix("input-"): values[-1]
        for name, values in visit.form.items()
        if name.startswith("input-")
    }
    body = {"ref": visit.text("ref"), "inputs": given, "return_run_details": True}
    made = visit.ask(dispatches.dispatch, key=visit.text("workflow"), body=body)
    return visit.to(f"/actions/runs/{made['workflow_run_id']}")
