"""The front of the command line: help, version, completion, `--json`, errors that are sentences."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from bot.__main__ import cli
from bot.agents.coder import write_strategy, write_tests
from bot.cli.front import GROUPS
from schemas import codec
from schemas.contract import Contract
from schemas.sheet import read_sheet, rules_of

ROOT = Path(__file__).parent.parent
CONTRACT = "fixtures/documents/v1/contract.json"
FOR_PEOPLE = (
    "draft",
    "code",
    "explain",
    "sheet",
    "report",
    "setup",
    "doctor",
    "site",
    "metrics",
    "verify",
)


def stratbot(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "bot", *words]
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "STRATBOT_"))}
    return subprocess.run(line, capture_output=True, text=True, cwd=ROOT, env=kept | env)


def command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None, name
    return found


def test_every_command_is_in_one_group_under_its_own_name() -> None:
    named = [name for places in GROUPS.values() for name in places]
    assert sorted(named) == sorted(set(named)) == cli.list_commands(click.Context(cli))
    assert [command(name).name for name in named] == named


def test_a_word_that_is_no_command_is_named() -> None:
    done = stratbot("aprove")
    assert done.returncode == 2 and "No such command 'aprove'" in done.stderr
    done = stratbot("reprot", "x")
    assert done.returncode == 2 and "'reprot'. Did you mean 'report'?" in done.stderr


@pytest.mark.parametrize(
    ("name", "unused"),
    [("order", "github"), ("work", "github"), ("handle", "bot.reading"), ("finish", "bot.live")],
)
def test_a_job_loads_only_what_its_command_needs(name: str, unused: str) -> None:
    """Each request starts the bot dozens of times."""
    code = f"""
import sys
from bot.__main__ import cli
from bot.agents.coder import write_strategy, write_tests
cli([{name!r}, "--help"], standalone_mode=False)
assert {unused!r} not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)


def test_the_help_cuts_no_sentence_short() -> None:
    said = stratbot("--help").stdout
    assert "..." not in said.replace("[ARGS]...", "")
    assert "up to a delivery that waits for\n        review." in said
    assert "Exit codes: 0 done;" in said


@pytest.mark.parametrize("name", ["live", "gate"])
def test_the_help_of_a_group_cuts_no_sentence_short_either(name: str) -> None:
    said = stratbot(name, "--help").stdout
    assert "Commands:" in said and "..." not in said.replace("[ARGS]...", "")


def test_a_file_that_is_no_contract_is_named_with_what_to_give_instead() -> None:
    done = stratbot("explain", "README.md")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "README.md: not a valid contract" in done.stderr and "stratbot draft" in done.stderr


def test_a_contract_becomes_code_and_tests_the_same_bytes_each_time(tmp_path: Path) -> None:
    for out in ("a", "b"):
        done = stratbot("code", CONTRACT, "--out", str(tmp_path / out / "dip.py"))
        names = ("dip.py", "test_dip.py", "contract.json")
        assert done.stdout.split() == [str(tmp_path / out / name) for name in names], done.stderr
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    contract = codec.load(Contract, (ROOT / CONTRACT).read_bytes())
    assert (tmp_path / "a" / "dip.py").read_text() == write_strategy(contract)
    assert (tmp_path / "a" / "test_dip.py").read_text() == write_tests(contract)
    again = stratbot("code", str(tmp_path / "a/contract.json"), "--out", str(tmp_path / "a/dip.py"))
    assert again.returncode == 0, "over its own files"


def test_code_does_not_replace_another_contract(tmp_path: Path) -> None:
    """The strategy beside it would be tested and run with the wrong one."""
    told = json.loads((ROOT / CONTRACT).read_text())
    other = json.dumps({**told, "symbol": "MSFT"})
    (tmp_path / "contract.json").write_text(other)
    done = stratbot("code", CONTRACT, "--out", str(tmp_path / "strategy.py"))
    assert done.returncode == 1 and "is another contract; choose another folder" in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["contract.json"]
    assert (tmp_path / "contract.json").read_text() == other


def test_code_says_what_in_a_contract_cannot_be_written(tmp_path: Path) -> None:
    told = json.loads((ROOT / CONTRACT).read_text())
    told["indicators"][0]["parameters"] = [{"name": "length", "value": -5.0}]
    (tmp_path / "bad.json").write_text(json.dumps(told))
    done = stratbot("code", str(tmp_path / "bad.json"), "--out", str(tmp_path / "strategy.py"))
    assert done.returncode == 1 and "change the contract" in done.stderr, done.stderr
    assert "length must be a whole number from 1 on" in done.stderr
    assert not (tmp_path / "strategy.py").exists()


@pytest.mark.parametrize("name", [*FOR_PEOPLE, "reproduce"])
def test_machines_are_answered_too(name: str) -> None:
    options = [o for p in command(name).params for o in p.opts]
    assert "--json" in options


def test_answers_for_machines_are_json(tmp_path: Path) -> None:
    assert json.loads(stratbot("explain", CONTRACT, "--json").stdout)["says"][0].startswith("rsi")
    done = stratbot("draft", "--title", "x", "--body", "LICENSE", "--out", str(tmp_path), "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 3 and told["built"] is False
    assert told["files"] == [str(tmp_path / "reply.md")]


def test_it_says_which_version_it_is() -> None:
    assert stratbot("--version").stdout.split()[1].count(".") == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_complete_it(shell: str) -> None:
    assert "_STRATBOT_COMPLETE" in stratbot("completion", shell).stdout


@pytest.mark.parametrize(
    "words",
    [
        ("site", "--out", "/proc/no"),
        ("draft", "--title", "x", "--body", "LICENSE", "--out", "/proc/no"),
        ("code", CONTRACT, "--out", "/proc/no/strategy.py"),
        ("twin", "--port", "0", "--data", "/proc/no"),
        ("demo", "--data", "/proc/no", "--no-wait"),
    ],
)
def test_a_folder_that_cannot_be_written_is_a_sentence(words: tuple[str, ...]) -> None:
    done = stratbot(*words, DOCKER_HOST="unix:///nowhere")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "stratbot: /proc/no" in done.stderr and "Name another" in done.stderr


def test_a_repository_is_an_owner_and_a_name() -> None:
    done = stratbot("metrics", "--repo", "strategies")
    assert done.returncode == 2 and "'strategies' is not owner/name." in done.stderr


def test_the_commands_are_click_commands_with_words() -> None:
    for name in cli.list_commands(click.Context(cli)):
        assert isinstance(command(name), click.Command) and command(name).help, name


def test_a_network_that_is_gone_is_told_with_what_to_do() -> None:
    nowhere = {"GITHUB_TOKEN": "x", "GITHUB_API_URL": "http://127.0.0.1:9"}
    done = stratbot("doctor", "--repo", "octocat/strategies", **nowhere)
    assert done.returncode == 75 and "run it again" in done.stderr


def test_the_sheet_of_a_contract_is_printed_and_can_be_explained(tmp_path: Path) -> None:
    contract = ROOT / "strategies" / "rsi_mean_reversion" / "contract.json"
    printed = stratbot("sheet", str(contract)).stdout
    file = tmp_path / "my idea.sheet"
    file.write_text(printed)
    assert read_sheet(printed).rules == rules_of(codec.load(Contract, contract.read_text()))
    told = stratbot("explain", str(file))
    assert told.returncode == 0 and told.stdout.startswith("my_idea: ")
    same = stratbot("explain", str(contract)).stdout.splitlines()[1:5]
    assert told.stdout.splitlines()[1:5] == same
    assert json.loads(stratbot("sheet", "--json", str(contract)).stdout) == {"sheet": printed}


def test_a_sheet_that_cannot_be_read_says_where_and_what_could_be_meant(tmp_path: Path) -> None:
    file = tmp_path / "strategy.sheet"
    file.write_text("symbol SPY\ntimeframe D1\nenter long when ris(2) < 10\nstop ???\n")
    done = stratbot("explain", str(file))
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "line 3, column 17: I do not know `ris`; did you mean `rsi`?" in done.stderr
    assert "Try: enter long when rsi(2) < 10" in done.stderr
    assert "line 4, column 6: ??? is to be filled in" in done.stderr


def test_a_request_that_is_a_sheet_is_drafted(tmp_path: Path) -> None:
    body, out = tmp_path / "request.md", tmp_path / "out"
    typed = "symbol SPY\ntimeframe D1\n# dips\nenter long when rsi(2) < 10\nexit after 5 bars\n"
    body.write_text(f"```sheet\n{typed}```\n")
    assert (
        stratbot("draft", "--title", "Dips", "--body", str(body), "--out", str(out)).returncode == 0
    )
    assert (out / "strategy.sheet").read_text() == typed
