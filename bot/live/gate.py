"""May this strategy run live on this machine, now? Pure: facts in, an approval or a reason out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bot.live.refused import Code, Refused
from bot.live.token import name_of, verify
from schemas.live import Approval, OnRollback
from schemas.report import Artifact

DRIFT = 120
"""Seconds by which a clock may be set back by a time server."""


@dataclass(frozen=True, slots=True)
class Use:
    """A token that was used here before."""

    token: str
    machine: str
    commit_sha: str
    granted_at: int


@dataclass(frozen=True, slots=True)
class Found:
    """What this machine is like at the moment of the question."""

    now: int
    last_seen: int
    in_ci: bool
    machine: str
    head: str
    changed: tuple[str, ...]
    files: tuple[Artifact, ...]
    tags: Mapping[int, str]
    used: tuple[Use, ...]
    rehearsed: frozenset[str]


@dataclass(frozen=True, slots=True)
class There:
    """What the repository says now: the commit of each live tag, and which of them are halted."""

    live: Mapping[int, str]
    halted: frozenset[int]
    back: Mapping[int, OnRollback] = field(default_factory=dict)
    """Those that were taken back, and what happens to their positions."""


def admit(token: str, key: Ed25519PublicKey, strategy: str, found: Found) -> Approval:
    """The approval under which this run may trade, or `Refused` with the first reason."""
    if found.in_ci:
        raise Refused(Code.IN_CI)
    if found.now < found.last_seen - DRIFT:
        raise Refused(Code.CLOCK_BACK, f"by {found.last_seen - found.now} seconds")
    approval = verify(token, key, found.now)
    if approval.strategy != strategy:
        raise Refused(Code.OTHER_STRATEGY, approval.strategy)
    _not_used_up(token, approval, found)
    _newest_tag(approval, found.tags)
    if found.head != approval.commit_sha:
        raise Refused(Code.OTHER_COMMIT, f"{found.head[:12]}, not {approval.commit_sha[:12]}")
    same_files(approval.files, found.files)
    if found.changed:
        raise Refused(Code.CHANGED_TREE, found.changed[0])
    if approval.commit_sha not in found.rehearsed:
        raise Refused(Code.NO_DRY_RUN, approval.commit_sha[:12])
    return approval


def _not_used_up(token: str, approval: Approval, found: Found) -> None:
    """A restart on the same machine is the same use; anything else is a replay."""
    for use in found.used:
        if use.granted_at > approval.granted_at:
            raise Refused(Code.SUPERSEDED)
        if use.token != name_of(token):
            continue
        if (use.machine, use.commit_sha) != (found.machine, approval.commit_sha):
            raise Refused(Code.REPLAYED)


def _newest_tag(approval: Approval, tags: Mapping[int, str]) -> None:
    if approval.commit_sha not in tags.values():
        raise Refused(Code.NO_TAG, approval.commit_sha[:12])
    newest = max(tags)
    if tags[newest] != approval.commit_sha:
        raise Refused(Code.TAG_MOVED, f"live/{approval.strategy}/{newest}")


def still_good(approval: Approval, number: int, there: There) -> None:
    """What was fetched may be old: the repository has the last word."""
    if there.live.get(number) != approval.commit_sha:
        raise Refused(Code.NO_TAG, f"live/{approval.strategy}/{number} in the repository")
    _newest_tag(approval, there.live)
    if number in there.back:
        raise Refused(Code.TAKEN_BACK, back_tag(approval.strategy, number, there.back[number]))
    halt = halting(there, number)
    if halt:
        raise Refused(Code.HALTED_THERE, f"halt/{approval.strategy}/{halt}")


def halting(there: There, number: int) -> int:
    """The halt that holds for this approval: its own, or one of a newer. 0: there is none."""
    return max((halt for halt in there.halted if halt >= number), default=0)


def back_tag(strategy: str, number: int, how: OnRollback) -> str:
    """The tag by which a machine hears of a rollback."""
    return f"back/{strategy}/{number}/{how}"


def way_back(said: str) -> OnRollback | None:
    """What happens to positions, where what was heard is a rollback; nothing for a halt."""
    return OnRollback(said.rpartition("/")[2]) if said.startswith("back/") else None


def same_files(approved: tuple[Artifact, ...], found: tuple[Artifact, ...]) -> None:
    here = {file.path: file for file in found}
    for file in approved:
        if file.path not in here:
            raise Refused(Code.MISSING_FILE, file.path)
        if here[file.path] != file:
            raise Refused(Code.EDITED_FILE, file.path)
    extra = sorted(set(here) - {file.path for file in approved})
    if extra:
        raise Refused(Code.UNLISTED_FILE, extra[0])
