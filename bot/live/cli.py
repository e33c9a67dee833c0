"""`stratbot live`: run, stop, halt, status, audit and keys. A run is a process of its own."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import click
from filelock import FileLock, Timeout

from bot.cli.front import Whole, as_json
from bot.live import audit, machine, token
from bot.live.launch import Launch, strategy_home
from bot.live.refused import Refused
from bot.ports import Rejected
from bot.text.live import halted_nothing, refusal
from schemas import codec
from schemas.live import Approval, BrokerName, OnRollback

STATE = click.option(
    "--state", envvar="STRATBOT_LIVE", default="~/.stratbot/live", help="Folder of live runs."
)
STRATEGY = click.option("--strategy", required=True, help="Its folder below strategies/.")
DRY = click.option("--dry-run", is_flag=True, help="The dry run, not the live one.")


@click.group("live", cls=Whole)
def live() -> None:
    """Trade an approved strategy on this machine."""


@live.command("run")
@STRATEGY
@click.option("--token", "given", envvar="STRATBOT_TOKEN", default="", help="The approval.")
@click.option("--broker", required=True, type=click.Choice([b.value for b in BrokerName]))
@click.option("--dry-run", is_flag=True, help="Send no orders; needs no token.")
@click.option("--address", default="", help="HOST:PORT of the broker's program.")
@click.option("--public-key", default="", help="PEM file; else approver.pub in the state folder.")
@click.option(
    "--limits", default="", help="JSON file; without it the size of the contract may be traded."
)
@click.option(
    "--secrets",
    default="env:",
    help="env:PREFIX, file:PATH (mode 600), vault:MOUNT/PATH or aws:NAME.",
)
@click.option("--bars", default=0, help="End after so many bars; 0 means never.")
@click.option("--poll", default=1.0, help="Seconds between two looks for a new bar.")
@click.option("--listen", default=20.0, help="Seconds between two looks for a /halt on GitHub.")
@click.option(
    "--unclaimed",
    is_flag=True,
    help="Weaker: start also where the repository cannot record who uses the token.",
)
@click.option(
    "--experimental",
    is_flag=True,
    help="Trade real money on ibkr or mt5; lists what has not been proven there.",
)
@STATE
def run(
    strategy: str,
    given: str,
    broker: str,
    dry_run: bool,
    address: str,
    public_key: str,
    limits: str,
    secrets: str,
    bars: int,
    poll: float,
    listen: float,
    unclaimed: bool,
    experimental: bool,
    state: str,
) -> None:
    """Run a strategy until it is stopped. Call it from the checkout that was approved."""
    home, root = _absolute(state), Path.cwd()
    launch = Launch(
        strategy=strategy, broker=BrokerName(broker), dry_run=dry_run, token=given,
        address=address, root=str(root), state=str(home), limits=_file(limits),
        public_key=_file(public_key) or str(home / "approver.pub"), secrets=secrets,
        bars=bars, poll=poll, listen=listen, unclaimed=unclaimed, experimental=experimental,
    )  # fmt: skip
    launch = codec.load(Launch, codec.dump(launch))  # says which option is wrong
    file = launch.folder / "launch.json"
    machine.replace(file, codec.dump(launch))
    # Compiled files of the checkout are not read: nobody approved those.
    nowhere = f"pycache_prefix={launch.folder / 'compiled-never'}"
    command = [sys.executable, "-B", "-X", nowhere, "-m", "adapters.live", str(file)]
    os.execv(sys.executable, command)  # nosec B606


@live.command("stop")
@STRATEGY
@click.option(
    "--positions",
    type=click.Choice([o.value for o in OnRollback]),
    default="hold",
    show_default=True,
)
@DRY
@STATE
def stop(strategy: str, positions: str, dry_run: bool, state: str) -> None:
    """End the run cleanly; say what happens to open positions."""
    folder = _folder(state, strategy, dry_run)
    if not running(folder):
        raise Rejected(f"no run of {strategy} is under way; nothing to stop")
    machine.replace(folder / "STOP", f"{positions}\n")
    click.echo(f"{strategy}: stops after this bar, positions: {positions}")


@live.command("halt")
@STRATEGY
@DRY
@STATE
def halt(strategy: str, dry_run: bool, state: str) -> None:
    """The kill switch: no more orders, also after a restart. `touch HALT` does the same."""
    folder = _folder(state, strategy, dry_run)
    known = (folder / "audit.jsonl").exists()
    machine.replace(folder / "HALT", "halted by hand\n")
    if not known:
        raise Rejected(halted_nothing(strategy, _running(state)))
    click.echo(
        f"{strategy}: no more orders. Entries that wait are called off, open positions stay with "
        "their stops. `stratbot live resume` lets it trade again."
    )


def _running(state: str) -> list[str]:
    """What trades on this machine now, as its folder is called."""
    homes = sorted(p.parent for p in _absolute(state).rglob("audit.jsonl"))
    return [str(home.relative_to(_absolute(state))) for home in homes if running(home)]


@live.command("resume")
@STRATEGY
@DRY
@STATE
def resume(strategy: str, dry_run: bool, state: str) -> None:
    """Take the kill switch off. A /halt on GitHub also needs a new approval: /deploy there."""
    file = _folder(state, strategy, dry_run) / "HALT"
    if not machine.there(file):
        raise Rejected(f"{strategy} is not halted here; nothing to resume")
    why = file.read_text(encoding="utf-8").strip() or "by hand"
    file.unlink()
    click.echo(f"{strategy}: the halt is off ({why[:200]}). `stratbot live run` trades again.")


@live.command("status")
@as_json
@STATE
def status(as_json: bool, state: str) -> None:
    """Every strategy that ran here, and how it stands."""
    rows = []
    for folder in sorted(p.parent for p in _absolute(state).rglob("audit.jsonl")):
        last = (folder / "audit.jsonl").read_text(encoding="utf-8").splitlines()[-1:]
        on, halted = running(folder), machine.there(folder / "HALT")
        name = str(folder.relative_to(_absolute(state)))
        rows.append({"strategy": name, "running": on, "halted": halted, "last": "".join(last)})
        stand = ("running" if on else "not running") + (", halted" if halted else "")
        if not as_json:
            click.echo(f"{name}: {stand}; last: {''.join(last)[:300]}")
    if as_json:
        click.echo(json.dumps(rows))
    elif not rows:
        click.echo("nothing ran here yet; `stratbot live run --dry-run` is the first step")


@live.command("audit")
@STRATEGY
@click.option("--verify", is_flag=True, help="Only say whether the log is whole.")
@DRY
@STATE
def show_audit(strategy: str, verify: bool, dry_run: bool, state: str) -> None:
    """Print the audit log of a strategy's runs, or check that nobody changed it."""
    file = _folder(state, strategy, dry_run) / "audit.jsonl"
    if not file.exists():
        raise Rejected(f"{strategy} never ran here: there is no {file}")
    if not verify:
        click.echo(file.read_text(encoding="utf-8"), nl=False)
        return
    wrong = audit.verify(file)
    if wrong:
        raise Rejected(f"{file}: {wrong}; do not trust what follows")
    click.echo(f"{file}: whole, {len(file.read_text().splitlines())} lines")


@live.command("keygen")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="A new folder.")
def keygen(out: Path) -> None:
    """Make the pair of keys: the private one signs approvals, the public one checks them."""
    out.mkdir(mode=0o700, parents=True)
    private, public = token.new_pair()
    (out / "approver.key").touch(mode=0o600)
    (out / "approver.key").write_bytes(private)
    (out / "approver.pub").write_bytes(public)
    click.echo(f"{out}/approver.key: into the secret STRATBOT_SIGNING_KEY of the environment live")
    click.echo(f"{out}/approver.pub: to every machine that trades. Then delete the key file.")


@live.command("sign")
@click.option("--approval", required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--key", envvar="STRATBOT_SIGNING_KEY", required=True, help="PEM, from the secret.")
def sign(approval: Path, key: str) -> None:
    """Print the token for a recorded approval. Only the gated job has the key."""
    told = codec.load(Approval, approval.read_bytes())
    try:
        click.echo(token.sign(told, token.read_private(key.encode())))
    except Refused as refused:
        raise Rejected(refusal(refused)) from None


def running(folder: Path) -> bool:
    """A lock that can be had is nobody's, also after a crash."""
    if not (folder / "lock").exists():
        return False
    try:
        with FileLock(folder / "lock", timeout=0):
            return False
    except Timeout:
        return True


def _folder(state: str, strategy: str, dry_run: bool) -> Path:
    home = strategy_home(_absolute(state), strategy)
    return home / "paper" if dry_run else home


def _absolute(path: str) -> Path:
    return Path(path).expanduser().resolve()


def _file(path: str) -> str:
    return str(_absolute(path)) if path else ""
