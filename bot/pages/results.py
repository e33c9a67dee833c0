"""What a page says and draws about the results of one strategy. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.agents.words import explain
from bot.pages import charts
from bot.pages.charts import Cell, Chart
from bot.pictures import table
from bot.pictures.table import Point, Trade
from bot.pictures.words import money
from bot.text import endings, luck
from bot.text.measures import LUCK, NONE, shown
from schemas import codec
from schemas.contract import Contract
from schemas.figures import summary_of
from schemas.live import Passport
from schemas.report import Summary, TestReport
from schemas.workflow import Opened, Run

MOST_TRADES = 2000
UNCOUNTED = (
    "Nobody counted the trials: there is no passport beside these results. What follows is right "
    "only for the very first look."
)
UNTESTED = "Not tested: only the sandbox says whether it passes."
UNTOLD = "What luck explains of these figures is told after a run in the sandbox."
Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    caption: str
    head: Row
    rows: tuple[Row, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Results:
    """Empty where a file is missing: then the page says less, and never something else."""

    name: str
    says: str
    charts: tuple[Chart, ...]
    months: tuple[str, tuple[str, ...], list[tuple[int, list[Cell]]]] | None
    figures: Table | None
    endings: Table | None
    luck: Row
    meant: tuple[Row, ...]
    checks: tuple[Row, ...]
    trades: tuple[Row, ...]
    words: str


@dataclass(frozen=True, slots=True)
class ByHand:
    summary: Summary
    says: str
    warns: Row


def read(
    name: str,
    texts: Mapping[str, str],
    before: str = "",
    runs: tuple[Run, ...] = (),
    trials: int | None = None,
    opened: Opened | None = None,
) -> Results:
    """`texts` by file name; `before` is the equity_curve.csv of the version before; `runs`,
    `trials` and `opened` are those of the audit log, where there is one.

    Raises `table.NotReadable` or `codec.Invalid` where a file is not what it should be.
    """
    report = codec.load(TestReport, texts["test_report.json"]) if "test_report.json" in texts else None  # fmt: skip  # noqa: E501
    passport = codec.load(Passport, texts["passport.json"]) if "passport.json" in texts else None
    contract = codec.load(Contract, texts["contract.json"]) if "contract.json" in texts else None
    points = table.points(texts["equity_curve.csv"]) if "equity_curve.csv" in texts else ()
    trades = table.trades(texts["trades.csv"]) if "trades.csv" in texts else ()
    bars = table.bars(texts["bars.csv"]) if "bars.csv" in texts else ()
    old = table.points(before) if before else ()
    by_hand = _by_hand(texts) if report is None else None
    summary = report.summary if report else by_hand.summary if by_hand else None
    counted = [n for n in (trials, passport.trials if passport else None) if n is not None]
    return Results(
        name=name,
        says=by_hand.says if by_hand else _says(report, passport),
        charts=_drawn(points, trades, bars, old),
        months=charts.months(points) if points else None,
        figures=_figures(summary, report, opened) if summary else None,
        endings=_endings(summary) if summary and summary.endings else None,
        luck=by_hand.warns if by_hand else _luck(counted, runs, summary) if summary else (),
        meant=LUCK if report and summary else (),
        checks=_checks(report),
        trades=tuple(_trade(t) for t in trades[:MOST_TRADES]),
        words=explain(contract) if contract else "",
    )


def _by_hand(texts: Mapping[str, str]) -> ByHand | None:
    """A backtest that nobody tested leaves its figures in summary.json."""
    if "summary.json" not in texts:
        return None
    try:
        told = json.loads(texts["summary.json"])
        span = f"{told['first_bar'] or NONE} to {told['last_bar'] or NONE}".replace("T00:00:00", "")
        return ByHand(
            summary=summary_of(told),
            says=f"A backtest of {told['symbol']}, {told['timeframe']}, {span}. {UNTESTED}",
            warns=(*_changed(told), *map(str, told["warnings"]), UNTOLD),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise codec.Invalid("summary.json", (f"$: {error}",)) from None


def _changed(told: Mapping[str, Any]) -> Row:
    """A backtest by hand may be one of other numbers than the contract's."""
    other = dict(told.get("changed_params", {}))
    said = (f"{name} {x['here']:g} instead of {x['contract']:g}" for name, x in other.items())
    return (f"Not the contract's numbers: {', '.join(said)}.",) if other else ()


def _luck(counted: Sequence[int], runs: tuple[Run, ...], summary: Summary) -> Row:
    """The larger count is the careful one. Where nobody counted, that is said."""
    rows = tuple(luck.rows(max(counted, default=1), runs, summary))
    return rows if counted else (UNCOUNTED, *rows[1:])


def _drawn(
    points: Sequence[Point],
    trades: Sequence[Trade],
    bars: Sequence[table.Bar],
    old: Sequence[Point],
) -> tuple[Chart, ...]:
    found = []
    if points:
        found.append(charts.equity(points))
    if points and old:
        found.append(charts.versions(old, points))
    if trades:
        found += [charts.price(trades, bars), charts.spread(trades), charts.stress(trades)]
    return tuple(found)


def _says(report: TestReport | None, passport: Passport | None) -> str:
    if report is None:
        return "Not tested yet: there is no report beside it."
    failed = sum(c.outcome != "passed" for c in report.checks)
    found = f"{failed} checks did not pass" if failed else f"{len(report.checks)} checks passed"
    request = f" Request {passport.issue}." if passport else ""
    where = "" if report.isolated else " It ran without a container."
    return f"{found} on commit {report.commit_sha[:12]}.{where}{request}"


def _figures(summary: Summary, report: TestReport | None, opened: Opened | None) -> Table:
    look = _look(report, opened) if report else None
    columns = [summary, *([look.summary] if look else [])]
    over = ("known bars",) if report else ("these bars",)
    sealed = (f"sealed bars, {look.sha[:12]}",) if look else ()
    rows = tuple((m.name, *(m.told(s) for s in columns), m.means) for m in shown(*columns))
    note = luck.apart(report.commit_sha, look.sha) if report and look else ()
    head = ("figure", *over, *sealed, "what it is")
    return Table("Figures of the backtest", head, rows, " ".join(note))


def _look(report: TestReport, opened: Opened | None) -> Opened | None:
    """The first look at the sealed bars, as the audit log has it; else that of this run."""
    if opened or report.sealed is None:
        return opened
    return Opened(sha=report.commit_sha, at=report.started_at, summary=report.sealed)


def _endings(summary: Summary) -> Table:
    return Table(endings.MEANS, endings.HEAD, tuple(endings.rows(summary)))


def _checks(report: TestReport | None) -> tuple[Row, ...]:
    checks = report.checks if report else ()
    return tuple((str(c.name), str(c.outcome), f"{c.seconds:.1f}") for c in checks)


def _trade(t: Trade) -> Row:
    side = "buy" if t.side > 0 else "sell short"
    return (
        t.entered.isoformat(" ", "minutes"), side, f"{t.entry:,.6g}",
        t.left.isoformat(" ", "minutes"), f"{t.exit:,.6g}", money(t.pnl),
    )  # fmt: skip
