"""The image: what is in it, and when it is built anew."""

import re
from pathlib import Path

import pytest

from sandbox import image
from sandbox.engine import DockerEngine, Job
from tests.sandbox.jobs import python

ROOT = Path(__file__).parent.parent.parent
PINNED = re.compile(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==([^ ]+)", re.MULTILINE)
LOOK_INSIDE = """
import os, pathlib
import adapters.loop, simbroker.broker, strategies.template
root = pathlib.Path('/opt/stratbot')
sources = [p for p in root.rglob('*.py')]
assert len(sources) > 10
for path in sources:
    assert (path.parent / '__pycache__' / f'{path.stem}.cpython-311.pyc').exists(), path
for path in [root, *root.rglob('*')]:
    assert path.lstat().st_uid == 0, path
    assert path.is_symlink() or not path.stat().st_mode & 0o022, path
assert adapters.loop.__file__ == '/opt/stratbot/adapters/loop.py'
print('fine')
"""


def pins(path: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, version in PINNED.findall((ROOT / path).read_text()):
        found.setdefault(name, set()).add(version)
    return found


def test_the_tools_are_those_we_check_ourselves_with() -> None:
    ours, inside = pins("requirements.lock"), pins("sandbox/requirements.lock")
    shared = ours.keys() & inside.keys()
    assert {"numpy", "pandas", "pytest", "mypy", "flake8", "bandit", "coverage"} <= shared
    assert {n: inside[n] for n in shared} == {n: ours[n] for n in shared}


def test_every_package_is_pinned_by_hash() -> None:
    lock = (ROOT / "sandbox/requirements.lock").read_text()
    for block in re.split(r"\n(?=[a-z])", lock):
        assert "==" in block and "--hash=sha256:" in block, block.splitlines()[0]


def test_any_change_of_an_input_is_another_image() -> None:
    files = image.ingredients()
    assert "stratbot/adapters/base_adapter.py" in files and "Dockerfile" in files
    changed = {image.digest({**files, name: files[name] + b" "}) for name in files}
    assert len(changed | {image.digest(files)}) == len(files) + 1


def test_no_strategy_and_no_secret_goes_in() -> None:
    names = image.ingredients()
    assert not [n for n in names if n.startswith("stratbot/strategies/") and n.count("/") > 2]
    assert not [n for n in names if n.startswith(("stratbot/bot", "stratbot/.git"))]


def test_an_image_that_is_there_is_not_built_again(
    sandbox_image: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert image.ensure() == sandbox_image
    assert "building" not in "".join(capfd.readouterr())


def test_our_files_are_compiled_and_nobody_can_change_them(docker_engine: DockerEngine) -> None:
    ended = docker_engine.run(python(LOOK_INSIDE))
    assert ended.stdout == b"fine\n", ended.stderr.decode()


@pytest.mark.parametrize("tool", ["mypy", "flake8", "bandit", "coverage", "pytest"])
def test_a_tool_starts(docker_engine: DockerEngine, tool: str) -> None:
    ended = docker_engine.run(Job(tool, ("python", "-m", tool, "--version")))
    (version,) = pins("sandbox/requirements.lock")[tool]
    assert version in ended.stdout.decode() and ended.exit_code == 0


def test_nothing_can_be_installed(docker_engine: DockerEngine) -> None:
    assert b"No module named pip" in docker_engine.run(Job("pip", ("python", "-m", "pip"))).stderr
