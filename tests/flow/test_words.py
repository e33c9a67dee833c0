"""What people write, and what they get for an answer: questions, refusals, odd commands."""

from __future__ import annotations

from tests.flow.conftest import Made
from tests.flow.world import REQUEST, World

VAGUE = "Buy SPY when RSI(2) is below 10. Daily, long only, no stop."
IMPOSSIBLE = "Buy SPY when twitter sentiment is positive, sell when it is negative."


def test_questions_are_asked_and_answered(world: World) -> None:
    story = world.ask(VAGUE).comes_to("asking", "needs-human")
    assert "1. When exactly should it exit?" in story.status and "`/answer`" in story.status
    said = story.answered("/answer Sell when RSI(2) is above 70.", "stranger")
    assert "new plan" in said
    story.comes_to("planned", "needs-human")
    assert "above 70" in story.status and "When exactly" not in story.status


def test_what_cannot_be_built_is_refused_with_its_reason(world: World) -> None:
    story = world.ask(IMPOSSIBLE).comes_to("declined")
    assert "I cannot build this" in story.status and "tweets or sentiment" in story.status
    assert "wrong_phase" in story.answered("/approve")
    story.answered(f"/revise {REQUEST}", "stranger")
    world.rest()  # the labels are still the old ones when the answer is there
    story.comes_to("declined")  # the words that were refused are still part of the request
    world.repo("stranger").get_issue(story.number).edit(body=REQUEST)
    story.comes_to("planned", "needs-human")


def test_commands_that_are_not_done_say_why(world: World) -> None:
    story = world.ask().comes_to("planned", "needs-human")
    said = {
        "stranger": story.say("/approve", "stranger"),
        "misspelled": story.say("/aprove"),
        "wrong phase": story.say("/retry"),
        "argument": story.say("/approve at once"),
    }
    quiet = [
        story.say("> /approve\n\nShould I?"),
        story.say("I would `/approve` this."),
        story.say("```\n/approve\n```"),
    ]
    later = story.say("Hello.")
    world.pass_time(2)  # GitHub tells an edit by its time, in whole seconds
    later.edit("/approve")
    answers = {name: story.answer(comment) for name, comment in said.items()}
    assert "no_permission" in answers["stranger"] and "write permission" in answers["stranger"]
    assert "Did you mean `/approve`?" in answers["misspelled"]
    assert "wrong_phase" in answers["wrong phase"] and "`/approve`" in answers["wrong phase"]
    assert "bad_argument" in answers["argument"]
    assert "was edited" in story.answer(later) and "`edited`" in story.answer(later)
    world.rest()
    for comment in (*said.values(), later):
        assert set(story.reactions(comment)) == {"eyes", "confused"}
    assert not any(story.reactions(comment) for comment in quiet)
    assert story.labels == {"planned", "needs-human"} and len(story.words()) == 7
    assert [b.name for b in world.repo().get_branches()] == ["main"]


def test_a_command_twice_is_done_once(made: Made) -> None:
    world = made(auto_merge=False)
    story = world.ask().comes_to("planned", "needs-human")
    first, second = story.say("/approve"), story.say("/approve")
    answers = [story.answer(first), story.answer(second)]
    assert "Approved" in answers[0] and "wrong_phase" in answers[1]
    story.comes_to("building", "needs-human")
    world.rest()
    assert [p.head.ref for p in world.repo().get_pulls()] == [story.branch("t1_data")]
    on = story.pull("t1_data").number
    assert "t1_data" in story.answered("/status", "stranger", on) or "Now" in story.words(on)[-1]


def test_an_edit_before_the_approval_makes_a_new_plan(world: World) -> None:
    story = world.ask().comes_to("planned", "needs-human")
    world.repo("stranger").get_issue(story.number).edit(body=REQUEST.replace("70", "65"))
    story.shows("65")
    story.comes_to("planned", "needs-human")
    assert "rsi(2) > 65" in story.status and "rsi(2) > 70" not in story.status
