"""A live run and a dry run start only what the generator writes from the contract beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.agents.coder import VERSION
from schemas import codec
from schemas.base import AgentRole, Provenance
from schemas.live import Passport
from schemas.report import Artifact
from tests.live.stage import ROOT, STRATEGY, Stage, commit, exchange, git

HOSTILE = "from pathlib import Path\n\nPath({!r}).touch()\n"
Change = Callable[[Path, str], None]


def beside(name: str) -> Change:
    def change(folder: Path, code: str) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(code)

    return change


def first_line(folder: Path, code: str) -> None:
    file = folder / "strategy.py"
    file.write_text(code + file.read_text())


def last_line(folder: Path, code: str) -> None:
    with open(folder / "strategy.py", "a") as file:
        file.write(code)


def carriage_return(folder: Path, code: str) -> None:
    """Ends a comment for Python, though not for whoever looks at the lines."""
    file = folder / "strategy.py"
    text = file.read_text()
    file.write_bytes(
        text.replace("        self.cfg = cfg\n", "        self.cfg = cfg\r\n").encode()
    )


def other_number(folder: Path, code: str) -> None:
    file = folder / "contract.json"
    text = file.read_text()
    assert "10" in text
    file.write_text(text.replace("10", "11"))


def by_earlier_rules(version: str = "offline-1", model: str = "none") -> Change:
    """Delivered before the generator changed: other bytes, and a passport that lists them."""

    def change(folder: Path, code: str) -> None:
        old = (folder / "strategy.py").read_text().replace("self.params.", "self.param.")
        (folder / "strategy.py").write_text(old)
        digest = codec.digest_of(old)
        file = Artifact(path=f"strategies/{STRATEGY}/strategy.py", digest=digest, size=len(old))
        by = Provenance(
            agent=AgentRole.CODER, agent_version=version, model=model, prompt_hash=digest
        )
        passport = Passport(
            strategy=STRATEGY, workflow_id="wf", correlation_id="c", issue=1, commit_sha="0" * 40,
            contract_digest=digest, report_digest=digest, files=(file,), written_by=by, trials=1,
        )  # fmt: skip
        (folder / "passport.json").write_text(codec.dump(passport))

    return change


def edited_since(folder: Path, code: str) -> None:
    by_earlier_rules()(folder, code)
    last_line(folder, code)


def test_what_an_earlier_generator_wrote_is_called_that(root: Path, tmp_path: Path) -> None:
    """Nobody edited it: it is not called code by hand, and it is not run either."""
    stage, _ = approved(root, tmp_path, by_earlier_rules())
    code, _, err = stage.run(stage.launch(dry_run=True))
    assert code == 1 and "earlier_generator: " in err, err
    assert f"(offline-1, here is {VERSION}; strategies/" in err
    assert "delivered again" in err and "close them there" in err


@pytest.mark.parametrize(
    "change",
    [edited_since, by_earlier_rules(version=VERSION), by_earlier_rules(model="some-model")],
    ids=["edited", "this version", "a model"],
)
def test_a_passport_excuses_nothing_else(root: Path, tmp_path: Path, change: Change) -> None:
    stage, _ = approved(root, tmp_path, change)
    code, _, err = stage.run(stage.launch(dry_run=True))
    assert code == 1 and "not_generated: " in err, err


def approved(root: Path, tmp_path: Path, change: Change) -> tuple[Stage, Path]:
    """Everything is committed, tagged and rehearsed: the gate has nothing against it."""
    ran = tmp_path / "ran"
    change(root / "strategies" / STRATEGY, HOSTILE.format(str(ran)))
    git(root, "add", ".")
    commit(root, "changed")
    git(root, "tag", "-f", f"live/{STRATEGY}/1")
    git(root, "push", "-qf", "origin", "HEAD:refs/heads/main", "--tags")
    return Stage.build(root, tmp_path / "state").rehearsed(), ran


@pytest.mark.parametrize("dry_run", [True, False], ids=["dry", "live"])
@pytest.mark.parametrize("change", [first_line, last_line, carriage_return, other_number])
def test_other_code_is_refused_before_any_of_it_runs(
    root: Path, tmp_path: Path, change: Change, dry_run: bool
) -> None:
    stage, ran = approved(root, tmp_path, change)
    with exchange(stage):
        token = "" if dry_run else stage.token()
        code, _, err = stage.run(stage.launch(token=token, dry_run=dry_run, bars=3))
    assert code == 1 and "not_generated: " in err, err
    assert f"strategies/{STRATEGY}/strategy.py, line " in err and "the generator writes" in err
    assert "have it delivered" in err and "close them there" in err
    assert not ran.exists(), "it was imported"


@pytest.mark.parametrize("name", ["__init__.py", "strategy/__init__.py"])
def test_what_lies_beside_the_strategy_is_not_run(root: Path, tmp_path: Path, name: str) -> None:
    """Python would import it with the strategy, or instead of it."""
    stage, ran = approved(root, tmp_path, beside(name))
    with exchange(stage):
        code, _, err = stage.run(stage.launch(dry_run=True, bars=3))
    assert code == 0, err
    assert not ran.exists(), "it was imported"


def test_the_first_line_that_differs_is_named(root: Path, tmp_path: Path) -> None:
    stage, _ = approved(root, tmp_path, first_line)
    code, _, err = stage.run(stage.launch(dry_run=True))
    assert code == 1 and "strategy.py, line 1: it has 'from pathlib import Path', the" in err, err


@pytest.mark.parametrize("name", ["sma_cross", "donchian_breakout", "rsi_mean_reversion"])
def test_an_example_by_hand_is_refused(root: Path, tmp_path: Path, name: str) -> None:
    source = (ROOT / "strategies" / name / "strategy.py").read_text()
    (root / "strategies" / name / "strategy.py").write_text(source)
    stage = Stage.build(root, tmp_path / "state", name)
    code, _, err = stage.run(stage.launch(dry_run=True))
    assert code == 1 and "not_generated: " in err, err
