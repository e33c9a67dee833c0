"""Statuses and check runs of a commit, and the page of one check with its annotations."""

from __future__ import annotations

from bot.twin.call import Answer, Json
from bot.twin.pages import draw
from bot.twin.pages.table import REPO, page
from bot.twin.pages.visit import Visit
from bot.twin.rest import checks, statuses


def of_commit(visit: Visit, sha: str) -> list[Json]:
    """Both kinds in one list: name, state, a line of words, where to look."""
    rows = [
        {
            "name": row["context"], "state": row["state"], "words": row["description"] or "",
            "url": _safe(row["target_url"]), "marks": 0,
        }
        for row in visit.ask(statuses.combined, ref=sha, query={"per_page": 100})["statuses"]
    ]  # fmt: skip
    for row in visit.all(checks.of_commit, "check_runs", ref=sha):
        rows.append(
            {
                "name": row["name"], "state": row["conclusion"] or row["status"],
                "words": row["output"]["title"] or "", "url": visit.to(f"/runs/{row['id']}"),
                "marks": row["output"]["annotations_count"],
            }
        )  # fmt: skip
    return sorted(rows, key=lambda row: str(row["name"]))


def _safe(url: str | None) -> str:
    """A status may point anywhere, but not at a script."""
    return url if url and url.startswith(("http://", "https://")) else ""


@page(f"{REPO}/runs/<int:key>")
def show(visit: Visit) -> Answer:
    check = visit.ask(checks.get)
    marks = visit.all(checks.list_annotations)
    job = visit.db.execute("SELECT id, run_id FROM jobs WHERE check_id = ?", (check["id"],))
    found = job.fetchone()
    own = check["details_url"] == check["html_url"]
    log = "" if own else _safe(check["details_url"])
    if found:
        log = visit.to(f"/actions/runs/{found['run_id']}/job/{found['id']}")
    return draw.page(
        visit, "check.html", check=check, marks=marks, log=log,
        state=check["conclusion"] or check["status"], tab="actions",
    )  # fmt: skip
