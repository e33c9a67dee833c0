"""A `/revise` changes the slot that it names and says so; what changes no rule is no success."""

from __future__ import annotations

import pytest

from bot.events import IssueEdited
from bot.io.offline import OfflineWriter
from schemas.report import FailureClass
from schemas.work import PlanMade, QuestionsAsked, WorkFailed
from schemas.workflow import Phase
from tests.fakes import FakeHub, MemoryStore
from tests.story import Story
from tests.world import ISSUE

REQUEST = (
    "SPY daily. Buy when RSI(2) is below 10 and the close is above the 200-day SMA. Sell when "
    "RSI(2) is above 70, or after 10 bars. Stop 5% below the close. Long only."
)
VAGUE = "SPY daily. Buy when it is oversold. Sell when RSI(14) is above 60."


class Conversation(Story):
    """A request of these words that the writer without a model plans."""

    def __init__(self, body: str = REQUEST) -> None:
        self.store, self.hub = MemoryStore(), FakeHub()
        self.deliver(self.hub.open_issue(ISSUE, "monalisa", body))
        self.plan()

    def plan(self) -> None:
        self.answer(OfflineWriter().write(self.orders()[0])[0])

    def revise(self, words: str, name: str = "revise") -> tuple[str, set[str]]:
        """The answer that there is once the plan is, and the reactions."""
        comment = self.hub.comment(ISSUE, "monalisa", f"/{name} {words}")
        self.deliver(comment)
        assert "rocket" not in self.reactions(comment.comment_id) or name == "answer"
        self.plan()
        number = comment.comment_id
        return self.hub.replies.get(number, ""), self.reactions(number)

    def reactions(self, comment: int) -> set[str]:
        return {content for number, content in self.hub.reactions if number == comment}


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("use a 2 % stop", "`stop 5 % from signal close` → `stop 2 % from signal close`"),
        ("Stop 3% instead of 5%.", "`stop 5 % from signal close` → `stop 3 % from signal close`"),
        (
            "the stop loss should be 2%",
            "`stop 5 % from signal close` → `stop 2 % from signal close`",
        ),
        ("take profit at 10%", "`target 10 % from signal close` is new"),
        ("trailing stop 3%", "`trail 3 % from best close checked on close` is new"),
        ("trade 100 shares", "`size units 1` → `size units 100`"),
        ("use QQQ instead of SPY", "`symbol SPY` → `symbol QQQ`"),
        ("use 4h bars", "`timeframe D1` → `timeframe H4`"),
        ("exit after 5 bars", "`exit after 10 bars` → `exit after 5 bars`"),
        ("no stop", "`stop 5 % from signal close` is gone"),
    ],
)
def test_the_slot_that_it_names_is_changed_and_nothing_else(words: str, change: str) -> None:
    story = Conversation()
    said, reactions = story.revise(words)
    assert said.startswith(f"Changed: {change}")
    assert "Everything else is unchanged." in said and said.count("→") + said.count("` is ") == 1
    assert reactions == {"eyes", "rocket"} and story.now.phase is Phase.PLANNED


def test_a_threshold_is_replaced_and_not_added() -> None:
    story = Conversation()
    said, reactions = story.revise("RSI below 5 please")
    assert "rsi(2) < 5" in said and "rocket" in reactions
    assert story.now.contract and repr(story.now.contract.entries).count("rsi_2") == 1


@pytest.mark.parametrize("words", ["make it better", "use a 5% stop", "no trades around earnings"])
def test_what_changes_no_rule_says_so_and_leaves_the_plan(words: str) -> None:
    story = Conversation()
    before = story.now
    said, reactions = story.revise(words)
    assert f"I could not apply *{words}*" in said and "The plan is unchanged." in said
    assert reactions == {"eyes", "confused"} and "refused" in story.status
    assert story.now.phase is Phase.PLANNED
    assert (story.now.contract, story.now.todo) == (before.contract, before.todo)
    assert story.now.request == before.request


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("use a 200% stop", "the stop is 200% away"),
        ("trade 0 shares", "the size must be above zero"),
    ],
)
def test_what_cannot_be_built_is_asked_about_and_then_mended(words: str, fault: str) -> None:
    story = Conversation()
    said, reactions = story.revise(words)
    assert "I have questions first" in said and reactions == {"eyes", "confused"}
    assert story.now.questions and fault in story.status
    story.revise("use a 2 % stop", "answer")
    assert story.now.phase is Phase.PLANNED and story.now.contract
    assert story.now.contract.risk.stops[0].distance
    assert story.now.contract.risk.stops[0].distance.amount == 2
    assert story.now.contract.risk.sizing.amount == 1


def test_one_change_after_another_keeps_the_first() -> None:
    story = Conversation()
    story.revise("use a 2 % stop")
    story.revise("make it better")
    said, _ = story.revise("take profit at 10%")
    assert said.startswith("Changed: `target 10 %") and "stop" not in said
    assert story.now.contract and story.now.contract.risk.stops[0].distance
    assert story.now.contract.risk.stops[0].distance.amount == 2


def test_another_writers_plan_is_compared_too() -> None:
    """Whoever wrote it: the same rules are no change, and questions are none either."""
    for product, end in (
        (None, "I could not apply"),
        (QuestionsAsked(questions=("Which stop?",)), "I have questions first"),
    ):
        story = Conversation()
        contract, todo = story.now.contract, story.now.todo
        assert contract and todo
        comment = story.hub.comment(ISSUE, "monalisa", "/revise tighter")
        story.deliver(comment)
        story.answer(product or PlanMade(contract=contract, todo=todo))
        assert end in story.hub.replies[comment.comment_id]
        assert story.reactions(comment.comment_id) == {"eyes", "confused"}


def test_a_worker_that_gives_up_and_a_cancel_answer_it() -> None:
    story = Conversation()
    comment = story.hub.comment(ISSUE, "octocat", "/revise use a 2 % stop")
    story.deliver(comment)
    failed = WorkFailed(failure_class=FailureClass.TEST_FAILURES, message="no room")
    while story.now.phase is not Phase.ESCALATED:
        story.answer(failed)
    assert "The change was not made" in story.hub.replies[comment.comment_id]
    story = Conversation()
    comment = story.hub.comment(ISSUE, "octocat", "/revise use a 2 % stop")
    story.deliver(comment)
    story.say("/cancel")
    assert "The change was not made" in story.hub.replies[comment.comment_id]


def test_the_newest_answer_replaces_the_one_it_corrects() -> None:
    story = Conversation(VAGUE)
    story.revise("Oversold is when it wobbles a lot. Max loss of a nickel or so.", "answer")
    assert story.now.questions
    story.revise("Buy when RSI(14) is below 30.", "answer")
    assert story.now.phase is Phase.PLANNED, story.now.questions
    assert "rsi(14) < 30" in story.status and "wobbles" in story.status  # listed as left out


@pytest.mark.parametrize(
    ("wrong", "answer", "reads"),
    [
        ("Stop 500%.", "Stop 5%.", "5%"),
        ("Buy 0 shares.", "Buy 10 shares.", "size units 10"),
        ("Sell when RSI(2.5) is above 90.", "Sell when RSI(3) is above 90.", "RSI(3"),
    ],
)
def test_what_cannot_be_built_is_replaced_by_its_answer(
    wrong: str, answer: str, reads: str
) -> None:
    story = Conversation(f"SPY daily. Buy when RSI(2) < 10. Sell when RSI(2) > 70. {wrong}")
    assert story.now.questions and wrong in story.status
    story.revise(answer, "answer")
    assert story.now.phase is Phase.PLANNED, story.now.questions
    assert reads in story.status


def test_words_that_were_refused_can_be_taken_back() -> None:
    story = Conversation(VAGUE)
    story.revise("Buy when twitter sentiment is good.", "answer")
    assert story.now.phase is Phase.DECLINED
    said, reactions = story.revise("Buy when RSI(14) is below 30.")
    assert "The plan is ready" in said and "rocket" in reactions


def test_a_question_that_comes_twice_says_the_way_out() -> None:
    story = Conversation(VAGUE)
    first = story.now.questions
    story.revise("as you like", "answer")
    assert set(first) & set(story.now.questions)
    assert "I asked this before" in story.status and "Edit the text" in story.status


def test_an_edited_request_starts_from_its_new_text() -> None:
    story = Conversation(VAGUE)
    story.revise("Oversold is when it wobbles a lot.", "answer")
    story.deliver(IssueEdited(ISSUE, "A title", REQUEST, "monalisa", story.hub.tick()))
    assert story.now.request and story.now.request.notes == ()
    story.plan()
    assert story.now.phase is Phase.PLANNED and "below 10" in story.status
