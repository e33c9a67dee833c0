"""Workflows that several tests run, and how a test starts them and waits for their end."""

from __future__ import annotations

from github.WorkflowRun import WorkflowRun

from tests.twin.desk import Desk
from tests.twin.waiting import until

WORK = """
name: work
run-name: wf_${{ inputs.issue }} ${{ inputs.key }}
on:
  workflow_dispatch:
    inputs:
      issue: {required: true}
      key: {default: plan}
      fast: {type: boolean}
permissions: {contents: read, issues: write}
jobs:
  draft:
    runs-on: ubuntu-latest
    outputs: {word: "${{ steps.say.outputs.word }}"}
    steps:
      - uses: actions/checkout@v7
      - id: say
        env: {KEY: "${{ inputs.key }}"}
        run: |
          test -f README.md
          echo "word=$KEY-done" >> "$GITHUB_OUTPUT"
          echo "### Summary" >> "$GITHUB_STEP_SUMMARY"
          mkdir out && echo '{"a": 1}' > out/result.json
      - uses: actions/upload-artifact@v7
        with: {name: result, path: out}
  finish:
    needs: draft
    if: needs.draft.outputs.word == 'plan-done'
    runs-on: ubuntu-latest
    steps:
      - uses: actions/download-artifact@v8
        with: {name: result, path: in}
      - run: cat in/result.json && echo "${{ needs.draft.outputs.word }}"
      - if: failure()
        run: echo never
  never:
    needs: draft
    if: inputs.fast
    runs-on: ubuntu-latest
    steps: [{run: exit 1}]
"""
TALK = """
name: talk
on:
  issues: {types: [opened]}
  issue_comment: {types: [created]}
  repository_dispatch: {types: [finish]}
permissions: {issues: write, contents: write}
jobs:
  answer:
    if: github.event_name != 'issue_comment' || startsWith(github.event.comment.body, '/help')
    runs-on: ubuntu-latest
    env: {GH: "${{ github.token }}"}
    steps:
      - env: {N: "${{ github.event.issue.number }}"}
        if: github.event_name == 'issue_comment'
        run: |
          curl -sf -X POST -H "Authorization: token $GH" -d '{"body": "/help, said the bot"}' \\
            "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues/$N/comments"
          code=$(curl -s -o /dev/null -w '%{http_code}' -X PUT -H "Authorization: token $GH" \\
            -d '{}' "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/environments/live")
          test "$code" = 403
          curl -sf -X POST -H "Authorization: token $GH" -d '{"event_type": "finish"}' \\
            "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/dispatches"
          echo "the token is $GH"
"""
GATED = """
name: live
on: workflow_dispatch
jobs:
  deploy:
    environment: %s
    runs-on: ubuntu-latest
    steps: [{run: 'test "$S" = deep || exit 3', env: {S: "${{ secrets.KEY }}"}}]
"""
SLOW = """
name: slow
run-name: ${{ inputs.n }}
on: {workflow_dispatch: {inputs: {n: {default: "0"}}}}
jobs:
  wait:
    concurrency: %s
    runs-on: ubuntu-latest
    steps: [{run: "echo $$ > $GATE.pid; until test -e $GATE; do sleep 0.05; done"}]
    env: {GATE: "%s"}
"""

SHAPES: dict[str, tuple[str, dict[str, str]]] = {
    "matrix": (
        "strategy: {matrix: {n: [1, 2], include: [{n: 3}], exclude: [{n: 2}]}}\n"
        "    steps: [{run: 'test ${{ matrix.n }} != 2'}]",
        {"a (1)": "success", "a (3)": "success"},
    ),
    "fails": ("steps: [{run: exit 4}]", {"a": "failure"}),
    "excused": ("steps: [{run: exit 4, continue-on-error: true}]", {"a": "success"}),
    "unknown action": ("steps: [{uses: other/thing@v1}]", {"a": "failure"}),
    "composite": (
        "steps: [{uses: actions/checkout@v7}, {uses: ./act, with: {word: hi}, id: c},"
        ' {run: \'test "${{ steps.c.outputs.said }}" = "hi there"\'}]',
        {"a": "success"},
    ),
}


def write(desk: Desk, text: str, name: str = "work.yml", branch: str = "main") -> None:
    desk.repo().create_file(f".github/workflows/{name}", f"Add {name}", text, branch=branch)


def dispatch(
    desk: Desk, name: str = "work.yml", login: str = "hubot", **inputs: str
) -> WorkflowRun:
    got = desk.api(
        "POST", desk.at(f"/actions/workflows/{name}/dispatches"), login, ref="main", inputs=inputs,
        return_run_details=True,
    )  # fmt: skip
    assert got.status_code == 200, got.text
    return desk.repo().get_workflow_run(got.json()["workflow_run_id"])


def ended(desk: Desk, run: WorkflowRun, status: str = "completed") -> WorkflowRun:
    return until(lambda: desk.repo().get_workflow_run(run.id), lambda r: r.status == status)


def runs(desk: Desk, count: int) -> list[WorkflowRun]:
    found = until(lambda: list(desk.repo().get_workflow_runs()), lambda r: len(r) >= count)
    assert len(found) == count
    return found
