"""The repository as a machine that trades sees it: live tags, halts, and whose token it is."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from bot.live.gate import There, back_tag, halting
from bot.live.refused import Code, Refused
from schemas.live import OnRollback

REMOTE = "origin"
CLAIMS = "refs/stratbot/claims/"
SECONDS = 20
"""A look that takes longer is no look."""
LINE = re.compile(r"([0-9a-f]{40,64})\trefs/tags/(live|halt)/[^/\s]+/([0-9]+)(\^\{\})?")
BACK = re.compile(r"[0-9a-f]{40,64}\trefs/tags/back/[^/\s]+/([0-9]+)/(flatten|hold|handover)")
PASSWORD = re.compile(r"://[^/@\s]*@")


class Unheard(Exception):
    """The repository did not answer, or not as the one that gave the approval."""


def look(root: Path, strategy: str) -> There:
    """Read access is enough. An annotated tag counts as what it points at."""
    patterns = (f"refs/tags/{kind}/{strategy}/*" for kind in ("live", "halt", "back"))
    live: dict[int, str] = {}
    halted, back = set(), {}
    for row in _git(root, "ls-remote", REMOTE, *patterns).splitlines():
        if taken := BACK.fullmatch(row):
            back[int(taken[1])] = OnRollback(taken[2])
        found = LINE.fullmatch(row)
        if found is None:
            continue
        sha, kind, number, peeled = found.groups()
        if kind == "halt":
            halted.add(int(number))
        elif peeled or int(number) not in live:
            live[int(number)] = sha
    return There(live, frozenset(halted), back)


def heard(root: Path, strategy: str, number: int, commit_sha: str) -> str:
    """The tag that takes back, halts or replaces `live/<strategy>/<number>`, or nothing.

    A repository that does not know the live tag is not the one to listen to."""
    there = look(root, strategy)
    if there.live.get(number) != commit_sha:
        raise Unheard(f"{REMOTE} has no live/{strategy}/{number} at {commit_sha[:12]}")
    if number in there.back:  # later than any halt, and says more
        return back_tag(strategy, number, there.back[number])
    halt = halting(there, number)
    newest = max(there.live)
    newer = f"live/{strategy}/{newest}" if newest > number else ""
    return f"halt/{strategy}/{halt}" if halt else newer


def claim(root: Path, what: str, holder: str) -> None:
    """Write into the repository, once and for all, who uses this. `Refused` if others do.

    The same holder makes the same commit, so a restart finds its own claim and needs no memory."""
    name = f"{CLAIMS}{what}"
    try:
        ours = _commit(root, f"{what} is used by {holder}")
        lease = f"--force-with-lease={name}:"  # git takes it only where there is none yet
        _try(root, "push", "--quiet", "--no-verify", lease, REMOTE, f"{ours}:{name}")
        held = _git(root, "ls-remote", REMOTE, name).partition("\t")[0].strip()
    except Unheard as unheard:
        raise Refused(Code.NO_REPOSITORY, str(unheard)) from None
    if not held:
        raise Refused(Code.NOT_CLAIMED, name)
    if held != ours:
        raise Refused(Code.REPLAYED, name)


def leave(root: Path, name: str, message: str) -> bool:
    """Put a message where the bot finds it, once: a later one under this name changes nothing."""
    try:
        _git(root, "push", "--quiet", "--no-verify", REMOTE, f"{_commit(root, message)}:{name}")
    except Unheard:
        return False
    return True


def _commit(root: Path, message: str) -> str:
    tree = _git(root, "mktree").strip()
    return _git(root, "commit-tree", tree, "-m", message).strip()


def _git(root: Path, *args: str) -> str:
    done = _try(root, *args)
    if done.returncode:
        said = PASSWORD.sub(
            "://", done.stderr.strip().splitlines()[-1][:200] if done.stderr else ""
        )
        raise Unheard(f"git {args[0]}: {said or done.returncode}")
    return done.stdout


def _try(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """The owner's own access to the repository, no question on the terminal, no hook."""
    command = ["git", "-c", "core.hooksPath=/dev/null", "-C", str(root), *args]
    try:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=SECONDS, env=_environment(os.environ),
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unheard(f"git {args[0]}: {type(error).__name__}") from None


def _environment(env: Mapping[str, str]) -> dict[str, str]:
    """Without our own secrets; with one name and one time, so that one claim is one commit."""
    kept = {k: v for k, v in env.items() if not k.startswith("STRATBOT_")}
    people = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (
        ("NAME", "stratbot"), ("EMAIL", "stratbot@users.noreply.github.com"),
        ("DATE", "2000-01-01T00:00:00Z"))}  # fmt: skip
    silent = {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    batch = {"GIT_SSH_COMMAND": env.get("GIT_SSH_COMMAND", "ssh -oBatchMode=yes")}
    return {**kept, **people, **silent, **batch}
