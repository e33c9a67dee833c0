"""One checkout for all tests that do not change it."""

from pathlib import Path

import pytest

from tests.live.stage import checkout


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkout(tmp_path_factory.mktemp("approved"))
