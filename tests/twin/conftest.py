"""One twin for all tests of a worker, a repository of its own for each test, all checked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.twin.desk import Desk
from tests.twin.listener import Listener, listening
from tests.twin.openapi import checked_exchanges
from tests.twin.running import Twin


@pytest.fixture(scope="session")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("twin")) as running:
        yield running


@pytest.fixture
def desk(twin: Twin, tmp_path: Path) -> Iterator[Desk]:
    with checked_exchanges():
        yield Desk(twin, tmp_path)


@pytest.fixture
def listener(desk: Desk) -> Iterator[Listener]:
    """Hears everything that happens in the repository."""
    with listening() as server:
        desk.repo().create_hook("web", {"url": server.url, "content_type": "json"}, ["*"])
        yield server
