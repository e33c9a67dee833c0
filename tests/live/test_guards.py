"""The guards: each refuses what it is there for, lets the rest pass, and fails shut."""

from __future__ import annotations

import time
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from bot.live.guards import ALWAYS, OPENING, Asked, Situation, check
from bot.live.refused import Code
from schemas.live import Limits
from tests.live.stage import Stage, asked, exchange

LIMITS = Limits(symbols=("AAPL",), max_order=5.0, max_position=8.0, orders_per_minute=3,
                max_daily_loss=Decimal(100), max_data_age=60.0, max_clock_skew=2.0)  # fmt: skip
OPENS = Asked("sb1", "AAPL", 5.0, False)
CLOSES = Asked("sb2", "AAPL", -5.0, True)
CALM = Situation(
    halted=False, now=1000.0, broker_now=1001.0, data_age=60.0, position=3.0,
    sent_at=(999.0, 998.0, 10.0), sent_ids=frozenset({"sb0"}), day_start_equity=1000.0,
    equity=900.01, unheard=300.0, left=1.0, newer="",
)  # fmt: skip


def test_what_is_just_inside_every_limit_passes() -> None:
    assert check(OPENS, CALM, LIMITS) is None
    assert check(CLOSES, CALM, LIMITS) is None


@pytest.mark.parametrize(
    ("code", "stops", "order", "situation"),
    [
        (Code.HALTED, True, OPENS, replace(CALM, halted=True)),
        (Code.HALTED, True, CLOSES, replace(CALM, halted=True)),
        (Code.SKEW, True, OPENS, replace(CALM, broker_now=1002.1)),
        (Code.SKEW, True, OPENS, replace(CALM, broker_now=997.9)),
        (Code.SKEW, True, OPENS, replace(CALM, broker_now=float("nan"))),
        (Code.DUPLICATE, False, replace(OPENS, client_id="sb0"), CALM),
        (Code.SYMBOL, False, replace(OPENS, symbol="TSLA"), CALM),
        (Code.SYMBOL, False, replace(OPENS, symbol="AAPL "), CALM),
        (Code.ORDER_SIZE, False, replace(OPENS, signed=5.1), replace(CALM, position=0.0)),
        (Code.ORDER_SIZE, False, replace(OPENS, signed=-5.1), CALM),
        (Code.ORDER_SIZE, False, replace(OPENS, signed=float("nan")), CALM),
        (Code.ORDER_SIZE, False, replace(OPENS, signed=0.0), CALM),
        (Code.POSITION, False, OPENS, replace(CALM, position=3.1)),
        (Code.POSITION, False, replace(OPENS, signed=-5.0), replace(CALM, position=-3.1)),
        (Code.POSITION, False, OPENS, replace(CALM, position=float("nan"))),
        (Code.RATE, True, OPENS, replace(CALM, sent_at=(999.0, 998.0, 940.1))),
        (Code.DAILY_LOSS, True, OPENS, replace(CALM, equity=900.0)),
        (Code.DAILY_LOSS, True, OPENS, replace(CALM, equity=float("nan"))),
        (Code.STALE, False, OPENS, replace(CALM, data_age=60.1)),
        (Code.STALE, False, OPENS, replace(CALM, data_age=float("nan"))),
        (Code.UNHEARD, False, OPENS, replace(CALM, unheard=300.1)),
        (Code.UNHEARD, False, OPENS, replace(CALM, unheard=float("nan"))),
        (Code.EXPIRED, False, OPENS, replace(CALM, left=0.0)),
        (Code.EXPIRED, False, OPENS, replace(CALM, left=float("nan"))),
        (Code.SUPERSEDED, False, OPENS, replace(CALM, newer="live/x/2")),
    ],
)
def test_each_guard_refuses(code: Code, stops: bool, order: Asked, situation: Situation) -> None:
    found = check(order, situation, LIMITS)
    assert found is not None and (found.code, found.stops) == (code, stops)


TROUBLE: dict[Code, tuple[dict[str, object], dict[str, object]]] = {
    Code.HALTED: ({"halted": True}, {}),
    Code.SKEW: ({"broker_now": 5000.0}, {}),
    Code.DUPLICATE: ({"sent_ids": frozenset({"sb1", "sb2"})}, {}),
    Code.SYMBOL: ({}, {"symbol": "TSLA"}),
    Code.ORDER_SIZE: ({"position": 0.0}, {"signed": -100.0}),
    Code.POSITION: ({"position": 100.0}, {}),
    Code.RATE: ({"sent_at": (999.0,) * 9}, {}),
    Code.DAILY_LOSS: ({"equity": 1.0}, {}),
    Code.STALE: ({"data_age": 1e6}, {}),
    Code.UNHEARD: ({"unheard": 1e6}, {}),
    Code.EXPIRED: ({"left": -1.0}, {}),
    Code.SUPERSEDED: ({"newer": "live/x/2"}, {}),
}
"""For each guard, what it objects to: in the situation, and in the order."""


def test_every_guard_is_in_the_table() -> None:
    assert list(TROUBLE) == [code for code, _, _ in ALWAYS + OPENING]


@pytest.mark.parametrize("code", TROUBLE)
@pytest.mark.parametrize("order", ["entry", "exit", "flatten"])
def test_no_guard_but_a_halt_keeps_anybody_inside_a_position(code: Code, order: str) -> None:
    """A flatten is an exit of all that is held, however large."""
    bad, wrong = TROUBLE[code]
    base = {"entry": OPENS, "exit": CLOSES, "flatten": replace(CLOSES, signed=-100.0)}[order]
    found = check(replace(base, **wrong), replace(CALM, **bad), LIMITS)  # type: ignore[arg-type]
    if order == "entry" or code == Code.HALTED:
        assert found is not None and found.code == code
    else:
        assert found is None


def test_a_guard_that_fails_stops_all_trading_and_says_so() -> None:
    def broken(asked: Asked, at: Situation, limits: Limits) -> str:
        raise ZeroDivisionError("no idea")

    found = check(OPENS, CALM, LIMITS, always=((Code.SKEW, broken, False), *ALWAYS))
    assert found is not None and found.stops and found.code == Code.GUARD_ERROR
    assert found.detail == "clock_skew: ZeroDivisionError: no idea"


# ------------------------------------------------------------------------------- in a real run
def test_a_skewed_clock_stops_the_run_and_a_restart_too(root: Path, tmp_path: Path) -> None:
    stage = Stage.build(root, tmp_path, "restless").rehearsed()
    with exchange(stage, "--skew", "60"):
        code, _, err = stage.run(stage.launch(token=stage.token()))
        assert code == 1 and "clock_skew" in err and "Set the clock" in err
        assert asked(stage, "received") == []
    with exchange(stage):
        code, _, err = stage.run(stage.launch(token=stage.token()))
        assert code == 1 and "halted" in err and asked(stage, "received") == []
        (stage.home / "HALT").unlink()
        code, _, err = stage.run(stage.launch(token=stage.token(), bars=3))
        assert code == 0, err
        assert asked(stage, "received")


def test_an_order_beyond_the_limits_is_left_out_and_the_run_goes_on(
    root: Path, tmp_path: Path
) -> None:
    stage = Stage.build(root, tmp_path, "restless").rehearsed()
    with exchange(stage, "--most", "75"):
        limits = stage.limits(max_order=1.0)
        code, _, err = stage.run(stage.launch(token=stage.token(), limits=limits))
        assert code == 0, err
        assert {t["volume"] for t in asked(stage, "received")} == {1.0}
    refused = [line for line in stage.audit() if line["event"] == "order_refused"]
    assert refused and all("order_too_large" in line["why"] for line in refused)


def test_the_kill_switch_works_while_nothing_happens(root: Path, tmp_path: Path) -> None:
    """The next bar is far away: nothing is asked of the guards."""
    stage = Stage.build(root, tmp_path, "restless").rehearsed()
    with exchange(stage, "--pace", "600"):
        started = stage.start(stage.launch(token=stage.token()))
        journal = stage.home / "journal.jsonl"
        until = time.monotonic() + 60
        while time.monotonic() < until and not (
            journal.exists() and b'"finished"' in journal.read_bytes()
        ):
            time.sleep(0.005)
        (stage.home / "HALT").touch()
        _, err = started.communicate(timeout=60)
        assert started.returncode == 1 and "halted" in err
        sent = len(asked(stage, "received"))
        code, _, err = stage.run(stage.launch(token=stage.token()))
        assert code == 1 and "halted" in err and len(asked(stage, "received")) == sent
