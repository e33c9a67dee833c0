"""Walks the journey as a person does: through the API of the local GitHub, a line per step."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from github.Issue import Issue
from github.PullRequest import PullRequest

from bot.demo.stage import Stage

LOOK = 0.5
GLANCE = 2.0
"""Where a person is at it: they are slower than the bot."""
BOX = re.compile(r"- \[[ x]\] (?P<title>.+?): (?P<said>.+?) <!-- (?P<id>\w+) -->")
COLUMN = re.compile(r'df\["\w+"\]')
STANDS = re.compile(r"\*\*(.+?)\*\*")
WAITS = {"stratbot:asking", "stratbot:declined", "stratbot:escalated", "stratbot:cancelled"}
DELIVERED = {"stratbot:delivering", "stratbot:delivered"}
Say = Callable[[str, str], None]


@dataclass
class Walk:
    """`say` gets what happened and where to see it."""

    stage: Stage
    issue: Issue
    say: Say
    broken: str = ""
    seen: set[str] = field(default_factory=set)
    approved: bool = False

    def until_it_waits(self) -> PullRequest | None:
        """The delivery that waits for a review; None where the bot waits for a person's words."""
        while True:
            labels, body = self._look()
            if "stratbot:planned" in labels:
                self._type("/approve")
            if self.broken:
                self._break()
            if labels & DELIVERED and "Delivery: #" in body and self._passed(body):
                return self._delivery(body)
            if labels & WAITS:
                return None
            time.sleep(LOOK)

    def until_answered(self) -> None:
        while self._look()[0] & WAITS:
            time.sleep(GLANCE)

    def for_ever(self) -> None:
        while True:
            self._look()
            time.sleep(GLANCE)

    def words(self) -> str:
        """What the bot says, as plain text: its marks and small print are for a browser."""
        told = re.sub(r"(?s)<details>.*?</details>|<sub>.*?</sub>|<!--.*?-->", "", self._status())
        return re.sub(r"[`*]", "", told).strip() or "The bot needs your words."

    def _look(self) -> tuple[set[str], str]:
        self.issue.update()
        body = self._status()
        self._tell(body)
        return {label.name for label in self.issue.labels}, body

    def _status(self) -> str:
        ours = (c.body for c in self.issue.get_comments() if "stratbot:status" in c.body[:60])
        return next(iter(ours), "")

    def _tell(self, body: str) -> None:
        """What the status comment says of each step, as it changes."""
        if body:
            self._once(_stands(body).split(".")[0] + ".", self.issue.html_url)
        for what, where in steps(body, self.stage.home):
            self._once(what, where)
        for sub in self.stage.repo().get_issues(state="all", labels=["debug"]):
            if f"Part of #{self.issue.number}." in (sub.body or ""):
                self._once(f"Debug issue #{sub.number} {sub.state}: {sub.title}", sub.html_url)

    def _once(self, what: str, where: str) -> None:
        if what not in self.seen:
            self.seen.add(what)
            self.say(what, where)

    def _type(self, words: str) -> None:
        mine = (c.body for c in self.issue.get_comments() if c.user.login == "you")
        if not self.approved and words not in mine:
            self.say(f"you type {words}", "")
            self.issue.create_comment(words)
        self.approved = True

    def _break(self) -> None:
        """Somebody pushes a mistake onto the branch of the last step before it is tested."""
        repo = self.stage.repo()
        for pull in repo.get_pulls(state="open"):
            if pull.head.ref.endswith("/t4_exit"):
                path = next(f.filename for f in pull.get_files() if f.filename.endswith("y.py"))
                file = repo.get_contents(path, ref=pull.head.ref)
                assert not isinstance(file, list)  # nosec B101
                code = file.decoded_content.decode()
                wrong = COLUMN.sub(r"\g<0>.shift(-1)", code, count=1)
                message = "Use the next bar"
                repo.update_file(path, message, wrong, file.sha, branch=pull.head.ref)
                self.say("somebody pushes a look into the future", pull.html_url)
                self.broken = ""

    def _passed(self, body: str) -> bool:
        """A person would look at the mark beside the newest commit."""
        pull = self._delivery(body)
        return pull is not None and (pull.merged or self._state(pull.head.sha) == "success")

    def _state(self, sha: str) -> str:
        return str(self.stage.repo().get_commit(sha).get_combined_status().state)

    def _delivery(self, body: str) -> PullRequest | None:
        found = re.search(r"Delivery: #(\d+)", body)
        return self.stage.repo().get_pull(int(found[1])) if found else None


def steps(body: str, home: str) -> Iterator[tuple[str, str]]:
    """Of each step what the status comment says, and the address of its pull request."""
    for box in BOX.finditer(body):
        pull = re.search(r"#(\d+)", box["said"])
        said = re.sub(r"#\d+ ?", "", box["said"], count=1) if pull else box["said"]
        yield f"{box['title']}: {said}", f"{home}/pull/{pull[1]}" if pull else ""


def _stands(body: str) -> str:
    found = STANDS.search(body)
    return re.sub(r"[`*]", "", found[1]) if found else "The bot has not spoken yet."
