"""Who waits is told once: the author by a comment, and a debug issue of every attempt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.telling import NOBODY, tell
from schemas.acts import Tell
from schemas.base import TaskId
from schemas.report import TestReport
from schemas.work import DraftMade, RequestDeclined, Tested, WorkKind
from schemas.workflow import Phase, Step
from tests import samples
from tests.fakes import sha_of
from tests.story import TASK, Story
from tests.test_whole import delivering
from tests.test_words import NASTY, alive
from tests.world import ISSUE

DATA = f"ai/generated/wf_{ISSUE}/t1_data"


def by_hand() -> Story:
    """Every merge is a person's."""
    story = Story().building()
    now, at = story.store.read(ISSUE)
    theirs = replace(now, policy=replace(now.policy, auto_merge=False))
    story.store.write(theirs, at, story.store.log[ISSUE][-1][1])
    return story


def told(story: Story) -> Tell:
    return story.hub.told.get(ISSUE, NOBODY)


def test_each_wait_is_told_to_the_author_with_what_to_type() -> None:
    story = Story()
    assert told(story) == NOBODY
    story.answer()
    assert _words(story).startswith("@monalisa: I have questions") and "`/answer`" in _words(story)
    story.say("/answer daily bars")
    assert told(story) == NOBODY
    story.answer()
    assert told(story).name == "planned/1" and "`/approve`" in _words(story)
    story.say("/revise a 2 % stop")
    story.answer()
    assert told(story).name == "planned/2"
    story.say("/approve")
    assert told(story) == NOBODY


def test_a_refusal_is_told_with_its_reason_in_harmless_words() -> None:
    story = Story()
    story.answer(RequestDeclined(code="needs_future", reason=f"It needs tomorrow. {NASTY}"))
    assert "> It needs tomorrow." in _words(story) and "`/revise`" in _words(story)
    assert not alive(_words(story).removeprefix("@monalisa"))


def test_a_stop_is_told_and_told_again_after_the_next_try() -> None:
    story = Story().building().until(Phase.ESCALATED)
    first = told(story)
    assert "still fails after 3 repairs" in first.body and "`/debug` with a hint" in first.body
    story.say("/status")
    assert told(story) == first
    story.say("/debug")
    assert told(story) == NOBODY


def test_a_delivery_is_told_when_it_is_green_and_not_before() -> None:
    story = delivering()
    assert story.now.phase is Phase.DELIVERING and told(story) == NOBODY
    story.answer()
    assert "Review and merge" in _words(story) and f"#{story.now.delivery_pull}." in _words(story)
    story.hub.merge(f"ai/generated/wf_{ISSUE}/deliver")
    story.look()
    assert told(story) == NOBODY


def test_a_hold_of_the_bots_own_is_told_and_one_that_somebody_typed_is_answered() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    story.say("/hold")
    assert story.now.held and told(story) == NOBODY
    story.say("/resume")
    story.hub.close(TASK)
    story.look()
    assert "closed the pull request" in _words(story) and "`/resume`" in _words(story)


def test_each_merge_by_a_person_is_told_where_all_are_theirs() -> None:
    story = by_hand()
    story.until(Phase.BUILDING, WorkKind.TEST).answer()
    assert story.now.tasks[0].step is Step.MERGING and told(story).name == "building/t1_data/1"


@pytest.mark.parametrize("login", ["renovate[bot]", "a b", "@all", "x\n/approve", ""])
def test_nobody_else_can_be_called(login: str) -> None:
    now = Story().planned().now
    assert now.request
    body = tell(replace(now, request=replace(now.request, author=login))).body
    assert body.startswith("Hello: The plan is ready")


def _words(story: Story) -> str:
    return told(story).body


def red(story: Story, rule: str, task: TaskId = TaskId.DATA) -> TestReport:
    return samples.red(task, story.orders()[0].head or "", rule)


def repaired(story: Story, why: str) -> str:
    """The repair is written and pushed; its commit."""
    code = f"x = {len(story.now.tasks[0].todos)}\n"
    draft = replace(samples.draft(TaskId.DATA, ISSUE, code), explanation=why)
    story.answer(DraftMade(draft=draft))
    return story.hub.heads[DATA][:12]


def test_every_attempt_is_told_on_the_issue_of_its_failure_and_what_mended_it() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    story.answer(Tested(report=red(story, "one")))
    assert not story.hub.attempts
    first = repaired(story, "I used the close. @octocat")
    story.answer(Tested(report=red(story, "two")))
    [(key, body)] = story.hub.attempts.items()
    assert key.startswith("attempt/debug-t1_data-sig_") and key.endswith("/1001")
    assert f"`{first}`" in body and "> I used the close." in body and "@octocat" not in body
    assert "**Attempt 1.**" in body and "another failure" in body and "two" in body
    second = repaired(story, "I used the open.")
    story.answer()
    assert [k.rpartition("/")[2] for k in story.hub.closings] == ["1002", "1002"]
    for closing in story.hub.closings.values():
        assert f"Mended: `{second}` passes" in closing and "> I used the open." in closing
    assert set(story.hub.linked.values()) == {"closed"} and len(story.hub.attempts) == 1


def test_an_attempt_that_ends_as_before_says_so() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    story.answer(Tested(report=red(story, "one")))
    repaired(story, "I used the close.")
    story.answer(Tested(report=red(story, "one")))
    [body] = story.hub.attempts.values()
    assert "the same failure again" in body and story.now.phase is Phase.ESCALATED


def test_a_repair_that_is_not_used_is_told_too() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    story.answer(Tested(report=red(story, "one")))
    weak = replace(samples.draft(TaskId.DATA), tests="def test_x(): pass\n", explanation="Easier.")
    story.answer(DraftMade(draft=weak))
    [body] = story.hub.attempts.values()
    assert "did not push it" in body and "> Easier." in body and "changed a test" in body


def test_a_run_again_and_a_push_by_a_person_are_not_called_repairs() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    story.answer(Tested(report=red(story, "timeout")))
    story.answer(Tested(report=red(story, "wrong")))
    story.hub.push(DATA, sha_of("by hand"))
    story.look()
    story.answer(Tested(report=red(story, "late")))
    again, pushed = story.hub.attempts.values()
    assert "tested once more; nothing was changed" in again
    assert f"`{sha_of('by hand')[:12]}` was pushed by a person" in pushed


def test_what_comes_back_after_it_was_mended_is_open_again() -> None:
    story = by_hand()
    story.until(Phase.BUILDING, WorkKind.TEST).answer(Tested(report=red(story, "one")))
    repaired(story, "I used the close.")
    story.answer()
    assert list(story.hub.linked.values()) == ["closed"]
    story.hub.push(DATA, sha_of("by hand"))
    story.look()
    story.answer(Tested(report=red(story, "one")))
    assert list(story.hub.linked.values()) == ["open"]
    assert not story.hub.attempts  # nobody had tried to mend this one
