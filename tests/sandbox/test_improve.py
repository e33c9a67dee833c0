"""From weak tests to kept ones, on a real engine; and what is not kept, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.agents.test_builder import build
from bot.agents.test_planner import spec_of
from sandbox import improve
from sandbox.diff import Added, Refused, added
from sandbox.engine import DockerEngine, Engine, ProcessEngine
from sandbox.mutants import Mutated, mutants
from sandbox.precheck import Kept, precheck
from sandbox.survey import Files, Survey, survey
from schemas import codec
from schemas.contract import Contract

ROOT = Path(__file__).parent.parent.parent
NAME = "rsi_mean_reversion"
HOME = ROOT / "strategies" / NAME
CONTRACT = codec.load(Contract, (HOME / "contract.json").read_bytes())
STRATEGY = (HOME / "strategy.py").read_bytes()
HEAD = f"--- /dev/null\n+++ b/strategies/{NAME}/tests/test_new.py\n"


def weak() -> Files:
    """The example with only its first test."""
    text = (HOME / "test_strategy.py").read_text()
    first = text[: text.index("def test_it_buys_once")]
    return Files(NAME, STRATEGY, {"test_strategy.py": first.encode()})


def looked_at(engine: Engine, files: Files) -> tuple[Survey, tuple[Mutated, ...]]:
    tried = mutants(STRATEGY.decode())
    return survey(engine, files, tried), tried


def improved(engine: Engine) -> tuple[Survey, Kept, Added]:
    files = weak()
    before, tried = looked_at(engine, files)
    assert before.green and before.covered
    spec = spec_of(CONTRACT, STRATEGY.decode(), before.covered.missed, before.mutants)
    new = added(build(CONTRACT, spec), NAME, files.tests)
    return before, precheck(engine, files, new, before, tried), new


def test_weak_tests_are_found_and_mended_in_a_container(docker_engine: DockerEngine) -> None:
    before, kept, new = improved(docker_engine)
    assert len(before.survivors) >= 6 and before.covered and before.covered.percent < 80.0
    assert kept.precheck == "PASSED", kept.notes
    assert kept.after and kept.after.covered and kept.after.covered.percent == 100.0
    assert kept.after.survivors == ()
    assert new.path == f"strategies/{NAME}/tests/test_added.py"
    assert f"mutants killed {12 - len(before.survivors)} of 12 before, 12 of 12 after" in kept.notes
    assert kept.notes[0] == "passed 3 of 3 runs"


def one_test(body: str) -> Added:
    text = f"from strategies.{NAME}.strategy import Strategy\n\n\ndef test_it() -> None:\n{body}\n"
    return Added(f"strategies/{NAME}/tests/test_new.py", "tests/test_new.py", text.encode())


SYMBOL = '    strategy = Strategy({"symbol": "AAPL"})\n'
USELESS = SYMBOL + '    assert strategy.cfg["symbol"] == "AAPL"'
FLAKY = USELESS + '\n    assert next(iter({"a", "b", "c", "d", "e"})) == "{}"'
REDS = SYMBOL + '    assert strategy.cfg["symbol"] == "MSFT"'


@pytest.fixture(scope="module")
def measured() -> tuple[Survey, tuple[Mutated, ...]]:
    return looked_at(ProcessEngine(), weak())


@pytest.mark.parametrize(("body", "why"), [
    (USELESS, "it adds nothing"),
    (REDS, "it does not pass with the present tests: test_it"),
    ("    assert True", "can never fail"),
    ("    import os\n    assert os.getcwd()", "not on the list"),
])  # fmt: skip
def test_what_adds_nothing_or_is_not_allowed_is_not_kept(
    body: str, why: str, measured: tuple[Survey, tuple[Mutated, ...]]
) -> None:
    kept = precheck(ProcessEngine(), weak(), one_test(body), *measured)
    assert kept.precheck == "FAILED" and any(why in note for note in kept.notes), kept.notes


def test_a_flaky_test_is_not_kept(measured: tuple[Survey, tuple[Mutated, ...]]) -> None:
    """The order of a set hangs on the hash seed: whatever it is on the first run is asserted."""
    for letter in "abcde":
        text = FLAKY.replace("{}", letter)
        kept = precheck(ProcessEngine(), weak(), one_test(text), *measured)
        assert kept.precheck == "FAILED"
        if "run" in kept.notes[0]:
            assert " of 3: test_it" in kept.notes[0]
            return
    pytest.fail("it never passed the first run")


def test_tests_of_a_red_strategy_measure_nothing() -> None:
    kept = precheck(ProcessEngine(), weak(), one_test(USELESS), Survey(False), ())
    assert kept.precheck == "FAILED" and "do not pass" in kept.notes[0]


def adding(path: str, head: str = "") -> str:
    return f"{head}--- /dev/null\n+++ {path}\n@@ -0,0 +1,1 @@\n+x = 1\n"


def git(mode: str) -> str:
    path = f"strategies/{NAME}/tests/test_a.py"
    return f"diff --git a/{path} b/{path}\nnew file mode {mode}\n"


BODY = "@@ -0,0 +1,1 @@\n+x = 1\n"
OWN = f"b/strategies/{NAME}/tests"
REFUSED = {
    "conftest": (adding(f"{OWN}/conftest.py"), "not a file of tests"),
    "strategy": (adding(f"b/strategies/{NAME}/strategy.py"), "not a file of tests"),
    "other folder": (adding("b/strategies/sma_cross/tests/test_a.py"), "not a file of tests"),
    "deeper": (adding(f"{OWN}/tests/test_a.py"), "not a file of tests"),
    "parent": (adding(f"{OWN}/../tests/test_a.py"), "not a file of tests"),
    "absolute": (adding(f"/{OWN}/test_a.py"), "not a file of tests"),
    "settings": (adding("b/pyproject.toml"), "not a file of tests"),
    "exists": (adding(f"{OWN}/test_old.py"), "there already"),
    "change": (HEAD.replace("/dev/null", f"a/strategies/{NAME}/tests/test_new.py")
               + "@@ -1,1 +1,1 @@\n-a\n+b\n", "may only add"),
    "removal": (f"--- a/strategies/{NAME}/test_strategy.py\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n",
                "may only add"),
    "two": (adding(f"{OWN}/test_a.py") + adding(f"{OWN}/test_b.py"), "2 files"),
    "link": (adding(f"{OWN}/test_a.py", git("120000")), "plain"),
    "mode": (adding(f"{OWN}/test_a.py", git("100755")), "plain"),
    "rename": (f"diff --git a/x.py {OWN}/test_a.py\nsimilarity index 100%\nrename from x.py\n"
               f"rename to strategies/{NAME}/tests/test_a.py\n", "may only add"),
    "binary": (f"diff --git {OWN}/test_a.py {OWN}/test_a.py\nnew file mode 100644\n"
               f"Binary files /dev/null and {OWN}/test_a.py differ\n", "plain|nothing|may only"),
    "empty": (HEAD + "@@ -0,0 +1,1 @@\n+\n", "nothing"),
    "none": ("", "0 files"),
    "words": ("add a test please", "0 files"),
    "cut off": (HEAD + "@@ -0,0 +1,9 @@\n+x\n", "not a unified diff"),
    "huge": (HEAD + "@@ -0,0 +1,1 @@\n+" + "x" * 200_000 + "\n", "more than"),
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(REFUSED))
def test_a_diff_that_does_anything_else_is_refused(kind: str) -> None:
    diff, why = REFUSED[kind]
    with pytest.raises(Refused, match=why):
        added(diff, NAME, {"test_strategy.py", "tests/test_old.py"})


def test_a_plain_new_file_is_taken() -> None:
    git = f"diff --git a/strategies/{NAME}/tests/test_new.py b/strategies/{NAME}/tests/test_new.py"
    new = added(f"{git}\nnew file mode 100644\n{HEAD}{BODY}", NAME, {"test_strategy.py"})
    assert (new.place, new.text) == ("tests/test_new.py", b"x = 1\n")


def test_the_command_tells_before_and_after_and_writes_what_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / NAME
    folder.mkdir()
    (folder / "strategy.py").write_bytes(STRATEGY)
    (folder / "contract.json").write_bytes((HOME / "contract.json").read_bytes())
    (folder / "test_strategy.py").write_bytes(weak().tests["test_strategy.py"])
    args = [str(folder), "--backend", "process", "--mutants", "4"]
    assert improve.main([*args, "--write"]) == improve.KEPT
    told = capsys.readouterr().out
    assert "before   line coverage" in told and "after    line coverage 100 %" in told
    assert (folder / "tests" / "test_added.py").is_file()
    assert improve.main(args) == improve.KEPT
    assert "nothing is missing" in capsys.readouterr().out
