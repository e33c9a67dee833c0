"""Every request of the corpus is read rightly, or asked about; how many only grows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reading.drafts import drafted, reply, strategy
from tests.reading.known import ANSWERED_BADLY, MISREAD, READ
from tests.requests.compare import compare
from tests.requests.corpus import Request, questions, requests
from tests.requests.driven import drive, load
from tests.requests.expected import accepted
from tests.requests.market import market
from tests.requests.score import score, score_reply

FIRST = "gappy"
"""One data set of the three tells nearly always; `make soak` plays all of what is read."""


def trades_as_meant(request: Request, path: Path) -> bool:
    return _on_first(request, path) or score(request, path).passed


def _on_first(request: Request, path: Path) -> bool:
    bars = market(request.timeframe)[FIRST]
    got = {FIRST: drive(load(path), request, bars)}
    return any(
        compare(got, {FIRST: want[FIRST]}, request.check_volume).passed
        for want in accepted(request)
    )


@pytest.mark.parametrize("name", sorted(requests()))
def test_a_valid_request_is_built_as_it_is_meant_or_asked_about(name: str, tmp_path: Path) -> None:
    request, path = requests()[name], strategy(drafted(name), tmp_path)
    if path is None:
        assert name not in READ, f"was read before, now: {reply(drafted(name))}"
        return
    right = trades_as_meant(request, path)
    assert right != (name in MISREAD), "read wrongly" if not right else "right now: drop its excuse"
    assert right == (name in READ), "keep what was won: add it to READ"


@pytest.mark.parametrize("name", sorted(questions()))
def test_a_request_to_question_is_questioned(name: str, tmp_path: Path) -> None:
    found = drafted(name)
    answered = score_reply(questions()[name], reply(found), strategy(found, tmp_path))
    assert answered.passed != (name in ANSWERED_BADLY), answered.said


def test_the_lists_name_requests_of_the_corpus_and_none_twice() -> None:
    assert set(READ) | set(MISREAD) <= set(requests())
    assert not set(READ) & set(MISREAD)
    assert set(ANSWERED_BADLY) <= set(questions())


@pytest.mark.soak
@pytest.mark.parametrize("name", sorted(READ))
def test_what_is_read_trades_as_meant_on_all_data_and_looks_not_ahead(
    name: str, tmp_path: Path
) -> None:
    path = strategy(drafted(name), tmp_path)
    assert path is not None
    found = score(requests()[name], path)
    assert found.passed, found.said
