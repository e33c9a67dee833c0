"""Draws and opens the sealed bars: one backtest in its own container, once all else passed."""

from __future__ import annotations

from sandbox import market, runs
from sandbox.conversations import Case
from sandbox.figures import summary
from sandbox.job import Engine
from sandbox.runs import Trouble
from schemas.report import Summary
from simbroker.part import since

NAME = "the sealed bars"


def opened(engine: Engine, case: Case, seed: int) -> Summary | Trouble:
    """Its indicators are warm from the known bars; the figures are of the sealed ones alone."""
    df = market.history(str(case.cfg["timeframe"]), seed)
    job = runs.worker_job("sealed", case.seconds, locked=case.locked)
    told = runs.talk(
        engine, job, case.source, {**case.cfg},
        lambda remote: runs.backtest(remote, df, case.cfg, case.correlation_id),
    )  # fmt: skip
    if told.run is None:
        return told.trouble or Trouble("ended", "it gave no result")
    first = len(df) - market.SEALED
    return summary(since(told.run, first, float(df["Close"].iloc[first - 1])))
