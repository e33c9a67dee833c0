"""People do as they like with what is the bot's: it notices, says so, and goes on."""

from __future__ import annotations

import pytest

from tests.flow.conftest import Made
from tests.flow.test_failures import strategy
from tests.flow.world import BOT, REQUEST, Story


@pytest.fixture(scope="module")
def story(made: Made) -> Story:
    """The first step has passed and waits for a person to merge it."""
    begun = made(auto_merge=False).ask().comes_to("planned", "needs-human")
    begun.say("/approve")
    begun.comes_to("building", "needs-human")
    begun.world.rest()
    return begun


def ours(story: Story) -> list[int]:
    rows = story.issue().get_comments()
    return [c.id for c in rows if c.user.login == BOT and "stratbot:status" in c.body]


def test_a_box_that_somebody_ticks_is_a_view(story: Story) -> None:
    [number] = ours(story)
    comment = story.issue().get_comment(number)
    comment.edit(comment.body.replace("- [ ]", "- [x]"))
    story.until(lambda: story.boxes["t2_indicators"], lambda box: not box.startswith("x"))
    assert story.labels == {"building", "needs-human"} and ours(story) == [number]


def test_a_comment_that_somebody_deletes_is_there_again(story: Story) -> None:
    [number] = ours(story)
    before = story.status
    story.issue().get_comment(number).delete()
    story.until(lambda: story.status, bool)
    assert story.status == before and ours(story) != [number]


def test_a_push_is_tested_before_it_counts(story: Story) -> None:
    branch, path = story.branch("t1_data"), strategy(story)
    first = story.file(path, branch).splitlines()[0]
    sha = story.push(path, branch, (first, f"{first}\n# by hand"))
    story.until(
        lambda: story.report(story.pull("t1_data")), lambda r: f"passed on `{sha[:12]}`" in r
    )
    story.comes_to("building", "needs-human")
    state = story.world.repo().get_commit(sha).get_combined_status().state
    assert state == "success" and story.pull("t1_data").head.sha == sha


def test_a_closed_pull_request_holds_until_a_person_says_so(story: Story) -> None:
    pull = story.pull("t1_data")
    story.world.repo("hubot").get_pull(pull.number).edit(state="closed")
    story.comes_to("building", "held", "needs-human")
    assert "hubot closed the pull request, so I hold" in story.status
    assert "`/resume`" in story.status
    story.answered("/resume")
    story.comes_to("building", "needs-human")
    story.world.rest()
    assert story.pull("t1_data").state == "open"


def test_a_deleted_branch_is_pushed_again(story: Story) -> None:
    head = story.pull("t1_data").head.sha
    gone = story.world.desk.at(f"/git/refs/heads/{story.branch('t1_data')}")
    assert story.world.desk.api("DELETE", gone, "hubot").status_code == 204
    story.comes_to("building", "held", "needs-human")
    story.answered("/resume")
    story.comes_to("building", "needs-human")
    story.world.rest()
    pull = story.pull("t1_data")
    assert pull.state == "open" and pull.head.sha != head
    assert f"passed on `{pull.head.sha[:12]}`" in story.report(pull)


def test_an_edit_after_the_approval_changes_nothing(story: Story) -> None:
    story.issue("stranger").edit(body=REQUEST.replace("70", "65"))
    status = story.shows("edited after its plan was approved")
    assert "65" not in status and story.labels == {"building", "needs-human"}


def test_a_closed_issue_holds(story: Story) -> None:
    story.issue().edit(state="closed")
    story.comes_to("building", "held", "needs-human")
    assert "The issue was closed, so I hold" in story.status
    story.issue().edit(state="open")
    story.answered("/resume")
    story.comes_to("building", "needs-human")


def test_a_merge_by_hand_goes_on_with_the_next_step_in_a_locked_issue(story: Story) -> None:
    story.issue().lock("resolved")
    assert story.pull("t1_data").merge().merged
    story.until(lambda: story.boxes["t1_data"], lambda box: box.startswith("x"))
    story.pull("t2_indicators")
    story.comes_to("building", "needs-human")
    assert "#" in story.boxes["t2_indicators"]


def test_actions_that_may_not_open_pull_requests(made: Made) -> None:
    world = made(auto_merge=False)
    world.pulls_by_actions(False)
    story = world.ask().comes_to("planned", "needs-human")
    story.say("/approve")
    story.comes_to("building", "held", "needs-human")
    assert "GitHub refused" in story.status and "create or approve pull requests" in story.status
    world.pulls_by_actions(True)
    story.answered("/resume")
    story.comes_to("building", "needs-human")
    world.rest()
    assert story.pull("t1_data").state == "open"
    assert "GitHub refused" not in story.status
