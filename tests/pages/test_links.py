"""The site leads back to the repository: to that one alone, and only where it is known."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.metrics import Line
from bot.pages import site as pages
from bot.pages.links import Home, home
from schemas.workflow import Phase
from tests.pages import scene
from tests.pages.test_pages import Seen, stratbot

HOME = "https://github.example/you/strategies"
OTHER = "http://127.0.0.1:8080/me/mine"
STRATEGY = f"strategy-{scene.NAME}.html"
NOBODYS = (
    "", "/", "https://github.com/", "https://github.com/you", "javascript:alert(1)//x/y",
    "ftp://host/you/x", "//host/you/x", 'https://host/you/x" onclick="y', "https://host/you/x\n",
    "https://me:word@host/you/x", "https://host/you/x?y=z", " https://host/you/x",
)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("linked")
    clone = str(scene.clone(base / "clone"))
    where = ("--state", clone, "--repo", "you/strategies", "--server", "https://github.example/")
    done = stratbot("site", "--clone", clone, "--out", str(base / "out"), *where)
    assert done.returncode == 0, done.stderr
    return base / "out"


@pytest.fixture(scope="module")
def live() -> list[Line]:
    return scene.told_until(Phase.LIVE)


def outside(page: Path) -> list[tuple[str, str]]:
    """What leads away from the site: the element and the address."""
    found = [(tag, a, str(v)) for tag, a in Seen(page.read_text()).tags for v in a.values()]
    away = [(tag, a, v) for tag, a, v in found if re.match(r"[a-z]*:?//", v)]
    assert all(a.get("rel") == "noreferrer" for _, a, _ in away), page
    return [(tag, v) for tag, _, v in away]


def test_only_links_lead_away_and_only_to_the_repository(site: Path) -> None:
    found = [row for page in site.glob("*.html") for row in outside(page)]
    assert len(found) > 10
    assert {tag for tag, _ in found} == {"a"}
    assert all(address.startswith(f"{HOME}/") for _, address in found)


def test_what_was_asked_agreed_and_built_is_a_click_away(site: Path) -> None:
    queue, story = ((site / name).read_text() for name in ("requests.html", STRATEGY))
    assert f'<th scope="row"><a href="{HOME}/issues/7" rel="noreferrer">#7</a></th>' in queue
    assert re.search(rf'<a href="{HOME}/pull/(\d+)" rel="noreferrer">#\1</a>, <a', queue)
    kinds = {address.split("/")[5] for _, address in outside(site / STRATEGY)}
    assert kinds == {"issues", "commit", "releases"}
    assert re.search(rf'"{HOME}/releases/tag/([^"]+)" rel="noreferrer">\1</a>', story)
    for sha in re.findall(r"<summary>([0-9a-f]{12}),", story):
        assert re.search(rf'"{HOME}/commit/{sha}[0-9a-f]{{28}}" rel="noreferrer">{sha}</a>', story)


def test_what_is_live_leads_to_its_commit(live: list[Line]) -> None:
    made = pages.site([pages.Kept(scene.NAME, {})], [live], HOME)["index.html"]
    [row] = re.findall(r"<li>.*</li>", made)
    assert re.search(rf'<a href="{HOME}/commit/([0-9a-f]{{12}})\w*" rel="noreferrer">\1</a>', row)


def test_the_log_knows_where_it_is_from(live: list[Line]) -> None:
    here = replace(live[-1].workflow, policy=replace(live[-1].workflow.policy, home=HOME))
    rows = [*live[:-1], replace(live[-1], workflow=here)]
    known, told = (pages.site([], [rows], said)["requests.html"] for said in ("", OTHER))
    assert f'"{HOME}/issues/7"' in known and OTHER not in known
    assert f'"{OTHER}/issues/7"' in told and HOME not in told


@pytest.mark.parametrize("address", NOBODYS)
def test_what_is_no_address_of_a_repository_stays_text(live: list[Line], address: str) -> None:
    assert home([address]) == Home()
    made = pages.site([pages.Kept(scene.NAME, {})], [live], address)
    assert '<th scope="row">#7</th>' in made["requests.html"]
    assert not any("noreferrer" in text for text in made.values())


def test_a_name_cannot_leave_its_link() -> None:
    told = str(Home(HOME).tag('live/x"><script>'))
    assert told == (
        f'<a href="{HOME}/releases/tag/live/x%22%3E%3Cscript%3E" rel="noreferrer">'
        "live/x&#34;&gt;&lt;script&gt;</a>"
    )
