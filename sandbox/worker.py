"""Inside the container: holds one strategy and answers about it over a pipe. Nothing is trusted
that comes from here; the harness outside owns the bars, the clock, the broker and the report."""

import json
import linecache
import os
import sys
import traceback
import types
from typing import Any

import numpy as np
import pandas as pd

import strategies.template  # noqa: F401 - a strategy imports it after the lock
from adapters.frame import column, frame
from sandbox import syscalls
from simbroker.positions import position
from simbroker.synthetic import MARKETS, bars

FILE = "strategy.py"
ZONES = ("UTC", "America/New_York", "America/Chicago", "Europe/London", "Europe/Berlin",
         "Asia/Tokyo", "Asia/Hong_Kong", "Australia/Sydney")  # fmt: skip


def no_bars() -> dict[str, Any]:
    return {name: np.array([], dtype="int64" if name == "t" else "float64") for name in "tohlcv"}


class Worker:
    """The state between two questions."""

    def __init__(self) -> None:
        self.module = types.ModuleType("strategy")
        self.cfg: dict[str, Any] = {}
        self.money: dict[str, Any] = {}
        self.strategy: Any = None
        self.rows = no_bars()
        self.asked: list[dict[str, Any]] = []
        self.index = pd.DatetimeIndex([])
        self.whole = pd.DataFrame()
        self.df: Any = None
        self.indicators: Any = None

    def load(self, source: str, cfg: dict[str, Any]) -> None:
        """Run the file once. `dataclasses` and tracebacks want the module and its lines known."""
        linecache.cache[FILE] = (len(source), None, source.splitlines(True), FILE)
        sys.modules["strategy"] = self.module
        self.cfg = cfg
        exec(compile(source, FILE, "exec"), self.module.__dict__)  # nosec B102

    def fresh(self) -> None:
        """A new strategy that has seen nothing."""
        self.money = dict(self.cfg)
        self.strategy = self.module.__dict__["Strategy"](self.money)
        self.rows = no_bars()
        self.asked = []

    def bars(self, more: dict[str, list[float]], zone: str | None) -> None:
        for name, values in more.items():
            self.rows[name] = np.append(self.rows[name], values)
        index = pd.DatetimeIndex(self.rows["t"].astype("datetime64[us]"), name="Date")
        if zone:
            index = index.tz_localize("UTC").tz_convert(zone)
        self.index = index
        names = {"Open": "o", "High": "h", "Low": "l", "Close": "c", "Volume": "v"}
        self.whole = pd.DataFrame({k: self.rows[v] for k, v in names.items()}, index=index)

    def see(self, q: dict[str, Any]) -> None:
        self.bars(q["more"], q["zone"])
        aside = self.module.__dict__["Strategy"](dict(self.cfg)) if q["aside"] else None
        self.prepare(aside or self.strategy)

    def step(self, q: dict[str, Any]) -> dict[str, Any]:
        """One more bar, then the question about it; a replay knows of both, whatever is raised."""
        self.asked.append(q)
        self.see(q)
        return self.ask(q)

    def prepare(self, strategy: Any) -> None:
        found = strategy.prepare_indicators(self.whole.copy())
        self.indicators = {
            name: column(s) if isinstance(s, pd.Series) else s for name, s in found.items()
        }
        bad = [n for n, s in self.indicators.items() if len(s) != len(self.whole)]
        if bad:
            raise ValueError(f"indicator {bad[0]!r} does not have one value per bar")
        self.df = frame(self.whole)

    def exits(self, idx: int, held: list[dict[str, Any]]) -> list[Any]:
        """Each position as the broker shows it; its time comes as microseconds."""
        asked = [position(**{**told, "time": self._time(told["time"])}) for told in held]
        return [self.strategy.find_exits(p, self.df, self.indicators, idx) for p in asked]

    def _time(self, micros: int) -> pd.Timestamp:
        at = pd.Timestamp(micros, unit="us", tz="UTC")
        return at.tz_convert(self.index.tz) if self.index.tz else at.tz_localize(None)

    def entry(self, idx: int, money: dict[str, float]) -> Any:
        self.money.update(money)
        return self.strategy.find_entries(self.df, self.indicators, idx)

    def ask(self, q: dict[str, Any]) -> dict[str, Any]:
        exits = [plain(x) for x in self.exits(q["idx"], q["held"])]
        if not q["entry"]:
            return {"exits": exits}
        return {"exits": exits, "entry": plain(self.entry(q["idx"], q["money"]))}

    def replay(self) -> dict[str, Any]:
        """A new strategy with the bars so far, asked again from the first; it stays in place."""
        self.money = dict(self.cfg)
        self.strategy = self.module.__dict__["Strategy"](self.money)
        self.prepare(self.strategy)
        told: dict[str, Any] = {}
        for q in self.asked:
            told = self.ask(q)
        return told

    def answer(self, q: dict[str, Any]) -> dict[str, Any]:
        match q["op"]:
            case "load":
                self.load(q["source"], q["cfg"])
            case "fresh":
                self.fresh()
            case "bars":
                self.see(q)
            case "step":
                return self.step(q)
            case "exits":
                return {"exits": [plain(x) for x in self.exits(q["idx"], q["held"])]}
            case "entry":
                return {"entry": plain(self.entry(q["idx"], q["money"]))}
            case "ask":
                self.asked.append(q)
                return self.ask(q)
            case "replay":
                return self.replay()
        return {}


def plain(value: Any) -> Any:
    """Whatever a strategy returns, as JSON that the harness will read with suspicion."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)[:300]
    if isinstance(value, (int, float, np.integer, np.floating)):
        return float(value)
    if isinstance(value, dict):
        return {str(k)[:40]: plain(v) for k, v in list(value.items())[:20]}
    return {"not": type(value).__name__[:40]}


def failure(error: BaseException) -> dict[str, Any]:
    """What went wrong, and on which line of the strategy."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == FILE]
    line = frames[-1].lineno if frames else getattr(error, "lineno", 0)
    text = "".join(traceback.format_exception_only(error))
    shown = "".join(traceback.format_list(frames[-5:]))
    return {"error": {"type": type(error).__name__[:60], "message": text[:600], "line": line or 0,
                      "trace": shown[:2000]}}  # fmt: skip


def warm_up() -> None:
    """Load whatever pandas and numpy load late: after the lock no file can be opened."""
    df = bars(MARKETS["ranging"], pd.bdate_range("2020-01-01", periods=60), 1)
    c, at = df["Close"], pd.DatetimeIndex(df.index)
    for _ in (c.rolling(5).mean(), c.ewm(span=5).mean(), c.rolling(5).apply(np.mean, raw=True),
              c.expanding().max(), c.resample("W").last(), c.groupby(at.date).cumsum(),
              c.rolling(5).quantile(0.5), c.rolling(5).corr(df["Open"]), c.rank(), c.diff(),
              df.describe(), c.interpolate(), pd.concat([c, c]), df.to_numpy(), c.astype(str),
              c.reindex(df.index, method="ffill"), c.where(c > 0), pd.to_datetime(["2020-01-01"]),
              df.groupby(at.normalize())["High"].transform("max"), c.round(2), str(df),
              c.sort_values(), c.idxmax(), at.strftime("%H:%M"), at.tz_localize("UTC"),
              np.where(c > 1, 1, 0), np.polyfit([0, 1], [0, 1], 1), np.percentile(c, 5),
              np.lib.stride_tricks.sliding_window_view(c.to_numpy(), 3)):  # fmt: skip
        pass
    for zone in ZONES:
        pd.Timestamp("2020-01-01", tz="UTC").tz_convert(zone)
    try:
        raise ValueError("warm")
    except ValueError as error:
        failure(error)
    json.dumps({"a": 1.5})


def main() -> int:
    """One line in, one line out. The strategy's own prints go nowhere."""
    asked, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    hole = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(hole, fd)
    warm_up()
    worker = Worker()
    locked = "--unlocked" not in sys.argv
    if locked:
        syscalls.lock()
    told.write(json.dumps({"ready": True, "locked": locked}).encode() + b"\n")
    told.flush()
    for line in asked:
        question = json.loads(line)
        try:
            reply = worker.answer(question)
        except BaseException as error:  # whatever it raises is a fact about the strategy
            reply = failure(error)
        told.write(json.dumps({"n": question["n"], **reply}).encode() + b"\n")
        told.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
