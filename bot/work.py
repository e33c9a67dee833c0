"""One work order in, one result out: what the job does that may not write to GitHub."""

from __future__ import annotations

from collections.abc import Callable

from bot.agents import sheet_plan
from bot.ports import Writer
from schemas.base import Usage
from schemas.report import FailureClass
from schemas.work import Product, WorkFailed, WorkOrder, WorkResult, answered


def worked(order: WorkOrder, writer: Writer, now: Callable[[], float]) -> WorkResult:
    """Whatever the writer does, there is a result: a job that says nothing costs twenty minutes."""
    started = now()
    try:
        product, usage = written(order, writer)
    except Exception as error:  # a fault of the writer is the request's to know, not a traceback
        why = f"the writer broke: {type(error).__name__}: {error}"[:2000]
        product, usage = failed(why), Usage(seconds=max(0.0, now() - started))
    return answered(order, product, usage, int(now()))


def written(order: WorkOrder, writer: Writer) -> tuple[Product, Usage]:
    """Where the request is a sheet, nobody has to read it: no model is asked, and none is paid."""
    planned = sheet_plan.planned(order)
    return (planned, Usage()) if planned is not None else writer.write(order)


def failed(why: str) -> WorkFailed:
    return WorkFailed(failure_class=FailureClass.SANDBOX_ERROR, message=why)
