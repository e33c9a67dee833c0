"""Runs the steps of a job directly on this machine: `run` in bash, and the few known actions.

Not a sandbox: whoever may start a workflow on the twin may run programs as its user.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.twin.actions import expressions, known

if TYPE_CHECKING:
    from bot.twin.actions.runner import Work

Json = dict[str, Any]
LOOK = 0.2
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "DOCKER_HOST")
CONTEXT_ENV = (
    "actor", "actor_id", "api_url", "base_ref", "event_name", "graphql_url", "head_ref", "job",
    "ref", "ref_name", "ref_type", "repository", "repository_id", "repository_owner",
    "run_attempt", "run_id", "run_number", "server_url", "sha", "triggering_actor", "workflow",
    "workflow_ref", "workflow_sha",
)  # fmt: skip


@dataclass
class State:
    """What one step leaves to the next."""

    work: Work
    folder: Path
    context: Json
    log: list[str] = field(default_factory=list)
    steps: list[Json] = field(default_factory=list)
    path: list[str] = field(default_factory=list)

    @property
    def workspace(self) -> Path:
        return self.folder / "work"

    def say(self, text: str) -> None:
        self.log.append(text if text.endswith("\n") else text + "\n")


def run(work: Work) -> tuple[str, dict[str, str]]:
    with tempfile.TemporaryDirectory(prefix="twin-job-") as name:
        state = State(work, Path(name), work.context)
        state.workspace.mkdir()
        _write_event(state)
        run_steps(state, work.job.steps)
        context = state.context
        if work.cancelled():
            return "cancelled", {}
        asked = work.job.raw.get("outputs") or {}
        outputs = {k: expressions.fill(str(v), context) for k, v in asked.items()}
        return "success" if context["success"] else "failure", outputs


def _write_event(state: State) -> None:
    event = state.folder / "event.json"
    event.write_text(expressions.shown(state.context["github"]["event"]))
    state.context["github"] |= {
        "event_path": str(event), "workspace": str(state.workspace), "action_path": "",
    }  # fmt: skip
    state.context["runner"]["temp"] = str(state.folder)


def run_steps(state: State, steps: list[Json]) -> None:
    for number, step in enumerate(steps, 1):
        name = expressions.fill(str(step.get("name") or step.get("uses") or "Run"), state.context)
        at = state.work.site.clock.stamp()
        row = {"name": name, "number": number, "started_at": at, "status": "completed"}
        end = "skipped"
        if not state.work.cancelled() and expressions.holds(step.get("if"), state.context):
            state.say(f"##[group]{name}")
            end = _step(state, step)
            state.say("##[endgroup]")
        row |= {"conclusion": end, "completed_at": state.work.site.clock.stamp()}
        state.steps.append(row)
        state.work.note("".join(state.log), state.steps)


def _step(state: State, step: Json) -> str:
    before = dict(state.context["env"])
    own = {k: expressions.fill(str(v), state.context) for k, v in (step.get("env") or {}).items()}
    state.context["env"] = {**before, **own}
    key = step.get("id")
    try:
        outputs = _do(state, step)
        end = "success"
    except (known.Failed, expressions.Wrong, OSError) as error:
        state.say(f"##[error]{error}")
        outputs, end = getattr(error, "outputs", {}), "failure"
    state.context["env"] = {
        k: v for k, v in state.context["env"].items() if k not in own or k in before
    }
    excused = expressions.truthy(expressions.value_of(step.get("continue-on-error"), state.context))
    if end == "failure" and not excused:
        state.context |= {"success": False, "failure": True}
    if key:
        done = "success" if excused else end
        state.context["steps"][key] = {"outputs": outputs, "outcome": end, "conclusion": done}
    return end


def _do(state: State, step: Json) -> dict[str, str]:
    if "run" in step:
        return shell(state, step)
    given = {
        k: expressions.fill(str(v), state.context) for k, v in (step.get("with") or {}).items()
    }
    return known.use(state, str(step.get("uses")), given)


def shell(state: State, step: Json) -> dict[str, str]:
    """One `run:`. Kills all that it started when it fails, ends, or is cancelled."""
    script = state.folder / "step"
    script.write_text(expressions.fill(str(step["run"]), state.context))
    files = {n: state.folder / n for n in ("output", "env", "path", "summary")}
    for file in files.values():
        file.write_text("")
    kind = step.get("shell") or "bash"
    command = {"python": ["python", str(script)], "sh": ["sh", "-e", str(script)]}.get(
        kind, ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    )
    where = state.workspace / expressions.fill(
        str(step.get("working-directory") or "."), state.context
    )
    with (state.folder / "said").open("w+b") as said:
        process = subprocess.Popen(
            command, cwd=where, env=environment(state, files), stdout=said,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        try:
            minutes = float(step.get("timeout-minutes") or 360)
            code = watch(state.work, process, minutes * 60)
        finally:
            kill(process)
        said.seek(0)
        state.say(said.read().decode(errors="replace"))
    outputs = read_pairs(files["output"])
    state.context["env"] |= read_pairs(files["env"])
    state.path += [x for x in files["path"].read_text().splitlines() if x]
    if files["summary"].stat().st_size:
        state.say(f"##[summary]\n{files['summary'].read_text()}")
    if code:
        raise known.Failed(f"Process completed with exit code {code}.", outputs)
    return outputs


def watch(work: Work, process: subprocess.Popen[bytes], seconds: float) -> int:
    looked = 0.0
    while looked < seconds:
        try:
            return process.wait(LOOK)
        except subprocess.TimeoutExpired:
            looked += LOOK
            if work.cancelled():
                raise known.Failed("The operation was canceled.") from None
    raise known.Failed(f"The step took longer than {seconds / 60:.0f} minutes.")


def kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def passed_on() -> dict[str, str]:
    """What this machine brings along: its own Python too, like a runner that is set up already."""
    own = {"VIRTUAL_ENV": sys.prefix} if sys.prefix != sys.base_prefix else {}
    return {**own, **{k: os.environ[k] for k in PASSED_ON if k in os.environ}}


def environment(state: State, files: dict[str, Path]) -> dict[str, str]:
    github = state.context["github"]
    passed = passed_on()
    passed["PATH"] = ":".join([*reversed(state.path), passed.get("PATH", "")])
    return {
        **passed, "CI": "true", "GITHUB_ACTIONS": "true", "RUNNER_OS": "Linux",
        "RUNNER_TEMP": str(state.folder), "GITHUB_WORKSPACE": str(state.workspace),
        "GITHUB_EVENT_PATH": github["event_path"],
        **{f"GITHUB_{k.upper()}": str(github.get(k) or "") for k in CONTEXT_ENV},
        "GITHUB_OUTPUT": str(files["output"]), "GITHUB_ENV": str(files["env"]),
        "GITHUB_PATH": str(files["path"]), "GITHUB_STEP_SUMMARY": str(files["summary"]),
        **state.context["env"],
    }  # fmt: skip


def read_pairs(file: Path) -> dict[str, str]:
    """`name=value`, or `name<<END` and lines up to END."""
    found: dict[str, str] = {}
    rows = iter(file.read_text(errors="replace").splitlines())
    for row in rows:
        name, mark, end = row.partition("<<")
        if mark and "=" not in name:
            lines: list[str] = []
            for line in rows:
                if line == end:
                    break
                lines.append(line)
            found[name] = "\n".join(lines)
        elif "=" in row:
            name, _, value = row.partition("=")
            found[name] = value
    return found
