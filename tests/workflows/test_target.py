"""`pull_request_target` gives a stranger's pull request our rights: such a job only dispatches."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import pytest
from ruamel.yaml import YAML

from bot.twin.actions.expressions import holds
from tests.workflows.files import HOME, WORKFLOWS, Json, jobs, load

TRIGGER = "pull_request_target"
PULLS = HOME / "workflows" / "stratbot-pulls.yml"
COMMANDS = {"curl", "echo", "exit", "printf", "[["}
"""All that such a job may run. None of them runs a file."""
VALUES = {
    "${{ github.token }}", "${{ github.head_ref }}",
    "${{ github.event.repository.default_branch }}",
}  # fmt: skip
"""All that such a job may know. The branch is a stranger's text: a pattern checks it first."""
ASSIGNED = re.compile(r"^[a-z]+=(?:'')?$")
BETWEEN = re.compile(r"\n|;|&&|\|\||\||\$\(|`|\{(?= )|\}")
QUOTED = re.compile(r"'[^']*'|\"(?:[^\"$`]|\$[A-Z_{])*\"")


def faults(workflow: Json) -> Iterator[str]:
    """Why this workflow must not have that trigger."""
    if workflow.get("permissions") != {}:
        yield "what is not said of a job is given"
    yield from (f"{key} of the workflow" for key in ("env", "defaults") if key in workflow)
    for job in workflow["jobs"].values():
        odd = {"uses", "container", "services", "env", "secrets", "defaults", "environment"} & set(
            job
        )
        yield from (f"{key} of a job" for key in odd)
        if job.get("permissions") != {"actions": "write"}:
            yield "more rights than to dispatch"
        for step in job.get("steps", ()):
            yield from _faults_of_step(step)


def _faults_of_step(step: Json) -> Iterator[str]:
    if set(step) != {"env", "run"}:
        yield f"a step with {sorted(set(step) - {'env', 'run'})}"
    yield from (f"knows {v}" for v in step.get("env", {}).values() if v not in VALUES)
    script = str(step.get("run", ""))
    if "${{" in script:
        yield "an expression in a shell"
    bare = QUOTED.sub("''", script.replace("\\\n", " "))
    for part in filter(None, map(str.strip, BETWEEN.split(bare))):
        word = ASSIGNED.sub("", part).split(" ")[0]
        if word and word != "''" and word not in COMMANDS:
            yield f"runs {word}"


def test_every_workflow_with_that_trigger_only_dispatches() -> None:
    found = {
        path.stem: list(faults(load(path))) for path in WORKFLOWS if TRIGGER in load(path)["on"]
    }
    assert found == {"stratbot-pulls": []}


def changed(**step: object) -> Json:
    """The real one, with one step more in its first job."""
    workflow = load(PULLS)
    workflow["jobs"]["wake"]["steps"].append({"env": {}, "run": "", **step})
    return dict(workflow)


def with_job(**more: object) -> Json:
    workflow = load(PULLS)
    workflow["jobs"]["wake"] |= more
    return dict(workflow)


HARMFUL = {
    "a checkout": changed(uses="actions/checkout@v7"),
    "an action of the repository": changed(uses="./.github/actions/setup"),
    "a program of the repository": changed(run="python -m bot pulls"),
    "a script": changed(run="curl x && ./run.sh"),
    "a script in the middle": changed(run='echo "$(bash run.sh)"'),
    "a script in backticks": changed(run='echo "`bash run.sh`"'),
    "what was fetched": changed(run="curl x | bash"),
    "make": changed(run="make test"),
    "a clone": changed(run='git clone "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"'),
    "a title in a shell": changed(run="echo ${{ github.event.pull_request.title }}"),
    "a title in a variable": changed(env={"T": "${{ github.event.pull_request.title }}"}),
    "a secret": changed(env={"KEY": "${{ secrets.OPENAI_API_KEY }}"}),
    "another shell": changed(shell="python"),
    "more rights": with_job(permissions={"actions": "write", "contents": "write"}),
    "all rights": with_job(permissions="write-all"),
    "a reusable workflow": with_job(uses="./.github/workflows/stratbot.yml"),
    "a container": with_job(container="python:3.11"),
    "rights of the workflow": {**load(PULLS), "permissions": "write-all"},
}


@pytest.mark.parametrize("harm", HARMFUL)
def test_each_harm_is_noticed(harm: str) -> None:
    held = io.StringIO()
    YAML(typ="safe").dump(HARMFUL[harm], held)
    assert list(faults(YAML(typ="safe").load(held.getvalue())))


OURS, FORK = "octocat/strategies", "stranger/strategies"
TASK = "ai/generated/wf_1/t1_data"


@pytest.mark.parametrize(
    ("action", "home", "branch", "base", "starts"),
    [
        ("opened", OURS, "feature", "main", {"others"}),
        ("synchronize", OURS, "feature", "main", {"others"}),
        ("opened", FORK, "feature", "main", {"others"}),
        ("opened", FORK, TASK, "main", {"others"}),
        ("synchronize", FORK, TASK, "main", {"others"}),
        ("closed", FORK, TASK, "main", set()),
        ("opened", None, TASK, "main", {"others"}),
        ("closed", OURS, "feature", "main", set()),
        ("opened", OURS, "feature", "side", set()),
        ("synchronize", OURS, TASK, "main", {"wake"}),
        ("closed", OURS, TASK, "ai/generated/wf_1/deliver", {"wake"}),
        ("opened", OURS, TASK, "main", set()),
    ],
)
def test_who_starts_what(
    action: str, home: str | None, branch: str, base: str, starts: set[str]
) -> None:
    head = {"repo": {"full_name": home} if home else None}
    event = {
        "action": action, "repository": {"default_branch": "main"},
        "pull_request": {"head": head, "base": {"ref": base}, "user": {"type": "User"}},
    }  # fmt: skip
    github = {"event": event, "repository": OURS, "head_ref": branch}
    context = {"github": github, "vars": {}, "success": True}
    assert {key for key, job in jobs(PULLS).items() if holds(job["if"], context)} == starts
