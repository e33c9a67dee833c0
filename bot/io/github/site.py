"""Our repository, and how what we wrote there is told from what others wrote."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from github.Issue import Issue
from github.IssueComment import IssueComment
from github.Repository import Repository

from bot.events import Identity
from bot.io.clock import Clock
from bot.io.github.wire import Refused, Wire
from schemas.workflow import Policy


@dataclass(frozen=True, slots=True)
class Site:
    name: str
    wire: Wire
    clock: Clock
    me: Identity
    policy: Policy
    started: dict[str, float] = field(default_factory=dict)
    """When this process started which work: a new run is not listed at once."""
    memory: dict[str, Any] = field(default_factory=dict)
    """What the look for news has just seen. Each is used once, then read again."""

    @property
    def url(self) -> str:
        return f"/repos/{self.name}"

    @property
    def repo(self) -> Repository:
        return Repository(self.wire, url=self.url)

    def issue(self, number: int) -> Issue:
        return self.repo.get_issue(number)

    def thread(self, number: int) -> Issue:
        """For its comments: the issue itself is not asked for."""
        return Issue(self.wire, url=f"{self.url}/issues/{number}")

    def signed(self, marker: str, body: str) -> str:
        """The marker comes first: there nobody's quoted text can forge it and no cut removes it."""
        return self.wire.outgoing(f"{marker}\n{body}")

    def is_ours(self, thing: Issue | IssueComment, marker: str) -> bool:
        """Signed and written by us: anyone can copy a marker."""
        ours = thing.user is not None and thing.user.id == self.me.bot_id
        return ours and (thing.body or "").startswith(marker)

    def ours(self, number: int, marker: str) -> list[IssueComment]:
        found = (c for c in self.thread(number).get_comments() if self.is_ours(c, marker))
        return sorted(found, key=lambda c: c.id)

    def remembered(self, number: int, marker: str) -> list[IssueComment]:
        """Ours among the comments that were just listed; none where they were not."""
        rows = self.memory.pop(f"comments/{number}", [])
        found = (IssueComment(self.wire, {}, row, completed=True) for row in rows)
        return sorted((c for c in found if self.is_ours(c, marker)), key=lambda c: c.id)

    def recalled(self, number: int) -> Issue | None:
        row = self.memory.pop(f"issue/{number}", None)
        return Issue(self.wire, {}, row, completed=True) if row else None


def marker(name: str, value: object = None) -> str:
    return f"<!-- stratbot:{name} -->" if value is None else f"<!-- stratbot:{name}={value} -->"


def gone(no: Refused) -> bool:
    return no.status in (404, 410)
