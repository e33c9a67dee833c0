"""A request from start to end: people type, workers answer, events are delivered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from bot.events import Event, GateAnswered, Tick, WorkFinished
from bot.tasks import delivery_branch, task_branch
from schemas.base import TaskId
from schemas.live import GateAnswer
from schemas.report import FailureClass
from schemas.work import (
    DraftMade,
    PaperTraded,
    PlanMade,
    Product,
    QuestionsAsked,
    Tested,
    TestsBuilt,
    TestsPlanned,
    WorkFailed,
    WorkKind,
    WorkOrder,
    WorkResult,
    answered,
)
from schemas.workflow import Workflow
from tests import samples
from tests.fakes import FakeHub, sha_of

ISSUE = 7
FAILS: dict[TaskId, tuple[str, ...]] = {
    TaskId.INDICATORS: ("rsi_mismatch",),
    TaskId.ENTRY: ("no_entry", "wrong_side", "late_entry", "no_stop"),
}
"""t2 is repaired at once; t3 is escalated after three repairs and mended with a hint."""


def work(order: WorkOrder) -> WorkResult:
    """What a worker gives back: decided by the order alone, as a cache would."""
    at = 1_500_000 + int(sha_of(order.key)[:4], 16)
    return answered(order, product(order), samples.USAGE, at)


def product(order: WorkOrder) -> Product:
    task = order.task_id or TaskId.EXIT
    match order.kind:
        case WorkKind.PLAN if not order.request.notes:
            return QuestionsAsked(questions=("Which timeframe?",))
        case WorkKind.PLAN:
            plan = samples.contract(order.issue), samples.todo(order.issue)
            return PlanMade(contract=plan[0], todo=plan[1])
        case WorkKind.DRAFT | WorkKind.REPAIR:
            code = f"attempt = {len(order.tried)}\n"
            return DraftMade(draft=samples.draft(task, order.issue, code))
        case WorkKind.TEST:
            return _test(order, task)
        case WorkKind.PLAN_TESTS:
            return TestsPlanned(spec=samples.spec(order.issue))
        case WorkKind.BUILD_TESTS:
            return TestsBuilt(tests=samples.generated(order.issue))
        case WorkKind.PAPER if order.head:
            return PaperTraded(sha=order.head, bars=1500, differences=0)
    return WorkFailed(failure_class=FailureClass.SANDBOX_ERROR, message="no such work")


def _test(order: WorkOrder, task: TaskId) -> Tested:
    fails, sha = FAILS.get(task, ()), order.head or samples.SHA
    if len(order.tried) < len(fails):
        return Tested(report=samples.red(task, sha, fails[len(order.tried)], order.issue))
    return Tested(report=samples.report(task, sha, order.issue))


@dataclass(frozen=True)
class Say:
    login: str
    body: str
    before_work: bool = False
    """Posted while the workers are still busy."""


@dataclass(frozen=True)
class Merge:
    """A person merges the delivery of this build."""

    build: int = 1


@dataclass(frozen=True)
class Answer:
    """One worker answers; the others are still busy."""


@dataclass(frozen=True)
class Hand:
    """What a person does to the branch of a task while the workers are busy."""

    what: Literal["push", "close", "merge"]
    task: TaskId


Move = Say | Merge | Answer | Hand

STORY: tuple[Move, ...] = (
    Say("octocat", "/help"),
    Say("octocat", "/answer daily bars"),
    Say("stranger", "/approve"),
    Say("octocat", "/aprove"),
    Say("octocat", "> /approve\nthis is only a quote"),
    Say("octocat", "/approve"),
    Say("octocat", "/debug the side is wrong"),
    Say("octocat", "/hold"),
    Say("octocat", "/resume"),
    Say("octocat", "/backtest"),
    Merge(),
    Say("octocat", "/deploy"),
    Say("octocat", "/approve-live " + sha_of(f"merge ai/generated/wf_{ISSUE}/deliver")),
    Say("hubot-owner", "/approve-live " + sha_of(f"merge ai/generated/wf_{ISSUE}/deliver")),
    Say("octocat", "/rollback flatten"),
)
"""Asked, answered, refused, misspelt, quoted, repaired, escalated, delivered, live, taken back."""

MENDED: tuple[Move, ...] = (
    *STORY,
    Say("octocat", "/debug look at the clock"),
    Say("octocat", "/debug the side is wrong"),
    Merge(2),
    Say("octocat", "/deploy"),
    Say("octocat", "/approve-live " + sha_of(f"merge ai/generated/wf_{ISSUE}-2/deliver")),
    Say("hubot-owner", "/approve-live " + sha_of(f"merge ai/generated/wf_{ISSUE}-2/deliver")),
)
"""Taken back, built again, escalated again, delivered again, live again."""

CANCELLED: tuple[Move, ...] = (
    Say("octocat", "/answer daily bars"),
    Say("octocat", "/approve"),
    Say("octocat", "/cancel --force", before_work=True),
    Say("octocat", "/retry"),
    Say("octocat", "/cancel"),
)

HANDS: tuple[Move, ...] = (
    Say("octocat", "/answer daily bars"),
    Say("octocat", "/approve"),
    Answer(),
    Hand("push", TaskId.DATA),
    Hand("close", TaskId.DATA),
    Say("octocat", "/resume", before_work=True),
    Hand("merge", TaskId.DATA),
    Say("octocat", "/cancel", before_work=True),
)
"""A person pushes, closes, opens again and merges while the bot is building."""

Deliver = Callable[[Event], Workflow]


def play(hub: FakeHub, moves: tuple[Move, ...], deliver: Deliver) -> None:
    """The quiet run: each event is delivered once, in order; workers answer until they are done."""
    for event in events(hub, moves):
        deliver(event)
    deliver(Tick(ISSUE, hub.clock))


def events(hub: FakeHub, moves: tuple[Move, ...]) -> Iterator[Event]:
    """Lazily: what happens next depends on what the bot has done so far."""
    yield hub.open_issue(ISSUE, "monalisa", "buy when RSI is low")
    waiting = list(moves)
    while True:
        if not (waiting and _busy(waiting[0])):
            yield from answers(hub)
        if not waiting:
            return
        yield act(hub, waiting.pop(0))


def _busy(move: Move) -> bool:
    return isinstance(move, Answer | Hand) or (isinstance(move, Say) and move.before_work)


def act(hub: FakeHub, move: Move) -> Event:
    match move:
        case Answer():
            return next(answers(hub))
        case Hand(what, task):
            branch = task_branch(Workflow(issue=ISSUE), task)
            if what == "push":
                hub.push(branch, sha_of("by hand"))
            else:
                (hub.close if what == "close" else hub.merge)(branch)
            return Tick(ISSUE, hub.tick())
        case Say(login, body):
            return hub.comment(ISSUE, login, body)
        case Merge(build):
            hub.merge(delivery_branch(Workflow(issue=ISSUE, build=build)))
            return Tick(ISSUE, hub.tick())


def answers(hub: FakeHub) -> Iterator[WorkFinished | GateAnswered]:
    """Every order that has no result yet gets one; that may bring new orders."""
    while open_orders := [o for k, o in hub.orders.items() if k not in hub.results]:
        for order in open_orders:
            hub.results[order.key] = WorkFinished(work(order), hub.tick())
            yield hub.results[order.key]
    for number in [n for n in hub.gates if n not in hub.gate_answers]:
        hub.gate_answers[number] = GateAnswered(gate_answer(number, hub.gates[number]), hub.tick())
        yield hub.gate_answers[number]


def gate_answer(number: int, sha: str) -> GateAnswer:
    """What a run of the gate that everybody approved tells."""
    approval = samples.approval(ISSUE, sha)
    return GateAnswer(
        issue=ISSUE, deployment=number, commit_sha=sha, approval=approval, approver_ids=(1, 2),
        tag=f"live/{approval.strategy}/{number}",
    )  # fmt: skip
