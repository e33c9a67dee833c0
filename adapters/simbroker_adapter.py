"""SimBroker behind the broker interface."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import pandas as pd

from adapters.base_adapter import (
    Account,
    BarTuple,
    CloseResult,
    Event,
    OrderRequest,
    OrderResult,
    Position,
    Report,
)
from simbroker.broker import SimBroker
from simbroker.report import report
from simbroker.run import Floats, Run
from simbroker.save import save

StepRow = Callable[[BarTuple], list[Event]]


class SimBrokerAdapter:
    """Passes each call on. SimBroker's positions answer like the dictionaries that are promised.

    `closes` are those of all bars that it will see: the report compares with holding them.
    """

    def __init__(
        self,
        broker: SimBroker,
        correlation_id: str = "corr_local",
        closes: Floats | None = None,
    ) -> None:
        self.broker = broker
        self._correlation_id = correlation_id
        self._closes = closes
        # Called on every bar: the broker's own method, without a second call around it.
        self.step_row: StepRow = cast(StepRow, broker.step_bar)

    def step_bar(self, bar: "pd.Series[float]") -> list[Event]:
        return cast(list[Event], self.broker.step_bar(bar))

    def place_order(self, order_request: OrderRequest) -> OrderResult:
        return cast(OrderResult, self.broker.place_order(order_request))

    def cancel_order(self, order_id: str) -> bool:
        return self.broker.cancel_order(order_id)

    def close_position(
        self, pos_id: str, price: float | None = None, reason: str = ""
    ) -> CloseResult:
        return cast(CloseResult, self.broker.close_position(pos_id, price, reason))

    def close_because(self, pos_id: str, reason: str) -> CloseResult:
        """For the loop, which has a strategy's reason to tell."""
        return self.close_position(pos_id, reason=reason)

    def get_positions(self) -> list[Position]:
        return self.broker.positions  # type: ignore[return-value]

    def get_account(self) -> Account:
        return cast(Account, self.broker.account())

    def generate_report(self) -> Report:
        return report(self.run())

    def save_report(self, out_dir: str) -> dict[str, str]:
        return save(self.run(), out_dir, self._correlation_id)

    def run(self) -> Run:
        """The facts behind the report: trades and equity, for tests and the sandbox."""
        run = self.broker.run()
        if self._closes is None:
            return run
        return replace(run, closes=self._closes[: len(run.times)])
