"""The audit log: whole lines only, and no line can be changed, left out, added or moved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.live.audit import Audit, digest, verify
from bot.live.redact import Redactor


def log(file: Path, lines: int = 4) -> Path:
    audit = Audit(file, "corr_7", Redactor(), lambda: 1_700_000_000.0)
    for n in range(lines):
        audit.write("decided", bar=n, price=0.1 + n, words='ü "quoted" \u2028')
    audit.close()
    return file


def test_a_log_is_whole_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    file = log(log(tmp_path / "a.jsonl"))
    assert verify(file) == "" and len(file.read_text().split("\n")) == 9
    first = json.loads(file.read_text().split("\n")[0])
    assert first["timestamp"] == "2023-11-14T22:13:20.000+00:00"
    assert first["correlation_id"] == "corr_7" and first["event"] == "decided"


def test_a_line_that_a_crash_tore_is_cut_off_and_told(tmp_path: Path) -> None:
    file = log(tmp_path / "a.jsonl")
    with open(file, "ab") as out:
        out.write(b'{"n": 4, "timest')
    assert verify(file) != ""
    log(file, 1)
    assert verify(file) == "" and json.loads(file.read_text().split("\n")[4])["torn_bytes"] == 16


def rehashed(line: str) -> str:
    facts = json.loads(line)
    del facts["hash"]
    facts["price"] = 99
    return json.dumps({**facts, "hash": digest(json.dumps(facts))})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda rows: [rows[0].replace("decided", "deciced"), *rows[1:]], "line 1 was changed"),
        (lambda rows: [*rows[:1], *rows[2:]], "line 2 does not follow"),
        (lambda rows: rows[1:], "line 1 does not follow"),
        (lambda rows: [rows[0], rows[2], rows[1], rows[3]], "line 2 does not follow"),
        (lambda rows: [*rows[:2], rows[1], *rows[2:]], "line 3 does not follow"),
        (lambda rows: [rows[0], rehashed(rows[1]), *rows[2:]], "line 3 does not follow"),
        (lambda rows: [*rows, "{}"], "line 5 is no entry"),
        (lambda rows: [*rows, "[1]"], "line 5 is no entry"),
    ],
)
def test_what_was_done_to_it_is_noticed(tmp_path: Path, change: object, says: str) -> None:
    file = log(tmp_path / "a.jsonl")
    rows = file.read_text().split("\n")[:-1]
    file.write_text("\n".join(change(rows)) + "\n")  # type: ignore[operator]
    assert verify(file).startswith(says)
