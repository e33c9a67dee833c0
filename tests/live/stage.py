"""A machine to trade on: an approved checkout, keys, a state folder and a simulated exchange."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from adapters.live.port import Down
from adapters.live.sim import SimExchange
from bot.agents.coder import write_strategy
from bot.live import machine, token
from bot.live.cli import live
from bot.live.launch import Launch
from schemas import codec
from schemas.contract import Contract
from schemas.live import Approval, BrokerName, Gate, Limits

ROOT = Path(__file__).parent.parent.parent
CODE = ("bot", "adapters", "simbroker", "schemas", "strategies")
STRATEGY = "sma_cross"
KEY = "canary-exchange-key-4711"
HOUR = 3600


def checkout(folder: Path) -> Path:
    """The code as it is in the work tree, committed and tagged as the deploy run would."""
    root = folder / "checkout"
    for part in CODE:
        left_out = shutil.ignore_patterns("__pycache__", "twin")
        shutil.copytree(ROOT / part, root / part, ignore=left_out)
    add_strategy(root, "restless", Path(__file__).with_name("restless.py").read_text())
    regenerate(root, STRATEGY)
    (root / ".gitignore").write_text("__pycache__/\n")
    git(root, "init", "-q")
    git(root, "add", ".")
    commit(root, "approved")
    for strategy in (STRATEGY, "restless"):
        git(root, "tag", f"live/{strategy}/1")
    publish(root, folder / "origin.git")
    return root


def publish(root: Path, remote: Path) -> Path:
    """The repository that the checkout came from, as git alone plays it."""
    git(root, "init", "-q", "--bare", str(remote))
    git(root, "remote", "add", "origin", str(remote))
    git(root, "push", "-q", "origin", "HEAD:refs/heads/main", "--tags")
    return remote


def own(root: Path, folder: Path) -> Path:
    """A checkout and a repository for one machine alone: who trades writes into it."""
    shutil.copytree(root, folder / "checkout", symlinks=True)
    shutil.copytree(root.parent / "origin.git", folder / "origin.git", symlinks=True)
    git(folder / "checkout", "remote", "set-url", "origin", str(folder / "origin.git"))
    return folder / "checkout"


def regenerate(root: Path, name: str) -> None:
    """An example by hand becomes what the generator writes from its contract."""
    (root / f"strategies/{name}/strategy.py").write_text(generated(root, name))


def generated(root: Path, name: str) -> str:
    file = root / f"strategies/{name}/contract.json"
    return write_strategy(codec.load(Contract, file.read_bytes()))


def teach(root: Path, name: str, source: str) -> None:
    """The generator of this checkout writes this source for contracts of this name.

    What the guards and the parity monitor are for is a generator that is wrong."""
    with open(root / "bot/agents/coder.py", "a") as file:
        file.write(
            f"\n\n_{name}, _but_{name} = {source!r}, write_strategy\n\n\n"
            "def write_strategy(contract, until=TaskId.EXIT):\n"
            f"    return _{name} if contract.name == {name!r} else _but_{name}(contract, until)\n"
        )


def add_strategy(root: Path, name: str, source: str) -> None:
    teach(root, name, source)
    folder = root / "strategies" / name
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "strategy.py").write_text(source)
    contract = json.loads((ROOT / f"strategies/{STRATEGY}/contract.json").read_text())
    (folder / "contract.json").write_text(json.dumps({**contract, "name": name}))


def commit(root: Path, words: str) -> None:
    who = ["-c", "user.name=o", "-c", "user.email=o@example.org"]
    git(root, *who, "commit", "-q", "--allow-empty", "-am", words)


def git(root: Path, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@dataclass
class Stage:
    root: Path
    state: Path
    private: bytes = b""
    port: int = 0
    env: dict[str, str] = field(default_factory=dict)
    strategy: str = STRATEGY

    @classmethod
    def build(cls, root: Path, state: Path, strategy: str = STRATEGY) -> Stage:
        private, public = token.new_pair()
        state.mkdir(parents=True, exist_ok=True)
        (state / "approver.pub").write_bytes(public)
        kept = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "LANG")}
        env = {**kept, "STRATBOT_SIM_KEY": KEY}
        return cls(root, state, private, env=env, strategy=strategy)

    @property
    def home(self) -> Path:
        return self.state / self.strategy

    def approval(self, **other: Any) -> Approval:
        now = int(time.time())
        made = Approval(
            strategy=self.strategy, workflow_id="wf_7", correlation_id="corr_7",
            commit_sha=git(self.root, "rev-parse", "HEAD"),
            files=machine.files(self.root, self.strategy), gate=Gate.ENVIRONMENT,
            approvers=("octocat",), run_id=7, granted_at=now - HOUR, expires_at=now + HOUR,
        )  # fmt: skip
        return replace(made, **other)

    def token(self, **other: Any) -> str:
        return token.sign(self.approval(**other), token.read_private(self.private))

    def rehearsed(self) -> Stage:
        machine.rehearse(self.home, git(self.root, "rev-parse", "HEAD"))
        return self

    def limits(self, **other: Any) -> str:
        made = Limits(symbols=("AAPL",), max_order=5.0, max_position=5.0, orders_per_minute=1000)
        file = self.state / "limits.json"
        file.write_text(codec.dump(replace(made, **other)))
        return str(file)

    def launch(self, **other: Any) -> Launch:
        limits = other.pop("limits", None) or self.limits()
        made = Launch(
            strategy=self.strategy, broker=BrokerName.SIM, address=f"127.0.0.1:{self.port}",
            dry_run=False, token="", root=str(self.root), state=str(self.state),
            public_key=str(self.state / "approver.pub"), limits=limits, poll=0.01,
        )  # fmt: skip
        return replace(made, **other)

    def start(self, launch: Launch) -> subprocess.Popen[str]:
        """The process that trades, without the command line before it."""
        file = self.state / "launch.json"
        file.write_text(codec.dump(launch))
        command = [sys.executable, "-B", "-m", "adapters.live", str(file)]
        return subprocess.Popen(
            command, cwd=self.root, env=self.env, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def run(self, launch: Launch) -> tuple[int, str, str]:
        started = self.start(launch)
        out, err = started.communicate(timeout=300)
        return started.returncode, out, err

    def cli(self, *args: str, **env: str) -> Result:
        """A command that starts no run."""
        return CliRunner().invoke(live, args, env={"STRATBOT_LIVE": str(self.state), **env})

    def audit(self, folder: str = "") -> list[dict[str, Any]]:
        file = self.home / folder / "audit.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()]

    def broker(self) -> SimExchange:
        client = SimExchange("127.0.0.1", self.port, KEY)
        client.connect()
        return client


@contextmanager
def exchange(stage: Stage, *more: str) -> Iterator[subprocess.Popen[str]]:
    """A broker in a process of its own, with its own memory. It outlives every run."""
    bars = ROOT / "fixtures/bars/trending_D1.csv"
    command = [sys.executable, "-m", "adapters.live.exchange", "--bars", str(bars), "--symbol"]
    command += ["AAPL", "--key", KEY, "--port", "0", *more]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        stage.port = int(server.stdout.readline().rsplit(":", 1)[1])
        try:
            yield server
        finally:
            server.kill()


def asked(stage: Stage, op: str) -> Any:
    """What the exchange itself says, whatever breaks on the way."""
    for _ in range(50):
        try:
            client = stage.broker()
            told = client._ask(op)
            client.close()
            return told
        except Down:
            continue
    raise AssertionError("the exchange does not answer")
