"""The worker is not believed: what is not small, typed and finite is no answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.answers import Answer, BadAnswer, Raised, read

ORDER = {"action": "BUY", "symbol": "AAPL", "volume": 1.0, "type": "MARKET", "sl": 95.0}


def said(**fields: Any) -> bytes:
    return json.dumps({"n": 1, **fields}).encode()


def test_an_order_and_an_exit_are_read() -> None:
    answer = read(said(entry=ORDER, exits=[None, {"position_id": "p1", "reason": "x"}]), 1, 2)
    assert answer.entry == ORDER
    assert answer.exits == (None, {"position_id": "p1", "reason": "x"})


@pytest.mark.parametrize(
    "line",
    [b"", b"{", b"[]", b"1", b'"x"', said()[:-1], b'{"n": 2}', b'{"n": true}', b"[" * 100_000,
     said(exits=[]), said(exits=[None, None, None]), said(exits="x"), said(error="boom"),
     b'{"n": 1, "n": 2}', b"\xff\xfe", b'{"entry": null}'],
)  # fmt: skip
def test_what_is_no_answer_ends_the_run(line: bytes) -> None:
    if line == said(exits=[]):
        assert read(line, 1, 2) == Answer()
        return
    with pytest.raises(BadAnswer):
        read(line, 1, 2)


@pytest.mark.parametrize(
    "entry",
    [5.0, "BUY", True, {"not": "float"}, {**ORDER, "volume": "1"}, {**ORDER, "sl": float("nan")},
     {**ORDER, "tp": float("inf")}, {**ORDER, "price": 1e300}, {**ORDER, "volume": True},
     {**ORDER, "comment": "x" * 201}],
)  # fmt: skip
def test_what_is_no_order_is_held_against_the_strategy(entry: Any) -> None:
    with pytest.raises(Raised):
        read(said(entry=entry), 1, 0)


def test_words_are_tamed_and_unknown_fields_dropped() -> None:
    nasty = {**ORDER, "comment": "=cmd()\n::error::" + "x" * 180, "evil": "x"}
    entry = read(said(entry=nasty), 1, 0).entry
    assert entry is not None and "evil" not in entry
    assert len(entry["comment"]) <= 121 and entry["comment"][0] == "'"
    assert "\n" not in entry["comment"] and "::" not in entry["comment"]


def test_an_exception_carries_its_line() -> None:
    told = {"type": "KeyError", "message": "'rsi' @x", "line": 42, "trace": "a\nb"}
    with pytest.raises(Raised) as error:
        read(said(error=told), 1, 0)
    assert error.value.line == 42 and "@" not in str(error.value)


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_by_name(line: bytes) -> None:
    with pytest.raises((BadAnswer, Raised)):
        read(line, 999_999_999, 1)
