"""Credentials come from four places and end up nowhere: no log, audit, traceback or message."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

import pytest

from bot.live.audit import Audit
from bot.live.redact import HIDDEN, Redactor, Secret
from bot.live.refused import Code, Refused
from bot.live.secrets import load
from tests.live.stage import KEY, ROOT, Stage, exchange

CANARY = 'canary/p@ss w"ord+4711\\ü'
NAMES = ("mt5_login", "mt5_password")
GIVEN = {"mt5_login": "canary-login-12", "mt5_password": CANARY}


class Desk(BaseHTTPRequestHandler):
    """Vault's and Amazon's answers, as their documentation gives them."""

    def do_GET(self) -> None:
        ok = self.headers.get("X-Vault-Token") == "canary-vault-token"
        told = {"data": {"data": GIVEN, "metadata": {"version": 1}}}
        found = self.path == "/v1/secret/data/trading/mt5"
        self._say(200 if ok and found else 403, told if ok else {"errors": ["denied " + CANARY]})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        ok = self.headers["X-Amz-Target"] == "secretsmanager.GetSecretValue"
        if ok and asked["SecretId"] == "trading/mt5":
            self._say(200, {"Name": "trading/mt5", "SecretString": json.dumps(GIVEN)})
        else:
            self._say(400, {"__type": "ResourceNotFoundException", "Message": CANARY})

    def _say(self, code: int, told: object) -> None:
        body = json.dumps(told).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def desk() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Desk) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def aws(url: str) -> dict[str, str]:
    return {"AWS_ENDPOINT_URL": url}


@pytest.fixture
def region(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")


def test_from_the_environment_and_gone_from_there() -> None:
    env = {"STRATBOT_MT5_LOGIN": GIVEN["mt5_login"], "STRATBOT_MT5_PASSWORD": CANARY}
    found = load("env:", NAMES, env, Redactor())
    assert found["mt5_password"].reveal() == CANARY and env == {}
    env = {"MY_MT5_LOGIN": "x123", "MY_MT5_PASSWORD": "y123"}
    assert load("env:MY_", NAMES, env, Redactor())["mt5_login"].reveal() == "x123"


def test_from_a_private_file_only(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps(GIVEN))
    file.chmod(0o600)
    assert load(f"file:{file}", NAMES, {}, Redactor())["mt5_password"].reveal() == CANARY
    for mode in (0o640, 0o604, 0o660, 0o601):
        file.chmod(mode)
        with pytest.raises(Refused) as refused:
            load(f"file:{file}", NAMES, {}, Redactor())
        assert refused.value.code == Code.OPEN_FILE


def test_from_vault(desk: str) -> None:
    env = {"VAULT_ADDR": desk, "VAULT_TOKEN": "canary-vault-token"}
    found = load("vault:secret/trading/mt5", NAMES, env, Redactor())
    assert found["mt5_password"].reveal() == CANARY and "VAULT_TOKEN" not in env


def test_from_aws(desk: str, region: None) -> None:
    found = load("aws:trading/mt5", NAMES, aws(desk), Redactor())
    assert found["mt5_password"].reveal() == CANARY


def test_what_is_missing_is_named_and_nothing_else_is_said(desk: str, region: None) -> None:
    vault = {"VAULT_ADDR": desk, "VAULT_TOKEN": "wrong"}
    for source, env in (
        ("env:", {}), ("file:/nowhere", {}), ("vault:secret/trading/mt5", vault),
        ("aws:other", aws(desk)), ("pass:word", {}), ("env:", {"STRATBOT_MT5_LOGIN": CANARY}),
    ):  # fmt: skip
        with pytest.raises(Refused) as refused:
            load(source, NAMES, env, Redactor())
        assert refused.value.code == Code.NO_SECRET
        assert "canary" not in str(refused.value) and refused.value.__cause__ is None


def test_a_secret_does_not_print_itself() -> None:
    secret = Secret(CANARY)
    for said in (str(secret), repr(secret), f"{secret}", f"{secret!r:>40}", f"{secret:>40}"):
        assert "canary" not in said
    with pytest.raises(TypeError):
        json.dumps(secret)


def test_every_spelling_is_taken_out() -> None:
    redactor = Redactor()
    redactor.learn(Secret(CANARY))
    spelled = [CANARY, quote(CANARY, safe=""), json.dumps(CANARY), repr(CANARY),
               base64.b64encode(CANARY.encode()).decode()]  # fmt: skip
    for said in spelled:
        cleaned = redactor.clean(f"before {said} after")
        assert HIDDEN in cleaned and cleaned.startswith("before ") and "4711" not in cleaned
    assert redactor.clean("nothing here") == "nothing here"


def test_the_audit_log_stays_valid_json_without_it(tmp_path: Path) -> None:
    redactor = Redactor()
    redactor.learn(Secret(CANARY))
    audit = Audit(tmp_path / "a.jsonl", "corr", redactor, lambda: 0.0)
    audit.write("said", why=f"login {CANARY} failed", more={"deep": [CANARY]})
    text = (tmp_path / "a.jsonl").read_text()
    assert "canary" not in text and json.loads(text)["why"] == f"login {HIDDEN} failed"


CRASH = """
import logging, sys
from bot.live.redact import Redactor, Secret, guard_outputs
redactor = Redactor()
redactor.learn(Secret(sys.argv[1]))
guard_outputs(redactor)
try:
    raise ValueError("first " + sys.argv[1])
except ValueError:
    logging.getLogger("ib_async").exception("while logging in with %s", sys.argv[1])
    raise RuntimeError("then " + sys.argv[1])
"""


def test_tracebacks_and_logs_of_libraries_are_cleaned() -> None:
    command = [sys.executable, "-c", CRASH, CANARY]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "RuntimeError: then [secret]" in done.stderr
    assert done.stderr.count(HIDDEN) >= 4 and "canary" not in done.stdout + done.stderr


def test_no_canary_in_anything_that_runs_leave_behind(root: Path, tmp_path: Path) -> None:
    """A good run, a dry run, a wrong key that the broker repeats, a broker that is gone."""
    stage = Stage.build(root, tmp_path / "state").rehearsed()
    said: list[str] = []
    with exchange(stage, "--most", "70", "--faults", "0.3"):
        token = stage.token()
        said += stage.run(stage.launch(token=token))[1:]
        said += stage.run(stage.launch(dry_run=True))[1:]
        stage.env["STRATBOT_SIM_KEY"] = "canary-wrong-key"
        code, *words = stage.run(stage.launch(token=token))
        assert code == 1 and "login_refused" in words[1] and "wrong key [secret]" in words[1]
        said += words
    stage.env["STRATBOT_SIM_KEY"] = KEY
    code, *words = stage.run(stage.launch(token=token))
    assert code == 75 and "broker_unreachable" in words[1]
    left = [f.read_text() for f in (tmp_path / "state").rglob("*") if f.is_file()]
    assert len(left) > 8
    for text in (*said, *words, *left):
        assert "canary" not in text and token.rpartition(".")[2] not in text
