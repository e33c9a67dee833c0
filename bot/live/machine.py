"""The facts of this machine that the gate asks for: files, tags, clock, what ran here before."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import asdict
from getpass import getuser
from pathlib import Path
from uuid import uuid4

from bot.engine import INSTALLS, PACKAGES
from bot.live.gate import Found, Use
from bot.live.refused import Code, Refused
from schemas import codec
from schemas.report import Artifact

CI = (
    "CI",
    "GITHUB_ACTIONS",
    "GITHUB_RUN_ID",
    "CODEBUILD_BUILD_ID",
    "GITLAB_CI",
    "BUILDKITE",
    "TF_BUILD",
    "JENKINS_URL",
    "TEAMCITY_VERSION",
)
CODE = (*PACKAGES, *INSTALLS, "strategies")


def found(root: Path, state: Path, strategy: str, now: int, env: Mapping[str, str]) -> Found:
    return Found(
        now=now,
        last_seen=last_seen(state),
        in_ci=in_ci(env),
        machine=machine(),
        head=_git(root, "rev-parse", "HEAD"),
        changed=changed(root),
        files=files(root, strategy),
        tags=tags(root, strategy),
        used=used(state),
        rehearsed=frozenset(_lines(state / "rehearsed")),
    )


def in_ci(env: Mapping[str, str]) -> bool:
    return any(env.get(name, "").lower() not in ("", "0", "false") for name in CI)


def files(root: Path, strategy: str) -> tuple[Artifact, ...]:
    """Every file of the strategy that can change what it does: its code and its contract."""
    folder = root / "strategies" / strategy
    kept = (p for p in sorted(folder.rglob("*")) if p.suffix in (".py", ".pyd", ".so", ".json"))
    return tuple(
        Artifact(
            path=p.relative_to(root).as_posix(),
            digest=codec.digest_of(p.read_bytes()),
            size=p.stat().st_size,
        )
        for p in kept
        if p.is_file() and "results" not in p.relative_to(folder).parts
    )


def tags(root: Path, strategy: str) -> dict[int, str]:
    """The commit of each `live/<strategy>/<n>`; an annotated tag counts as what it points at."""
    spell = "%(refname:lstrip=4) %(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)"
    told = _git(root, "for-each-ref", f"--format={spell}", f"refs/tags/live/{strategy}/")
    rows = (line.split() for line in told.splitlines())
    return {int(row[0]): row[1] for row in rows if len(row) == 2 and row[0].isdecimal()}


def changed(root: Path) -> tuple[str, ...]:
    """Code that is not as it was committed, also new files: Python would import them."""
    told = _git(root, "status", "--porcelain", "--untracked-files=all", "--", *CODE)
    return tuple(line.split(maxsplit=1)[-1] for line in told.splitlines())


def machine() -> str:
    """Names this machine and user without telling who they are."""
    known = Path("/etc/machine-id")
    raw = known.read_text() if known.exists() else platform.node()
    return hashlib.sha256(f"stratbot {raw.strip()} {getuser()}".encode()).hexdigest()[:16]


def holder(state: Path) -> str:
    """This machine with this state folder: a copy of either alone is somebody else."""
    if not _lines(state / "holder"):
        replace(state / "holder", f"{uuid4().hex}\n")
    return f"{machine()} {_lines(state / 'holder')[0]}"


def last_seen(state: Path) -> int:
    lines = _lines(state / "clock")
    if lines and not lines[0].isdecimal():
        raise Refused(Code.BAD_STATE, str(state / "clock"))
    return int(lines[0]) if lines else 0


def see(state: Path, now: int) -> None:
    """Remember the time, so that a clock that goes back is noticed."""
    if now > last_seen(state):
        replace(state / "clock", f"{now}\n")


def used(state: Path) -> tuple[Use, ...]:
    try:
        return tuple(Use(**json.loads(line)) for line in _lines(state / "used"))
    except (ValueError, TypeError):
        raise Refused(Code.BAD_STATE, str(state / "used")) from None


def use(state: Path, one: Use) -> None:
    if one not in used(state):
        add(state / "used", json.dumps(asdict(one)))


def rehearse(state: Path, commit_sha: str) -> None:
    if commit_sha not in _lines(state / "rehearsed"):
        add(state / "rehearsed", commit_sha)


def add(file: Path, line: str) -> None:
    """One line more. The whole file is written anew, so that no half line is ever read."""
    replace(file, "".join(f"{old}\n" for old in _lines(file)) + line + "\n")


def there(file: Path) -> bool:
    """Only a name that is not there counts as not there: what cannot be looked at raises."""
    try:
        os.lstat(file)
    except FileNotFoundError:
        return False
    return True


def replace(file: Path, text: str) -> None:
    """All of it or nothing, also when the power fails. For nobody else's eyes."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    beside = file.with_name(f".{file.name}.new")
    beside.unlink(missing_ok=True)
    new = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(new, "w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    os.replace(beside, file)


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def _git(root: Path, *args: str) -> str:
    done = subprocess.run(
        ["git", *args], cwd=root, capture_output=True, text=True, check=False, timeout=60
    )
    if done.returncode:
        raise Refused(Code.OTHER_COMMIT, f"git says: {done.stderr.strip()[:200]}")
    return done.stdout.strip("\n")
