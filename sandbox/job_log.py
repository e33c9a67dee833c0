"""What a job prints: one JSON object a line, with time, correlation id, task and event."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TextIO

from sandbox.outgoing import tame
from schemas.report import Check
from schemas.work import WorkOrder

LONGEST = 300
UNKNOWN = "corr_unknown"
"""Of an order that cannot be read."""


@dataclass(frozen=True, slots=True)
class JobLog:
    """Texts are made harmless, cleared of secrets and cut: they may come from a strategy."""

    correlation_id: str = UNKNOWN
    workflow_id: str = ""
    task: str = ""

    def write(self, event: str, **facts: str | float | bool) -> None:
        self._print(event, facts, sys.stdout)

    def error(self, event: str, **facts: str | float | bool) -> None:
        self._print(event, facts, sys.stderr)

    def check(self, check: Check) -> None:
        """That a check has ended."""
        self.write("check.ended", check=check.name, outcome=check.outcome,
                   seconds=check.seconds, findings=len(check.findings))  # fmt: skip

    def _print(self, event: str, facts: dict[str, str | float | bool], to: TextIO) -> None:
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        told = {"timestamp": at, "correlation_id": self.correlation_id,
                "workflow_id": self.workflow_id, "task": self.task, "event": event,
                **facts}  # fmt: skip
        tamed = {k: tame(v, LONGEST) if isinstance(v, str) else v for k, v in told.items()}
        print(json.dumps(tamed), file=to, flush=True)


def log_of(order: WorkOrder) -> JobLog:
    return JobLog(order.correlation_id, order.workflow_id, order.task_id or order.kind)
