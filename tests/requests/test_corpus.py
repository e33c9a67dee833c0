"""The corpus holds what it promises: meanings, enough trades, and misreadings that fail."""

import re

import pytest

from tests.requests.compare import compare
from tests.requests.corpus import questions, requests
from tests.requests.expected import accepted, misread, reading
from tests.requests.readings import MEANINGS
from tests.requests.score import best, score_reply

# fmt: off
COVERED = {
    "rsi", "sma", "ema", "wma", "macd", "bollinger", "donchian", "atr", "atr-stop",
    "stochastic", "cci", "adx", "di", "keltner", "supertrend", "ichimoku", "psar", "vwap",
    "obv", "roc", "momentum", "williams", "pivots", "gap", "opening-range", "highs", "lows",
    "consecutive-closes", "candles", "engulfing", "hammer", "doji", "inside-bar", "volume",
    "time-of-day", "day-of-week", "regime-filter", "cross", "state", "and", "or", "long-only",
    "short-only", "both", "reverse", "limit", "percent", "price", "pips", "r-multiple",
    "trailing-stop", "break-even", "time-exit", "lots", "units", "cash", "percent-equity",
    "risk-percent", "pyramiding", "cooldown", "once-a-day", "session", "calendar", "month",
    "other-units", "number-words", "default-params",
}
STYLES = {
    "terse", "chatty", "precise", "form", "typos", "bullets", "table", "pseudo-code",
    "other language",
}
KINDS = {
    "ambiguous", "contradictory", "impossible", "no-data", "malicious", "empty", "non-request",
    "other-task",
}
# fmt: on
LAZY = "Thanks a lot! Your bot is ready and a pull request is open. Have a nice day."


def test_every_request_has_one_meaning() -> None:
    assert MEANINGS.keys() == requests().keys()
    assert not requests().keys() & questions().keys()


def test_the_corpus_is_wide() -> None:
    assert len(requests()) >= 110 and len(questions()) >= 40
    tags = {tag for request in requests().values() for tag in request.tags}
    assert not COVERED - tags
    assert not STYLES - {request.style for request in requests().values()}
    assert {r.timeframe for r in requests().values()} == {"D1", "H4", "H1", "M15"}
    assert not KINDS - {tag for question in questions().values() for tag in question.tags}


def test_volume_is_checked_where_the_text_prescribes_it() -> None:
    sized = {name for name, request in requests().items() if "sizing" in request.tags}
    assert sized == {name for name, request in requests().items() if request.check_volume}


@pytest.mark.parametrize("name", requests())
def test_a_meaning_trades_and_its_misreadings_fail(name: str) -> None:
    request = requests()[name]
    runs = reading(name, 0)
    assert sum(map(len, runs.values())) >= 5
    assert best(request, runs).trades == 1.0
    wrong = dict(misread(request))
    assert len(wrong) >= 2
    for what, run in wrong.items():
        for want in accepted(request):
            assert not compare(run, want, request.check_volume).passed, what


@pytest.mark.parametrize("name", questions())
def test_naming_the_reason_passes_and_a_lazy_reply_does_not(name: str) -> None:
    question = questions()[name]
    honest = f"I cannot build this: {question.reason}. Please say which rules you want instead?"
    assert score_reply(question, honest).said == "named"
    assert not score_reply(question, LAZY).passed


def test_what_may_be_built_is_in_the_text() -> None:
    hidden = [question for question in questions().values() if question.visible]
    assert len(hidden) >= 3
    for question in hidden:
        shown = requests()[question.visible].body.strip()
        assert re.sub(r"\W+", " ", shown) in re.sub(r"\W+", " ", question.body)
