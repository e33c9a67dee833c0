"""Skill or luck, in words: trials, what luck alone gives, the sealed bars, stretch by stretch."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator

from bot.pictures.words import money
from bot.text.measures import shown
from schemas.base import TaskId
from schemas.report import Fold, Summary
from schemas.workflow import Opened, Run, Workflow
from simbroker import folds, luck

FEW_VARIANTS = 10
WHOLE = (None, TaskId.EXIT)
"""Runs of the delivery, and of the step that makes it whole."""
NO_RETURNS = (
    "Skill cannot be told from luck here: this run kept no daily returns. A new test keeps them, "
    "unless the account fell to zero."
)
MOST = 0.999
"""Nothing here is surer than this."""


def skill(workflow: Workflow, summary: Summary) -> str:
    """Rows of a list in markdown."""
    return "\n".join(f"- {row}" for row in rows(workflow.trials, workflow.runs, summary))


def rows(trials: int, runs: tuple[Run, ...], summary: Summary) -> Iterator[str]:
    """Every number comes from `simbroker.luck` or `simbroker.folds`."""
    trials = max(trials, 1)
    yield f"Trials: {trials}. Each look at figures of this request is one."
    yield from _deflated(summary, trials, between(runs))
    yield from _overfitting(trials, runs, summary)
    if summary.folds:
        told = ", ".join(money(fold.net) for fold in summary.folds)
        won = sum(fold.net > 0 for fold in summary.folds)
        yield (
            f"In {len(summary.folds)} equal stretches of time, one after the other (walk-forward; "
            f"nothing is fitted again in between): {told}. {won} of {len(summary.folds)} earned "
            "something."
        )


def shape(summary: Summary) -> luck.Shape | None:
    """None where the returns are not known: in figures of an older version, or of no account."""
    s = summary
    if s.sharpe is None or s.skewness is None or s.kurtosis is None or not s.periods:
        return None
    return luck.Shape(s.returns, s.sharpe / math.sqrt(s.periods), s.skewness, s.kurtosis)


def lacks(summary: Summary) -> tuple[str, ...]:
    """What is missing for a verdict. A trade that made exactly nothing counts as not won."""
    trades = summary.total_trades
    return luck.lacks(summary.returns or None, trades, trades - round(trades * summary.win_rate))


def between(runs: tuple[Run, ...]) -> float:
    """The deviation of the Sharpe ratios of all looks at the whole, per period; 0 where fewer than
    two are known."""
    found = [r.summary for r in runs if r.summary and r.summary.periods and r.task in WHOLE]
    ratios = [s.sharpe / math.sqrt(s.periods) for s in found if s.sharpe is not None]
    return statistics.stdev(ratios) if len(ratios) > 1 else 0.0


def _deflated(summary: Summary, trials: int, spread: float) -> Iterator[str]:
    found, missing = shape(summary), lacks(summary)
    if missing:
        yield from missing
        return
    if found is None:
        yield NO_RETURNS
        return
    year, lucky = math.sqrt(summary.periods), luck.luck(trials, found.count, spread)
    if trials > 1:
        yield (
            f"The best of {trials} strategies without any skill would show a Sharpe ratio of about "
            f"{lucky * year:.2f} here; this one shows {found.sharpe * year:.2f}."
        )
    sure = luck.deflated(found, trials, spread)
    if sure is None:
        return
    says = "luck is an unlikely reason" if sure >= luck.SURE else "luck may be all there is"
    told = f"{sure:.1%}" if sure < MOST else f"more than {MOST:.1%}"
    yield f"Deflated Sharpe ratio: {told} ({luck.SURE:.0%} are asked for): {says}."
    needed = luck.enough(found, trials, spread)
    if needed is not None and sure < luck.SURE and needed < 1e6:
        yield (
            f"If it goes on like this, {math.ceil(needed):,} returns are enough to tell; there are "
            f"{found.count:,}. Try it on more days."
        )


def _overfitting(trials: int, runs: tuple[Run, ...], summary: Summary) -> Iterator[str]:
    """Only whole strategies over the same returns can be set side by side: a step that does not
    leave its positions yet is nothing that anybody would choose."""
    whole = [r.summary for r in runs if r.summary and r.task in WHOLE]
    counts = [fold.returns for fold in summary.folds]
    alike = dict.fromkeys(s.folds for s in whole if [f.returns for f in s.folds] == counts)
    found = folds.overfitting([tuple(map(_fold, parts)) for parts in alike])
    if not counts:
        return
    if found is None:
        all_known = sum(r.summary is not None for r in runs) >= trials
        yield _unchosen(len({s.folds for s in whole}) if all_known else None)
        return
    few = " So few say little." if len(alike) < FEW_VARIANTS else ""
    yield (
        f"Probability of backtest overfitting: {found:.0%}, of {len(alike)} variants. So often the "
        "variant that was best on one half of the time was not better than the middle one on the "
        f"other half.{few}"
    )


def _unchosen(variants: int | None) -> str:
    """Why there is no probability. None: some looks left no figures here."""
    name = "Probability of backtest overfitting"
    if variants == 0:
        return f"{name}: none to tell yet. The strategy is not whole, so nobody chose it."
    if variants == 1:
        return (
            f"{name}: none to tell. One variant of the whole strategy was looked at, so none was "
            "chosen."
        )
    return (
        f"{name}: not known here. It takes the figures of every variant, on the same bars. The "
        "audit log of the request has its runs; the command stratbot audit prints it."
    )


def _fold(fold: Fold) -> folds.Fold:
    squares = fold.returns * (fold.deviation**2 + fold.mean**2)
    return folds.Fold(fold.returns, fold.returns * fold.mean, squares)


def beside(summary: Summary, sha: str, opened: Opened) -> str:
    """Known bars, as commit `sha` did on them, beside the sealed ones."""
    sealed = opened.summary
    rows = [
        f"| | known bars, `{sha[:12]}` | sealed bars, `{opened.sha[:12]}` |",
        "|---|--:|--:|",
        *(f"| {m.name} | {m.told(summary)} | {m.told(sealed)} |" for m in shown(summary, sealed)),
    ]
    told = (
        "The sealed bars are the last fifth. They were drawn by chance when "
        f"`{opened.sha[:12]}` was tested: before that nobody could know them. They are opened "
        "once, and not again."
    )
    return "\n".join([" ".join([told, *apart(sha, opened.sha)]), "", *rows])


def apart(known: str, sealed: str) -> tuple[str, ...]:
    """Two commits may be two strategies: then their figures are not of one."""
    if known == sealed:
        return ()
    return (
        f"The known figures are of commit {known[:12]}, the sealed ones of commit {sealed[:12]}: "
        "compare them only if the rules stayed the same in between.",
    )
