"""The demo in a terminal: what a request is called, what is said, what is left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from bot.demo.show import EXAMPLE, asked
from bot.demo.walk import steps

ROOT = Path(__file__).parents[2]
PATIENCE = 600


def test_a_request_is_called_by_its_title_or_its_file(tmp_path: Path) -> None:
    file = tmp_path / "dip_on-gold.md"
    file.write_text("Buy gold when it falls.\nSell later.\n")
    assert asked(file, False) == ("Dip on gold", "Buy gold when it falls.\nSell later.\n")
    file.write_text("# My idea\nBuy gold.\n")
    assert asked(file, False) == ("My idea", "Buy gold.\n")
    assert asked(EXAMPLE, False)[0] == "RSI dip on SPY"


def test_a_walk_with_a_mistake_is_a_request_of_its_own() -> None:
    """Else nothing would be broken where the walk without one is over already."""
    whole, broken = asked(EXAMPLE, False), asked(EXAMPLE, True)
    assert broken == ("RSI dip on SPY, with a mistake pushed", whole[1])


def test_a_step_that_failed_names_its_debug_issue_and_shows_its_pull_request() -> None:
    said = "#5 being repaired, failed 1 of at most 4 times, see #6"
    [(words, where)] = steps(f"- [ ] Leave positions: {said} <!-- t4_exit -->", "http://x/y")
    assert words == "Leave positions: being repaired, failed 1 of at most 4 times, see #6"
    assert where == "http://x/y/pull/5"


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Of a request that cannot be built, without an engine: it soon waits for words."""
    file = tmp_path / "vague.md"
    file.write_text("Buy when it looks good and sell when it does not.\n")
    line = [sys.executable, "-m", "bot", "demo", "--request", str(file), "--data", str(tmp_path)]
    env = {**os.environ, "DOCKER_HOST": "unix:///nowhere", "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=env
    )
    yield process
    process.terminate()  # not killed: then its local GitHub would be left
    process.communicate(timeout=60)


def heard(process: subprocess.Popen[str], until: str) -> str:
    """A demo that waits for something else is ended, and fails here with all that it said."""
    assert process.stdout is not None
    said, watchdog = "", threading.Timer(PATIENCE, process.terminate)
    watchdog.start()
    try:
        for line in process.stdout:
            said += line
            if until in line:
                return said
    finally:
        watchdog.cancel()
    raise AssertionError(f"it never said {until!r}:\n{said}")


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_closed_terminal_leaves_nothing_running(
    demo: subprocess.Popen[str], number: signal.Signals
) -> None:
    said = heard(demo, "A local GitHub is running")
    assert "There is no Docker engine" in said
    home = re.findall(r"http://\S+", said)[0]
    assert requests.get(home, headers={"Accept": "text/html"}, timeout=20).ok
    demo.send_signal(number)
    _, wrong = demo.communicate(timeout=60)
    assert demo.returncode == 130, wrong
    assert "nothing is left running" in wrong
    with pytest.raises(requests.ConnectionError):
        requests.get(home, timeout=20)


def test_questions_are_in_the_terminal_and_an_answer_goes_on(
    demo: subprocess.Popen[str], tmp_path: Path
) -> None:
    said = heard(demo, "Ctrl-C stops it")
    assert "you ask: Vague" in said
    assert "1. When exactly should it enter?" in said
    assert said.count("I have questions.") == 2, "as a step, and before the questions themselves"
    assert "`" not in said and "<sub>" not in said
    issue = re.findall(r"http://\S+/issues/\d+", said)[0]
    asked_at = issue.replace("/you/", "/repos/you/") + "/comments"
    signed = {"Authorization": f"token {(tmp_path / 'token').read_text()}"}
    words = "/answer Buy SPY when RSI(2) is below 10, sell when it is above 70, daily bars"
    requests.post(asked_at, json={"body": words}, headers=signed, timeout=20).raise_for_status()
    heard(demo, "you type /approve")
