"""Is a tagged artifact what its passport says, and does a new run give the same? Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from bot.passport import PASSPORT, REPORT, origin, seed_of
from bot.tasks import home
from schemas import codec
from schemas.contract import Contract
from schemas.live import Passport
from schemas.report import TestReport

TAG = re.compile(r"artifact/([A-Za-z0-9][A-Za-z0-9_.-]{0,99})/([0-9a-f]{12})\Z")
ORDERED = re.compile(rb'"event": "order_(placed|expired|cancelled)"')
COMPARED = ("trades.csv", "equity_curve.csv", "events.log", "summary.json")


@dataclass(frozen=True, slots=True)
class Tagged:
    """What the tag leads to. `files` are those of the strategy's folder, by path."""

    name: str
    strategy: str
    commit: str
    said: str
    commit_said: str
    follows: bool
    """The tested commit that the passport names is among the commit's ancestors."""
    files: Mapping[str, bytes]

    def text(self, name: str) -> bytes:
        return self.files.get(f"{home(self.strategy)}/{name}", b"")


@dataclass(frozen=True, slots=True)
class Row:
    state: Literal["ok", "changed", "missing", "extra", "wrong"]
    what: str


def verify(tagged: Tagged) -> tuple[Row, ...]:
    """A row per file and per claim. Only `ok` rows: the artifact is what it says it is."""
    try:
        passport = read_passport(tagged)
    except codec.Invalid as error:
        return (Row("wrong", f"{PASSPORT}: {error}"),)
    return (*_files(passport, tagged), *_claims(passport, tagged))


def read_passport(tagged: Tagged) -> Passport:
    return codec.load(Passport, tagged.text(PASSPORT))


def _files(passport: Passport, tagged: Tagged) -> Iterator[Row]:
    wanted = {a.path: a for a in passport.files}
    there = {p: t for p, t in tagged.files.items() if p != f"{home(tagged.strategy)}/{PASSPORT}"}
    for path in sorted({*wanted, *there}):
        if path not in there:
            yield Row("missing", path)
        elif path not in wanted:
            yield Row("extra", path)
        else:
            same = wanted[path].digest == codec.digest_of(there[path])
            size = wanted[path].size in (None, len(there[path]))
            yield Row("ok" if same and size else "changed", path)


def _claims(passport: Passport, tagged: Tagged) -> Iterator[Row]:
    yield _row(tagged.name.endswith(f"/{tagged.commit[:12]}"), "the tag names its commit")
    yield _row(passport.strategy == tagged.strategy, "the passport is of this strategy")
    yield _row(tagged.follows, f"the commit follows {passport.commit_sha[:12]}, which was tested")
    contract, report = _contract(tagged), _report(tagged)
    written = codec.digest_as_written(tagged.text("contract.json"))
    agreed = contract is not None and passport.contract_digest in (codec.digest(contract), written)
    yield _row(agreed, "the contract is the one that was agreed on")
    about = report is not None and report.commit_sha == passport.commit_sha
    tested = codec.digest_as_written(tagged.text(f"results/{REPORT}")) == passport.report_digest
    yield _row(about and tested, "the report is about that commit")
    for said, where in ((tagged.commit_said, "commit"), (tagged.said, "tag")):
        lines = set(said.splitlines())
        yield _row(lines >= set(origin(passport, passport.written_by)), f"trailers of the {where}")


def _row(true: bool, what: str) -> Row:
    return Row("ok" if true else "wrong", what)


def _contract(tagged: Tagged) -> Contract | None:
    try:
        return codec.load(Contract, tagged.text("contract.json"))
    except codec.Invalid:
        return None


def _report(tagged: Tagged) -> TestReport | None:
    try:
        return codec.load(TestReport, tagged.text(f"results/{REPORT}"))
    except codec.Invalid:
        return None


def options(tagged: Tagged) -> list[str]:
    """For the sandbox, so that it does again what it did then: the same bars, the same ids."""
    report = codec.load(TestReport, tagged.text(f"results/{REPORT}"))
    seed = seed_of(report)
    told = {
        "--task": report.task_id,
        "--commit": report.commit_sha,
        "--correlation-id": report.correlation_id,
        "--workflow-id": report.workflow_id,
    } | ({"--seed": seed} if seed else {})
    return [word for pair in told.items() for word in pair]


def differences(tagged: Tagged, again: Mapping[str, bytes]) -> Iterator[Row]:
    """Bit for bit; of each file that differs the first difference."""
    for name in COMPARED:
        kept = tagged.text(f"results/{name}")
        now = _as_it_was_written(name, kept, again.get(name, b""))
        same = kept == now and kept != b""
        yield Row("ok", name) if same else Row("changed", f"{name}: {_first(kept, now)}")
    then, now_digest = _decided(tagged.text(f"results/{REPORT}")), _decided(again.get(REPORT, b""))
    same = then is not None and then == now_digest
    yield Row("ok" if same else "changed", f"decisions: {then}" + ("" if same else f", now {now_digest}"))  # fmt: skip  # noqa: E501


def _as_it_was_written(name: str, kept: bytes, now: bytes) -> bytes:
    """Logs were once written without their orders. Such a one is compared without them."""
    if name != "events.log" or ORDERED.search(kept):
        return now
    return b"".join(line for line in now.splitlines(keepends=True) if not ORDERED.search(line))


def _decided(report: bytes) -> str | None:
    try:
        return codec.load(TestReport, report).decisions_digest
    except codec.Invalid:
        return None


def _first(kept: bytes, now: bytes) -> str:
    if not kept or not now:
        return "there is none in the tag" if not kept else "the new run wrote none"
    rows = zip_longest(kept.split(b"\n"), now.split(b"\n"), fillvalue=b"(end)")
    number, one, two = next((n, a, b) for n, (a, b) in enumerate(rows, 1) if a != b)
    return f"line {number} was {_shown(one)}, now {_shown(two)}"


def _shown(line: bytes) -> str:
    """For a terminal: printable letters only."""
    return ascii(line[:120].decode(errors="replace"))
