"""A plan from a sheet. Where one was given no reader of prose is asked, and no model."""

from __future__ import annotations

import re

from bot import text
from bot.agents import architect, planner
from bot.agents.clean import clean
from bot.agents.given_sheet import sheet_in
from bot.agents.plan_faults import plan_faults
from schemas.contract import Assumption, Contract
from schemas.sheet import Reading, Rules, put_into, read_sheet, sheet_of
from schemas.sheet.edit import edited, is_statements
from schemas.sheet.problems import Fault
from schemas.work import PlanMade, QuestionsAsked, WorkKind, WorkOrder

MOST = 8_000


def planned(order: WorkOrder) -> PlanMade | QuestionsAsked | None:
    """The plan, or what is wrong with the sheet; None where nobody wrote one."""
    if order.kind is not WorkKind.PLAN:
        return None
    try:
        sheet = _sheet(order)
    except Fault as fault:
        return QuestionsAsked(questions=(fault.message[:500],))
    return None if sheet is None else _plan(order, sheet)


def _sheet(order: WorkOrder) -> str | None:
    """The newest sheet that was given, with the statements that were typed after it."""
    notes = [clean(note.text) for note in order.request.notes]
    if order.contract is not None:
        if not notes:
            return None
        last = notes[-1]
        return sheet_in(last) or _changed(sheet_of(order.contract), last)
    sheet = asked = sheet_in(clean(order.request.body))
    for note in notes:
        sheet = sheet_in(note) or (_changed(sheet, note) if sheet is not None else None)
        if sheet is None and asked:
            raise Fault(text.not_a_statement(note))
    return sheet


def _changed(sheet: str, note: str) -> str | None:
    return edited(sheet, note) if is_statements(note) else None


def _plan(order: WorkOrder, sheet: str) -> PlanMade | QuestionsAsked:
    if len(sheet) > MOST:
        return QuestionsAsked(questions=(text.sheet_too_long(MOST),))
    reading = read_sheet(sheet)
    if reading.rules is None:
        return QuestionsAsked(questions=_questions(reading))
    contract = architect.settled(_contract(order, reading.rules, reading, sheet), order)
    if wrong := plan_faults(contract):
        return QuestionsAsked(questions=tuple(x[:500] for x in wrong[:5]))
    return PlanMade(contract=contract, todo=planner.plan(contract))


def _questions(reading: Reading) -> tuple[str, ...]:
    told = [text.sheet_problem(p) for p in reading.problems]
    told += [text.sheet_hole(h) for h in reading.holes]
    if len(told) > 5:
        told = [*told[:4], text.more_problems(len(told) - 4)]
    return tuple(x[:500] for x in told)


def _contract(order: WorkOrder, rules: Rules, reading: Reading, sheet: str) -> Contract:
    known = order.contract
    assumed = tuple(
        Assumption(topic=a.topic, taken=a.text, because=text.not_in_the_sheet())
        for a in reading.assumed
    )
    title = clean(order.request.title)
    made = Contract(
        workflow_id=order.workflow_id,
        correlation_id=order.correlation_id,
        name=known.name if known else _name(title, rules),
        symbol=rules.symbol,
        timeframe=rules.timeframe,
        summary=known.summary if known else title[:2_000],
        entries=rules.entries,
        risk=rules.risk,
        costs=rules.costs,
        assumptions=assumed[:50],
        sheet=sheet.strip("\n") + "\n",
    )
    return put_into(made, rules)


def _name(title: str, rules: Rules) -> str:
    """A folder's name from the title, as short as a title usually is."""
    words = re.findall(r"[a-z0-9]+", title.lower().removeprefix("strategy:"))
    name = "_".join(words)[:40].strip("_")
    if not name or not name[0].isalpha():
        name = f"{rules.symbol}_{rules.timeframe}_{name}".lower().strip("_")
    return re.sub(r"[^a-z0-9_]", "_", name)
