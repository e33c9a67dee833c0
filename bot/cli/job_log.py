"""What a job of the bot prints: one JSON object a line, with time, correlation id and event."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import click

LONGEST = 500


def told(event: str, message: str, issue: int | None = None) -> None:
    """As `sandbox/job_log.py` does it in the jobs that run a strategy."""
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    whose = {"correlation_id": f"corr_{issue}", "workflow_id": f"wf_{issue}"} if issue else {}
    line = {"timestamp": at, "correlation_id": "corr_none", **whose, "event": event}
    click.echo(json.dumps({**line, "message": " ".join(message.split())[:LONGEST]}))
