"""Where a job runs: in a container, or bare where the caller says so."""

from __future__ import annotations

from sandbox import image
from sandbox.engine import DockerEngine, Engine, ProcessEngine
from sandbox.job import Ledger
from sandbox.limits import Limits


def engine_of(backend: str, limits: Limits | None = None, ledger: Ledger | None = None) -> Engine:
    """The image is built first where it is missing."""
    if backend == "process":
        return ProcessEngine(ledger)
    return DockerEngine(image.ensure(), limits, ledger)
