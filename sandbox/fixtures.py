"""The bars that show a failure, as CSV files beside the artifacts: no more than are needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from sandbox import runs
from sandbox.checks import KNOWN, STRANGE, UNSEEN
from sandbox.conversations import Case, Talks
from sandbox.job import Engine
from sandbox.remote import Remote
from sandbox.runs import Told
from schemas.report import Check, Finding
from simbroker.decisions import same

FOLDER = "failures"
MOST, MOST_TEXT = 6, 300_000
"""Files, and characters in all of them: they travel with the result of a job."""
ALL = 1_000_000
WORDS = {KNOWN: "known", UNSEEN: "unseen", STRANGE[0]: "high", STRANGE[1]: "low"}
LATER = (1, 2, 5, 10, 25, 60)
"""How many bars after a leak are tried, until one shows it."""


def tables(case: Case) -> dict[str, pd.DataFrame]:
    """By the words that a finding has for them."""
    asked = {KNOWN: case.known, **dict(zip(STRANGE, case.strange, strict=False))}
    return asked if case.unseen is None else {**asked, UNSEEN: case.unseen}


def with_fixtures(
    engine: Engine, case: Case, talks: Talks, checks: Sequence[Check], out: Path
) -> list[Check]:
    """Each finding about a bar names the file with the bars that show it, where there is one."""
    known = tables(case)
    ends = dict(_ends(engine, case, talks, checks, known))
    texts: dict[str, str] = {}
    paths: dict[tuple[str, str], str] = {}
    for key, end in ends.items():
        path = f"{FOLDER}/{WORDS[key[1]]}_{end}_bars.csv"
        text = texts.get(path) or known[key[1]].iloc[:end].rename_axis("Date").to_csv()
        if (
            len({*texts, path}) <= MOST
            and sum(map(len, {**texts, path: text}.values())) < MOST_TEXT
        ):
            texts[path], paths[key] = text, path
    for path, text in texts.items():
        (out / FOLDER).mkdir(parents=True, exist_ok=True)
        (out / path).write_text(text)
    return [replace(c, findings=tuple(_named(f, c, known, paths) for f in c.findings))
            for c in checks]  # fmt: skip


def _named(
    found: Finding, check: Check, known: Mapping[str, pd.DataFrame],
    paths: Mapping[tuple[str, str], str],
) -> Finding:  # fmt: skip
    if found.fixture not in known:
        return found
    return replace(found, fixture=paths.get((check.name, found.fixture), ""))


def listed(checks: Iterable[Check]) -> list[str]:
    """The files that findings name."""
    names = (f.fixture for check in checks for f in check.findings)
    return list(dict.fromkeys(name for name in names if name.startswith(f"{FOLDER}/")))


def _ends(
    engine: Engine, case: Case, talks: Talks, checks: Iterable[Check],
    known: Mapping[str, pd.DataFrame],
) -> Iterator[tuple[tuple[str, str], int]]:  # fmt: skip
    """For each check and table, how many bars show all that was found there."""
    for check in checks:
        for name, df in known.items():
            here = [f for f in check.findings if f.fixture == name and f.bar is not None]
            last = max((f.bar or 0 for f in here), default=-1)
            if last < 0:
                continue
            ahead = any(f.rule == "look_ahead" and f.bar == last for f in here)
            more = _until_it_leaks(engine, case, talks, name, last) if ahead else 1
            yield (check.name, name), min(last + more, len(df))


def _until_it_leaks(engine: Engine, case: Case, talks: Talks, name: str, bar: int) -> int:
    """A leak shows with some of the bars after it: as few as do. Else with all of them."""
    whole, past, df = {
        KNOWN: (talks.known, talks.past_known, case.known),
        UNSEEN: (talks.unseen, talks.past_unseen, case.unseen),
    }.get(name, (None, None, None))
    if whole is None or past is None or df is None or whole.run is None or not past.decisions:
        return ALL
    asked = runs.questions(whole.run, whole.acted, df)[: bar + 1]
    found = [ALL]

    def say(remote: Remote) -> Told:
        for more in LATER:
            told = runs.ask_all(remote, df.iloc[: bar + 1 + more], asked)
            if not same(told[bar], past.decisions[bar]):
                found[0] = 1 + more
                break
        return whole

    job = runs.worker_job("shorter", case.seconds, locked=case.locked)
    runs.talk(engine, job, case.source, {**case.cfg}, say)
    return found[0]
