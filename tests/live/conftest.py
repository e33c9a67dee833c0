"""One checkout, made once; a copy of it for every test."""

from pathlib import Path

import pytest

from tests.live.stage import checkout, own


@pytest.fixture(scope="session")
def approved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkout(tmp_path_factory.mktemp("approved"))


@pytest.fixture
def root(approved: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return own(approved, tmp_path_factory.mktemp("machine"))
