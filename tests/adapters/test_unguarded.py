"""A position whose stop is gone is noticed on every adapter, and closed; its rest is called off."""

from pathlib import Path
from typing import Any

import pytest

from adapters.live import unguarded
from adapters.live.runner import Runner
from bot.live.audit import Audit
from bot.live.redact import Redactor
from bot.live.watch import Word
from schemas.live import Limits
from tests.adapters.conformance import ADAPTERS, LIVE, OnTheMarket, holding, step
from tests.adapters.test_faults import cut
from tests.live.restless import Strategy


@pytest.fixture(params=LIVE)
def rig(request: pytest.FixtureRequest) -> OnTheMarket:
    made = LIVE[request.param]()
    assert isinstance(made, OnTheMarket)
    return made


def runner(rig: Any, folder: Path) -> tuple[Runner, list[str]]:
    said: list[str] = []
    audit = Audit(folder / "audit.jsonl", "corr", Redactor(), lambda: 0.0)
    limits = Limits(symbols=("X",), max_order=5.0, max_position=5.0)
    run = Runner(rig.adapter, audit, limits, Strategy, {"symbol": "X"}, folder, 0.0)
    run.say = said.append
    return run, said


def take_away(rig: OnTheMarket) -> None:
    """Somebody cancels the stop in the broker's own program."""
    stops = [o for o in rig.market.venue.orders.values() if o.kind == "STP"]
    assert rig.market.venue.cancel(stops[0].number)
    if getattr(rig.market, "session", None) is not None:
        rig.market.session.tell(stops[0])


@pytest.mark.parametrize("name", ["ibkr", "mt5", "dry_run"])
def test_a_stop_that_works_is_seen(name: str, tmp_path: Path) -> None:
    rig: Any = ADAPTERS[name]()
    position = holding(rig, sl=95.0)
    assert rig.adapter.broker.stops() == {position}
    assert unguarded.find(runner(rig, tmp_path)[0]) == []


def test_a_position_that_was_to_have_no_stop_needs_none(rig: OnTheMarket, tmp_path: Path) -> None:
    holding(rig, tp=120.0)
    assert rig.adapter.broker.stops() == frozenset()
    assert unguarded.find(runner(rig, tmp_path)[0]) == []


def test_a_position_whose_stop_is_gone_is_closed(rig: OnTheMarket, tmp_path: Path) -> None:
    name = holding(rig, sl=95.0)
    take_away(rig)
    run, said = runner(rig, tmp_path)
    assert unguarded.find(run) == [name]
    unguarded.close(run)
    assert len(said) == 1 and "closed at the market" in said[0]
    assert unguarded.find(run) == [], "its exit is on its way"
    assert step(rig, 2) == ["position_closed"] and rig.market.venue.net == 0.0


def test_a_run_that_may_send_nothing_says_so(rig: OnTheMarket, tmp_path: Path) -> None:
    name = holding(rig, sl=95.0)
    take_away(rig)
    run, said = runner(rig, tmp_path)
    assert unguarded.tell(run) == [name] and "set a stop by hand" in said[0]
    assert not rig.adapter.book.held[name].leaving


def test_an_exit_calls_off_what_is_left_of_its_entry(rig: OnTheMarket) -> None:
    rig.market.venue.part = 1.0
    name = holding(rig, sl=95.0)
    assert rig.close_position(name)["success"]
    step(rig, 2)
    step(rig, 3)
    assert rig.market.venue.net == rig.adapter.book.net() == 0.0


def test_an_exit_that_is_on_its_way_for_long_guards_nobody(tmp_path: Path) -> None:
    """TWS has no stop any more and the exit waits: outside trading hours, or for ever."""
    rig: Any = ADAPTERS["ibkr"]()
    name = holding(rig, sl=95.0)
    assert rig.close_position(name)["success"]
    run, said = runner(rig, tmp_path)
    polls(run, 2)
    assert said == [] and unguarded.find(run) == []
    polls(run, 5)
    assert len(said) == 1 and "exit was sent and is not done" in said[0], "told once"
    assert unguarded.find(run) == [name] and len(rig.market.received) == 3
    assert step(rig, 2) == ["position_closed"] and rig.market.venue.net == 0.0


def test_an_exit_that_tws_forgot_is_sent_again_between_two_bars(tmp_path: Path) -> None:
    rig: Any = ADAPTERS["ibkr"]()
    name = holding(rig, sl=95.0)
    assert rig.close_position(name)["success"]
    cut(rig.market)
    (number,) = (n for n, o in rig.market.venue.orders.items() if o.ref.endswith(".x"))
    rig.market.venue.cancel(number)
    run, said = runner(rig, tmp_path)
    polls(run, 4)
    assert len(said) == 1 and "closed at the market" in said[0]
    exits = [o.status for o in rig.market.venue.orders.values() if o.ref.endswith(".x")]
    assert exits == ["Cancelled", "Submitted"]
    assert step(rig, 2) == ["position_closed"] and rig.market.venue.net == 0.0


def test_a_stop_that_is_left_without_its_position_is_cancelled(tmp_path: Path) -> None:
    rig: Any = ADAPTERS["ibkr"]()
    name = holding(rig, sl=95.0, tp=120.0)
    assert rig.close_position(name)["success"]
    stops = [o for o in rig.market.venue.orders.values() if o.kind in ("STP", "LMT")]
    step(rig, 2)
    for order in stops:
        order.status = "Submitted"
    assert rig.market.venue.net == 0.0 and rig.adapter.book.net() == 0.0
    run, _ = runner(rig, tmp_path)
    run.agree()
    unguarded.close(run)
    assert [o.status for o in stops] == ["Cancelled", "Cancelled"]
    assert step(rig, 3) == [] and rig.market.venue.net == 0.0


def polls(run: Runner, count: int) -> None:
    """The run itself, while no new bar comes. It listens twice a poll, and then it is stopped."""
    left = iter(range(2 * count - 1))

    def listen() -> Word:
        if next(left, None) is None:
            (run.folder / "STOP").write_text("hold\n")
        return Word()

    run.listen = listen
    spoken = run.say
    run.say = lambda words: None if "by hand" in words else spoken(words)
    run.run(0)
    run.say = spoken
