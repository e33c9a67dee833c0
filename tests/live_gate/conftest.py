"""One twin for the rows of the table, a repository of its own for each."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live_gate.door import Door
from tests.twin.desk import Desk
from tests.twin.openapi import checked_exchanges
from tests.twin.running import Twin


@pytest.fixture(scope="session")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("gate")) as running:
        yield running


@pytest.fixture
def door(twin: Twin, tmp_path: Path) -> Iterator[Door]:
    with checked_exchanges():
        yield Door(Desk(twin, tmp_path))
