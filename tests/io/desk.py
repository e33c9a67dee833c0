"""One repository on a small GitHub, the hub under test, and a second client that looks at it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import github3

from bot.events import Identity
from bot.io.github import GitHubHub
from schemas.acts import File, Publish
from schemas.work import Request, WorkKind, WorkOrder
from schemas.workflow import Policy, Workflow
from tests.io.github_server import Fault, Server
from tests.io.github_world import REPO, World

BOT_ID, OWNER_ID, STRANGER_ID, HELPER_ID = 41, 7, 13, 99
ASKED = "Buy the breakout of 20 days."
DELIVER = "ai/generated/wf_1/deliver"
BRANCH = "ai/generated/wf_1/t1_data"


@dataclass
class HeldClock:
    """The repository's own time. Sleeping is remembered, and takes none."""

    world: World
    slept: list[float] = field(default_factory=list)

    def now(self) -> float:
        return float(self.world.time)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


class Desk:
    """octocat asks in issue 1; stranger is a stranger; the bot is `stratbot[bot]`."""

    def __init__(self, server: Server) -> None:
        self.server, self.world = server, server.world
        self.token = self.world.person("stratbot[bot]", BOT_ID, kind="Bot", role="write")
        self.octocat = self.world.person("octocat", OWNER_ID, role="admin")
        self.stranger = self.world.person("stranger", STRANGER_ID)
        self.helper = self.world.person("helper[bot]", HELPER_ID, kind="Bot")
        self.world.commit("main", {"README.md": "desk\n"}, "start")
        self.world.issue(self.octocat, "Breakout", ASKED, [])
        self.clock = HeldClock(self.world)
        self.hub = self.another()
        self.workflow = Workflow(
            issue=1,
            request=Request(title="Breakout", body=ASKED, author="octocat"),
            author_id=OWNER_ID,
        )

    def another(self, timeout: int = 5, spacing: float = 0) -> GitHubHub:
        """A hub in another process would be: nothing remembered, nothing shared."""
        return GitHubHub(
            REPO, self.token, Identity(BOT_ID, frozenset({HELPER_ID})), Policy(),
            base_url=self.world.url, clock=self.clock, spacing=spacing, timeout=timeout,
        )  # fmt: skip

    def fault(self, verb: str, path: str, **how: Any) -> None:
        self.server.faults.append(Fault(verb, path, **how))

    def bodies(self, number: int = 1) -> list[str]:
        """As the second client reads them."""
        return [str(c.body) for c in self.second().issue("acme", "desk", number).comments()]

    def second(self) -> Any:
        client = github3.GitHub(token=self.octocat)
        client.session.base_url = self.world.url
        return client

    def once_however_torn(self, act: Callable[[GitHubHub], object], verb: str, path: str) -> object:
        """Done, but the answer is lost; done again by the next run; and once more."""
        self.fault(verb, path, tear=True, after=True)
        try:
            act(self.hub)
        except Exception as e:
            assert type(e).__name__ == "Unavailable", e
        else:
            raise AssertionError(f"no {verb} {path} was made")
        first = act(self.another())
        assert act(self.hub) == first
        return first


def publish(text: str = "x = 1\n", digit: str = "a") -> Publish:
    return Publish(
        branch=BRANCH, base=DELIVER, digest="sha256:" + digit * 64, message="Draft the data step",
        files=(File(path="strategies/wf_1/strategy.py", text=text),),
    )  # fmt: skip


def order(key: str = "plan-0123abcd") -> WorkOrder:
    return WorkOrder(
        key=key, kind=WorkKind.PLAN, issue=1, workflow_id="wf_1", correlation_id="corr_1",
        request=Request(title="Breakout", body="Buy.", author="octocat"), deadline=0,
    )  # fmt: skip
