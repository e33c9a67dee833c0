"""The audit log: whole lines only, and no line can be changed, left out, added or moved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.live.audit import Audit, anchor, digest, verify
from bot.live.redact import Redactor, Secret
from bot.live.refused import Refused


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
        (lambda rows: rows[:3], "1 of 4 lines were cut off"),
        (lambda rows: rows[:1], "3 of 4 lines were cut off"),
        (lambda rows: [], "4 of 4 lines were cut off"),
        (lambda rows: [*rows[:3], rehashed(rows[3])], "line 4 is not the one"),
        (lambda rows: ['{"event": "halted", ' + rows[0][1:], *rows[1:]], "line 1 was changed"),
        (lambda rows: [rows[0].replace('"n": ', '"n":  '), *rows[1:]], "line 1 was changed"),
        (lambda rows: [rows[0].replace("decided", "\\u0064ecided"), *rows[1:]], "line 1 was"),
        (lambda rows: [*rows[:3], f"{rows[3]}\r"], "line 4 was changed"),
        (lambda rows: [*rows[:2], "", *rows[2:]], "line 3 is no entry"),
        (lambda rows: [*rows, "{}"], "line 5 is no entry"),
        (lambda rows: [*rows, "[1]"], "line 5 is no entry"),
    ],
)
def test_what_was_done_to_it_is_noticed(tmp_path: Path, change: object, says: str) -> None:
    file = log(tmp_path / "a.jsonl")
    rows = file.read_text().split("\n")[:-1]
    changed = "".join(f"{row}\n" for row in change(rows))  # type: ignore[operator]
    file.write_bytes(changed.encode())
    assert verify(file).startswith(says)
    with pytest.raises(Refused, match="audit_log_changed"):
        log(file, 1)


def test_a_secret_that_is_a_number_does_not_break_the_log(tmp_path: Path) -> None:
    """Logins of brokers are numbers: they are in times, prices and hashes too."""
    redactor = Redactor()
    for digit in range(10):
        redactor.learn(Secret(f"000{digit}"))
        redactor.learn(Secret(f"{digit}" * 4))
    file = tmp_path / "a.jsonl"
    audit = Audit(file, "corr_7", redactor, lambda: 1_700_000_000.0)
    for n in range(300):
        told = {"0001": ["login 0001", {"why": "0002"}], "at": 1_700_000_300_000, "n": n}
        audit.write("broker_event", told=told, why="1111 is refused")
    audit.close()
    assert verify(file) == ""
    last = json.loads(file.read_text().splitlines()[-1])
    assert last["told"] == {
        "[secret]": ["login [secret]", {"why": "[secret]"}], "at": 1_700_000_300_000, "n": 299,
    }  # fmt: skip
    assert last["why"] == "[secret] is refused"


def test_a_log_that_is_gone_is_noticed(tmp_path: Path) -> None:
    log(tmp_path / "a.jsonl").unlink()
    assert verify(tmp_path / "a.jsonl") == "4 of 4 lines were cut off the end"


@pytest.mark.parametrize(("text", "says"), [
    (None, "the anchor knows of 0 lines"), ("", "the anchor knows of 0 lines"),
    ("soon", "a.head is no anchor"), (f"{4:012d} {'f' * 64}\n", "line 4 is not the one"),
])  # fmt: skip
def test_an_anchor_that_was_touched_is_noticed(tmp_path: Path, text: str | None, says: str) -> None:
    file = log(tmp_path / "a.jsonl")
    anchor(file).unlink() if text is None else anchor(file).write_text(text)
    assert verify(file).startswith(says)


@pytest.mark.parametrize("lines", [0, 1, 4])
def test_a_crash_between_line_and_anchor_is_no_tampering(tmp_path: Path, lines: int) -> None:
    file = log(tmp_path / "a.jsonl", lines)
    before = anchor(file).read_bytes()
    log(file, 1)
    anchor(file).write_bytes(before)  # the line is on the disk, and then the power failed
    assert verify(file) == ""
    log(file, 1)
    assert verify(file) == "" and len(file.read_text().splitlines()) == lines + 2
