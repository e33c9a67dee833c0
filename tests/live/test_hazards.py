"""What costs money: positions closed by hand, lost orders, losses, bad bars, halts, versions."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from adapters.live.exchange import Market
from adapters.live.port import Bar, Down, Ticket
from adapters.live.runner import Runner
from adapters.live.steady import Steady
from bot.live import machine
from bot.live.refused import Code, Refused
from bot.live.watch import Word
from schemas.live import Limits, OnRollback
from tests.live.inside import Line, Log, end, events, life
from tests.live.restless import Strategy
from tests.live.test_crash import LIMITS, Died, market


class Patient(Strategy):
    """Buys once and never leaves by itself."""

    def find_entries(self, df: Any, indicators: Any, idx: int) -> Any:
        return {"action": "BUY", "symbol": "AAPL", "volume": 1.0, "type": "MARKET"}

    def find_exits(self, position: Any, df: Any, indicators: Any, idx: int) -> Any:
        return None


class Waiting(Patient):
    """Its entry waits far below the market."""

    def find_entries(self, df: Any, indicators: Any, idx: int) -> Any:
        order = super().find_entries(df, indicators, idx)
        return {**order, "type": "LIMIT", "price": df["Close"].iloc[idx] / 2, "good_for": 50}


@pytest.fixture
def world() -> Market:
    return market()


def held(world: Market, folder: Path, limits: Limits = LIMITS) -> Runner:
    """A run that holds one unit."""
    run = life(Line(world), folder, Patient, limits)
    run.start()
    run.run(2)
    assert run.adapter.book.net() == world.paper.net("AAPL") == 1.0
    return run


def by_hand(world: Market) -> None:
    """The owner closes the position in the broker's own program."""
    broker = world.paper._broker
    broker.close_position(str(broker.positions[0]["position_id"]))
    world.paper._exits = {str(p["position_id"]): "by hand" for p in broker.positions}


class Blind(Line):
    """Has neither a clock nor an account to tell, or a clock that is wrong."""

    what = ""

    def _ask(self, op: str, **facts: Any) -> Any:
        if self.what == "skewed" and op == "clock":
            told = super()._ask(op)
            return {**told, "server": told["server"] - 60.0}
        if op == self.what:
            raise Down(f"no {op}")
        return super()._ask(op, **facts)


# ------------------------------------------------------------------------------- positions
@pytest.mark.parametrize("what", ["skewed", "clock", "funds"])
@pytest.mark.parametrize("how", ["exit", "flatten"])
def test_an_exit_needs_no_clock_and_no_account(
    world: Market, tmp_path: Path, what: str, how: str
) -> None:
    line = Blind(world)
    run = life(line, tmp_path, Patient)
    run.start()
    run.run(2)
    line.what = what
    if how == "flatten":
        (tmp_path / "STOP").write_text("flatten\n")
        assert run.run(0) == "stopped: flatten"
    else:
        (name,) = run.adapter.book.held
        assert run.adapter.close_position(name)["success"]
        world._move()
    assert world.paper.net("AAPL") == 0.0 and run.stopping is None


def test_a_switch_that_cannot_be_read_stops_the_run_and_not_the_exit(
    world: Market, tmp_path: Path
) -> None:
    run = held(world, tmp_path)

    def broken() -> Word:
        raise OSError("no")

    run.listen = broken
    (name,) = run.adapter.book.held
    assert run.adapter.close_position(name)["success"]
    assert run.stopping is not None and run.stopping.code == Code.GUARD_ERROR
    world._move()
    assert world.paper.net("AAPL") == 0.0


def test_a_position_that_was_closed_by_hand_stops_the_run_before_it_decides(
    world: Market, tmp_path: Path
) -> None:
    run = held(world, tmp_path)
    sent = len(world.received)
    by_hand(world)
    with pytest.raises(Refused, match="positions_differ: the broker has 0, our records 1"):
        run.run(3)
    assert len(world.received) == sent and (tmp_path / "HALT").exists()


def test_a_stop_closes_also_what_was_filled_a_moment_ago(world: Market, tmp_path: Path) -> None:
    run = life(Line(world), tmp_path, Patient)
    run.start()
    run.run(1)
    world._move()  # the entry is filled, and nobody was told yet
    assert run.adapter.book.net() == 0.0 and world.paper.net("AAPL") == 1.0
    (tmp_path / "STOP").write_text("flatten\n")
    assert run.run(0) == "stopped: flatten"
    assert world.paper.net("AAPL") == 0.0 and not (tmp_path / "STOP").exists()


class Stubborn(Line):
    """Refuses the first exits."""

    refuses = 2

    def _ask(self, op: str, **facts: Any) -> Any:
        if op == "submit" and facts["ticket"]["closes"] and self.refuses:
            self.refuses -= 1
            return {"client_id": facts["ticket"]["client_id"], "standing": "rejected", "why": "no"}
        return super()._ask(op, **facts)


def test_an_exit_that_the_broker_refuses_is_sent_again_on_the_next_bar(
    world: Market, tmp_path: Path
) -> None:
    run = life(Stubborn(world), tmp_path, Patient)
    run.start()
    run.run(2)
    (tmp_path / "STOP").write_text("flatten\n")
    assert run.run(0) == "stopped: flatten"
    assert world.paper.net("AAPL") == 0.0 and events(tmp_path).count("order_refused") == 2


def test_a_market_that_ends_first_is_told(world: Market, tmp_path: Path) -> None:
    run = held(world, tmp_path)
    while world.at < len(world.all):
        run.run(1)
    (tmp_path / "STOP").write_text("flatten\n")
    assert run.run(0) == "stopped: flatten, positions still open: 1"


def killed(ticket: Ticket) -> str:
    raise Died


@pytest.mark.parametrize("why", ["stop", "another version"])
def test_what_was_left_over_is_not_sent_any_more(world: Market, tmp_path: Path, why: str) -> None:
    """Killed after a decision; then told to stop, or another version was approved."""
    run = life(Line(world), tmp_path, Patient)
    run.adapter._guard = killed
    run.start()
    with pytest.raises(Died):
        run.run(1)
    end(run)
    assert world.received == []
    if why == "stop":
        (tmp_path / "STOP").write_text("hold\n")
    again = life(Line(world), tmp_path, Patient, owner="x" if why == "stop" else "y")
    again.start()
    assert world.received == [] and "left_over" in events(tmp_path)
    assert again.run(1) == ("stopped: hold" if why == "stop" else "1 bars are done")


def test_another_version_is_not_blamed_for_the_decisions_of_the_one_before(
    world: Market, tmp_path: Path
) -> None:
    run = life(Line(world), tmp_path, Waiting, owner="x 1")
    run.start()
    run.run(1)
    end(run)
    again = life(Line(world), tmp_path, Patient, owner="x 2")
    again.start()
    assert again.run(2) == "2 bars are done"


# ------------------------------------------------------------------------------- limits
def test_the_loss_of_a_day_is_seen_on_daily_bars(world: Market, tmp_path: Path) -> None:
    limits = replace(LIMITS, max_daily_loss=Decimal("0.01"))
    run = life(Line(world), tmp_path, limits=limits)
    run.start()
    with pytest.raises(Refused, match="daily_loss"):
        run.run(0)
    assert (tmp_path / "HALT").read_text().startswith("daily_loss")


def test_a_day_starts_where_the_day_before_ended_also_after_a_restart(
    world: Market, tmp_path: Path
) -> None:
    run = held(world, tmp_path)
    before = run.worth
    end(run)
    again = life(Line(world), tmp_path, Patient)
    again.start()
    assert (again.worth, again.day) == (before, run.day)
    again.run(1)
    assert again.day[1] == before != again.worth


def test_nothing_is_opened_after_the_approval_has_expired(world: Market, tmp_path: Path) -> None:
    run, said = life(Line(world), tmp_path), list[str]()
    run.until, run.say = run.clock() - 1.0, said.append
    run.start()
    run.run(3)
    assert world.received == [] and len(said) == 1 and said[0].startswith("expired: ")


def test_an_expired_run_still_leaves(world: Market, tmp_path: Path) -> None:
    run = held(world, tmp_path)
    run.until = 0.0
    (tmp_path / "STOP").write_text("flatten\n")
    run.run(0)
    assert world.paper.net("AAPL") == 0.0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"close": float("nan")}, "no number"),
        ({"open": float("inf"), "high": float("inf")}, "no number"),
        ({"high": 0.0}, "the high below"),
        ({"low": 1e9}, "the low is above"),
        ({"at": 1}, "not after"),
    ],
)
def test_a_bar_that_cannot_be_true_stops_the_run(
    world: Market, tmp_path: Path, change: dict[str, float], says: str
) -> None:
    run = held(world, tmp_path)
    bar = replace(world.all[world.at], **change)  # type: ignore[arg-type]
    with pytest.raises(Refused, match=f"bad_bar.*{says}"):
        run.keep(bar)
    assert isinstance(bar, Bar) and len(run.adapter.book.bars) == world.at


# ------------------------------------------------------------------------------- the kill switch
@pytest.mark.parametrize("full", [False, True])
def test_every_halt_calls_off_what_waits_also_on_a_full_disk(
    world: Market, tmp_path: Path, full: bool
) -> None:
    run = life(Line(world), tmp_path, Waiting)
    run.start()
    run.run(1)
    assert isinstance(run.audit, Log)
    run.audit.full = full
    run.stopping = Refused(Code.DAILY_LOSS, "enough")
    with pytest.raises(Refused, match="daily_loss: enough"):
        run.stop_if_told()
    assert [str(o.standing) for o in world.paper.orders().values()] == ["cancelled"]
    assert (tmp_path / "HALT").read_text() == "daily_loss: enough\n"


def test_a_switch_that_points_nowhere_is_a_switch(world: Market, tmp_path: Path) -> None:
    run = held(world, tmp_path)
    (tmp_path / "HALT").symlink_to(tmp_path / "nowhere")
    with pytest.raises(Refused, match="halted"):
        run.run(1)


def test_what_cannot_be_looked_at_is_not_taken_for_no(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not machine.there(tmp_path / "HALT")
    with pytest.raises(OSError, match="Not a directory"):
        machine.there(tmp_path / "file" / "HALT")


class Away(Line):
    """Nobody answers an order; the owner sets the switch while it is tried again."""

    def __init__(self, world: Market, switch: Path) -> None:
        super().__init__(world)
        self.switch, self.tries = switch, 0

    def _ask(self, op: str, **facts: Any) -> Any:
        if op != "submit":
            return super()._ask(op, **facts)
        self.tries += 1
        self.switch.touch()
        raise Down("no answer")


def test_the_switch_is_heard_while_an_order_is_tried_again(world: Market, tmp_path: Path) -> None:
    away, runs = Away(world, tmp_path / "HALT"), list[Runner]()
    steady = Steady(away, lambda why: runs[0].line_broke(), 0.0, lambda seconds: None)
    runs.append(life(steady, tmp_path, Patient))
    runs[0].start()
    with pytest.raises(Refused, match="halted"):
        runs[0].run(1)
    assert away.tries == 1 and world.received == []


# ------------------------------------------------------------------------------- taken back
@pytest.mark.parametrize(("how", "net"), [("flatten", 0.0), ("hold", 1.0), ("handover", 1.0)])
def test_a_rollback_ends_the_run_and_does_what_it_says(
    world: Market, tmp_path: Path, how: str, net: float
) -> None:
    run = held(world, tmp_path)
    run.listen = lambda: Word(halted=f"back/restless/1/{how}")
    with pytest.raises(Refused, match=f"rolled_back: back/restless/1/{how}; stopped: {how}$"):
        run.run(0)
    assert world.paper.net("AAPL") == net and (tmp_path / "HALT").exists()
    assert list(run.adapter.book.held) == [] or how == OnRollback.HOLD


def test_a_rollback_that_is_heard_in_mid_decision_opens_nothing(
    world: Market, tmp_path: Path
) -> None:
    run = life(Line(world), tmp_path, Patient)
    run.start()
    said = iter(["", ""])
    run.listen = lambda: Word(halted=next(said, "back/x/1/flatten"))
    with pytest.raises(Refused, match="rolled_back"):
        run.run(0)
    assert world.received == []


def test_a_rollback_that_an_entry_hears_first_still_closes_what_is_held(
    world: Market, tmp_path: Path
) -> None:
    """The guard of the entry has stopped the run already when the way back is looked for."""
    run = held(world, tmp_path)
    run.listen = lambda: Word(halted="back/x/1/flatten")
    run.stopping = Refused(Code.HALTED, "")
    with pytest.raises(Refused, match="rolled_back: back/x/1/flatten; stopped: flatten$"):
        run.stop_if_told()
    assert world.paper.net("AAPL") == 0.0 and (tmp_path / "HALT").exists()
