"""Where a delivered strategy comes from: its figures, trailers and tag. Pure."""

from __future__ import annotations

from schemas.acts import File, ResultFile, TagCommit
from schemas.workflow import Workflow


def result_files(
    workflow: Workflow, files: tuple[ResultFile, ...], sha: str
) -> tuple[File | ResultFile, ...]:
    return files


def trailers(workflow: Workflow) -> tuple[str, ...]:
    return (f"Correlation-Id: {workflow.correlation_id}",)


def tag(workflow: Workflow, sha: str) -> TagCommit:
    return TagCommit(name=f"artifact/x/{sha[:12]}", sha=sha, message="m")
