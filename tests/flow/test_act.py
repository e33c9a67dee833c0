"""Stories again, with `act` running the real YAML in place of the quick executor."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.flow import test_failures, test_words
from tests.flow.conftest import Made
from tests.flow.world import World
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


@pytest.mark.soak
def test_commands_that_are_not_done_say_why(world: World) -> None:
    test_words.test_commands_that_are_not_done_say_why(world)


@pytest.mark.soak
def test_a_mistake_is_mended(made: Made) -> None:
    test_failures.test_a_mistake_that_a_person_pushes_is_found_and_mended(made)
