"""`stratbot live` as the owner types it: keys, dry run, live run, stop, status, audit."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from adapters.live.port import Action, Ticket
from schemas import codec
from tests.live.stage import Stage, asked, exchange, git

WHOLE = ("-m", "bot", "live")
LIGHT = ("-c", "from bot.live.cli import live; live()")
"""The same commands without the rest of the bot, which takes long to load."""


def started(
    stage: Stage, *more: str, by: tuple[str, ...] = LIGHT, **env: str
) -> subprocess.Popen[str]:
    command = [sys.executable, *by, "run", "--strategy", stage.strategy]
    command += ["--broker", "sim", "--address", f"127.0.0.1:{stage.port}", "--poll", "0.01", *more]
    return subprocess.Popen(
        command, cwd=stage.root, env={**stage.env, "STRATBOT_LIVE": str(stage.state), **env},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def until_it_holds(stage: Stage, run: subprocess.Popen[str]) -> None:
    """Until the broker has filled something for it."""
    journal, end = stage.home / "journal.jsonl", time.monotonic() + 60
    while time.monotonic() < end and run.poll() is None:
        if journal.exists() and b'"position_opened"' in (stage.home / "audit.jsonl").read_bytes():
            return
        time.sleep(0.01)
    raise AssertionError(run.communicate())


def test_keys_approval_token_dry_run_live_run_and_stop(root: Path, tmp_path: Path) -> None:
    stage = Stage.build(root, tmp_path / "state", "restless")
    made = stage.cli("keygen", "--out", str(tmp_path / "keys"))
    assert made.exit_code == 0 and "STRATBOT_SIGNING_KEY" in made.stdout
    key = tmp_path / "keys/approver.key"
    assert key.stat().st_mode & 0o777 == 0o600
    (stage.state / "approver.pub").write_bytes((tmp_path / "keys/approver.pub").read_bytes())
    approval = tmp_path / "approval.json"
    approval.write_text(codec.dump(stage.approval()))
    signed = stage.cli("sign", "--approval", str(approval), STRATBOT_SIGNING_KEY=key.read_text())
    assert signed.exit_code == 0 and signed.stdout.startswith("human_verified_"), signed.output
    token, limits = signed.stdout.strip(), stage.limits()

    with exchange(stage, "--pace", "0.02"):
        early = started(stage, "--token", token, "--limits", limits)
        assert "no_dry_run" in early.communicate(timeout=60)[1] and early.returncode == 1
        dry = started(stage, "--dry-run", "--bars", "3")
        assert dry.communicate(timeout=60)[0] == "3 bars are done\n"
        assert asked(stage, "received") == [], "a dry run sends nothing"

        live = started(stage, "--limits", limits, STRATBOT_TOKEN=token)
        until_it_holds(stage, live)
        assert "restless: running" in stage.cli("status").stdout
        stopped = stage.cli("stop", "--strategy", "restless", "--positions", "flatten")
        assert stopped.exit_code == 0, stopped.output
        out, err = live.communicate(timeout=60)
        assert live.returncode == 0 and out == "stopped: flatten\n", err
        assert stage.broker().net("AAPL") == 0.0
    again = stage.cli("stop", "--strategy", "restless")
    assert "nothing to stop" in str(again.exception)
    assert "restless: not running" in stage.cli("status").stdout

    events = [line["event"] for line in stage.audit()]
    assert events[0] == "run_started" and events[-1] == "run_ended"
    assert {"reconciled", "decided", "order_sent", "broker_event"} <= set(events)
    assert stage.audit()[0]["approvers"] == ["octocat"]
    assert "whole" in stage.cli("audit", "--strategy", "restless", "--verify").stdout
    log = stage.home / "audit.jsonl"
    log.write_text(log.read_text().replace("octocat", "mallory"))
    told = stage.cli("audit", "--strategy", "restless", "--verify")
    assert "line 1 was changed" in str(told.exception)
    report = json.loads((stage.home / "report/summary.json").read_text())
    assert report["total_trades"] >= 1


@pytest.mark.parametrize("how", ["hold", "handover"])
def test_positions_are_kept_and_found_again(root: Path, tmp_path: Path, how: str) -> None:
    stage = Stage.build(root, tmp_path, "restless").rehearsed()
    with exchange(stage, "--pace", "0.02"):
        run = started(stage, "--limits", stage.limits(), "--token", stage.token())
        until_it_holds(stage, run)
        stage.cli("stop", "--strategy", "restless", "--positions", how)
        out, err = run.communicate(timeout=60)
        assert run.returncode == 0 and out == f"stopped: {how}\n", err
        run = started(stage, "--limits", stage.limits(), "--token", stage.token(), "--bars", "2")
        out, err = run.communicate(timeout=60)
        assert out == "2 bars are done\n", err


def test_a_position_that_nobody_can_explain_stops_everything(root: Path, tmp_path: Path) -> None:
    stage = Stage.build(root, tmp_path, "restless").rehearsed()
    with exchange(stage):
        token = stage.token()
        code, _, err = stage.run(stage.launch(token=token, bars=1))
        assert code == 0, err
        broker = stage.broker()  # somebody else trades in the same account
        newest = json.loads((stage.home / "journal.jsonl").read_text().splitlines()[-1])
        assert newest["kind"] == "finished"
        bars = broker.bars(0)
        broker.bars(bars[-1].at)
        held = broker.net("AAPL")
        action: Action = "SELL" if held > 0 else "BUY"
        entry = broker.fills()[-1].client_id if held else ""
        ticket = Ticket("by-hand", "AAPL", action, abs(held) or 1.0, closes=entry)
        broker._ask("submit", ticket=asdict(ticket))
        broker.bars(broker.bars(0)[-1].at)
        broker.close()
        code, _, err = stage.run(stage.launch(token=token))
        assert code == 1 and "positions_differ" in err, err
        assert (stage.home / "HALT").exists()


def test_compiled_files_of_the_checkout_are_not_read(root: Path, tmp_path: Path) -> None:
    """Git does not see them, and nobody approved them."""
    stage = Stage.build(root, tmp_path / "state", "restless").rehearsed()
    planted = root / "strategies/restless/__pycache__/strategy.cpython-311.pyc"
    source = root / "strategies/restless/strategy.py"
    script = (
        "import importlib.util, marshal, struct, sys; s = sys.argv[1];"
        "import os; st = os.stat(s); c = compile('raise SystemExit(99)', s, 'exec');"
        "open(sys.argv[2], 'wb').write(importlib.util.MAGIC_NUMBER + bytes(4) + "
        "struct.pack('<II', int(st.st_mtime), st.st_size) + marshal.dumps(c))"
    )
    planted.parent.mkdir(exist_ok=True)
    try:
        subprocess.run([sys.executable, "-c", script, str(source), str(planted)], check=True)
        probe = [sys.executable, "-c", "import strategies.restless.strategy"]
        assert subprocess.run(probe, cwd=root, check=False).returncode == 99, "the plant works"
        with exchange(stage):
            more = ["--token", stage.token(), "--limits", stage.limits(), "--bars", "1"]
            run = started(stage, *more, by=WHOLE)
            out, err = run.communicate(timeout=60)
            assert run.returncode == 0 and out == "1 bars are done\n", err
    finally:
        planted.unlink()
    assert git(root, "status", "--porcelain") == ""


def test_a_halt_with_a_wrong_name_does_not_say_that_it_stopped_something(
    root: Path, tmp_path: Path
) -> None:
    """Who pulls the switch in a hurry must not be soothed by a misspelled name."""
    stage = Stage.build(root, tmp_path / "state", "restless")
    done = stage.cli("halt", "--strategy", "restles")
    told = str(done.exception)
    assert "nothing was stopped: no strategy restles ever ran on this machine" in told
    assert "no more orders" not in done.stdout
    assert (stage.state / "restles" / "HALT").exists(), "should it ever start, it is halted"
