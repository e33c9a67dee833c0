"""What an agent is shown of an order: fenced blocks of data, and only what it needs. Pure."""

from __future__ import annotations

from bot.agents import debugger
from bot.agents.clean import clean, fenced
from bot.tasks import home
from schemas import codec
from schemas.contract import Contract
from schemas.report import TestReport
from schemas.work import Note, WorkOrder

NOTES = 10
"""The newest notes of people; a note may be as long as a request."""


def for_planner(order: WorkOrder) -> str:
    request = order.request
    whole = f"title: {clean(request.title, 500)}\n\n{clean(request.body)}"
    return _blocks(
        request=whole,
        notes=_notes(request.notes),
        earlier_contract=_contract(order.contract),
        live_incident=_live_incident(order),
    )


def for_coder(order: WorkOrder) -> str:
    """After an incident also what went wrong live, and what people say of it."""
    incident = _live_incident(order)
    return _blocks(
        step=_step(order),
        contract=_contract(order.contract),
        **_code(order),
        live_incident=incident,
        hints=_notes(order.request.notes) if incident else "",
    )


def _live_incident(order: WorkOrder) -> str:
    """The branch todo that this work is for, and what the machine that traded told."""
    left = [todo.debug_instructions for todo in order.tried if todo.id.startswith("live_")]
    told = order.incident
    if told is None:
        return clean("\n".join(left), 6000)
    bar = f"bar {told.bar} ({told.bar_time})"
    rows = [*left, bar, f"live: {told.live}", f"on the stored inputs: {told.offline}"]
    return clean("\n".join([*rows, *told.bars, *told.audit]), 6000)


def for_debugger(order: WorkOrder) -> str:
    """The request itself is not shown: its contract is what was approved."""
    tried = "\n\n".join(f"{t.signature}\n{t.debug_instructions}" for t in order.tried[:-1])
    return _blocks(
        step=_step(order),
        contract=_contract(order.contract),
        **_code(order),
        failures=debugger.findings(order),
        tried=tried,
        hints=_notes(order.request.notes),
    )


def for_test_planner(order: WorkOrder) -> str:
    report = _report(order.report) if order.report else ""
    return _blocks(contract=_contract(order.contract), **_code(order), report=report)


def for_test_builder(order: WorkOrder) -> str:
    cases = order.spec.cases if order.spec else ()
    plan = "\n".join(f"{case.name}: {case.goal}" for case in cases)
    return _blocks(
        path=test_path(order), contract=_contract(order.contract), **_code(order), plan=plan
    )


def strategy_path(order: WorkOrder) -> str:
    return f"{_home(order)}/strategy.py"


def test_path(order: WorkOrder) -> str:
    """Where the added tests go."""
    return f"{_home(order)}/tests/test_added.py"


def _home(order: WorkOrder) -> str:
    return home(order.contract.name if order.contract else order.workflow_id)


def _blocks(**blocks: str) -> str:
    return "\n\n".join(fenced(name, text) for name, text in blocks.items() if text)


def _contract(contract: Contract | None) -> str:
    return codec.dump(contract).strip() if contract else ""


def _code(order: WorkOrder) -> dict[str, str]:
    draft = order.draft
    return {"strategy": draft.strategy, "tests": draft.tests} if draft else {}


def _step(order: WorkOrder) -> str:
    """Which step it is, what it has to bring, and what it is judged by."""
    items = order.todo.items if order.todo else ()
    item = next((i for i in items if i.id == order.task_id), None)
    if item is None:
        return str(order.task_id)
    judged = "\n".join(f"- {criterion.name}" for criterion in item.acceptance_criteria)
    return f"{order.task_id}\n{item.description}\nJudged by:\n{judged}"


def _notes(notes: tuple[Note, ...]) -> str:
    """The newest last, each cleaned on its own."""
    kept = [line for note in notes[-NOTES:] for line in _note(note)]
    left = [f"({len(notes) - NOTES} older notes are left out)"] if len(notes) > NOTES else []
    return "\n".join([*left, *kept])


def _note(note: Note) -> list[str]:
    """The questions that it answers stand before it."""
    asked = [f"asked: {clean(question, 500)}" for question in note.asked]
    return [*asked, f"{clean(note.author, 100)}: {clean(note.text, 2000)}"]


def _report(report: TestReport) -> str:
    """Which tests there are and what they cover; not what the strategy earned."""
    covered = "unknown" if report.line_coverage is None else f"{report.line_coverage:g} %"
    tests = [f"{t.nodeid}: {t.outcome}" for t in report.tests[:100]]
    missed = ", ".join(map(str, report.missed_lines[:100]))
    alive = [f"no test notices, line {m.line}: {m.change}" for m in report.mutants
             if m.outcome == "survived"]  # fmt: skip
    rows = [f"line coverage: {covered}", *([f"missed lines: {missed}"] if missed else [])]
    return "\n".join([*rows, *alive, *tests])
