"""Figures of a run against the last one and against doing nothing, and what flatters them."""

from __future__ import annotations

from bot.pictures.words import money
from bot.text.findings import literal
from bot.text.measures import shown, too_short
from schemas.base import TaskId
from schemas.contract import Contract
from schemas.report import Changes, Summary, TestReport
from schemas.workflow import Run, Workflow


def figures(summary: Summary, before: Run | None) -> str:
    """A column for the last run only where there was one."""
    last = before.summary if before else None
    head = ["", "this run"]
    if before and last:
        head += [f"`{before.sha[:7]}` before", "change"]
    rows = [_line(head), _line(["---", *("--:" for _ in head[1:])])]
    for measure in shown(summary, last):
        cells = [measure.name, measure.told(summary)]
        cells += [measure.told(last), measure.change(summary, last)] if last else []
        rows.append(_line(cells))
    return "\n".join([*rows, "", *against(summary)])


def no_trades(where: TaskId | None) -> str:
    """Then every figure would be a zero that means nothing."""
    if where in (TaskId.DATA, TaskId.INDICATORS):
        return "It does not trade yet: that comes in a later step."
    return (
        "It made no trade on the known bars, so there are no figures. If it should, loosen its "
        "rules with `/revise`."
    )


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def against(summary: Summary) -> list[str]:
    """Against doing nothing, and against dearer trading."""
    rows = []
    hold, stressed = summary.buy_and_hold, summary.net_pnl_at_double_costs
    if hold is not None:
        than = "more" if hold > summary.net_pnl else "not more"
        rows.append(
            f"- Buying once with the whole account and holding: {money(hold)}, "
            f"{than} than the strategy{_risk(summary)}.{_little(summary)}"
        )
    if stressed is not None:
        left = "something is left" if stressed > 0 else "nothing is left"
        rows.append(f"- The same trades at twice the costs: {money(stressed)}, {left}.")
    return rows


def _risk(summary: Summary) -> str:
    """More money is not better where it asks for more nerves."""
    ratio, fall = summary.hold_sharpe, summary.hold_drawdown_pct
    told = [] if ratio is None or too_short(summary) else [f"a Sharpe of {ratio:.2f}"]
    told += [] if fall is None else [f"a maximum drawdown of {fall:.1f}% of the peak"]
    return f", with {' and '.join(told)}" if told else ""


def _little(summary: Summary) -> str:
    """Who holds is in the market all the time; it is fair to say how much of it this one was."""
    part = summary.exposure_pct
    return "" if part is None else f" The strategy was in the market {part:.1f}% of the time."


def changed(changes: Changes) -> str:
    """What the strategy does differently from the results that its branch carries."""
    counts = (
        f"{changes.added} trades added, {changes.removed} removed, {changes.moved} moved, "
        f"{changes.same} the same."
    )
    return "\n".join([counts, *(f"- <code>{literal(e, 200)}</code>" for e in changes.examples)])


def flatters(workflow: Workflow, report: TestReport) -> str:
    """Each makes the figures look better or firmer than they are."""
    rows = [
        "- The bars are made, not bought from a market. They show that the strategy does what its "
        "contract says, not that it earns money.",
    ]
    if not report.isolated:
        rows.append("- It ran without a container: weaker than the sandbox with Docker.")
    rows += _of_contract(workflow.contract) if workflow.contract else []
    return "\n".join(rows)


def _of_contract(contract: Contract) -> list[str]:
    c, rows = contract.costs, []
    fees = c.commission_per_trade + c.commission_per_unit + c.commission_percent
    slips = c.spread + c.slippage + c.slippage_percent_of_range
    if not fees + slips:
        rows.append("- All costs are zero. Name real ones with `/revise`.")
    elif not slips:
        rows.append("- Spread and slippage are zero. Name real ones with `/revise`.")
    if contract.risk.sizing.kind != "fixed_units" or contract.risk.max_positions > 1:
        rows.append("- The account may borrow a hundred times its money, so no order is too large.")
    return rows + [
        f"- Taken, since the request does not say: {literal(a.topic, 100)}: {literal(a.taken, 200)}"
        f" ({literal(a.because, 200)})."
        for a in contract.assumptions
    ]
