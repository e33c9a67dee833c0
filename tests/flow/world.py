"""A repository with the bot at work, and what a person can do and see in it."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from github.Issue import Issue
from github.IssueComment import IssueComment
from github.PullRequest import PullRequest
from github.Repository import Repository

from tests.audited import audited, open_tests
from tests.flow import project
from tests.twin.desk import TOKENS, Desk
from tests.twin.running import Twin
from tests.twin.waiting import until
from tests.workflows.files import ROOT

T = TypeVar("T")
REQUEST = "Buy SPY when RSI(2) is below 10. Sell when it is above 70. Daily, long only, no stop."
BOT = "github-actions[bot]"
PATIENCE = 900
PAUSE = 0.5


class World:
    """octocat owns it, hubot may write, stranger is a stranger, as in `Desk`."""

    def __init__(
        self, twin: Twin, folder: Path, worker: str = project.BY_RULES, *, queue: bool = True,
        **policy: Any,
    ) -> None:  # fmt: skip
        self.desk, self.folder = Desk(twin, folder), folder
        self.name, self.patience = self.desk.full_name, PATIENCE
        self.people: dict[str, Repository] = {}
        project.push(twin.url, self.name, f"{TOKENS}octocat", worker, queue)
        self.repo().create_variable("STRATBOT_SPACING", "0")
        if policy:
            self.repo().create_variable("STRATBOT_POLICY", json.dumps(policy))
        self.pulls_by_actions(True)
        self.desk.unlimited()

    def repo(self, login: str = "octocat") -> Repository:
        if login not in self.people:
            self.people[login] = self.desk.repo(login)
        return self.people[login]

    def get(self, path: str) -> Any:
        """By hand: who looks often must not keep the machine busy."""
        said = self.desk.api("GET", self.desk.at(path))
        assert said.status_code == 200, said.text
        return said.json()

    def pulls_by_actions(self, allowed: bool) -> None:
        """The setting that lets a job open pull requests."""
        said = self.desk.api(
            "PUT", self.desk.at("/actions/permissions/workflow"),
            default_workflow_permissions="read", can_approve_pull_request_reviews=allowed,
        )  # fmt: skip
        assert said.status_code == 204, said.text

    def ask(self, body: str = REQUEST, title: str = "RSI dips", login: str = "stranger") -> Story:
        return Story(self, self.repo(login).create_issue(title, body=body).number)

    def variable(self, name: str, value: str) -> None:
        self.repo().create_variable(name, value)

    def pass_time(self, seconds: int) -> None:
        """By GitHub's clock."""
        assert self.desk.api("POST", "/_twin/clock", "root", seconds=seconds).status_code == 200

    def many(self) -> World:
        """More jobs than GitHub lets ask in an hour: here they may, so that nobody waits for it."""
        said = self.desk.api("PATCH", "/_twin/limits", "root", hourly=0, actions=0)
        assert said.status_code == 200, said.text
        return self

    def sweep(self) -> None:
        """What the clock does every few minutes, and waits for its end."""
        said = self.desk.api("POST", f"/_twin/schedules/{self.name}", "root")
        assert said.status_code == 201, said.text
        self.rest()

    def rest(self) -> None:
        """Until no job is running or waiting."""
        until(self.busy, lambda busy: not busy, self.patience, PAUSE)

    def busy(self) -> list[str]:
        rows = self.get("/actions/runs?per_page=40")["workflow_runs"]
        return [r["display_title"] for r in rows if r["status"] != "completed"]

    def printed(self, *command: str) -> str:
        """What this command line prints about it, from what its git keeps."""
        url = self.desk.twin.url.replace("://", f"://x:{TOKENS}octocat@")
        return subprocess.run(
            [sys.executable, "-m", "bot", *command, "--state", f"{url}/{self.name}.git"], cwd=ROOT,
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip

    def logs(self) -> list[str]:
        """Of every job that was run, newest first."""
        runs = self.repo().get_workflow_runs()
        jobs = (job for run in runs for job in run.jobs() if job.conclusion != "skipped")
        return [self.desk.api("GET", self.desk.at(f"/actions/jobs/{j.id}/logs")).text for j in jobs]


@dataclass
class Story:
    """One request as people see it."""

    world: World
    number: int

    def issue(self, login: str = "octocat") -> Issue:
        return self.world.repo(login).get_issue(self.number)

    def say(self, words: str, login: str = "hubot", on: int | None = None) -> IssueComment:
        return self.world.repo(login).get_issue(on or self.number).create_comment(words)

    def answered(self, words: str, login: str = "hubot", on: int | None = None) -> str:
        """Says it and waits for the answer."""
        return self.answer(self.say(words, login, on), on)

    def answer(self, comment: IssueComment, on: int | None = None) -> str:
        mark = f"<!-- stratbot:reply={comment.id} -->"
        found = self.until(lambda: self.marked(mark, on), bool)
        assert len(found) == 1, found
        return found[0]

    def marked(self, mark: str, on: int | None = None) -> list[str]:
        """What the bot wrote under this mark."""
        return [b.removeprefix(mark).strip() for b in self.words(on) if b.startswith(mark)]

    def words(self, on: int | None = None) -> list[str]:
        rows = self.world.get(f"/issues/{on or self.number}/comments?per_page=100")
        return [c["body"] for c in rows if c["user"]["login"] == BOT]

    def reactions(self, comment: IssueComment) -> list[str]:
        return [r.content for r in comment.get_reactions()]

    @property
    def status(self) -> str:
        [found] = self.marked("<!-- stratbot:status -->") or [""]
        return found

    @property
    def labels(self) -> set[str]:
        found = self.world.get(f"/issues/{self.number}")["labels"]
        return {x["name"].removeprefix("stratbot:") for x in found}

    def comes_to(self, *labels: str) -> Story:
        """Waits until exactly these labels are there."""
        self.until(lambda: self.labels, lambda now: now == set(labels))
        return self

    def shows(self, words: str) -> str:
        """Waits until the status comment says this."""
        return self.until(lambda: self.status, lambda status: words in status)

    def until(self, look: Callable[[], T], good: Callable[[T], object]) -> T:
        return until(look, lambda found: bool(good(found)), self.world.patience, PAUSE)

    @property
    def boxes(self) -> dict[str, str]:
        """Of the checklist: what is said of each step."""
        found = re.finditer(r"- \[([ x])\] (.+?) <!-- (\w+) -->", self.status)
        return {row[3]: f"{row[1]} {row[2]}".strip() for row in found}

    def box(self, task: str, words: str) -> str:
        """Waits until the checklist says this of a step; `x` at its start is a tick."""
        return self.until(lambda: self.boxes.get(task, ""), lambda box: words in box)

    def branch(self, task: str) -> str:
        return f"ai/generated/wf_{self.number}/{task}"

    def pull(self, task: str) -> PullRequest:
        """The newest from that branch; waits for it."""
        head = f"octocat:{self.branch(task)}"
        repo = self.world.repo()
        return self.until(lambda: list(repo.get_pulls(state="all", head=head)), bool)[0]

    def report(self, pull: PullRequest) -> str:
        """Waits for it; there is only one."""
        mark = "<!-- stratbot:report="
        found = self.until(lambda: [w for w in self.words(pull.number) if w.startswith(mark)], bool)
        assert len(found) == 1, found
        return found[0]

    def file(self, path: str, ref: str) -> str:
        found = self.world.repo().get_contents(path, ref=ref)
        assert not isinstance(found, list)
        return found.decoded_content.decode()

    def push(self, path: str, ref: str, change: tuple[str, str], login: str = "hubot") -> str:
        """A person replaces words in a file of a branch; the new commit."""
        repo = self.world.repo(login)
        there = repo.get_contents(path, ref=ref)
        assert not isinstance(there, list)
        text = there.decoded_content.decode()
        assert change[0] in text, path
        made = repo.update_file(path, "By hand", text.replace(*change, 1), there.sha, branch=ref)
        return str(made["commit"].sha)

    def audit(self) -> list[dict[str, Any]]:
        """Its audit log as it is printed, held line by line to the schemas. All tests ended."""
        lines = audited(self.world.printed("audit", str(self.number)))
        assert not open_tests(lines), open_tests(lines)
        return lines

    def opened(self, address: str, ref: str) -> object:
        """What an event points to: a file of the results, or a place in what a run uploaded."""
        title, _, rest = address.partition("/result/result.json#")
        if not rest:
            return self.file(address, ref)
        [run] = [r for r in self.world.repo().get_workflow_runs() if r.display_title == title]
        [kept] = [a for a in run.get_artifacts() if a.name == "result"]
        zipped = self.world.desk.api("GET", self.world.desk.at(f"/actions/artifacts/{kept.id}/zip"))
        found = json.loads(zipfile.ZipFile(io.BytesIO(zipped.content)).read("result.json"))
        for part in rest.split("/")[1:]:
            found = found[int(part)] if part.isdigit() else found[part]
        return found

    def debug_issues(self) -> list[Issue]:
        return list(self.issue().get_sub_issues())
