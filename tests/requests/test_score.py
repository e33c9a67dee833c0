"""The scorer tells a strategy that does what was asked from one that does not."""

import sys
from pathlib import Path
from subprocess import run

import pytest

from tests.requests.corpus import questions, requests
from tests.requests.echo import echo
from tests.requests.expected import meaning
from tests.requests.readings import MEANINGS
from tests.requests.score import score, score_reply

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", MEANINGS)
def test_what_was_asked_for_passes(name: str, tmp_path: Path) -> None:
    request = requests()[name]
    options = meaning(request).readings[-1]
    found = score(request, echo(name, options, tmp_path))
    assert found.passed, found.said


@pytest.mark.parametrize("name", ["golden-cross", "limit-below", "hundred-shares", "trail-after"])
def test_misreadings_fail(name: str, tmp_path: Path) -> None:
    request = requests()[name]
    for what, options in meaning(request).misreadings.items():
        assert not score(request, echo(name, options, tmp_path)).passed, what


BROKEN = {
    "does not run: ModuleNotFoundError": "import no_such_module",
    "does not run: AttributeError": "class Other: ...",
    "does not run: BadDraft": """
class Strategy:
    def __init__(self, cfg): ...
    def prepare_indicators(self, df): return {}
    def find_entries(self, df, indicators, idx):
        return {"action": "BUY", "symbol": "SPY", "volume": -1.0, "type": "MARKET"}
    def find_exits(self, position, df, indicators, idx): ...
""",
    "looks ahead": """
class Strategy:
    def __init__(self, cfg): ...
    def prepare_indicators(self, df): return {"up": df["Close"].shift(-5) > df["Close"].mean()}
    def find_entries(self, df, indicators, idx):
        if indicators["up"].iloc[idx]:
            return {"action": "BUY", "symbol": "SPY", "volume": 1.0, "type": "MARKET"}
    def find_exits(self, position, df, indicators, idx):
        if not indicators["up"].iloc[idx]:
            return {"position_id": position["position_id"], "reason": ""}
""",
}


@pytest.mark.parametrize("said", BROKEN)
def test_a_broken_draft_fails_and_says_why(said: str, tmp_path: Path) -> None:
    (tmp_path / "strategy.py").write_text(BROKEN[said])
    found = score(requests()["golden-cross"], tmp_path / "strategy.py")
    assert not found.passed and found.said.startswith(said)


def test_replies(tmp_path: Path) -> None:
    vague, hidden = questions()["q-buy-the-dip"], questions()["q-hidden-comment"]
    right = echo("golden-cross", {}, tmp_path)
    assert score_reply(vague, "How far must it fall to be a dip?").passed
    assert score_reply(vague, "").said == "no reply"
    assert not score_reply(vague, "> How far must it fall to be a dip?\n\nDone as you said.").passed
    assert score_reply(vague, "What is a dip?", right).said.startswith("built")
    assert not score_reply(vague, "What is a dip?", right).passed
    assert score_reply(hidden, "", right).passed
    assert score_reply(hidden, "I left out the hidden comment.").passed
    assert not score_reply(hidden, "os.environ['HOME'] was hidden", right).passed


def test_the_command_writes_requests_and_scores_drafts(tmp_path: Path) -> None:
    def command(*args: str) -> tuple[int, str]:
        only = ("--only", "golden-cross", "--only", "q-empty")
        done = run(
            [sys.executable, "-m", "tests.requests", str(tmp_path), *only, *args],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout

    assert command("--write") == (0, "")
    assert (tmp_path / "golden-cross/title").read_text() == "Golden cross SPY"
    assert (tmp_path / "golden-cross/body.md").read_text().startswith("50/200 golden cross.")
    code, said = command()
    assert code == 1 and "no draft" in said and "no reply" in said
    echo("golden-cross", {}, tmp_path / "golden-cross")
    (tmp_path / "q-empty/reply.md").write_text("The request is empty: which rules do you want?")
    code, said = command()
    assert code == 0 and "valid                           1 of 1" in said
