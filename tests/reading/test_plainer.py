"""A request in the words of people reads as the same request in the plainest words does."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from bot.agents.clean import clean
from bot.reading.read import read
from schemas import contract as c
from tests.reading.test_paraphrases import meant

TABLE: list[dict[str, str]] = YAML(typ="safe").load(
    (Path(__file__).parent / "plainer.yaml").read_text()
)


@pytest.mark.parametrize("row", TABLE, ids=[row["said"][:40] for row in TABLE])
def test_it_reads_as_the_plainest_words_do(row: dict[str, str]) -> None:
    said, plain = (read("", clean(row[key])) for key in ("said", "means"))
    assert isinstance(said, c.Contract), said
    assert meant(said) == meant(plain)
