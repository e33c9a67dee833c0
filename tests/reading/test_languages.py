"""A request in another language reads as the same request in English does."""

from dataclasses import replace
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from bot.reading.read import read
from schemas import contract as c

TABLE = YAML(typ="safe").load((Path(__file__).parent / "languages.yaml").read_text())


def rules(request: str) -> c.Contract:
    found = read("", request)
    assert isinstance(found, c.Contract), found
    return replace(
        found,
        summary="",
        entries=tuple(replace(e, reason="") for e in found.entries),
        exits=tuple(replace(e, reason="") for e in found.exits),
    )


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["said"][:40])
def test_it_means_the_same(row: dict[str, str]) -> None:
    assert rules(row["said"]) == rules(row["means"])
