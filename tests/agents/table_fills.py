"""Contracts whose stops and targets are measured from the fill."""

from __future__ import annotations

from schemas.contract import Trailing
from tests.agents.making import (
    CLOSE,
    HIGH,
    LONG,
    LOW,
    OPEN,
    SHORT,
    above,
    at,
    below,
    calc,
    contract,
    enter,
    far,
    ind,
)
from tests.agents.table_indicators import ATR, FAST, SLOW
from tests.agents.table_nodes import CROSSES, size

FILLS = (
    contract("fill_percent", (FAST, SLOW), CROSSES, stops=(at(far("percent", 2), base="fill"),),
             targets=(at(far("r", 3), side=LONG, base="fill"),
                      at(far("percent", 4), side=SHORT, base="fill")),
             break_even_after=far("r", 1)),
    contract("fill_atr", (FAST, SLOW, ATR), CROSSES,
             stops=(at(far("atr", 2, "atr"), base="fill"), at(price=LOW, side=LONG),
                    at(price=HIGH, side=SHORT)),
             targets=(at(far("atr", 4, "atr"), base="fill"), at(far("price", 6), base="fill"),
                      at(far("percent", 8))),
             sizing=size("risk_percent", "1")),
    contract("fill_limit", (ind("bb", "bollinger"),),
             (enter(LONG, above(CLOSE, "bb.lower"), limit=calc(CLOSE, "multiply", 0.999)),
              enter(SHORT, above("bb.percent", 2), limit=HIGH)),
             symbol="EURUSD", pip_size=0.01, stops=(at(far("pips", 150), base="fill"),),
             targets=(at(far("pips", 250), base="fill"),), exit_after_bars=5),
    contract("fill_paced", (), (enter(LONG, above(CLOSE, OPEN)), enter(SHORT, below(CLOSE, OPEN))),
             timeframe="M15", stops=(at(far("percent", 0.3), base="fill"),),
             targets=(at(far("r", 3), base="fill"),), max_entries_per_day=3, cooldown_bars=2,
             cooldown_after="stop",
             trailing=(Trailing(side=None, distance=far("r", 1), mark="extreme"),)),
)  # fmt: skip
SPOILT_FILLS = [
    ("fill_percent", "stop_percent: float = 2.0", "stop_percent: float = 2.1"),
    ("fill_percent", '"sl_percent": stop_percent', '"sl_distance": stop_percent'),
    ("fill_percent", '            "tp_r": target_r,\n', ""),
    (
        "fill_percent",
        "target_percent=self.params.target_percent",
        "target_percent=self.params.target_r",
    ),
    ("fill_atr", "lesser(target_distance_long_of", "greater(target_distance_long_of"),
    ("fill_atr", '            "sl_fixed": stop_fixed,\n', ""),
    ("fill_atr", "stop_atr: float = 2.0", "stop_atr: float = 2.1"),
    ("fill_limit", '            "tp_distance": target_distance,\n', ""),
    ("fill_paced", "Ending(at, deal.stop, deal, True)", "Ending(at, deal.stop, deal, False)"),
    ("fill_paced", "_replace(stop=known[0], target=known[1])", "_replace(stop=deal.target)"),
]
