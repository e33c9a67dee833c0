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
    """What was listed last. An issue and the status in it are used once, then read again."""
    made: set[str] = field(default_factory=set)
    """Commits that this process made and that nobody has put a status on."""

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
        rows = list(self.wire.rows(f"{self.url}/issues/{number}/comments"))
        self.memory[f"comments/{number}"] = rows
        return self._ours(rows, marker)

    def lacks(self, number: int, marker: str) -> bool:
        """Not among the comments that were just listed, so it can be written at once."""
        rows = self.memory.get(f"comments/{number}")
        return rows is not None and not self._ours(rows, marker)

    def remembered(self, number: int, marker: str) -> list[IssueComment]:
        """Ours among the comments that were just listed; none where they were not."""
        return self._ours(self.memory.get(f"comments/{number}", []), marker)

    def known(self, number: int, marker: str) -> list[IssueComment]:
        """Ours among the comments that were just listed, or as they are listed now."""
        listed = f"comments/{number}" in self.memory
        return self.remembered(number, marker) if listed else self.ours(number, marker)

    def silent(self, number: int) -> None:
        """GitHub counts no comment there, so none needs to be listed."""
        self.memory[f"comments/{number}"] = []

    def say(self, number: int, body: str) -> None:
        """A new comment. What was listed before it stays known; where it tears, nothing does."""
        rows = self.memory.pop(f"comments/{number}", None)
        made = self.thread(number).create_comment(body)
        if rows is not None:
            self.memory[f"comments/{number}"] = [*rows, made.raw_data]

    def forget(self, number: int) -> None:
        self.memory.pop(f"comments/{number}", None)

    def _ours(self, rows: list[Any], marker: str) -> list[IssueComment]:
        found = (IssueComment(self.wire, {}, row, completed=True) for row in rows)
        return sorted((c for c in found if self.is_ours(c, marker)), key=lambda c: c.id)

    def recalled(self, number: int) -> Issue | None:
        row = self.memory.pop(f"issue/{number}", None)
        return Issue(self.wire, {}, row, completed=True) if row else None


def marker(name: str, value: object = None) -> str:
    return f"<!-- stratbot:{name} -->" if value is None else f"<!-- stratbot:{name}={value} -->"


def gone(no: Refused) -> bool:
    return no.status in (404, 410)
