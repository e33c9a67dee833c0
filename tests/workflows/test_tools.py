"""What well-known tools say of our workflows: nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.workflows.files import ACTIONS, FORMS, HOME, ROOT, WORKFLOWS

SCHEMAS = {
    "workflows": WORKFLOWS,
    "actions": ACTIONS,
    "issue-forms": FORMS,
    "issue-config": [HOME / "ISSUE_TEMPLATE" / "config.yml"],
}
BAD = """
on: issue_comment
jobs:
  a:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: echo ${{ github.event.comment.body }}
"""


def said(name: str, *args: str | Path) -> tuple[int, str]:
    program = Path(sys.executable).with_name(name)
    done = subprocess.run(
        [program, *map(str, args)], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    return done.returncode, done.stdout + done.stderr


def zizmor(*files: Path) -> tuple[int, str]:
    """Without the network, and with our reasons for what it may pass over."""
    config = HOME / "zizmor.yml"
    return said("zizmor", "--offline", "--no-progress", "--config", config, *files)


def test_zizmor_finds_nothing() -> None:
    code, text = zizmor(*WORKFLOWS, *ACTIONS)
    assert code == 0, text


def test_actionlint_finds_nothing() -> None:
    code, text = said("actionlint", *WORKFLOWS)
    assert code == 0, text


@pytest.mark.parametrize("kind", SCHEMAS)
def test_the_schemas_hold(kind: str) -> None:
    code, text = said(
        "check-jsonschema", "--builtin-schema", f"vendor.github-{kind}", *SCHEMAS[kind]
    )
    assert SCHEMAS[kind] and code == 0, text


def test_the_tools_do_find_something(tmp_path: Path) -> None:
    """A tool that did not run, or reads nothing, would be clean too."""
    bad = tmp_path / ".github" / "workflows" / "bad.yml"
    bad.parent.mkdir(parents=True)
    bad.write_text(BAD)
    code, text = zizmor(bad)
    assert code != 0 and "template-injection" in text and "unpinned-uses" in text
    code, text = said("actionlint", bad)
    assert code != 0 and "potentially untrusted" in text
    bad.write_text("on: push\njobs: {a: {steps: 3}}\n")
    code, text = said("check-jsonschema", "--builtin-schema", "vendor.github-workflows", bad)
    assert code != 0
