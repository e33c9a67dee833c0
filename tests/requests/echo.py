"""Writes a strategy file that does what a plan says, to try the scorer with."""

from pathlib import Path

from tests.requests.readings import Options

TEXT = '''"""What a registered plan does, through the interface of a strategy."""

from tests.requests.bars import bars_of
from tests.requests.engine import Book, Held, Order
from tests.requests.expected import MEANINGS


class Strategy:
    def __init__(self, cfg):
        self.cfg = cfg

    def prepare_indicators(self, df):
        self.plan = MEANINGS[{request!r}].plan(bars_of(df), **{options!r})
        return {{}}

    def find_entries(self, df, indicators, idx):
        order = self.plan.orders(idx, Book())
        if order is None:
            return None
        return {{
            "action": "BUY" if order.side > 0 else "SELL",
            "symbol": self.cfg["symbol"],
            "volume": order.volume or self.cfg["volume"],
            "type": "MARKET" if order.limit is None else "LIMIT",
            "price": order.limit,
            "sl": order.stop,
            "tp": order.target,
        }}

    def find_exits(self, position, df, indicators, idx):
        bar = position["entry_idx"]
        order = Order(1 if position["action"] == "BUY" else -1)
        held = Held(0, order, bar - 1, bar, position["entry_price"], True)
        if self.plan.leaves(held, idx):
            return {{"position_id": position["position_id"], "reason": "asked for"}}
        return None
'''


def echo(request: str, options: Options, folder: Path) -> Path:
    path = folder / "strategy.py"
    path.write_text(TEXT.format(request=request, options=dict(options)))
    return path
