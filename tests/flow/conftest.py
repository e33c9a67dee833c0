"""One twin for each module of stories, a repository of its own for each test."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.flow.world import World
from tests.twin.running import SEED, Twin

Made = Callable[..., World]


def flow_twin(folder: Path, config: pytest.Config) -> Twin:
    return Twin(folder, SEED, "--executor", str(config.getoption("executor")))


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Twin]:
    with flow_twin(tmp_path_factory.mktemp("flow"), pytestconfig) as running:
        yield running


@pytest.fixture(scope="module")
def made(twin: Twin, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Makes a world; words of the policy as arguments."""

    def make(**policy: Any) -> World:
        return World(twin, tmp_path_factory.mktemp("world"), **policy)

    return make


@pytest.fixture
def world(twin: Twin, tmp_path: Path) -> World:
    return World(twin, tmp_path)
