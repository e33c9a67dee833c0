"""SIGKILL at random moments of a live run, with a broker that breaks: no order twice, none lost."""

from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from adapters.live.adapter import apply
from adapters.live.book import Book
from adapters.live.journal import read
from bot.live import audit
from simbroker.terms import Terms
from tests.live.stage import Stage, asked, exchange, own


def killed(stage: Stage, token: str, after: int) -> bool:
    """Start the run and kill it when its journal has grown by so many bytes. False: it ended."""
    file = stage.home / "journal.jsonl"
    before = file.stat().st_size if file.exists() else 0
    started = stage.start(stage.launch(token=token))
    until = time.monotonic() + 120
    while started.poll() is None and time.monotonic() < until:
        if file.exists() and file.stat().st_size >= before + after:
            break
        time.sleep(0.001)  # the machine is for the run
    started.kill()
    _, err = started.communicate()
    if started.returncode == 0:
        return False
    assert started.returncode == -9, err
    return True


def story(stage: Stage) -> tuple[list[Any], list[Any]]:
    """What the broker got and what it traded, in its own words."""
    fills = {f["exec_id"]: f for f in asked(stage, "fills")}
    return asked(stage, "received"), [fills[name] for name in sorted(fills)]


def undisturbed(root: Path, folder: Path, bars: int) -> tuple[list[Any], list[Any]]:
    stage = Stage.build(root, folder, "restless").rehearsed()
    with exchange(stage, "--most", str(bars)):
        code, _, err = stage.run(stage.launch(token=stage.token()))
        assert code == 0, err
        return story(stage)


def books(stage: Stage) -> Book:
    book = Book(Terms(symbol="AAPL", max_positions=1), 86_400_000_000)
    for record in read(stage.home / "journal.jsonl"):
        apply(book, record)
    return book


def play(root: Path, folder: Path, bars: int, kills: int, seed: int) -> None:
    sent, traded = undisturbed(own(root, folder), folder / "calm", bars)
    assert len(sent) > kills and len(traded) > kills
    step = 2 * (folder / "calm/restless/journal.jsonl").stat().st_size // kills
    chance = random.Random(seed)
    stage = Stage.build(root, folder / "rough", "restless").rehearsed()
    faults = ["--most", str(bars), "--faults", "0.2", "--seed", str(seed)]
    with exchange(stage, *faults):
        token, done = stage.token(), 0
        while done < kills and killed(stage, token, chance.randrange(1, step)):
            done += 1
        code, _, err = stage.run(stage.launch(token=token))
        assert code == 0, err
        assert done >= kills // 2, f"it ended after {done} kills: raise the number of bars"
        again, traded_again = story(stage)
        assert max(Counter(t["client_id"] for t in again).values()) == 1, "an order came twice"
        assert again == sent, "an order was lost, or another one was sent"
        assert traded_again == traded
        assert books(stage).net() == asked_net(stage)
    assert audit.verify(stage.home / "audit.jsonl") == ""


def asked_net(stage: Stage) -> float:
    for _ in range(50):
        try:
            return stage.broker().net("AAPL")
        except Exception:
            continue
    raise AssertionError("no answer")


def test_ten_kills(root: Path, tmp_path: Path) -> None:
    play(root, tmp_path, bars=110, kills=10, seed=7)


@pytest.mark.soak
def test_a_hundred_kills(root: Path, tmp_path: Path) -> None:
    play(root, tmp_path, bars=400, kills=100, seed=11)


def test_a_second_run_of_the_same_strategy_is_refused(root: Path, tmp_path: Path) -> None:
    stage = Stage.build(root, tmp_path, "restless").rehearsed()
    with exchange(stage, "--pace", "60"):
        first = stage.start(stage.launch(token=stage.token()))
        while not (stage.home / "journal.jsonl").exists() and first.poll() is None:
            pass
        code, _, err = stage.run(stage.launch(token=stage.token()))
        assert code == 1 and "already_running" in err
        first.terminate()
        out, err = first.communicate(timeout=60)
        assert first.returncode == 0 and out == "stopped: hold\n", err
