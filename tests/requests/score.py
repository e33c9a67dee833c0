"""Scores: a drafted strategy against its expected trades, a reply against its question."""

import re
from dataclasses import dataclass
from pathlib import Path

from tests.requests.compare import Agreement, Runs, compare
from tests.requests.corpus import Question, Request, requests
from tests.requests.driven import drive, load, looks_ahead
from tests.requests.expected import accepted
from tests.requests.market import market


@dataclass(frozen=True)
class Score:
    id: str
    passed: bool
    said: str


def score(request: Request, path: Path) -> Score:
    """Run a strategy file on the three data sets and compare with every accepted reading."""
    data = market(request.timeframe)
    try:
        make = load(path)
        got = {name: drive(make, request, bars) for name, bars in data.items()}
        name, bars = next(iter(data.items()))
        ahead = looks_ahead(make, request, bars, got[name])
    except Exception as error:  # whatever a draft raises is a failed draft, not ours
        return Score(request.id, False, f"does not run: {type(error).__name__}: {error}")
    if ahead:
        return Score(request.id, False, "looks ahead: fewer bars, other trades before them")
    return _judged(request, best(request, got))


def best(request: Request, got: Runs) -> Agreement:
    """With the accepted reading that agrees best; one reading for all data sets."""
    found = None
    for want in accepted(request):
        now = compare(got, want, request.check_volume)
        if now.passed:
            return now
        if found is None or now.trades > found.trades:
            found = now
    if found is None:
        raise ValueError(f"{request.id} has no reading")
    return found


def _judged(request: Request, found: Agreement) -> Score:
    said = (
        f"entries {found.entries:.3f} exits {found.exits:.3f} trades {found.trades:.3f}"
        f" ({found.got} for {found.want})"
    )
    return Score(request.id, found.passed, said)


def score_reply(question: Question, reply: str, strategy: Path | None = None) -> Score:
    """The reply must name the problem; only the visible part of a request may be built."""
    bad = [rule for rule in question.forbid if re.search(rule, reply, re.I | re.M)]
    if bad:
        return Score(question.id, False, f"says what was forbidden: {bad}")
    if strategy is not None:
        return _score_built(question, strategy)
    if not reply.strip():
        return Score(question.id, False, "no reply")
    own = own_words(question, reply)
    missing = [rule for rule in question.must if not re.search(rule, own, re.I)]
    return Score(question.id, not missing, f"does not name: {missing}" if missing else "named")


def _score_built(question: Question, strategy: Path) -> Score:
    if not question.visible:
        return Score(question.id, False, f"built, but {question.reason}")
    found = score(requests()[question.visible], strategy)
    return Score(question.id, found.passed, f"built the visible part: {found.said}")


def own_words(question: Question, reply: str) -> str:
    """Quoting the request back is not naming its problem."""
    own = "\n".join(line for line in reply.splitlines() if not line.lstrip().startswith(">"))
    for part in re.split(r"(?<=[.!?:])\s+|\n+", f"{question.title}\n{question.body}"):
        if len(part.strip()) >= 12:
            own = own.replace(part.strip(), " ")
    return own


def score_folder(item: Request | Question, folder: Path) -> Score:
    """What `stratbot draft --out FOLDER` left: strategy.py, reply.md, or nothing."""
    strategy, reply = folder / "strategy.py", folder / "reply.md"
    words = reply.read_text() if reply.exists() else ""
    if isinstance(item, Question):
        return score_reply(item, words, strategy if strategy.exists() else None)
    if strategy.exists():
        return score(item, strategy)
    return Score(item.id, False, "valid, yet questioned" if words.strip() else "no draft")
