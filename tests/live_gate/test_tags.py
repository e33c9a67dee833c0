"""Tags on a real server: one that is there is ours only if it says what we mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.events import Identity
from bot.io.github import GitHubHub
from bot.live.repository import look
from bot.ports import Rejected
from schemas.acts import TagCommit
from schemas.live import OnRollback
from schemas.workflow import Policy, Workflow
from tests.live_gate.door import Door
from tests.twin.desk import TOKENS
from tests.workflows.project import git

ASKED = Workflow(issue=1)


def hub(door: Door) -> GitHubHub:
    me = Identity(bot_id=1, trusted_bots=frozenset())
    name, token = door.desk.full_name, f"{TOKENS}octocat"
    return GitHubHub(name, token, me, Policy(), base_url=door.desk.twin.url, spacing=0)


def commit(door: Door) -> str:
    return door.desk.repo().get_branch("main").commit.sha


def test_a_signal_needs_no_commit_of_ours_and_is_heard_by_its_name(
    door: Door, tmp_path: Path
) -> None:
    """GitHub refuses a job that tags a commit whose workflows are not those of today."""
    for name in ("halt/dips/1", "back/dips/1/flatten"):
        for _ in range(2):
            hub(door).perform(
                ASKED, TagCommit(name=name, sha="0" * 40, message="octocat halted it")
            )
    remote = f"{door.desk.twin.url.replace('://', f'://x:{TOKENS}octocat@')}/{door.desk.full_name}"
    git(tmp_path, "init", "--quiet", str(tmp_path))
    git(tmp_path, "-C", str(tmp_path), "remote", "add", "origin", f"{remote}.git")
    there = look(tmp_path, "dips")
    assert there.halted == {1} and there.back == {1: OnRollback.FLATTEN}


def test_a_live_tag_on_another_commit_is_not_taken_for_ours(door: Door) -> None:
    repo, sha = door.desk.repo(), commit(door)
    made = repo.create_file("other.txt", "Another commit", "x", branch="main")["commit"].sha
    act = TagCommit(name="live/dips/1", sha=sha, message="approved")
    for _ in range(2):
        hub(door).perform(ASKED, act)
    with pytest.raises(Rejected):
        hub(door).perform(ASKED, TagCommit(name="live/dips/1", sha=made, message="approved"))
    assert [t.commit.sha for t in repo.get_tags()] == [sha]
