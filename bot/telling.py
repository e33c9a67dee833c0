"""Whether the request waits for a person, and the one comment that tells its author so. Pure."""

from __future__ import annotations

from bot import text
from bot.tasks import current
from bot.view import labels
from schemas.acts import Tell
from schemas.workflow import Phase, Workflow

NOBODY = Tell()
CALL = "stratbot:needs-human"


def tell(workflow: Workflow) -> Tell:
    """As long as it waits. What a person asked for has its answer, so it is not told again."""
    if workflow.request is None or not _waits(workflow):
        return NOBODY
    return Tell(name=_name(workflow), body=text.waits_for_you(workflow))


def _waits(workflow: Workflow) -> bool:
    if workflow.held:
        return bool(workflow.note)  # a hold of ours has its reason; `/hold` has its answer
    if workflow.phase is Phase.DELIVERING and workflow.delivery.passed_sha is None:
        return False
    return workflow.phase is Phase.DECLINED or CALL in labels(workflow).names


def _name(workflow: Workflow) -> str:
    """Natural: the same wait has the same name in every run, and the next one another."""
    task = current(workflow)
    stage = "held" if workflow.held else workflow.phase
    step = f"/{task.id}" if task and workflow.phase is Phase.BUILDING else ""
    return f"{stage}{step}/{workflow.round}"
