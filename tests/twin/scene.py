"""A repository in which something of everything has happened, for whoever looks at pages."""

from __future__ import annotations

from dataclasses import dataclass

from tests.twin.desk import Desk
from tests.twin.waiting import until

FORM = """
name: Ask for a strategy
description: The bot answers with a plan.
title: "[strategy] "
labels: [strategy]
body:
  - type: markdown
    attributes: {value: "Thanks for asking. **Be exact.**"}
  - type: input
    attributes: {label: Instrument, placeholder: EURUSD}
    validations: {required: true}
  - type: textarea
    attributes: {label: Rules, description: When to buy and when to sell.}
    validations: {required: true}
  - type: dropdown
    attributes: {label: Timeframe, options: [1h, 4h, 1d], default: 1}
  - type: textarea
    attributes: {label: Example, render: python}
  - type: checkboxes
    attributes:
      label: Terms
      options: [{label: I know that this is no advice, required: true}, {label: Tell me more}]
"""

WORKFLOW = """
name: deploy
run-name: deploy ${{ inputs.what }}
on:
  workflow_dispatch:
    inputs:
      what: {required: true, description: What to deploy}
      how: {type: choice, options: [paper, live], default: paper}
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - name: Say what is built
        run: |
          echo "building ${{ inputs.what }}"
          echo "<script>document.title='owned'</script>"
          printf '\\033[31mred\\033[0m line\\n'
          mkdir out && echo 1 > out/a.txt
      - uses: actions/upload-artifact@v7
        with: {name: report, path: out}
  live:
    needs: build
    environment: live
    runs-on: ubuntu-latest
    steps: [{name: Go, run: echo it is live}]
"""

BODY = """Buy the **breakout** of the last 20 bars, sell on the `ATR` stop. See #1 and @hubot.

- [x] data
- [ ] indicators
- [ ] entry

| fold | return | Sharpe |
|:-----|-------:|:------:|
| 1    |  4.2 % | 1.10   |
| 2    | -0.7 % | 0.31   |

> [!WARNING]
> Fees and slippage are in these numbers.

<details><summary>The whole report</summary>

```python
def on_bar(bar):
    return bar.close > bar.high_20
```

</details>

```mermaid
graph LR
  plan --> code --> test
```

<!-- hidden: a marker -->
"""

STRATEGY = '''"""Buys breakouts."""


def on_bar(bar: float, high: float) -> bool:
    """Whether to buy."""
    return bar > high
'''


@dataclass(frozen=True)
class Scene:
    desk: Desk
    issue: int
    pull: int
    run: int
    check: int
    sha: str


def fill(desk: Desk) -> Scene:
    repo, hubot = desk.repo(), desk.repo("hubot")
    repo.edit(description="Strategies that a bot writes, tests and ships")
    repo.create_file(".github/ISSUE_TEMPLATE/strategy.yml", "Add a form", FORM)
    repo.create_file(".github/workflows/deploy.yml", "Add a workflow", WORKFLOW)
    repo.create_file("strategies/breakout.py", "Start", '"""Empty."""\n\nOLD = 1\n')
    repo.create_label("strategy", "1d76db", "A request for a strategy")
    repo.create_label("debug", "d73a4a")
    issue = repo.create_issue("A breakout on EURUSD, 4h", BODY, labels=["strategy"])
    child = repo.create_issue("Look-ahead in bar 17", "Found by the sandbox.", labels=["debug"])
    done = repo.create_issue("Write the contract")
    done.edit(state="closed")
    for sub in (child, done):
        issue.add_sub_issue(sub.id)
    said = issue.create_comment("/plan")
    said.create_reaction("rocket")
    desk.repo("hubot").get_issue(issue.number).create_comment(
        "**Plan** for @octocat\n\n1. data\n2. indicators\n\n`/approve` starts it."
    )
    sha, pull = _pull(desk)
    check = _checks(desk, sha)
    hubot.create_git_release("v1.0.0", "Breakout 1.0.0", "First *release*. Closes #1.")
    return Scene(desk, issue.number, pull, _run(desk), check, sha)


def _pull(desk: Desk) -> tuple[str, int]:
    repo, hubot = desk.repo(), desk.repo("hubot")
    repo.create_git_ref("refs/heads/ai/generated/wf_1/deliver", repo.get_branch("main").commit.sha)
    there = hubot.get_contents("strategies/breakout.py")
    assert not isinstance(there, list)
    branch = "ai/generated/wf_1/deliver"
    hubot.update_file(there.path, "Write the strategy", STRATEGY, there.sha, branch=branch)
    made = hubot.create_file(
        "strategies/notes.md", "Add notes", "# Notes\n\nNone.\n", branch=branch
    )
    pull = hubot.create_pull("main", branch, title="Deliver the breakout", body="Closes #1\n")
    pull.create_review_comment(
        "Is this look-ahead?", repo.get_commit(made["commit"].sha), "strategies/breakout.py", 6
    )
    repo.get_pull(pull.number).create_review(body="Please explain.", event="COMMENT")
    return str(made["commit"].sha), pull.number


def _checks(desk: Desk, sha: str) -> int:
    hubot = desk.repo("hubot")
    hubot.get_commit(sha).create_status("success", context="lint", description="ruff is happy")
    mark = {
        "path": "strategies/breakout.py", "start_line": 6, "end_line": 6,
        "annotation_level": "warning", "title": "Bar 17", "message": "reads the future?",
    }  # fmt: skip
    output = {"title": "3 of 4 passed", "summary": "One *warning*.", "annotations": [mark]}
    made = desk.api(
        "POST", desk.at("/check-runs"), "hubot", name="sandbox", head_sha=sha,
        conclusion="failure", output=output,
    )  # fmt: skip
    return int(made.json()["id"])


def _run(desk: Desk) -> int:
    """Up to the gate, where octocat must say yes."""
    octocat = desk.client().get_user().id
    gate = {"reviewers": [{"type": "User", "id": octocat}], "prevent_self_review": True}
    assert desk.api("PUT", desk.at("/environments/live"), **gate).status_code == 200
    made = desk.api(
        "POST", desk.at("/actions/workflows/deploy.yml/dispatches"), "hubot", ref="main",
        inputs={"what": "breakout"}, return_run_details=True,
    )  # fmt: skip
    run = int(made.json()["workflow_run_id"])
    until(
        lambda: desk.api("GET", desk.at(f"/actions/runs/{run}/pending_deployments")).json(),
        lambda found: len(found) == 1,
    )
    return run
