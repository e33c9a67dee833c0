"""A contract as far as one step builds it: the rules of later steps are left out. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.tasks import STEPS
from schemas import contract as c
from schemas.base import TaskId

SO_FAR: dict[TaskId, str] = {
    TaskId.DATA: "So far it takes the bars; indicators, entries and exits follow.",
    TaskId.INDICATORS: "So far it has its indicators; entries and exits follow.",
    TaskId.ENTRY: "So far it enters, and only its stops and targets end a trade; exits follow.",
}
"""What a file says about itself before it is whole."""


def reaches(until: TaskId, step: TaskId) -> bool:
    """Whether what is built up to `until` has this step in it. Added tests change no strategy."""
    return until in (TaskId.TESTS, TaskId.DELIVERY) or STEPS.index(until) >= STEPS.index(step)


def so_far(contract: c.Contract, until: TaskId) -> c.Contract:
    """What is left out is not forbidden: it is not built yet."""
    if reaches(until, TaskId.EXIT):
        return contract
    risk = replace(
        contract.risk, trailing=(), break_even_after=None, exit_after_bars=None, exit_at=None
    )
    entered = replace(contract, exits=(), reverse=False, risk=risk)
    if reaches(until, TaskId.ENTRY):
        return entered
    quiet = replace(entered, entries=(), risk=c.Risk(sizing=risk.sizing))
    return quiet if reaches(until, TaskId.INDICATORS) else replace(quiet, indicators=())
