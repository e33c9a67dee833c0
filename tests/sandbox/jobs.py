"""Jobs for the tests, and what the tests ask of them."""

import pytest

from sandbox.engine import Job, Lost, Running


def python(code: str, seconds: float = 30.0) -> Job:
    return Job("test", ("python", "-c", code), seconds=seconds)


def why(running: Running, seconds: float) -> str:
    """Why no answer comes."""
    with pytest.raises(Lost) as lost:
        running.receive(seconds)
    return lost.value.why
