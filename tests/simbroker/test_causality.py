"""Every kind of look-ahead is found with its bar and both values; clean strategies stay clean."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from simbroker.causality import Leak, find_leaks, leaks
from simbroker.decisions import NOTHING, Decision
from simbroker.synthetic import sample
from strategies.donchian_breakout.strategy import Strategy as Donchian
from strategies.rsi_mean_reversion.strategy import Strategy as Rsi
from strategies.sma_cross.strategy import Strategy as SmaCross
from tests.simbroker.leaky import (
    LEAKY,
    DrawsAheadButDoesNotUseIt,
    OnlyInExits,
    Remembers,
    ShiftBack,
    Threshold,
    WholeSeriesNormalisation,
)
from tests.simbroker.scripted import play

CLEAN = [Rsi, SmaCross, Donchian, Remembers, DrawsAheadButDoesNotUseIt]
BARS = sample("ranging_D1").iloc[:250]


def check(kind: Callable[..., Any], df: pd.DataFrame = BARS, most: int = 10) -> list[Leak]:
    run = play(kind({"symbol": "X"}), df)
    return find_leaks(lambda: kind({"symbol": "X"}), df, run, most=most)


@pytest.mark.parametrize("kind", CLEAN, ids=lambda kind: str(kind.__module__ + kind.__name__))
@pytest.mark.parametrize("name", ["ranging_D1", "gappy_M15"])
def test_a_clean_strategy_is_not_accused(kind: Callable[..., Any], name: str) -> None:
    assert check(kind, sample(name).iloc[:250]) == []


@pytest.mark.parametrize("kind", LEAKY, ids=lambda kind: str(kind.__name__))
def test_looking_ahead_is_found(kind: type[Threshold]) -> None:
    found = check(kind)
    assert found
    assert all(leak.with_all_bars != leak.with_past_bars for leak in found)


def test_the_finding_names_bar_values_and_fix() -> None:
    leak = check(ShiftBack, most=1)[0]
    close = BARS["Close"]
    name, whole, past = leak.indicators[0]
    assert name == "signal" and past == "nan"
    assert float(whole) == pytest.approx(close.iloc[leak.bar + 1] - close.iloc[leak.bar])
    assert f"bar {leak.bar}" in str(leak) and "shift(-n)" in str(leak)


def test_a_leak_in_exits_only_is_a_leak_in_exits() -> None:
    for leak in check(OnlyInExits):
        assert leak.with_all_bars.entry == leak.with_past_bars.entry
        assert leak.with_all_bars.exits != leak.with_past_bars.exits


def test_every_bar_is_asked() -> None:
    """A strategy that peeks on one single bar is caught on that bar."""
    whole = [NOTHING] * 100
    for bar in range(100):
        seen = [*whole[:bar], Decision(exits=(("pos_1", "x"),)), *whole[bar + 1 :]]
        found = leaks(seen, lambda _: NOTHING, lambda _: NOTHING)
        assert [leak.bar for leak in found] == [bar]


def test_memory_is_not_a_leak_but_is_replayed_to_be_sure() -> None:
    asked: list[int] = []

    def replayed(bar: int) -> Decision:
        asked.append(bar)
        return whole[bar]

    whole = [Decision(error="")] * 5 + [Decision(exits=(("pos_1", "x"),))]
    assert leaks(whole, lambda _: NOTHING, replayed) == []
    assert asked == [5]


def test_too_few_bars_is_no_leak_unless_it_acted() -> None:
    broken = Decision(error="IndexError")
    act = Decision(exits=(("pos_1", "x"),))
    assert leaks([NOTHING], lambda _: broken, lambda _: broken) == []
    assert len(leaks([act], lambda _: broken, lambda _: broken)) == 1


def test_it_stops_after_enough_findings() -> None:
    assert len(check(WholeSeriesNormalisation, most=3)) == 3
