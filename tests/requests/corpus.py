"""The requests: texts and what the scorer has to know about them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ruamel.yaml import YAML

FOLDER = Path(__file__).parents[2] / "fixtures" / "requests"


@dataclass(frozen=True)
class Request:
    """`check_volume`: the text prescribes the size. `means` is for people."""

    id: str
    title: str
    body: str
    tags: list[str]
    difficulty: str
    style: str
    timeframe: str
    symbol: str
    means: str
    check_volume: bool = False
    max_positions: int = 1


@dataclass(frozen=True)
class Question:
    """A request to refuse or question; `visible` names the valid request that may be built."""

    id: str
    title: str
    body: str
    tags: list[str]
    style: str
    reason: str
    must: list[str]
    forbid: tuple[str, ...] = ()
    visible: str = ""


@cache
def requests() -> dict[str, Request]:
    files = sorted((FOLDER / "valid").glob("*.yaml"))
    rows = [Request(**row) for file in files for row in YAML(typ="safe").load(file)]
    return {row.id: row for row in rows}


@cache
def questions() -> dict[str, Question]:
    rows = [Question(**row) for row in YAML(typ="safe").load(FOLDER / "questions.yaml")]
    return {row.id: row for row in rows}
