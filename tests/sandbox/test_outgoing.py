"""Nothing that leaves is alive, secret or endless."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.outgoing import cell, redact, tame

TOKEN = "canary-7b1f9e22"


@pytest.mark.parametrize(
    ("raw", "gone"),
    [
        ("\x1b[31mred\x1b[0m", "\x1b"), ("\x1b]0;title\x07x", "title"), ("a\x00b", "\x00"),
        ("::error::x", "::"), ("x ##[group]y", "##["), ("@octocat", "@"), ("<img src=x>", "<"),
        ("<!-- stratbot:status -->", "<!--"), ("```\ncode", "```"), ("~~~", "~~~"),
        ("![x](http://x)", "]("), ("| a | b |", "|"), ("\u202egnp", "\u202e"),
        ("\u200b/x", "\u200b"),
    ],
)  # fmt: skip
def test_nothing_stays_alive(raw: str, gone: str) -> None:
    assert gone not in tame(raw)


@pytest.mark.parametrize("raw", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "  =HYPERLINK(1)"])
def test_no_cell_is_a_formula(raw: str) -> None:
    assert cell(raw)[0] == "'"


@pytest.mark.parametrize(
    "dress",
    [TOKEN, TOKEN.upper(), TOKEN[::-1], " ".join(TOKEN), "-".join(TOKEN),
     base64.b64encode(TOKEN.encode()).decode(), TOKEN.encode().hex(),
     base64.b64encode(b"a" + TOKEN.encode()).decode(),
     base64.b64encode(b"ab" + TOKEN.encode()).decode()],
)  # fmt: skip
def test_a_secret_is_found_in_any_dress(dress: str) -> None:
    assert redact(f"x {dress} y", [TOKEN]) != f"x {dress} y"


@pytest.mark.parametrize(
    "secret",
    ["ghp_" + "a" * 36, "github_pat_" + "a" * 40, "sk-" + "a" * 40, "AKIA" + "A" * 16,
     "-----BEGIN RSA PRIVATE KEY-----"],
)  # fmt: skip
def test_what_looks_like_a_secret_goes(secret: str) -> None:
    assert secret not in tame(f"key: {secret}")


@given(st.text(max_size=2000))
def test_whatever_comes_in_what_goes_out_is_short_and_printable(text: str) -> None:
    out = tame(text, 100)
    assert len(out) <= 100 and all(c == "\n" or c.isprintable() for c in out)
    assert "\n" not in cell(text)
