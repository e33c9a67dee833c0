"""Whatever is written: no exception, a valid answer, and no code from nonsense."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.agents.clean import clean
from bot.agents.coder import write_strategy
from bot.reading.lexer import tokens, vocabulary
from bot.reading.lexicon import ROWS
from bot.reading.read import MOST_ASKED, Asked, Declined, read
from schemas import codec
from schemas import contract as c
from tests.requests.corpus import questions, requests

SAYS = {"cmp", "cross", "break", "bullish_cross", "named", "candle", "color", "sign", "sign_cross",
        "flip", "trend", "slope", "extreme", "between", "revert", "other_side", "outside", "inside",
        "highest", "lowest", "new", "weekday", "clock"}  # fmt: skip
"""Tokens that compare or time something. Without one there is no rule, so nothing to build."""
PHRASES = sorted({p for _, _, row in ROWS for p in row.split("|") if p})
SILENT = sorted(w for w in vocabulary() if not {t.kind for t in tokens(w)} & SAYS)
BODIES = [r.body for r in requests().values()] + [q.body for q in questions().values()]
NUMBERS = ("0", "1", "2", "14", "20", "50", "200", "0.5", "3%", "10:00", "15:30", "2 atr", "1e9")
SIGNS = (" ", ". ", ", ", "\n", "\n- ", ": ", "\n\n## ", " (", ") ", " | ", " -> ", "/", "```\n")
ODD = ("1 ", "no ", "(", "buy ", "at ", "rsi(", "\n", "[", "9/", "⟦0⟧", "the ", "- ", "\n| a | b |")


def answers(title: str, body: str) -> c.Contract | Asked | Declined:
    """The reading, held to what every reading promises."""
    found = read(clean(title), clean(body))
    match found:
        case c.Contract():
            assert codec.load(c.Contract, codec.dump(found)) == found
            ast.parse(write_strategy(found))
        case Asked(questions=asked):
            assert 1 <= len(asked) <= MOST_ASKED
            assert all(re.search(r"\w", x) and len(x) < 500 for x in asked)
        case Declined(code=code, reason=reason):
            assert re.fullmatch(r"[a-z_]+", code) and len(reason) < 700
    return found


pieces = st.one_of(
    st.sampled_from(PHRASES),
    st.sampled_from(PHRASES),
    st.sampled_from(NUMBERS),
    st.sampled_from(SIGNS),
)
halves = st.tuples(st.sampled_from(BODIES), st.floats(0, 1)).map(
    lambda x: x[0][int(len(x[0]) * x[1]) :]
)
markup = st.sampled_from(
    ["```py\n{}\n```", "> {}", "<b>{}</b>", "# {}", "- [ ] {}", "| {} | x |", "~~{}~~",
     '{{"a": "{}"}}', "<!-- {} -->", "[{}](http://x)", "**{}**", "&lt;{}&gt;"]
)  # fmt: skip


@given(st.text(max_size=60), st.lists(pieces, max_size=60).map(" ".join))
@settings(max_examples=150, deadline=None)
def test_words_of_trading_in_any_order(title: str, body: str) -> None:
    answers(title, body)


@given(st.text(max_size=40), st.text(max_size=400))
@settings(max_examples=100, deadline=None)
def test_any_text_in_any_script(title: str, body: str) -> None:
    assert not isinstance(answers(title, body), c.Contract)


@given(halves, halves, markup, st.sampled_from(SIGNS))
@settings(max_examples=150, deadline=None)
def test_requests_spliced_and_marked_up(one: str, other: str, mark: str, sign: str) -> None:
    answers(other[:40], one[: len(one) // 2] + sign + mark.replace("{}", other))


@given(st.lists(st.sampled_from(SILENT), max_size=60), st.lists(st.sampled_from(NUMBERS[:8])))
@settings(max_examples=150, deadline=None)
def test_no_code_from_words_that_compare_nothing(words: list[str], numbers: list[str]) -> None:
    mixed = [w for pair in zip(words, numbers + [""] * 60, strict=False) for w in pair]
    assert not isinstance(answers("", " ".join(mixed)), c.Contract)


@pytest.mark.parametrize("piece", ODD)
@pytest.mark.parametrize("length", [3_000, 60_000])
def test_one_thing_over_and_over(piece: str, length: int) -> None:
    assert not isinstance(answers(piece * 200, (piece * length)[:length]), c.Contract)
