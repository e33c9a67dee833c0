"""Runs generated code: loads it, backtests it, and asks it about every bar."""

from __future__ import annotations

import sys
import types
from functools import cache
from typing import Any

import pandas as pd

from adapters.simbroker_adapter import SimBrokerAdapter
from bot.agents.coder import write_strategy
from sandbox import market
from sandbox.acceptance import accept
from schemas.contract import Contract
from schemas.report import Finding
from simbroker.broker import SimBroker
from simbroker.causality import positions_by_bar
from simbroker.decisions import ask
from simbroker.run import Run
from simbroker.terms import Terms

known = cache(market.known)
source_of = cache(write_strategy)


def load(source: str) -> Any:
    module = types.ModuleType("generated")
    sys.modules["generated"] = module
    exec(compile(source, "generated.py", "exec"), module.__dict__)
    return module


def settings(contract: Contract) -> dict[str, Any]:
    return {
        "symbol": contract.symbol, "timeframe": contract.timeframe, "pip_size": contract.pip_size,
        "initial_balance": 10_000.0, "leverage": 100.0, "costs": {},
        "max_positions": contract.risk.max_positions,
    }  # fmt: skip


def played(contract: Contract, source: str, df: pd.DataFrame) -> Run:
    """The backtest through the file's own run_backtest."""
    cfg = settings(contract)
    adapter = SimBrokerAdapter(SimBroker(Terms.read(cfg)))
    load(source).run_backtest(adapter, df, cfg)
    return adapter.run()


def differences(contract: Contract, source: str, df: pd.DataFrame) -> tuple[Run, list[Finding]]:
    """What the reference finds in the backtest and in the answers about every bar."""
    run = played(contract, source, df)
    held = positions_by_bar(run, df)
    strategy = load(source).Strategy(settings(contract))
    indicators = strategy.prepare_indicators(df.copy())
    decisions = [ask(strategy, df, indicators, i, held[i]) for i in range(len(df))]
    return run, accept(contract, df, decisions, held, "bars", run)
