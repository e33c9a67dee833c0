"""What fails: repaired by the bot, or handed to a person with all that was tried."""

from __future__ import annotations

import pytest
from github.Issue import Issue

from tests.flow.conftest import Made
from tests.flow.world import REQUEST, Story


def building(story: Story) -> Story:
    story.comes_to("planned", "needs-human").say("/approve")
    return story


def strategy(story: Story, task: str = "t1_data") -> str:
    names = [f.filename for f in story.pull(task).get_files()]
    return next(name for name in names if name.endswith("/strategy.py"))


def mistaken(story: Story, name: str) -> str:
    """A person pushes a mistake onto the branch of the first step; the commit."""
    path, branch = strategy(story), story.branch("t1_data")
    first = story.file(path, branch).splitlines()[0]
    return story.push(path, branch, (first, f"{first}\n# mistake {name}"))


def mended(story: Story, count: int) -> list[Issue]:
    """Waits until so many debug issues are there and closed."""
    found: list[Issue] = story.until(
        story.debug_issues,
        lambda all_: len(all_) == count and all(d.state == "closed" for d in all_),
    )
    story.comes_to("building", "needs-human")
    story.world.rest()
    return found


def failed(story: Story) -> int:
    """How many tests failed by the audit log, each with a todo; all of its lines are valid."""
    told = [line["event_type"] for line in story.audit()]
    assert told.count("test.failed") == told.count("workflow.branch_created")
    return told.count("test.failed")


def test_a_mistake_that_a_person_pushes_is_found_and_mended(made: Made) -> None:
    story = building(made(auto_merge=False).ask())
    story.comes_to("building", "needs-human")
    good = story.pull("t1_data").head.sha
    bad = mistaken(story, "one")
    [debug] = mended(story, 1)

    assert "Debug t1_data: pytest (mistake_one)" in debug.title
    for words in (
        f"Part of #{story.number}.",
        "expected 28.5",
        "run_in_sandbox.py",
        "strategy.py:2",
    ):
        assert words in debug.body, words
    pull, repo = story.pull("t1_data"), story.world.repo()
    [told] = [w for w in story.words(debug.number) if "stratbot:close=" in w]
    assert pull.head.sha not in (good, bad) and pull.head.sha[:12] in told
    assert "What I changed, in my words" in told and bad[:12] in debug.body
    assert "# mistake" not in story.file(strategy(story), pull.head.sha)
    report = story.report(pull)
    assert f"passed on `{pull.head.sha[:12]}`" in report and "2 older runs" in report
    shas = (good, bad, pull.head.sha)
    states = [repo.get_commit(sha).get_combined_status().state for sha in shas]
    assert states == ["success", "failure", "success"]
    [check] = [c for c in repo.get_commit(bad).get_check_runs() if c.name == "stratbot report"]
    [note] = check.get_annotations()
    assert (check.conclusion, note.path, note.start_line) == ("failure", strategy(story), 2)
    assert "failed 1 of at most 4 times" in story.boxes["t1_data"]
    ends = [x["event_type"] for x in story.audit() if x["event_type"].startswith("test.")]
    assert ends == ["test.started", "test.passed", "test.started", "test.failed",
                    "test.started", "test.passed"]  # fmt: skip


@pytest.mark.soak
def test_a_second_mistake_gets_the_same_repair_on_top(made: Made) -> None:
    story = building(made(auto_merge=False).ask())
    story.comes_to("building", "needs-human")
    for count, name in enumerate(("one", "two"), 1):
        bad = mistaken(story, name)
        mended(story, count)
        pull = story.pull("t1_data")
        assert pull.head.sha != bad and "# mistake" not in story.file(
            strategy(story), pull.head.sha
        )
    mistaken(story, "one")
    story.comes_to("escalated", "needs-human")
    assert "the same failure again" in story.status
    assert sorted(d.state for d in story.debug_issues()) == ["closed", "open"]
    story.world.rest()
    assert failed(story) == 3


@pytest.mark.soak
def test_three_repairs_and_then_a_person(made: Made) -> None:
    story = building(made().ask(f"{REQUEST}\n\n<!-- red t1_data -->"))
    story.comes_to("escalated", "needs-human")
    story.world.rest()
    assert "still fails after 3 repairs" in story.status and "`/debug` with a hint" in story.status
    found = story.debug_issues()
    assert [d.state for d in found] == ["open"] * 4
    assert len({d.title for d in found}) == 4
    pull = story.pull("t1_data")
    assert pull.state == "open" and pull.commits == 4
    assert "not passed on" in story.report(pull) and "A person is needed" in story.report(pull)
    assert "merged" not in story.boxes["t1_data"]
    assert failed(story) == 4


@pytest.mark.soak
def test_the_same_failure_again_stops_early(made: Made) -> None:
    story = building(made().ask(f"{REQUEST}\n\n<!-- stuck t1_data -->"))
    story.comes_to("escalated", "needs-human")
    story.world.rest()
    assert "the same failure again, so I stop early" in story.status
    [debug] = story.debug_issues()
    assert debug.state == "open" and story.pull("t1_data").commits == 2
    [attempt] = [w for w in story.words(debug.number) if "stratbot:attempt=" in w]
    assert story.pull("t1_data").head.sha[:12] in attempt and "the same failure again" in attempt
    assert any("stratbot:tell=escalated/" in w and "@stranger" in w for w in story.words())
    assert "one more" in story.answered("/debug look at the sign").lower()
    story.world.rest()  # the labels are still the old ones when the answer is there
    story.comes_to("escalated", "needs-human")
    assert len(story.debug_issues()) == 1 and story.pull("t1_data").commits == 3
    assert failed(story) == 3
