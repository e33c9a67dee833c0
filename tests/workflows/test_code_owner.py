"""`setup` names a code owner before it makes rules, which would be in its way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.io.github.owners import is_untouched, named
from tests.twin.desk import Desk
from tests.twin.openapi import checked_exchanges
from tests.twin.running import Twin
from tests.workflows.files import ROOT
from tests.workflows.preparing import lacks, run, ways

OURS = (ROOT / "CODEOWNERS").read_text()
EDITED = {
    "another person": "* @hubot\n",
    "some of it": OURS.replace("/.github/    @owners", "/.github/    @hubot"),
    "nobody": "# Everybody may merge.\n",
    "nobody for one folder": "* @hubot\n/strategies/\n",
}


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("owner")) as running:
        yield running


@pytest.fixture
def desk(twin: Twin, tmp_path: Path) -> Iterator[Desk]:
    with checked_exchanges():
        yield Desk(twin, tmp_path)


def text(desk: Desk, path: str = "CODEOWNERS") -> str:
    file = desk.repo().get_contents(path)
    assert not isinstance(file, list)
    return file.decoded_content.decode()


def test_our_own_file_gets_the_name_of_whoever_runs_it(desk: Desk) -> None:
    desk.repo().create_file("CODEOWNERS", "From the template", OURS)
    assert "codeowners" in lacks(desk)
    assert ways(run(desk, "setup")) == ["done", "already", *["done"] * 5]
    assert text(desk) == OURS.replace(" @owners\n", " @octocat\n")
    assert "codeowners" not in lacks(desk)
    before = desk.repo().get_branch("main").commit.sha
    assert ways(run(desk, "setup")) == ["already"] * 7
    assert desk.repo().get_branch("main").commit.sha == before


def test_where_there_is_none_it_is_made(desk: Desk) -> None:
    assert ways(run(desk, "setup"))[2] == "done"
    assert "* @octocat\n" in text(desk, ".github/CODEOWNERS")
    assert "codeowners" not in lacks(desk)


@pytest.mark.parametrize("who", EDITED)
def test_what_somebody_edited_stays(desk: Desk, who: str) -> None:
    desk.repo().create_file("docs/CODEOWNERS", "Mine", EDITED[who])
    before = desk.repo().get_branch("main").commit.sha
    assert ways(run(desk, "setup"))[2] == "already"
    assert desk.repo().get_branch("main").commit.sha == before


def test_behind_rules_it_is_told_as_clicks(desk: Desk) -> None:
    """Somebody made the rules first."""
    assert run(desk, "setup").exit_code == 0
    [rules] = desk.api("GET", desk.at("/rulesets")).json()
    whole = desk.api("GET", desk.at(f"/rulesets/{rules['id']}")).json()
    desk.api("DELETE", desk.at(f"/rulesets/{rules['id']}"))
    desk.repo().create_file("CODEOWNERS", "From the template", OURS)
    file = desk.repo().get_contents(".github/CODEOWNERS")
    assert not isinstance(file, list)
    desk.repo().delete_file(".github/CODEOWNERS", "Away", file.sha)
    kept = {k: whole[k] for k in ("name", "target", "enforcement", "conditions", "rules")}
    assert desk.api("POST", desk.at("/rulesets"), **kept).status_code == 201
    done = run(desk, "setup")
    assert done.exit_code == 1 and ways(done)[2] == "by hand"
    assert "in the place of @owners in CODEOWNERS" in done.stdout and text(desk) == OURS


def test_only_whole_words_outside_comments_are_replaced() -> None:
    rows = "# @owners\n* @owners # for @owners\n/a/ @owners-of-a @owners\n"
    assert named(rows, "me") == "# @owners\n* @me # for @owners\n/a/ @owners-of-a @me\n"
    assert not is_untouched(rows) and is_untouched(OURS)
