"""Two runs that differ anywhere are told apart, with the bar and both decisions."""

import itertools
from typing import Any

import pandas as pd

from simbroker.decisions import NOTHING, Decision, decision, digest, same
from simbroker.determinism import decide_all, differences, find_differences
from simbroker.synthetic import sample
from strategies.rsi_mean_reversion.strategy import Strategy as Rsi
from tests.simbroker.leaky import Threshold, momentum
from tests.simbroker.scripted import play

BARS = sample("gappy_D1").iloc[:200]
DRAWS = itertools.count()


class Unsteady(Threshold):
    """Draws from a source outside itself: every seventh answer is another one."""

    def signal(self, df: pd.DataFrame) -> "pd.Series[float]":
        return momentum(df)

    def find_entries(self, df: pd.DataFrame, indicators: Any, idx: int) -> Any:
        return self.order() if next(DRAWS) % 7 == 0 else None


def test_a_steady_strategy_has_no_differences() -> None:
    run = play(Rsi({"symbol": "X"}), BARS)
    assert find_differences(lambda: Rsi({"symbol": "X"}), BARS, run) == []


def test_an_unsteady_one_is_found_with_its_bar() -> None:
    run = play(Rsi({"symbol": "X"}), BARS)
    found = find_differences(lambda: Unsteady({"symbol": "X"}), BARS, run)
    assert found and found[0].first != found[0].second
    assert f"bar {found[0].bar}" in str(found[0])


def test_a_run_that_is_shorter_differs() -> None:
    assert [d.bar for d in differences([NOTHING] * 3, [NOTHING] * 2)] == [2]


def test_the_last_digit_counts_in_the_digest_but_is_no_leak() -> None:
    one = decision({"action": "BUY", "sl": 99.0}, [])
    other = decision({"action": "BUY", "sl": 99.00000000000001}, [])
    assert same(one, other) and digest([one]) != digest([other])
    assert differences([one], [other])


def test_the_digest_knows_bar_exit_and_length() -> None:
    act = Decision(exits=(("pos_1", "x"),))
    runs = [[act, NOTHING], [NOTHING, act], [act], [act, act], [NOTHING, NOTHING]]
    assert len({digest(run) for run in runs}) == len(runs)
    assert digest([act, NOTHING]) == digest([act, NOTHING])


def test_every_bar_is_decided() -> None:
    run = play(Rsi({"symbol": "X"}), BARS)
    assert len(decide_all(lambda: Rsi({"symbol": "X"}), BARS, run)) == len(BARS)
