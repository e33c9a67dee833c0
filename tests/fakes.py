"""One fake per port. The store passes the same suite as the real one; the hub is a small GitHub."""

from __future__ import annotations

import copy
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from bot.events import (
    BranchMoved,
    CommentPosted,
    Event,
    Fact,
    GateAnswered,
    IssueMade,
    IssueOpened,
    ParityBroke,
    Published,
    PullClosed,
    PullMerged,
    PullOpened,
    PullPushed,
    WorkFinished,
)
from bot.metrics import Line
from bot.ports import Conflict, Look, Rejected, stop
from bot.tasks import delivery_branch, task_branch
from bot.wanted import awaited
from schemas.acts import (
    Act,
    Attempt,
    CallOwners,
    CheckRun,
    CloseIssue,
    CommitStatus,
    Labels,
    MergePull,
    OpenGate,
    OpenIssue,
    OpenPull,
    Publish,
    React,
    Reply,
    ReportComment,
    StatusComment,
    StopWork,
    TagCommit,
    Tell,
    View,
)
from schemas.codec import Invalid
from schemas.live import Gate
from schemas.work import WorkOrder
from schemas.workflow import Phase, Policy, Record, Role, Workflow


class MemoryStore:
    """Frozen documents need no copying, so this is fast enough for every interleaving."""

    def __init__(self) -> None:
        self.log: dict[int, list[tuple[str, Record, Workflow]]] = {}
        self.writes = 0

    def read(self, issue: int) -> tuple[Workflow, str]:
        if issue not in self.log:
            return Workflow(issue=issue), ""
        at, _, workflow = self.log[issue][-1]
        return workflow, at

    def write(self, workflow: Workflow, expected: str, record: Record) -> str:
        if self.read(workflow.issue)[1] != expected:
            raise Conflict(workflow.issue)
        self.writes += 1
        at = f"v{self.writes}"
        self.log.setdefault(workflow.issue, []).append((at, record, workflow))
        return at

    def issues(self) -> tuple[int, ...]:
        return tuple(sorted(self.log))

    def history(
        self, issue: int, broken: Callable[[Invalid], None] = stop
    ) -> Iterator[tuple[str, Record, Workflow]]:
        yield from self.log.get(issue, ())

    def copy(self) -> MemoryStore:
        twin = MemoryStore()
        twin.log = {n: list(rows) for n, rows in self.log.items()}
        twin.writes = self.writes
        return twin


def lines(store: MemoryStore, issue: int = 7, took: int = 4) -> list[Line]:
    """The audit log as if each line had been written so many seconds after its event."""
    return [Line(record, flow, record.at + took) for _, record, flow in store.history(issue)]


@dataclass
class Pull:
    number: int
    state: str = "open"
    merge_sha: str = ""
    closed_at: int = 0
    merged_head: str = ""


@dataclass
class FakeHub:
    """GitHub as the bot sees it: who wrote what, which branches and pull requests there are."""

    writers: tuple[str, ...] = ("octocat", "hubot-owner")
    opened: dict[int, IssueOpened] = field(default_factory=dict)
    said: list[CommentPosted] = field(default_factory=list)
    replies: dict[int, str] = field(default_factory=dict)
    reactions: set[tuple[int, str]] = field(default_factory=set)
    heads: dict[str, str] = field(default_factory=dict)
    pulls: dict[str, Pull] = field(default_factory=dict)
    linked: dict[tuple[int, str], str] = field(default_factory=dict)
    turns: dict[tuple[int, str], int] = field(default_factory=dict)
    attempts: dict[str, str] = field(default_factory=dict)
    closings: dict[str, str] = field(default_factory=dict)
    told: dict[int, Tell] = field(default_factory=dict)
    status: dict[int, str] = field(default_factory=dict)
    labels: dict[int, tuple[str, ...]] = field(default_factory=dict)
    checks: dict[str, str] = field(default_factory=dict)
    check_runs: dict[str, bool] = field(default_factory=dict)
    reports: dict[int, tuple[int, str]] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    called: dict[str, str] = field(default_factory=dict)
    orders: dict[str, WorkOrder] = field(default_factory=dict)
    running: set[str] = field(default_factory=set)
    results: dict[str, WorkFinished] = field(default_factory=dict)
    gates: dict[int, str] = field(default_factory=dict)
    gate_answers: dict[int, GateAnswered] = field(default_factory=dict)
    differences: list[ParityBroke] = field(default_factory=list)
    policy: Policy = field(default_factory=lambda: Policy(gate=Gate.COMMENT))
    stops: set[str] = field(default_factory=set)
    issue_bodies: list[str] = field(default_factory=list)
    made: Counter[str] = field(default_factory=Counter)
    clock: int = 1_000_000
    numbers: int = 100

    # What people do.

    def open_issue(self, number: int, login: str, body: str) -> IssueOpened:
        ident, at = user_id(login), self.tick()
        event = IssueOpened(number, "A strategy", body, login, ident, at, self.policy)
        self.opened[number] = event
        return event

    def comment(self, number: int, login: str, body: str) -> CommentPosted:
        ident = len(self.said) + 1
        event = CommentPosted(number, number, ident, login, user_id(login), body, self.tick())
        self.said.append(event)
        return event

    def push(self, branch: str, sha: str) -> None:
        self.heads[branch] = sha

    def close(self, branch: str) -> None:
        self.pulls[branch].state = "closed"
        self.pulls[branch].closed_at = self.tick()

    def merge(self, branch: str) -> None:
        self.pulls[branch].state = "merged"
        self.pulls[branch].merge_sha = sha_of(f"merge {branch}")
        self.pulls[branch].closed_at = self.clock
        self.pulls[branch].merged_head = self.heads.get(branch, "")
        if not branch.endswith("/deliver"):
            whole = branch.rsplit("/", 1)[0] + "/deliver"
            self.heads[whole] = self.pulls[branch].merge_sha

    def tick(self) -> int:
        self.clock += 10
        return self.clock

    # The port.

    def role(self, login: str) -> Role:
        return Role.WRITE if login in self.writers else Role.READ

    def news(self, workflow: Workflow, look: Look = Look.EVERYWHERE) -> tuple[Event, ...]:
        found: list[Event] = []
        if workflow.request is None and workflow.issue in self.opened:
            found.append(self.opened[workflow.issue])
        keys = [o.key for o in awaited(workflow)]
        found += [self.results[k] for k in keys if k in self.results]
        found += self._pull_news(workflow)
        answer = self.gate_answers.get(len(workflow.deployments))
        found += [answer] if answer and workflow.phase is Phase.WAITING else []
        found += [d for d in self.differences if d.key not in workflow.seen]
        comments = [c for c in self.said if c.issue == workflow.issue]
        return (*found, *(c for c in comments if c.key not in workflow.seen))

    def _pull_news(self, workflow: Workflow) -> list[Event]:
        found: list[Event] = []
        for task in workflow.tasks:
            branch = task_branch(workflow, task.id)
            head = self.heads.get(branch)
            if head and task.head and head != task.head:
                found.append(PullPushed(workflow.issue, branch, head, self.clock))
            found += self._closed(workflow, branch)
        whole = self.heads.get(delivery_branch(workflow))
        if workflow.delivery.head and whole and whole != workflow.delivery.head:
            found.append(PullPushed(workflow.issue, delivery_branch(workflow), whole, self.clock))
        return found + self._closed(workflow, delivery_branch(workflow))

    def _closed(self, workflow: Workflow, branch: str) -> list[Event]:
        pull = self.pulls.get(branch)
        if pull is None or pull.state == "open":
            return []
        sha = pull.merge_sha or self.heads.get(branch, sha_of(branch))
        merged, at = pull.state == "merged", pull.closed_at
        head = pull.merged_head
        return [PullClosed(workflow.issue, branch, sha, merged, "octocat", at, head)]

    def perform(self, workflow: Workflow, act: Act) -> Fact | None:
        match act:
            case Reply():
                self._once(act.key, act.comment_id in self.replies)
                assert self.replies.setdefault(act.comment_id, act.body) == act.body, act.key
            case React():
                self.reactions.add((act.comment_id, act.content))
            case Publish():
                return self._publish(act)
            case OpenPull():
                return self._open_pull(act)
            case MergePull():
                return self._merge(act)
            case OpenIssue():
                return self._open_linked(workflow, act)
            case CloseIssue():
                self._turn(workflow, act)
                self.closings.setdefault(act.key, act.body)
            case Attempt():
                assert self.attempts.setdefault(act.key, act.body) == act.body, act.key
            case StopWork():
                self.stops.add(act.key)
            case OpenGate():
                self._once(act.key, act.deployment in self.gates)
                self.gates[act.deployment] = act.sha
            case CheckRun():
                self.made[act.key] = 1  # a repeat shows the same once more
                self.check_runs[act.key] = act.passed
            case TagCommit():
                assert self.tags.setdefault(act.name, act.sha) == act.sha, act.key
            case ReportComment():
                self.show(workflow, act)
            case CallOwners():
                self.called[act.key] = act.body
        return None

    def _publish(self, act: Publish) -> Fact | None:
        sha = sha_of(act.key)
        there = self.heads.get(act.branch)
        if act.parent and there not in (None, act.parent, sha):
            return BranchMoved(act.branch, there)
        self._once(act.key, self.heads.get(act.branch) == sha)
        self.heads[act.branch] = sha
        return Published(act.branch, sha)

    def _open_pull(self, act: OpenPull) -> Fact:
        known = self.pulls.get(act.branch)
        merged = known and known.merged_head and known.merged_head == self.heads.get(act.branch)
        there = known is not None and (known.state == "open" or bool(merged))
        self._once(act.key, there)
        if not there:
            self.numbers += 1
            self.pulls[act.branch] = Pull(self.numbers)
        return PullOpened(act.branch, self.pulls[act.branch].number)

    def _merge(self, act: MergePull) -> Fact | None:
        pull = self.pulls[act.branch]
        if pull.state == "merged":
            return PullMerged(act.branch, pull.merge_sha)
        if pull.state == "closed":
            raise Rejected("Pull Request is not mergeable")
        if self.heads[act.branch] != act.sha:
            return None
        self._once(act.key, False)
        self.merge(act.branch)
        return PullMerged(act.branch, pull.merge_sha)

    def _open_linked(self, workflow: Workflow, act: OpenIssue) -> Fact:
        key = (workflow.issue, act.topic)
        self._once(f"issue/{act.topic}", key in self.linked)
        if key not in self.linked:
            self.issue_bodies.append(act.body)
        self._turn(workflow, act)
        return IssueMade(act.topic, 500 + sorted(self.linked).index(key))

    def _turn(self, workflow: Workflow, act: OpenIssue | CloseIssue) -> None:
        """Opened, closed, opened again: what is late changes nothing."""
        key, closes = (workflow.issue, act.topic), isinstance(act, CloseIssue)
        turn = 2 * act.turn + closes
        if turn >= self.turns.get(key, 0):
            self.turns[key], self.linked[key] = turn, "closed" if closes else "open"

    def _once(self, key: str, there: bool) -> None:
        self.made[key] += not there

    def show(self, workflow: Workflow, view: View) -> None:
        match view:
            case Tell():
                self.told.pop(workflow.issue, None)
                self.told |= {workflow.issue: view} if view.body else {}
            case StatusComment():
                self.made["status"] += workflow.issue not in self.status
                self.status[workflow.issue] = view.body
            case Labels():
                self.labels[workflow.issue] = view.names
            case CommitStatus():
                self.checks[view.sha] = view.state
            case ReportComment():
                if self.reports.get(view.number, (0, ""))[0] < view.version:
                    self.reports[view.number] = view.version, view.body

    def dispatch(self, order: WorkOrder, fresh: bool = False) -> None:
        self.orders.setdefault(order.key, order)

    def alive(self, orders: tuple[WorkOrder, ...]) -> frozenset[str]:
        return frozenset(order.key for order in orders) & self.running

    def open_requests(self) -> tuple[int, ...]:
        return tuple(sorted(self.opened))

    def stirred(self) -> dict[int, int]:
        week = self.clock - 7 * 24 * 3600
        said = {c.issue: c.at for c in self.said if c.at > week}
        return dict.fromkeys(self.opened, self.clock) | said

    def world(self) -> dict[str, object]:
        """Everything that anybody can see, for comparing two runs."""
        seen = {k: v for k, v in self._copied().items() if k not in ("clock", "orders", "results")}
        return seen | {"ordered": sorted(self.orders)}

    def copy(self) -> FakeHub:
        return FakeHub(**self._copied())

    def _copied(self) -> dict[str, Any]:
        """Documents and events are frozen; only the containers and the pull requests change."""
        pulls = {branch: replace(pull) for branch, pull in self.pulls.items()}
        return {k: copy.copy(v) for k, v in vars(self).items()} | {"pulls": pulls}


def sha_of(text: str) -> str:
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


def user_id(login: str) -> int:
    return int(sha_of(login)[:6], 16) + 1
