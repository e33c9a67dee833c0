"""One strategy in many words is one contract; and it is the one that the public request means."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from bot.agents.clean import clean
from bot.reading.nodes import compare
from bot.reading.read import Reading, read
from schemas import contract as c
from tests.reading.test_injections import rules
from tests.reading.test_public import FOLDER, public_reading

TABLE: dict[str, list[str]] = YAML(typ="safe").load(
    (Path(__file__).parent / "paraphrases.yaml").read_text()
)
ROWS = [(name, number) for name, texts in TABLE.items() for number in range(len(texts))]


TURNED = {"above": "below", "below": "above", "at_least": "at_most", "at_most": "at_least"}


def one_way(node: c.Condition) -> c.Condition:
    """A > B is B < A, and what must all hold may be told in any order."""
    match node:
        case c.Every():
            return replace(node, of=tuple(sorted(map(one_way, node.of), key=repr)))
        case c.Compare() if repr(node.left) > repr(node.right) and node.op in TURNED:
            return compare(TURNED[node.op], node.right, node.left)
    return node


def meant(found: Reading) -> Reading:
    plain = rules(found)
    if not isinstance(plain, c.Contract):
        return plain
    entries = [replace(e, when=one_way(e.when)) for e in plain.entries]
    exits = [replace(e, when=one_way(e.when)) for e in plain.exits]
    return replace(
        plain,
        entries=tuple(sorted(entries, key=repr)),
        exits=tuple(sorted(exits, key=repr)),
    )


@pytest.mark.parametrize(("name", "number"), ROWS)
def test_other_words_mean_the_same(name: str, number: int) -> None:
    first, other = (read("", clean(TABLE[name][n])) for n in (0, number))
    assert isinstance(other, c.Contract), other
    assert meant(other) == meant(first)


@pytest.mark.skipif(not FOLDER.exists(), reason="the public requests are not here")
@pytest.mark.parametrize("name", sorted(TABLE))
def test_they_mean_what_the_public_request_means(name: str) -> None:
    assert meant(read("", clean(TABLE[name][0]))) == meant(public_reading(name))
