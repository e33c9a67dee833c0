"""Releases with their files, tags, and what was deployed where."""

from __future__ import annotations

import re

from bot.twin.call import Answer
from bot.twin.pages import draw
from bot.twin.pages.table import REPO, file, page
from bot.twin.pages.visit import Visit
from bot.twin.rest import branches, environments, releases


@page(f"{REPO}/releases")
def listing(visit: Visit) -> Answer:
    rows, beside = visit.part(releases.listing)
    return draw.page(visit, "releases.html", releases=rows, beside=beside, tab="releases")


@page(f"{REPO}/releases/tag/<path:tag>")
def one_release(visit: Visit) -> Answer:
    found, none = [visit.ask(releases.by_tag)], {"prev": 0, "next": 0}
    return draw.page(visit, "releases.html", releases=found, beside=none, tab="releases")


@file(f"{REPO}/releases/assets/<int:key>")
def asset(visit: Visit) -> Answer:
    shown = visit.ask(releases.get_asset)
    found = visit.answer(releases.get_asset, headers={"Accept": "application/octet-stream"})
    name = re.sub(r"[^A-Za-z0-9._-]", "_", shown["name"])
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Answer(raw=found.raw, kind="application/octet-stream", headers=headers)


@page(f"{REPO}/tags")
def tags(visit: Visit) -> Answer:
    rows, beside = visit.part(branches.tags)
    return draw.page(visit, "tags.html", tags=rows, beside=beside, tab="releases")


@page(f"{REPO}/deployments")
def deployments(visit: Visit) -> Answer:
    name = visit.query.get("environments_filter", "")
    rows, beside = visit.part(environments.deployments, query={"environment": name} if name else {})
    for row in rows:
        sql = "SELECT state FROM deployment_statuses WHERE deployment_id = ? ORDER BY id DESC"
        last = visit.db.execute(sql, (row["id"],)).fetchone()
        row["state"] = last["state"] if last else "pending"
    found = visit.all(environments.listing, "environments")
    return draw.page(
        visit, "deployments.html", deployments=rows, beside=beside, environments=found, name=name,
        tab="actions",
    )  # fmt: skip
