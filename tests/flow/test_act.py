"""One step with `act` running the real YAML; `make stories` tells every story that way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.flow import test_failures
from tests.flow.conftest import Made
from tests.twin.running import SEED, Twin


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("act"), SEED, "--executor", "act") as running:
        yield running


def test_a_step_from_the_issue_to_its_report(made: Made) -> None:
    story = test_failures.building(made(auto_merge=False).ask())
    story.comes_to("building", "needs-human")
    pull = story.pull("t1_data")
    assert f"passed on `{pull.head.sha[:12]}`" in story.report(pull)
    assert len(story.words()) == 3
