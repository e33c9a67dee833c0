"""The labels that the bot uses, from the file that lists them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML

from bot.ports import Rejected

FILE = Path(__file__).parents[3] / ".github" / "labels.yml"


@dataclass(frozen=True, slots=True)
class Label:
    name: str
    color: str
    description: str


def labels() -> tuple[Label, ...]:
    if not FILE.exists():
        raise Rejected(f"{FILE} is missing: run this from a checkout of Stratbot")
    return tuple(Label(**row) for row in YAML(typ="safe").load(FILE.read_text()))
