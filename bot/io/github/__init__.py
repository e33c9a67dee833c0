"""GitHub itself, behind the Hub port: look, compare, change only what differs."""

from __future__ import annotations

from bot.events import Event, Fact, Identity
from bot.io.clock import Clock, WallClock
from bot.io.github import code, news, pulls, runs, talk
from bot.io.github.site import Site
from bot.io.github.wire import Refused, Wire
from bot.ports import Look
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
from schemas.work import WorkOrder
from schemas.workflow import Policy, Role, Workflow

WRITERS = {"admin", "maintain", "write"}


class GitHubHub:
    """One repository. `spacing` is the pause between two writes that GitHub asks for."""

    def __init__(
        self,
        repo: str,
        token: str,
        me: Identity,
        policy: Policy,
        *,
        base_url: str = "https://api.github.com",
        clock: Clock | None = None,
        spacing: float = 1.0,
        timeout: int = 20,
    ) -> None:
        clock = clock or WallClock()
        wire = Wire(token, base_url, clock, spacing, timeout)
        self.site = Site(repo, wire, clock, me, policy)

    @property
    def requests(self) -> tuple[int, int]:
        """How many were sent, and how many of them GitHub does not count."""
        return self.site.wire.sent, self.site.wire.free

    def role(self, login: str) -> Role:
        """The effective permission, through teams too. A stranger has none, or only `read`."""
        try:
            permission = self.site.repo.get_collaborator_permission(login)
        except Refused as no:
            if no.status not in (403, 404):  # 403: our token may not ask; the refusal says so
                raise
            return Role.READ
        return Role.WRITE if permission in WRITERS else Role.READ

    def news(self, workflow: Workflow, look: Look = Look.EVERYWHERE) -> tuple[Event, ...]:
        return news.news(self.site, workflow, look)

    def alive(self, orders: tuple[WorkOrder, ...]) -> frozenset[str]:
        return runs.alive(self.site, orders)

    def open_requests(self) -> tuple[int, ...]:
        return news.open_requests(self.site)

    def stirred(self) -> dict[int, int]:
        return news.stirred(self.site)

    def schedule(self, on: bool) -> None:
        runs.schedule(self.site, on)

    def perform(self, workflow: Workflow, act: Act) -> Fact | None:
        match act:
            case Publish():
                return code.publish(self.site, workflow, act)
            case OpenPull():
                return pulls.open_pull(self.site, workflow, act)
            case MergePull():
                return pulls.merge_pull(self.site, workflow, act)
            case OpenIssue():
                return talk.open_issue(self.site, workflow, act)
            case CloseIssue():
                talk.close_issue(self.site, workflow, act)
            case Attempt():
                talk.attempt(self.site, workflow, act)
            case Reply():
                talk.reply(self.site, act)
            case React():
                talk.react(self.site, act)
            case StopWork():
                runs.stop(self.site, workflow, act)
            case OpenGate():
                runs.open_gate(self.site, workflow, act)
            case CheckRun():
                code.check(self.site, act)
            case TagCommit():
                code.tag(self.site, act)
            case ReportComment():
                talk.report(self.site, act)
            case CallOwners():
                talk.call(self.site, workflow, act)
        return None

    def show(self, workflow: Workflow, view: View) -> None:
        match view:
            case Tell():
                talk.tell(self.site, workflow, view)
            case StatusComment():
                talk.show_status(self.site, workflow, view)
            case Labels():
                talk.show_labels(self.site, workflow, view)
            case CommitStatus():
                code.show_status(self.site, view)
            case ReportComment():
                talk.report(self.site, view)

    def dispatch(self, order: WorkOrder, fresh: bool = False) -> None:
        runs.dispatch(self.site, order, fresh)
