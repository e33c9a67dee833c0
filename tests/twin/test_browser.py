"""People in a real browser: ask, command, merge, approve; and what must not run there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.twin.browser import SHOTS, Person, chromium, needed
from tests.twin.desk import Desk
from tests.twin.scene import STRATEGY, fill
from tests.twin.waiting import until


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    needed()
    with chromium() as running:
        yield running


def person(browser: webdriver.Chrome, desk: Desk, login: str = "octocat") -> Person:
    return Person(browser, desk.twin.url, login)


def test_a_command_is_answered_before_ones_eyes(browser: webdriver.Chrome, desk: Desk) -> None:
    octocat, at = person(browser, desk), f"/{desk.full_name}"
    octocat.go(f"{at}/issues")
    octocat.send("a.button.primary")
    octocat.write("#title", "A breakout on EURUSD")
    octocat.write("#body", "Buy the **breakout**.")
    octocat.send("#send")
    assert octocat.read("h1") == "A breakout on EURUSD #1"
    assert octocat.read(".prose strong") == "breakout"
    octocat.write("#body", "/help")
    octocat.send("#send")
    assert [c.body for c in desk.repo().get_issue(1).get_comments()] == ["/help"]
    octocat.write("#body", "half a thought")
    desk.repo("hubot").get_issue(1).create_comment("| command | does |\n|-|-|\n| `/plan` | plans |")
    octocat.wait_for("plans")
    assert octocat.see("#body").get_attribute("value") == "half a thought"
    assert len(octocat.all("#talk .remark")) == 2
    assert octocat.complaints() == []
    octocat.keep("story-help")


def test_an_edited_comment_and_a_label_are_drawn_again(
    browser: webdriver.Chrome, desk: Desk
) -> None:
    issue = desk.repo().create_issue("x")
    status = issue.create_comment("step 1 of 2")
    octocat = person(browser, desk, "hubot")
    octocat.go(f"/{desk.full_name}/issues/1")
    status.edit("step 2 of 2")
    issue.add_to_labels("ready")
    octocat.wait_for("step 2 of 2")
    octocat.wait_for("ready")
    assert "step 1 of 2" not in octocat.read()
    issue.edit(state="closed")
    octocat.wait_for("Closed", "#subject")


def test_what_is_being_edited_is_not_drawn_over(browser: webdriver.Chrome, desk: Desk) -> None:
    issue = desk.repo().create_issue("x")
    said = issue.create_comment("mine")
    octocat = person(browser, desk)
    octocat.go(f"/{desk.full_name}/issues/1")
    box = f"#issuecomment-{said.id} .edit"
    octocat.see(f"{box} summary").click()
    octocat.write(f"{box} textarea", "a long new text")
    said.edit("changed elsewhere")
    issue.create_comment("and a later one")
    octocat.wait_for("and a later one")
    assert octocat.see(f"{box} textarea").get_attribute("value") == "a long new text"
    octocat.send(f"{box} button")
    assert issue.get_comment(said.id).body == "a long new text"


def test_a_pull_request_is_merged_once_nothing_blocks_it(
    browser: webdriver.Chrome, desk: Desk
) -> None:
    hubot = desk.repo("hubot")
    hubot.create_git_ref("refs/heads/side", hubot.get_branch("main").commit.sha)
    sha = hubot.create_file("side.py", "Write it", STRATEGY, branch="side")["commit"].sha
    hubot.create_pull("main", "side", title="Deliver it", body="Closes #9")
    desk.repo().get_branch("main").edit_protection(
        strict=False, contexts=["sandbox"], enforce_admins=True
    )
    octocat = person(browser, desk)
    octocat.go(f"/{desk.full_name}/pull/1")
    octocat.wait_for('Required status check "sandbox" is expected.')
    assert not octocat.see("#merge-button").is_enabled()
    octocat.keep("story-blocked")
    hubot.get_commit(sha).create_status("success", context="sandbox", description="4 of 4")
    octocat.wait_for("It can be merged.")
    octocat.send("#merge-button")
    assert "Merged by octocat" in octocat.read()
    assert desk.repo().get_pull(1).merged and octocat.complaints() == []
    octocat.keep("story-merged")


def test_an_environment_is_approved_and_the_run_goes_on(
    browser: webdriver.Chrome, desk: Desk
) -> None:
    scene = fill(desk)
    octocat = person(browser, desk)
    octocat.go(f"/{desk.full_name}/actions")
    octocat.send(".rows .big")
    octocat.keep("story-gate")
    octocat.write("#comment", "Looks right.")
    octocat.send("button[value='approved']")
    octocat.wait_for("octocat approved live")
    octocat.wait_for("success", "#subject")
    asked = desk.api("GET", desk.at(f"/actions/runs/{scene.run}/approvals")).json()
    assert [(row["state"], row["comment"]) for row in asked] == [("approved", "Looks right.")]
    octocat.send("#jobs li:last-child a")
    octocat.wait_for("it is live")
    assert octocat.complaints() == []
    octocat.keep("story-approved")


EVIL = "<script>document.title='owned';alert(1)</script><img src=x onerror=document.title='owned'>"


def test_a_script_does_not_run_wherever_it_is_written(
    browser: webdriver.Chrome, desk: Desk
) -> None:
    repo = desk.repo()
    name = "a<script>alert(1)<script>"
    repo.create_label(EVIL[:50], "ffffff")
    repo.create_issue(EVIL, EVIL, labels=[EVIL[:50]]).create_comment(EVIL)
    repo.create_git_ref(f"refs/heads/{name}", repo.get_branch("main").commit.sha)
    repo.create_file(f"{name}.md", EVIL, EVIL, branch=name)
    repo.create_pull("main", name, title=EVIL, body=EVIL)
    octocat = person(browser, desk)
    for page in ("", "/issues", "/issues/1", "/pull/2", "/pull/2/files", "/branches"):
        octocat.go(f"/{desk.full_name}{page}")
        octocat.see("main")
        with pytest.raises(NoAlertPresentException):
            browser.switch_to.alert.dismiss()
        assert browser.title != "owned"
        assert [x.get_attribute("src") for x in octocat.all("script")] == [
            f"{desk.twin.url}/_pages/live.js"
        ]
        assert octocat.all("[onerror]") == []
        refused = [line for line in octocat.complaints() if "Content Security Policy" in line]
        assert refused == [], "nothing may even be tried"
    octocat.go(f"/{desk.full_name}/issues/1")
    assert octocat.read("h1") == f"{EVIL} #1"
    repo.get_issue(1).create_comment(f"late {EVIL}")
    octocat.wait_for("late")
    assert browser.title != "owned" and octocat.all("main script") == []


def test_the_keyboard_is_enough(browser: webdriver.Chrome, desk: Desk) -> None:
    desk.repo().create_issue("x")
    octocat = person(browser, desk)
    octocat.go(f"/{desk.full_name}/issues/1")
    keys = ActionChains(browser)
    keys.send_keys(Keys.TAB, Keys.ENTER).perform()
    assert browser.current_url.endswith("#main")
    octocat.see("#body").send_keys("/help")
    keys.key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()
    until(
        lambda: [c.body for c in desk.repo().get_issue(1).get_comments()], lambda x: x == ["/help"]
    )


def test_every_page_is_drawn_without_a_complaint(browser: webdriver.Chrome, desk: Desk) -> None:
    """In a narrow window too: nothing sticks out to the side."""
    scene = fill(desk)
    octocat, at = person(browser, desk), f"/{desk.full_name}"
    pages = {
        "home": "/", "login": "/login", "code": at, "commits": f"{at}/commits",
        "file": f"{at}/blob/main/strategies/breakout.py",
        "issues": f"{at}/issues", "choose": f"{at}/issues/new", "pulls": f"{at}/pulls",
        "form": f"{at}/issues/new?template=strategy.yml", "issue": f"{at}/issues/{scene.issue}",
        "pull": f"{at}/pull/{scene.pull}", "files": f"{at}/pull/{scene.pull}/files",
        "check": f"{at}/runs/{scene.check}", "actions": f"{at}/actions",
        "run": f"{at}/actions/runs/{scene.run}", "releases": f"{at}/releases",
        "deployments": f"{at}/deployments", "branches": f"{at}/branches",
        "commit": f"{at}/commit/{scene.sha}",
    }  # fmt: skip
    for name, page in pages.items():
        octocat.go(page)
        octocat.keep(name)
        browser.set_window_size(500, 900)
        wide = browser.execute_script(
            "return [document.documentElement.scrollWidth, window.innerWidth]"
        )
        browser.set_window_size(1280, 1000)
        assert wide[0] <= wide[1], f"{name} is {wide[0]} wide in a window of {wide[1]}"
        assert octocat.complaints() == [], name
    assert len(list(SHOTS.glob("*.png"))) >= 2 * len(pages)
