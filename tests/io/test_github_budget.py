"""What it costs in requests to answer one command, with the whole bot on real HTTP."""

from collections.abc import Iterator

import pytest

from bot.events import Tick
from bot.handle import handle
from schemas.workflow import Record, Workflow
from tests.io.desk import Desk

BUDGET = 15


class Shelf:
    """State in memory: the store's own requests go to git, not to this budget."""

    def __init__(self) -> None:
        self.kept: dict[int, list[tuple[Workflow, Record]]] = {}

    def read(self, issue: int) -> tuple[Workflow, str]:
        versions = self.kept.get(issue)
        return (versions[-1][0], str(len(versions))) if versions else (Workflow(issue=issue), "")

    def write(self, workflow: Workflow, expected: str, record: Record) -> str:
        self.kept.setdefault(workflow.issue, []).append((workflow, record))
        return str(len(self.kept[workflow.issue]))

    def issues(self) -> tuple[int, ...]:
        return tuple(self.kept)

    def history(self, issue: int) -> Iterator[tuple[str, Record, Workflow]]:
        return iter(())


@pytest.mark.parametrize("command", ["/help", "/status", "/cancel", "/aprove"])
def test_a_command_is_answered_within_the_budget(desk: Desk, command: str) -> None:
    shelf = Shelf()
    handle(Tick(1, desk.world.time), shelf, desk.another())
    comment = desk.world.comment(desk.ann, 1, command)
    with desk.server.count(BUDGET) as made:
        handle(Tick(1, desk.world.time), shelf, desk.another())
    paid = [seen for seen in made if seen.status != 304]
    print(f"{command}: {len(made)} requests, {len(paid)} of them count")
    assert sum(f"stratbot:reply={comment['id']}" in body for body in desk.bodies()) == 1
    with desk.server.count(4):
        handle(Tick(1, desk.world.time), shelf, desk.another())
