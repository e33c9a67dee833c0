"""What runs leave behind: logs and artifacts, listed here and fetched from a signed address."""

from __future__ import annotations

import hashlib
import hmac
import io
import zipfile

from bot.twin.call import REPO, Answer, Call, Json, Problem, missing, route
from bot.twin.rest.runs import READ, RUN, WRITE, find_job, find_run
from bot.twin.shapes.actions import artifact_json
from bot.twin.store import Row, many, one

ARTIFACT = f"{REPO}/actions/artifacts/<int:key>"


@route("GET", f"{REPO}/actions/jobs/<int:key>/logs", scope=READ)
def job_log(call: Call) -> Answer:
    _, job = find_job(call)
    return _elsewhere(call, f"jobs/{job['id']}")


@route("GET", f"{RUN}/logs", scope=READ)
def run_log(call: Call) -> Answer:
    return _elsewhere(call, f"runs/{find_run(call)['id']}")


@route("GET", f"{ARTIFACT}/<form>", scope=READ)
def artifact_zip(call: Call) -> Answer:
    if call.args["form"] != "zip":
        raise missing()
    row = _artifact(call)
    if row["expires_at"] < call.now():
        raise Problem(410, "Artifact has expired")
    return _elsewhere(call, f"artifacts/{row['id']}")


def _elsewhere(call: Call, what: str) -> Answer:
    """Files come from another address, without a token and signed, as on GitHub."""
    url = f"{call.view.web}/_files/{what}?sig={_signature(call, what)}"
    return Answer(302, None, {"Location": url})


def _signature(call: Call, what: str) -> str:
    return hmac.new(call.site.key, what.encode(), hashlib.sha256).hexdigest()


@route("GET", "/_files/<kind>/<int:key>")
def file(call: Call) -> Answer:
    what = f"{call.args['kind']}/{call.args['key']}"
    if not hmac.compare_digest(call.query.get("sig", ""), _signature(call, what)):
        raise Problem(403, "The signature does not fit")
    key = call.args["key"]
    if call.args["kind"] == "artifacts":
        found = one(call.db, "SELECT content FROM artifacts WHERE id = ?", key)
        return Answer(raw=found["content"], kind="application/zip") if found else Answer(404)
    if call.args["kind"] == "jobs":
        job = one(call.db, "SELECT log FROM jobs WHERE id = ?", key)
        text = str(job["log"]) if job else ""
        return Answer(raw=text.encode(), kind="text/plain; charset=utf-8")
    rows = many(call.db, "SELECT name, log FROM jobs WHERE run_id = ? ORDER BY id", key)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, row in enumerate(rows):
            archive.writestr(f"{number}_{row['name'].replace('/', '_')}.txt", row["log"])
    return Answer(raw=held.getvalue(), kind="application/zip")


def _artifact(call: Call) -> Row:
    sql = "SELECT * FROM artifacts WHERE id = ? AND repo_id = ?"
    row = one(call.db, sql, call.args["key"], call.repo["id"])
    if row is None:
        raise missing()
    return row


@route("GET", f"{REPO}/actions/artifacts", scope=READ)
def artifacts(call: Call) -> Answer:
    sql, values = "SELECT * FROM artifacts WHERE repo_id = ?", [call.repo["id"]]
    if "name" in call.query:
        sql, values = f"{sql} AND name = ?", [*values, call.query["name"]]
    return call.page(
        f"{sql} ORDER BY id DESC", values, lambda r: artifact_json(call, r), "artifacts"
    )


@route("GET", f"{RUN}/artifacts", scope=READ)
def of_run(call: Call) -> Answer:
    sql = "SELECT * FROM artifacts WHERE run_id = ? ORDER BY id"
    key = find_run(call)["id"]
    return call.page(sql, (key,), lambda r: artifact_json(call, r), "artifacts")


@route("GET", ARTIFACT, scope=READ)
def get_artifact(call: Call) -> Json:
    return artifact_json(call, _artifact(call))


@route("DELETE", ARTIFACT, role="write", scope=WRITE)
def delete_artifact(call: Call) -> Answer:
    call.db.execute("DELETE FROM artifacts WHERE id = ?", (_artifact(call)["id"],))
    return Answer(204)
