"""The intake refuses what it must, by rule and line, and leaves honest code alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.intake import RULES, NotTaken, check, take
from tests.hostile.making import MADE
from tests.hostile.table import CASES, CORPUS, LONG_ONLY, Case
from tests.sandbox.dormant_and_awake import BY_ITS_SOURCE, WAITING
from tests.sandbox.wrong_and_right import STRATEGIES, TESTS, entries, prepare, top
from tests.strategies.examples import NAMES

ROOT = Path(__file__).parents[2]
EXAMPLES = [ROOT / "strategies" / name / "strategy.py" for name in NAMES]
HONEST = top("").encode()
CONTROLS = [c for c in CORPUS if c.is_control]
BY_ITS_WORDS = set("adekns")
"""Categories that the source itself gives away. The others may need a run to be seen."""


def rules(strategy: bytes, tests: bytes | None = None) -> set[str]:
    return {finding.rule for finding in check(strategy, tests)}


@pytest.mark.parametrize(("rule", "wrong", "right"), STRATEGIES + WAITING)
def test_a_strategy_rule_refuses_the_wrong_and_not_the_right(
    rule: str, wrong: str, right: str
) -> None:
    assert rule in rules(wrong.encode())
    assert rules(right.encode()) == set(), check(right.encode(), None)


@pytest.mark.parametrize(("rule", "wrong", "right"), TESTS + BY_ITS_SOURCE)
def test_a_test_rule_refuses_the_wrong_and_not_the_right(rule: str, wrong: str, right: str) -> None:
    assert rule in rules(HONEST, wrong.encode())
    assert rules(HONEST, right.encode()) == set(), check(HONEST, right.encode())


def test_every_rule_has_a_source_that_breaks_it() -> None:
    shown = {rule for rule, _, _ in STRATEGIES + WAITING + TESTS + BY_ITS_SOURCE}
    assert shown | {"empty", "too_big"} == set(RULES)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.parent.name)
def test_the_examples_have_no_findings(path: Path) -> None:
    assert check(path.read_bytes(), LONG_ONLY.read_bytes()) == ()


@pytest.mark.parametrize("case", CONTROLS, ids=lambda c: c.id)
def test_the_controls_have_no_findings(case: Case) -> None:
    assert check((CASES / case.id / "strategy.py").read_bytes(), case.tests().read_bytes()) == ()


@pytest.mark.parametrize(
    "case",
    [c for c in CORPUS if c.id[0] in BY_ITS_WORDS and c.expected == "failed"],
    ids=lambda c: c.id,
)
def test_what_reaches_out_is_refused_by_its_words(case: Case) -> None:
    assert check((CASES / case.id / "strategy.py").read_bytes(), case.tests().read_bytes())


def test_a_finding_names_the_line_the_rule_and_what_to_write() -> None:
    (finding,) = check(entries("id(df)").encode(), None)
    assert (finding.rule, finding.file) == ("address", "strategy.py")
    assert entries("id(df)").splitlines()[finding.line - 1].strip() == "id(df)"
    assert finding.message.startswith("id: ") and finding.fix


def test_a_finding_never_repeats_free_text() -> None:
    """What a stranger wrote into a text must not travel in our own words."""
    source = entries('return {"comment": "::error::@octocat <b>"}').encode()
    assert all("octocat" not in f"{f.message}{f.fix}" for f in check(source, None))


@pytest.mark.parametrize(
    ("source", "rule"),
    [(b"", "empty"), (b" \n", "empty"), (b"\xff\xfe", "encoding"), (b"x" * 100_001, "too_big")],
)
def test_bytes_that_are_no_source(source: bytes, rule: str) -> None:
    assert rules(source) == {rule}


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_broken_source_never_breaks_the_checker(data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(EXAMPLES)).read_bytes()
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, min(len(source), start + 200)))
    piece = data.draw(st.one_of(st.binary(max_size=40), st.text(max_size=20).map(str.encode)))
    broken = source[:start] + piece + source[end:]
    assert all(f.rule in RULES and f.line >= 0 for f in check(broken, broken))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(EXAMPLES), st.randoms(use_true_random=False))
def test_shuffled_lines_never_break_the_checker(path: Path, chance: object) -> None:
    lines = path.read_bytes().split(b"\n")
    chance.shuffle(lines)  # type: ignore[attr-defined]
    check(b"\n".join(lines), b"\n".join(lines))


BIG = {
    "hashes": b"#" * 99_000,
    "pragma again and again": b"# no" * 24_000,
    "brackets": b"(" * 99_000,
    "minus signs": b"x = " + b"-" * 90_000 + b"1",
    "a long sum": b"x = " + b"1+" * 49_000 + b"1",
    "attributes": b"x = a" + b".a" * 49_000,
    "nested lists": b"x = " + b"[" * 190 + b"]" * 190,
    "many names": b"\n".join(b"x%d = df.y%d" % (n, n) for n in range(1_400)),
    "too many names": b"\n".join(b"x%d = df.y%d" % (n, n) for n in range(6_000)),
    "many functions": b"\n".join(b"def f%d(): return open" % n for n in range(1_900)),
    "deep blocks": b"".join(b" " * n + b"if x:\n" for n in range(95)) + b" " * 95 + b"pass",
    "many sets": b"\n".join(b"x%d = {1, 2}\nlist(x%d)" % (n, n) for n in range(800)),
    "braces": b"x = '" + b"{" * 90_000 + b"'.format(1)",
    "fields": b"x = f'''" + b"{a}\n" * 24_000 + b"'''",
    "letters": "é = 1\n".encode() * 2_400,
    "aggregates": b"h = [" + b"1,\n" * 5_000 + b"]\n" + b"x.agg(h)\n" * 600,
    "exits in the last lines": b"if __name__ == '__main__':\n x = ["
    + b"SystemExit,\n" * 4_900
    + b"]",
    "fills in fills": b"".join(
        b" " * n + b"x = y.empty(1)\n" + b" " * n + b"if x:\n" for n in range(50)
    )
    + (b" " * 50 + b"x()\n") * 1_500,
    "tests in tests": b"".join(b" " * n + b"def test():\n" for n in range(50))
    + (b" " * 50 + b"assert 1 == x\n") * 1_000,
}


@pytest.mark.parametrize("source", BIG.values(), ids=BIG.keys())
def test_the_largest_sources_are_checked_to_the_end(source: bytes) -> None:
    """A rule that grows with the square of its input would not come back."""
    assert check(source, source)


def test_a_plain_file_is_taken(tmp_path: Path) -> None:
    (tmp_path / "strategy.py").write_bytes(HONEST)
    assert take(tmp_path / "strategy.py") == HONEST


REASONS = {
    "a20-link": "it is a link; give one",
    "a21-fifo": "it is not a regular file; give one",
    "a22-directory": "it is not a regular file; give one",
    "a23-empty": "it is empty; give a",
    "a24-binary": "it is binary; give a",
    "a25-hard-link": "it has 2 links; give a",
    "a26-device": "it is not a regular file; give one",
    "a27-too-big": "it is over 100 kB; give a",
    "a28-missing": "No such file or directory; give one",
}


@pytest.mark.parametrize("kind", MADE)
def test_anything_but_a_plain_file_is_not_taken(kind: str, tmp_path: Path) -> None:
    open_before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(NotTaken, match=REASONS[kind]):
        take(MADE[kind](tmp_path))
    assert len(os.listdir("/proc/self/fd")) == open_before


@pytest.mark.parametrize("name", ["a\0b", "x" * 5_000, ""])
def test_a_path_that_cannot_be_is_not_taken(name: str) -> None:
    with pytest.raises(NotTaken):
        take(name)


PRAGMAS = {  # as in flake8/defaults.py, bandit/core/manager.py and mypy/util.py
    "flake8, a line": r"# noqa(:[ ]?([A-Z]+[0-9]+[, ]?)+)?[A-Za-z0-9]{0,4}",
    "flake8, the file": r"# flake8[:=][ ]{0,3}noqa",
    "bandit": r"#[ ]{0,3}nosec:?[ ]{0,3}[A-Za-z0-9_, ]{0,9}",
    "mypy, a line": r"#[ ]{0,3}type:[ ]{0,3}ignore(\[[a-z-]+\])?",
    "mypy, the file": r"# mypy: [a-z-]+",
}


@pytest.mark.parametrize("pattern", PRAGMAS.values(), ids=PRAGMAS.keys())
@settings(max_examples=100, deadline=None)
@given(st.data())
def test_every_spelling_that_a_tool_takes_is_a_finding(pattern: str, data: st.DataObject) -> None:
    """The tools' own patterns: `# noqaE501` and `# nosecB101` silence them too."""
    comment = data.draw(st.from_regex(re.compile(pattern, re.IGNORECASE), fullmatch=True))
    source = top(f"X = 1  {' '.join(comment.split())}").encode("utf-8", "replace")
    assert "pragma" in rules(source)
    assert "pragma" in rules(HONEST, source)


BOMBS = [
    "x = 'a'.zfill(60_000_000_000)",
    "x = '{:>60000000000}'.format('a')",
    "x = '{:>{}}'.format('a', 60_000_000_000)",
    "x = '{:.60000000000f}'.format(1.5)",
    "x = '%60000000000d' % 1",
    "x = '%*d' % (60_000_000_000, 1)",
    "x = 'a' * 60_000_000_000",
    "a = ('aaaa',) * 90\n"
    + "\n".join(f"{b} = ({', '.join(a * 90)})" for a, b in ("ab", "bc", "cd", "de", "ef"))
    + "\nx = str(f)",
]
UNDER_A_LIMIT = """
import resource, sys
from sandbox.intake import check
resource.setrlimit(resource.RLIMIT_AS, (3 * 10**9, 3 * 10**9))
print(len(check(sys.stdin.buffer.read(), None)))
"""


@pytest.mark.parametrize("line", BOMBS)
def test_no_text_is_made_before_its_size_is_known(line: str) -> None:
    """Under a limit of memory: what is folded first ends in a MemoryError and no report."""
    done = subprocess.run(
        [sys.executable, "-c", UNDER_A_LIMIT],
        cwd=ROOT,
        input=prepare(line).encode(),
        capture_output=True,
        env={"PATH": os.environ["PATH"], "OPENBLAS_NUM_THREADS": "1"},
    )
    assert (done.returncode, done.stdout.strip().isdigit()) == (0, True), done.stderr.decode()


def test_rounding_to_absurd_digits_is_not_worked_out() -> None:
    """Ten to the power of ten to the power of twelve would never be done."""
    check(prepare("x = round(5, -999_999_999_999)").encode(), None)


@pytest.mark.parametrize("line", ["x = '_' * 2 + 'globals' + '_' * 2", "x = '%s' % ('no' + 'w')"])
def test_what_is_short_is_still_read(line: str) -> None:
    assert rules(prepare(line).encode()) & {"dunder", "clock"}
