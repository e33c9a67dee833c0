"""The template that every strategy follows, and the helpers that it may use.

A strategy is one file: a class `Strategy` with `prepare_indicators`, `find_entries`, `find_exits`,
then `run_backtest`, `run_live` and the last two lines of this file. It imports pandas, numpy,
`adapters.base_adapter` and, from here, `backtest`, `refuse_live` and `main`; nothing else.

    python strategies/<name>/strategy.py --mode backtest --data data.csv --out results/

Symbol, size, costs and account come from the `contract.json` beside the file, as everywhere else.
The numbers of the rules are in a class `Params`, and a backtest by hand may replace some of them:

    python strategies/<name>/strategy.py ... --cfg '{"params": {"length": 21}}'
"""

import argparse
import inspect
import json
import os
import re
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from adapters.base_adapter import (
    BaseAdapter,
    Config,
    ExitRequest,
    Indicators,
    OrderRequest,
    Position,
    Report,
)
from adapters.base_adapter import Strategy as AnyStrategy
from adapters.config import config, replaced
from adapters.loop import drive
from adapters.simbroker_adapter import SimBrokerAdapter
from simbroker.bars import BadBars, tidy, tuples
from simbroker.broker import SimBroker
from simbroker.load import read_csv
from simbroker.terms import Terms

SETTING = "'{\"initial_balance\": 5000}'"
APPROVAL = re.compile(r"human_verified_\d{10,}(\.[\w-]+){0,3}")


BY_HAND = "params is for backtests by hand: live runs the contract's own numbers; leave it out"


class Params(NamedTuple):
    """The numbers of the rules, as the contract has them."""

    length: int = 20


class Strategy:
    """For backtest and live alike. Decides on the close of bar `idx` and never calls a broker."""

    def __init__(self, cfg: Config) -> None:
        """Take the settings. A backtest by hand may replace numbers: cfg["params"]."""
        self.cfg = cfg
        self.params = Params(**cfg.get("params", {}))

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        """Compute every indicator once, for all bars. Value `i` may use bars 0 to `i` only."""
        raise NotImplementedError

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        """The order to place on the close of bar `idx`, or None. It fills from the next open on."""
        raise NotImplementedError

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        """Close this position at the next open? Stop and target work without being asked."""
        return None


def run_backtest(adapter: BaseAdapter, df: pd.DataFrame, cfg: Config) -> Report:
    """Run a backtest through the adapter. Each strategy file has these lines."""
    return backtest(Strategy, adapter, df, cfg)


def run_live(adapter: BaseAdapter, cfg: Config) -> None:
    """Run live: refused here. Only an approved deployment starts it."""
    refuse_live()


def backtest(
    make: Callable[[Config], AnyStrategy], adapter: BaseAdapter, df: pd.DataFrame, cfg: Config
) -> Report:
    """Check the bars, make the strategy and drive it over them.

    The loop is in `adapters/loop.py`: a bar is stepped first and decided on at its close, so that
    no order can be filled on the bar that it was decided on.
    """
    bars = tidy(df)
    account = adapter.get_account()
    own: Config = {**config(), **cfg}
    own["balance"], own["equity"] = account["balance"], account["equity"]
    return drive(make(own), adapter, bars, tuples(bars), own)


def refuse_live() -> None:
    raise PermissionError(
        "live trading starts from an approved deployment only: merge, then approve the environment"
    )


def main(
    run_backtest: Callable[[BaseAdapter, pd.DataFrame, Config], Report],
    run_live: Callable[[BaseAdapter, Config], None],
) -> int:
    """The command line of a strategy file."""
    args = _arguments().parse_args()
    contract = Path(inspect.getfile(run_backtest)).with_name("contract.json")
    try:
        own = config(contract.read_text() if contract.exists() else "")
    except (OSError, ValueError, TypeError, KeyError) as error:
        print(f"{contract}: cannot be used: {error!r}; restore the file", file=sys.stderr)
        return 2
    try:
        cfg: Config = {**own, **dict(json.loads(args.cfg))}
        broker = SimBroker(Terms.read(cfg))
        defaults = _params(run_backtest)
        if "params" in cfg:
            cfg["params"] = replaced(defaults, cfg["params"])
    except (ValueError, TypeError) as error:
        print(f"--cfg {args.cfg}: {error}; write JSON, as in {SETTING}", file=sys.stderr)
        return 2
    if args.mode == "live" and "params" in cfg:
        print(BY_HAND, file=sys.stderr)
        return 2
    if args.mode == "live":
        return _live(run_live, SimBrokerAdapter(broker), cfg, args.approval_token)
    if not args.data:
        print("a backtest needs --data FILE.csv", file=sys.stderr)
        return 2
    try:
        bars = read_csv(args.data)
        closes = bars["Close"].to_numpy(dtype="float64")
        adapter = SimBrokerAdapter(broker, args.correlation_id, closes)
        changed = _changed(defaults, cfg)
        report = {**run_backtest(adapter, bars, cfg), **changed}
    except (BadBars, OSError) as error:
        print(f"{args.data}: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return 2
    try:
        adapter.save_report(args.out)
        if changed:
            Path(args.out, "summary.json").write_text(json.dumps(report, indent=2) + "\n")
        _save_closes(bars, Path(args.out))
    except OSError as error:
        print(f"{args.out}: {error.strerror}; name another folder with --out", file=sys.stderr)
        return 2
    print(json.dumps(report, indent=2))
    return 0


def _params(
    run_backtest: Callable[[BaseAdapter, pd.DataFrame, Config], Report],
) -> dict[str, float]:
    """The strategy's own numbers by name; none where the file has no class `Params`."""
    found = getattr(sys.modules[run_backtest.__module__], "Params", None)
    return dict(getattr(found, "_field_defaults", {}))


def _changed(defaults: dict[str, float], cfg: Config) -> Report:
    """What the figures do not say of themselves: they are those of other numbers."""
    given = cfg.get("params", {})
    other = {name: value for name, value in given.items() if value != defaults[name]}
    told = {name: {"contract": defaults[name], "here": value} for name, value in other.items()}
    return {"changed_params": told} if told else {}


def _save_closes(bars: pd.DataFrame, out: Path) -> None:
    """For whoever draws the price: `stratbot report` does."""
    closes = bars["Close"].rename("close").rename_axis("timestamp")
    closes.index = closes.index.map(lambda at: at.isoformat())
    closes.to_csv(out / "bars.csv", lineterminator="\n")


def _live(
    run_live: Callable[[BaseAdapter, Config], None], adapter: BaseAdapter, cfg: Config, token: str
) -> int:
    """No strategy file trades: the live runner's own check of the token says what to type."""
    if not APPROVAL.fullmatch(token):
        print("live needs --approval-token human_verified_<timestamp>, or the whole signed token",
              file=sys.stderr)  # fmt: skip
        return 3
    try:
        run_live(adapter, cfg)
    except PermissionError:
        # By its name: it is no part of the sandbox's image, where mypy reads this file too.
        hand_over = import_module("adapters.live.hand_over")
        file = Path(inspect.getfile(run_live)).resolve()
        print(hand_over.answer(file, token, os.environ, int(time.time())), file=sys.stderr)
        return 3
    return 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Run a strategy.")
    parser.add_argument("--mode", choices=["backtest", "live"], required=True)
    parser.add_argument("--data", default="", help="bars as CSV")
    parser.add_argument("--out", default="results/", help="folder for the report's files")
    parser.add_argument("--cfg", default="{}", help="JSON that replaces single settings")
    parser.add_argument("--approval-token", default="")
    parser.add_argument("--correlation-id", default="corr_local")
    return parser


if __name__ == "__main__":
    raise SystemExit(main(run_backtest, run_live))
