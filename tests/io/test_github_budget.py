"""What it costs in requests to answer one command, with the whole bot on real HTTP."""

import pytest

from bot.events import Tick
from bot.handle import handle
from tests.fakes import MemoryStore
from tests.io.desk import Desk

BUDGET = 15


@pytest.mark.parametrize("command", ["/help", "/status", "/cancel", "/aprove"])
def test_a_command_is_answered_within_the_budget(desk: Desk, command: str) -> None:
    store = MemoryStore()
    handle(Tick(1, desk.world.time), store, desk.another())
    comment = desk.world.comment(desk.octocat, 1, command)
    with desk.server.count(BUDGET) as made:
        handle(Tick(1, desk.world.time), store, desk.another())
    paid = [seen for seen in made if seen.status != 304]
    print(f"{command}: {len(made)} requests, {len(paid)} of them count")
    assert sum(f"stratbot:reply={comment['id']}" in body for body in desk.bodies()) == 1
    with desk.server.count(4):
        handle(Tick(1, desk.world.time), store, desk.another())
