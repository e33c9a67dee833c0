"""Every way in which a live run must not start, on a real checkout; the few in which it may."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.live.__main__ import may_start
from bot.live import machine, repository, token
from bot.live.gate import Use
from bot.live.launch import Launch
from bot.live.refused import Code, Refused
from bot.text.live import SAYS, refusal, unclaimed
from schemas.live import BrokerName, Gate
from tests.live.stage import HOUR, STRATEGY, Stage, commit, git

NOW = int(time.time())
Change = Callable[[Stage, Launch], Launch]


@pytest.fixture
def stage(root: Path, tmp_path: Path) -> Stage:
    """An approved machine and a repository of its own: each row breaks one thing of it."""
    return Stage.build(root, tmp_path / "state").rehearsed()


def edited(stage: Stage, launch: Launch) -> Launch:
    with open(stage.root / f"strategies/{STRATEGY}/strategy.py", "a") as file:
        file.write("# more\n")
    return launch


def removed(stage: Stage, launch: Launch) -> Launch:
    (stage.root / f"strategies/{STRATEGY}/test_strategy.py").unlink()
    return launch


def added(stage: Stage, launch: Launch) -> Launch:
    (stage.root / f"strategies/{STRATEGY}/pandas.py").write_text("")
    return launch


def edited_engine(stage: Stage, launch: Launch) -> Launch:
    with open(stage.root / "adapters/live/runner.py", "a") as file:
        file.write("# more\n")
    return launch


def edited_lock(stage: Stage, launch: Launch) -> Launch:
    """The gate judges it, so the machine must have the one that was judged."""
    with open(stage.root / "requirements.lock", "a") as file:
        file.write("# more\n")
    return launch


def new_module(stage: Stage, launch: Launch) -> Launch:
    (stage.root / "adapters/live/extra.py").write_text("")
    return launch


def moved_on(stage: Stage, launch: Launch) -> Launch:
    commit(stage.root, "one more")
    return launch


def newer_tag(stage: Stage, launch: Launch) -> Launch:
    commit(stage.root, "one more")
    git(stage.root, "tag", f"live/{STRATEGY}/10")
    git(stage.root, "checkout", "-q", f"live/{STRATEGY}/1")
    return launch


def no_tag(stage: Stage, launch: Launch) -> Launch:
    git(stage.root, "tag", "-d", f"live/{STRATEGY}/1")
    return launch


def tag_of_another_strategy(stage: Stage, launch: Launch) -> Launch:
    git(stage.root, "tag", "-d", f"live/{STRATEGY}/1")
    git(stage.root, "tag", f"live/{STRATEGY}2/1")
    return launch


def used(stage: Stage, launch: Launch, **other: object) -> Launch:
    approval = stage.approval()
    use = Use(token.name_of(launch.token), machine.machine(), approval.commit_sha, NOW - HOUR)
    machine.use(stage.home, replace(use, **other))  # type: ignore[arg-type]
    return launch


def other_machine(stage: Stage, launch: Launch) -> Launch:
    return used(stage, launch, machine="f" * 16)


def other_commit_before(stage: Stage, launch: Launch) -> Launch:
    return used(stage, launch, commit_sha="f" * 40)


def newer_approval(stage: Stage, launch: Launch) -> Launch:
    return used(stage, launch, token="f" * 32, granted_at=NOW - 60)


def clock_back(stage: Stage, launch: Launch) -> Launch:
    machine.see(stage.home, NOW + 2 * HOUR)
    return launch


def torn_clock(stage: Stage, launch: Launch) -> Launch:
    (stage.home / "clock").write_text("soon\n")
    return launch


def torn_uses(stage: Stage, launch: Launch) -> Launch:
    (stage.home / "used").write_text("{}\n")
    return launch


def never_dry(stage: Stage, launch: Launch) -> Launch:
    (stage.home / "rehearsed").unlink()
    return launch


def other_dry_run(stage: Stage, launch: Launch) -> Launch:
    (stage.home / "rehearsed").write_text("f" * 40 + "\n")
    return launch


def wrong_key(stage: Stage, launch: Launch) -> Launch:
    (stage.state / "approver.pub").write_bytes(token.new_pair()[1])
    return launch


def no_key(stage: Stage, launch: Launch) -> Launch:
    return replace(launch, public_key=str(stage.state / "nothing.pub"))


def private_key_instead(stage: Stage, launch: Launch) -> Launch:
    (stage.state / "approver.pub").write_bytes(stage.private)
    return launch


def halted_there(number: int) -> Change:
    return lambda stage, launch: told(stage, launch, f"HEAD:refs/tags/halt/{STRATEGY}/{number}")


def told(stage: Stage, launch: Launch, *refs: str) -> Launch:
    git(stage.root, "push", "-q", "origin", *refs)
    return launch


def taken_back_there(stage: Stage, launch: Launch) -> Launch:
    git(stage.root, "push", "-q", "origin", f"HEAD:refs/tags/back/{STRATEGY}/1/flatten")
    return launch


def tag_gone_there(stage: Stage, launch: Launch) -> Launch:
    return told(stage, launch, f":refs/tags/live/{STRATEGY}/1")


def newer_tag_there(stage: Stage, launch: Launch) -> Launch:
    """Approved after the last fetch: only the repository knows."""
    commit(stage.root, "one more")
    told(stage, launch, f"HEAD:refs/tags/live/{STRATEGY}/2")
    git(stage.root, "checkout", "-q", f"live/{STRATEGY}/1")
    return launch


def out_of_reach(stage: Stage, launch: Launch) -> Launch:
    git(stage.root, "remote", "set-url", "origin", str(stage.root / "nowhere"))
    return launch


def no_remote(stage: Stage, launch: Launch) -> Launch:
    git(stage.root, "remote", "remove", "origin")
    return launch


def used_elsewhere(stage: Stage, launch: Launch) -> Launch:
    """The other machine is this one with an empty state folder."""
    elsewhere = replace(launch, state=str(stage.state.parent / "other"))
    machine.rehearse(elsewhere.home, git(stage.root, "rev-parse", "HEAD"))
    assert may_start(elsewhere, NOW, {}).approval
    return launch


def read_only(stage: Stage, launch: Launch) -> Launch:
    hook = stage.root.parent / "origin.git/hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    return launch


def with_token(make: Callable[[Stage], str]) -> Change:
    return lambda stage, launch: replace(launch, token=make(stage))


def forged(stage: Stage) -> str:
    """Another approval with the signature of the real one."""
    head, kid, _, signature = stage.token().rsplit(".", 3)
    other = stage.token(approvers=("mallory",)).split(".")[2]
    return f"{head}.{kid}.{other}.{signature}"


def signed_by_mallory(stage: Stage) -> str:
    """Mallory's own key, under the name of ours."""
    mallory = token.read_private(token.new_pair()[0])
    ours = token.read_private(stage.private).public_key()
    parts = token.sign(stage.approval(), mallory).split(".")
    return ".".join([parts[0], token.key_id(ours), *parts[2:]])


def later_stamp(stage: Stage) -> str:
    head, rest = stage.token().split(".", 1)
    return f"human_verified_{int(head.rsplit('_', 1)[1]) + 1}.{rest}"


def padded(stage: Stage) -> str:
    return stage.token() + "AAAA"


def respelled(stage: Stage, launch: Launch) -> Launch:
    """The last character of a signature has bits that nobody reads."""
    other_machine(stage, launch)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    last = alphabet.index(launch.token[-1])
    return replace(launch, token=launch.token[:-1] + alphabet[last ^ 1])


ROWS: list[tuple[str, Code, Change]] = [
    ("no token", Code.MALFORMED, with_token(lambda s: "")),
    ("the old form", Code.MALFORMED, with_token(lambda s: f"human_verified_{NOW}")),
    ("half a token", Code.MALFORMED, with_token(lambda s: s.token().rsplit(".", 1)[0])),
    ("a line more", Code.MALFORMED, with_token(lambda s: s.token() + "\n")),
    ("a huge token", Code.MALFORMED, with_token(lambda s: s.token() + "A" * 70_000)),
    ("another approval under the signature", Code.FORGED, with_token(forged)),
    ("signed by somebody else", Code.FORGED, with_token(signed_by_mallory)),
    ("a later time in front", Code.FORGED, with_token(later_stamp)),
    ("a longer signature", Code.FORGED, with_token(padded)),
    ("another public key", Code.WRONG_KEY, wrong_key),
    ("no public key", Code.NO_KEY, no_key),
    ("a private key instead", Code.NO_KEY, private_key_instead),
    ("expired", Code.EXPIRED, with_token(lambda s: s.token(expires_at=NOW - 1))),
    ("expires now", Code.EXPIRED, with_token(lambda s: s.token(expires_at=NOW))),
    ("from the future", Code.NOT_YET, with_token(lambda s: s.token(granted_at=NOW + HOUR))),
    ("for a year", Code.TOO_LONG, with_token(lambda s: s.token(expires_at=NOW + 365 * 86_400))),
    ("another strategy", Code.OTHER_STRATEGY, with_token(lambda s: s.token(strategy="other"))),
    ("another commit", Code.NO_TAG, with_token(lambda s: s.token(commit_sha="f" * 40))),
    ("the checkout moved on", Code.OTHER_COMMIT, moved_on),
    ("the strategy was edited", Code.EDITED_FILE, edited),
    ("a file was removed", Code.MISSING_FILE, removed),
    ("a file was added", Code.UNLISTED_FILE, added),
    ("the engine was edited", Code.CHANGED_TREE, edited_engine),
    ("the lock file was edited", Code.CHANGED_TREE, edited_lock),
    ("a module was added", Code.CHANGED_TREE, new_module),
    ("no tag", Code.NO_TAG, no_tag),
    ("the tag is of another strategy", Code.NO_TAG, tag_of_another_strategy),
    ("a newer tag elsewhere", Code.TAG_MOVED, newer_tag),
    ("used on another machine", Code.REPLAYED, other_machine),
    ("the same, spelled in another way", Code.REPLAYED, respelled),
    ("used for another commit", Code.REPLAYED, other_commit_before),
    ("a newer approval was used", Code.SUPERSEDED, newer_approval),
    ("the clock moved back", Code.CLOCK_BACK, clock_back),
    ("the clock file is torn", Code.BAD_STATE, torn_clock),
    ("the record of uses is torn", Code.BAD_STATE, torn_uses),
    ("halted on GitHub", Code.HALTED_THERE, halted_there(1)),
    ("a newer one was halted on GitHub", Code.HALTED_THERE, halted_there(12)),
    ("taken back on GitHub", Code.TAKEN_BACK, taken_back_there),
    ("the tag was taken away on GitHub", Code.NO_TAG, tag_gone_there),
    ("a newer tag that was not fetched", Code.TAG_MOVED, newer_tag_there),
    ("the repository does not answer", Code.NO_REPOSITORY, out_of_reach),
    ("no repository", Code.NO_REPOSITORY, no_remote),
    ("used on a machine that forgot it", Code.REPLAYED, used_elsewhere),
    ("this machine may only read", Code.NOT_CLAIMED, read_only),
    ("never run dry", Code.NO_DRY_RUN, never_dry),
    ("another commit was run dry", Code.NO_DRY_RUN, other_dry_run),
]


@pytest.mark.parametrize(("name", "code", "change"), ROWS, ids=[row[0] for row in ROWS])
def test_the_gate_stays_shut(stage: Stage, name: str, code: Code, change: Change) -> None:
    launch = stage.launch(token=stage.token())
    before = (stage.home / "used").exists()
    with pytest.raises(Refused) as refused:
        may_start(change(stage, launch), NOW, {})
    assert refused.value.code == code
    said = refusal(refused.value)
    assert said.startswith(f"{code}: ") and SAYS[code][1] in said
    if not before and code not in (Code.REPLAYED, Code.SUPERSEDED, Code.BAD_STATE):
        assert not (stage.home / "used").exists(), "a refused token is not used up"


@pytest.mark.parametrize("name", machine.CI)
def test_it_never_opens_in_ci(stage: Stage, name: str) -> None:
    for value in ("true", "1", "https://ci"):
        with pytest.raises(Refused, match="inside_ci"):
            may_start(stage.launch(token=stage.token()), NOW, {name: value})
    assert may_start(stage.launch(token=stage.token()), NOW, {name: "false"}).approval


def test_a_dry_run_in_ci_has_the_simulated_broker_only(stage: Stage) -> None:
    ci = {"CI": "true"}
    dry = stage.launch(dry_run=True)
    assert may_start(dry, NOW, ci).approval is None
    for broker in (BrokerName.IBKR, BrokerName.MT5):
        with pytest.raises(Refused, match="inside_ci"):
            may_start(replace(dry, broker=broker), NOW, ci)
        assert may_start(replace(dry, broker=broker), NOW, {}).approval is None


def test_it_opens_and_opens_again_after_a_restart(stage: Stage) -> None:
    launch = stage.launch(token=stage.token())
    for later in (0, 5, HOUR // 2):
        leave = may_start(launch, NOW + later, {})
        assert leave.approval is not None and leave.approval.approvers == ("octocat",)
    assert len(machine.used(stage.home)) == 1 and machine.last_seen(stage.home) == NOW + HOUR // 2


def test_it_opens_for_a_newer_approval_and_the_older_one_is_done(stage: Stage) -> None:
    old, new = stage.token(), stage.token(granted_at=NOW - 60, gate=Gate.COMMENT)
    may_start(stage.launch(token=old), NOW, {})
    assert may_start(stage.launch(token=new), NOW, {}).approval
    with pytest.raises(Refused, match="superseded"):
        may_start(stage.launch(token=old), NOW, {})


def test_an_annotated_tag_counts_as_what_it_points_at(stage: Stage) -> None:
    who = ["-c", "user.name=o", "-c", "user.email=o@example.org"]
    git(stage.root, *who, "tag", "-a", "-m", "live", f"live/{STRATEGY}/2")
    git(stage.root, "push", "-q", "origin", "--tags")
    assert may_start(stage.launch(token=stage.token()), NOW, {}).approval


@pytest.mark.parametrize("change", [out_of_reach, no_remote, read_only])
def test_it_opens_unclaimed_where_the_owner_says_so_and_calls_it_weaker(
    stage: Stage, change: Change
) -> None:
    launch = change(stage, stage.launch(token=stage.token(), unclaimed=True))
    leave = may_start(launch, NOW, {})
    assert leave.approval and leave.unclaimed and "weaker" in unclaimed(str(leave.unclaimed))
    assert leave.heard is (change is read_only)


@pytest.mark.parametrize(("change", "code"), [
    (halted_there(1), Code.HALTED_THERE), (taken_back_there, Code.TAKEN_BACK),
    (used_elsewhere, Code.REPLAYED),
    (newer_tag_there, Code.TAG_MOVED), (tag_gone_there, Code.NO_TAG),
])  # fmt: skip
def test_unclaimed_is_no_way_around_an_answer(stage: Stage, change: Change, code: Code) -> None:
    launch = change(stage, stage.launch(token=stage.token()))
    with pytest.raises(Refused, match=code):
        may_start(replace(launch, unclaimed=True), NOW, {})


def test_a_halt_holds_until_a_newer_approval(stage: Stage) -> None:
    halted_there(1)(stage, stage.launch())
    git(stage.root, "tag", f"live/{STRATEGY}/2")
    git(stage.root, "push", "-q", "origin", "--tags")
    leave = may_start(stage.launch(token=stage.token()), NOW, {})
    assert leave.approval and leave.number == 2 and not leave.unclaimed


def test_a_commit_that_was_approved_twice_still_runs_on_one_machine(
    stage: Stage, tmp_path: Path
) -> None:
    """The older token is good for 30 days too: halted, approved again, started in two places."""
    old, new = stage.token(), stage.token(granted_at=NOW - 60)
    other = replace(stage, state=tmp_path / "other").rehearsed()
    there = replace(stage.launch(token=new), state=str(other.state))
    git(stage.root, "tag", f"live/{STRATEGY}/2")
    git(stage.root, "push", "-q", "origin", "--tags")
    assert may_start(there, NOW, {}).number == 2
    with pytest.raises(Refused, match=f"replayed: refs/stratbot/claims/live/{STRATEGY}/2"):
        may_start(stage.launch(token=old), NOW, {})


def test_of_many_machines_at_once_one_has_the_token(stage: Stage) -> None:
    def claimed(n: int) -> bool:
        try:
            repository.claim(stage.root, "f" * 32, f"machine {n}")
        except Refused as refused:
            assert refused.code == Code.REPLAYED, refused
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        won = list(pool.map(claimed, range(6)))
    assert sum(won) == 1
    assert claimed(won.index(True)) and not claimed(won.index(False)), "and for good"


def test_every_reason_has_words_and_a_next_step() -> None:
    assert set(SAYS) == set(Code)
    for why, what_next in SAYS.values():
        assert why.endswith(".") and what_next.endswith(".") and len(what_next) > 15
