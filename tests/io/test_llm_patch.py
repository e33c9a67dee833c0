"""A diff is taken only if it adds one file; what is doubtful about the file is said."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.io.llm.patch import Unusable, added, doubts
from schemas.report import TestCase, TestSpec
from tests import samples

HEAD = "--- /dev/null\n+++ b/s/tests/test_a.py\n"
MODULE = "strategies.rsi_30_70.strategy"


@pytest.mark.parametrize("hunk", ["@@ -0,0 +1,3 @@", "@@ -0,0 +1,99 @@", "@@ -0,0 +1 @@",
                                  "@@ -0,0 +1,1 @@ def x"])  # fmt: skip
def test_the_file_is_what_was_added_whatever_was_counted(hunk: str) -> None:
    path, text = added(f"{HEAD}{hunk}\n+one\n+\n+two\n")
    assert (path, text) == ("s/tests/test_a.py", "one\n\ntwo\n")


def test_a_git_head_and_a_missing_line_end_do_no_harm() -> None:
    git = "diff --git a/s/tests/test_a.py b/s/tests/test_a.py\nnew file mode 100644\n"
    end = "\\ No newline at end of file"
    assert added(f"\n{git}{HEAD}@@ -0,0 +1,1 @@\n+one\n{end}")[1] == "one\n"


BAD = [
    ("", "0 files"),
    ("print('hi')", "0 files"),
    (HEAD, "puts nothing"),
    (HEAD + "@@ -0,0 +1,1 @@\n+\n", "puts nothing"),
    ("--- a/x.py\n+++ b/x.py\n@@ -1,1 +1,1 @@\n-a\n+b\n", "may only add"),
    ("--- a/x.py\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n", "may only add"),
    ("--- a/x.py\n+++ b/x.py\n@@ -0,0 +1,1 @@\n+a\n", "may only add"),
    (
        HEAD + "@@ -0,0 +1,1 @@\n+a\n" + HEAD.replace("_a", "_b") + "@@ -0,0 +1,1 @@\n+b\n",
        "2 files",
    ),
    (HEAD + "@@ nonsense @@\n+a\n", "puts nothing"),
    ("Binary files /dev/null and b/x.png differ\n", "may only add"),
    ("--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n", "not a unified diff"),
]


@pytest.mark.parametrize(("diff", "told"), BAD, ids=range(len(BAD)))
def test_anything_else_is_not_taken(diff: str, told: str) -> None:
    with pytest.raises(Unusable, match=told):
        added(diff)


@given(st.text("-+@ ab/\n0,1", max_size=120))
def test_no_text_does_more_than_be_refused(noise: str) -> None:
    for diff in (noise, HEAD + noise, HEAD + "@@ -0,0 +1,2 @@\n" + noise):
        try:
            path, text = added(diff)
        except Unusable:
            continue
        assert path == "s/tests/test_a.py" and all(f"+{x}" in diff for x in text.splitlines())


@given(st.lists(st.text("ab +-@", max_size=9), min_size=1, max_size=9))
def test_what_was_put_in_comes_out(lines: list[str]) -> None:
    lines = ["first", *lines]
    diff = HEAD + "@@ -0,0 +1,1 @@\n" + "".join(f"+{line}\n" for line in lines)
    assert added(diff)[1] == "".join(f"{line}\n" for line in lines)


GOOD = f"from {MODULE} import Strategy\n\n\ndef test_gap() -> None:\n    assert Strategy\n"


def spec(*names: str) -> TestSpec:
    cases = tuple(TestCase(name=n, goal="g", target_path="s.py") for n in names)
    return replace(samples.spec(), cases=cases)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (GOOD, []),
        (GOOD.replace("test_gap", "test_x"), ["no test test_gap"]),
        (GOOD.replace(MODULE, "elsewhere"), ["does not import the strategy"]),
        ("def f(:\n", ["not Python"]),
        ("x\0", ["not Python"]),
        ("(" * 5000, ["not Python"]),
    ],
)
def test_doubts_are_named(source: str, told: list[str]) -> None:
    found = doubts(source, MODULE, spec("test_gap"))
    assert len(found) == len(told) and all(t in f for t, f in zip(told, found, strict=True))
