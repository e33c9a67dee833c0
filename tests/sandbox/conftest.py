"""The two engines, and after each test a look at what was left behind."""

import contextlib
import os
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import files, image, owner
from sandbox.container import OWNER, connect
from sandbox.engine import CannotRun, DockerEngine, Engine, ProcessEngine
from tests.conftest import NO_ENGINE


@pytest.fixture(scope="session")
def sandbox_image() -> str:
    """Built once; where that is impossible a person may go on, the continuous check may not."""
    try:
        return image.ensure()
    except CannotRun as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{NO_ENGINE}: {error}")
        pytest.skip(f"{NO_ENGINE}: {error}")


@pytest.fixture
def docker_engine(sandbox_image: str) -> DockerEngine:
    return DockerEngine(sandbox_image)


@pytest.fixture(params=["docker", "process"])
def engine(request: pytest.FixtureRequest) -> Engine:
    if request.param == "process":
        return ProcessEngine()
    return DockerEngine(request.getfixturevalue("sandbox_image"))


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    threads = set(threading.enumerate())
    yield
    assert not containers_of(owner.me())
    assert not folders_of(owner.me())
    assert set(threading.enumerate()) <= threads


def containers_of(whose: str) -> list[str]:
    try:
        client = connect()
    except CannotRun:
        return []
    with contextlib.closing(client):
        found = client.containers(all=True, filters={"label": f"{OWNER}={whose}"})
        return [c["Names"][0] for c in found]


def folders_of(whose: str) -> list[Path]:
    return list(Path(tempfile.gettempdir()).glob(f"{files.PREFIX}{whose}-*"))
