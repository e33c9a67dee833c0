"""The YAML files of .github, as a test reads them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
HOME = ROOT / ".github"
WORKFLOWS = sorted((HOME / "workflows").glob("*.yml"))
ACTIONS = sorted((HOME / "actions").glob("*/action.yml"))
FORMS = [HOME / "ISSUE_TEMPLATE" / name for name in ("incident.yml", "strategy.yml")]

Json = dict[str, Any]


def load(path: Path) -> Any:
    return YAML(typ="safe").load(path.read_text())


def jobs(path: Path) -> dict[str, Json]:
    found: dict[str, Json] = load(path)["jobs"]
    return found


def steps(path: Path) -> Iterator[Json]:
    """Of every job of a workflow, or of a composite action."""
    if path in ACTIONS:
        yield from load(path)["runs"]["steps"]
        return
    for job in jobs(path).values():
        yield from job["steps"]
