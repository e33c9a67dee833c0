"""The same two workloads on the installed peers, each in the way that its documentation shows."""

import time
from typing import Any

import numpy as np
import pandas as pd

from strategies.rsi_mean_reversion.strategy import Params
from tests.bench.workloads import CASH

_, LOW, HIGH, STOP, TARGET = Params()


def with_backtesting(
    workload: str, df: pd.DataFrame, series: "pd.Series[float]", given: dict[str, Any]
) -> tuple[float, int]:
    import backtesting.backtesting as engine

    class Rsi(engine.Strategy):
        def init(self) -> None:
            self.now = self.I(lambda: series.to_numpy())

        def next(self) -> None:
            before, now = self.now[-2], self.now[-1]
            if self.position:
                if now > HIGH >= before:
                    self.position.close()
            elif now < LOW <= before:
                close = self.data.Close[-1]
                self.buy(size=1, sl=close * (1 - STOP), tp=close * (1 + TARGET))

    class Sma(engine.Strategy):
        def init(self) -> None:
            self.now = self.I(lambda: series.to_numpy())

        def next(self) -> None:
            before, now = self.now[-2], self.now[-1]
            if self.position and ((now < 0) if self.position.is_long else (now > 0)):
                self.position.close()
            if before <= 0 < now:
                self.buy(size=1)
            elif before >= 0 > now:
                self.sell(size=1)

    spent, statistics = [0.0], engine.compute_stats

    def timed(*args: Any, **more: Any) -> Any:
        start = time.process_time()
        try:
            return statistics(*args, **more)
        finally:
            spent[0] = time.process_time() - start

    engine.compute_stats = timed  # its run() ends with statistics, which are not compared here
    engine._tqdm = lambda bars, **_: bars  # nor the progress that it shows where tqdm is installed
    test = engine.Backtest(df, Rsi if workload == "rsi" else Sma, cash=CASH, finalize_trades=True)
    start = time.process_time()
    result = test.run()
    return time.process_time() - start - spent[0], len(result["_trades"])


def with_backtrader(
    workload: str, df: pd.DataFrame, series: "pd.Series[float]", given: dict[str, Any]
) -> tuple[float, int]:
    import backtrader as bt

    class Bars(bt.feeds.PandasData):
        lines = ("now",)
        params = (("now", -1),)

    class Base(bt.Strategy):
        def __init__(self) -> None:
            self.now, self.count = self.data.now, 0
            self.children: list[Any] = []

        def notify_trade(self, trade: Any) -> None:
            self.count += trade.isclosed

    class Rsi(Base):
        def next(self) -> None:
            before, now = self.now[-1], self.now[0]
            if self.position:
                if now > HIGH >= before:
                    self.close()
                    self.cancel(self.children[1])
            elif now < LOW <= before:
                close = self.data.close[0]
                self.children = self.buy_bracket(
                    size=1,
                    exectype=bt.Order.Market,
                    stopprice=close * (1 - STOP),
                    limitprice=close * (1 + TARGET),
                )

    class Sma(Base):
        def next(self) -> None:
            before, now = self.now[-1], self.now[0]
            if before <= 0 < now:
                self.order_target_size(target=1)
            elif before >= 0 > now:
                self.order_target_size(target=-1)

    cerebro = bt.Cerebro(stdstats=False)
    cerebro.broker.setcash(CASH)
    cerebro.adddata(Bars(dataname=df.assign(now=series)))
    cerebro.addstrategy(Rsi if workload == "rsi" else Sma)
    start = time.process_time()
    (ran,) = cerebro.run()
    return time.process_time() - start, ran.count + (1 if ran.position else 0)


def with_vectorbt(
    workload: str, df: pd.DataFrame, series: "pd.Series[float]", given: dict[str, Any]
) -> tuple[float, int]:
    import vectorbt as vbt

    def later(flags: Any) -> Any:
        """Decided on a close, done at the next open."""
        return np.concatenate([[False], flags[:-1]])

    def run(table: pd.DataFrame) -> Any:
        n = len(table)
        sides = given["entry"][:n]
        stops = {"sl_stop": STOP, "tp_stop": TARGET} if workload == "rsi" else {}
        shorts = {"short_entries": later(sides < 0), "short_exits": later(given["exit_short"][:n])}
        return vbt.Portfolio.from_signals(
            table["Close"],
            entries=later(sides > 0),
            exits=later(given["exit_long"][:n]),
            open=table["Open"],
            high=table["High"],
            low=table["Low"],
            price=table["Open"],
            size=1.0,
            init_cash=CASH,
            freq="1min",
            **stops,
            **(shorts if workload == "sma" else {}),
        )

    run(df.iloc[:100]).trades.count()  # it compiles on first use, which is not timed
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        portfolio = run(df)
        portfolio.orders.count()
        best = min(best, time.process_time() - start)
    return best, int(portfolio.trades.count())
