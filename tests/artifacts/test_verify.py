"""`stratbot verify` and `stratbot reproduce` on a real repository, as a person types them."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bot import artifact
from bot.io import artifacts
from bot.ports import Rejected
from schemas import codec
from tests.artifacts.conftest import Kept, git, put, tagged

ROOT = Path(__file__).parents[2]


def stratbot(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *words], cwd=ROOT, capture_output=True, text=True
    )


def changed(kept: Kept, files: dict[str, str]) -> str:
    """The same artifact with these files put over it, tagged by the book."""
    told = git(kept.repo, "log", "-1", "--format=%B")
    return tagged(kept.repo, kept.workflow, put(kept.repo, files, told))


def wrong(kept: Kept, tag: str) -> dict[str, str]:
    rows = artifact.verify(artifacts.read(kept.repo, tag))
    return {row.what: row.state for row in rows if row.state != "ok"}


def test_an_artifact_is_what_its_passport_says(kept: Kept) -> None:
    done = stratbot("verify", kept.tag, "--repo", str(kept.repo))
    assert done.returncode == 0, done.stderr
    assert "ok       strategies/sma_cross/strategy.py\n" in done.stdout
    assert "ok       trailers of the tag\n" in done.stdout
    assert f"{kept.tag} is what its passport says." in done.stdout


def test_a_changed_a_missing_and_an_extra_file_are_named(kept: Kept) -> None:
    (kept.repo / kept.home / "results/trades.csv").unlink()
    tag = changed(kept, {f"{kept.home}/strategy.py": "x = 1\n", f"{kept.home}/more.py": ""})
    assert wrong(kept, tag) == {
        f"{kept.home}/strategy.py": "changed",
        f"{kept.home}/results/trades.csv": "missing",
        f"{kept.home}/more.py": "extra",
    }
    done = stratbot("verify", tag, "--repo", str(kept.repo))
    assert done.returncode == 1
    assert f"changed  {kept.home}/strategy.py" in done.stdout
    assert "do not trade it" in done.stderr


def test_what_is_not_committed_does_not_matter(kept: Kept) -> None:
    (kept.repo / kept.home / "strategy.py").write_text("x = 1\n")
    assert wrong(kept, kept.tag) == {}


def test_a_link_is_not_a_file(kept: Kept) -> None:
    (kept.repo / kept.home / "strategy.py").unlink()
    (kept.repo / kept.home / "strategy.py").symlink_to("/etc/hostname")
    assert wrong(kept, changed(kept, {})) == {f"{kept.home}/strategy.py": "changed"}


def test_another_report_is_noticed(kept: Kept) -> None:
    path = f"{kept.home}/results/test_report.json"
    text = (kept.repo / path).read_text().replace('"isolated": false', '"isolated": true')
    found = wrong(kept, changed(kept, {path: text}))
    assert found == {path: "changed", "the report is about that commit": "wrong"}


def test_an_artifact_from_before_a_document_grew_is_still_what_it_says(kept: Kept) -> None:
    """A report of then has no field of now; its passport names it as it was written then."""
    path, book = f"{kept.home}/results/test_report.json", f"{kept.home}/passport.json"
    told = json.loads((kept.repo / path).read_text())
    assert told["summary"].pop("exposure_pct") is not None
    old = json.dumps(told, indent=1, ensure_ascii=False) + "\n"
    line = json.dumps(told, separators=(",", ":"), ensure_ascii=False)
    passport = json.loads((kept.repo / book).read_text())
    passport["report_digest"] = codec.digest_of(line)
    for file in passport["files"]:
        if file["path"] == path:
            file |= {"digest": codec.digest_of(old), "size": len(old.encode())}
    files = {path: old, book: json.dumps(passport, indent=1)}
    assert wrong(kept, changed(kept, files)) == {}


def test_trailers_that_say_something_else_are_noticed(kept: Kept) -> None:
    sha = put(kept.repo, {"other.txt": "x"}, "No trailers")
    tag = tagged(kept.repo, kept.workflow, sha)
    assert wrong(kept, tag) == {"trailers of the commit": "wrong"}


def test_a_tag_on_another_commit_is_noticed(kept: Kept) -> None:
    sha = put(kept.repo, {"other.txt": "x"}, git(kept.repo, "log", "-1", "--format=%B"))
    moved = kept.tag
    told = git(kept.repo, "for-each-ref", "--format=%(contents)", f"refs/tags/{moved}")
    git(kept.repo, "tag", "-f", "-a", moved, "-m", told, sha)
    assert wrong(kept, moved) == {"the tag names its commit": "wrong"}


def test_a_commit_that_does_not_follow_what_was_tested_is_noticed(kept: Kept) -> None:
    told = git(kept.repo, "log", "-1", "--format=%B")
    git(kept.repo, "checkout", "-q", "--orphan", "alone")
    git(kept.repo, "commit", "-q", "-m", told)
    tag = tagged(kept.repo, kept.workflow, git(kept.repo, "rev-parse", "HEAD"))
    (what,) = wrong(kept, tag)
    assert "which was tested" in what


def test_a_passport_that_cannot_be_read_is_said(kept: Kept) -> None:
    tag = changed(kept, {f"{kept.home}/passport.json": "{}"})
    (what,) = wrong(kept, tag)
    assert what.startswith("passport.json: not a valid passport")


@pytest.mark.parametrize(
    ("tag", "says"),
    [
        ("v1", "is not the tag of an artifact"),
        ("artifact/x/../../etc", "is not the tag of an artifact"),
        ("artifact/--help/000000000000", "is not the tag of an artifact"),
        ("artifact/sma_cross/000000000000", "git fetch origin --tags"),
    ],
)
def test_a_tag_that_is_not_there_says_what_to_do(kept: Kept, tag: str, says: str) -> None:
    with pytest.raises(Rejected, match=says.replace("?", r"\?")):
        artifacts.read(kept.repo, tag)


def test_a_tag_without_words_is_refused(kept: Kept) -> None:
    name = f"artifact/sma_cross/{'1' * 12}"
    git(kept.repo, "tag", name)
    with pytest.raises(Rejected, match="annotated"):
        artifacts.read(kept.repo, name)


def test_it_gives_the_same_again_bit_for_bit(kept: Kept) -> None:
    done = stratbot("reproduce", kept.tag, "--repo", str(kept.repo), "--backend", "process")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split()[:2] for line in done.stdout.splitlines()[:5]]
    names = ["trades.csv", "equity_curve.csv", "events.log", "summary.json", "decisions:"]
    assert rows == [["ok", name] for name in names]
    assert "the same results, bit for bit" in done.stdout


def test_what_is_not_what_it_says_is_not_run(kept: Kept) -> None:
    tag = changed(kept, {f"{kept.home}/strategy.py": "raise SystemExit\n"})
    done = stratbot("reproduce", tag, "--repo", str(kept.repo), "--backend", "process")
    assert done.returncode == 1
    assert "says why" in done.stderr and done.stdout == ""


def test_a_log_without_orders_is_as_good_as_the_new_one(kept: Kept) -> None:
    """So were they written before; a line that differs is still found."""
    tagged = artifacts.read(kept.repo, kept.tag)
    again = {n: tagged.text(f"results/{n}") for n in (*artifact.COMPARED, "test_report.json")}
    log, path = again["events.log"].splitlines(keepends=True), f"{kept.home}/results/events.log"
    short = [line for line in log if b'"order_placed"' not in line]
    assert 0 < len(short) < len(log)
    for lines, ends in ((short, {"ok"}), (short[1:], {"ok", "changed"})):
        older = replace(tagged, files={**tagged.files, path: b"".join(lines)})
        assert {r.state for r in artifact.differences(older, again)} == ends


def test_the_first_difference_is_told(kept: Kept) -> None:
    tagged_now = artifacts.read(kept.repo, kept.tag)
    again = {n: tagged_now.text(f"results/{n}") for n in (*artifact.COMPARED, "test_report.json")}
    assert {r.state for r in artifact.differences(tagged_now, again)} == {"ok"}
    trades = again["trades.csv"].split(b"\n")
    trades[2] = b"\x1b[31mpos_2"
    again |= {"trades.csv": b"\n".join(trades), "summary.json": b"", "test_report.json": b"{}"}
    rows = [r.what for r in artifact.differences(tagged_now, again) if r.state == "changed"]
    assert rows[0].startswith("trades.csv: line 3 was 'pos_2,AAPL")
    assert rows[0].endswith(", now '\\x1b[31mpos_2'")
    assert rows[1] == "summary.json: the new run wrote none"
    assert rows[2].endswith(", now None")
