"""Each package that the owner asked for does its own work in the product, and here is where."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
IMPORTED = {
    "PyGithub": ("github", "bot/io/github/wire.py", "the bot's client of GitHub"),
    "github3.py": ("github3", "bot/io/github/second.py", "doctor's second look"),
    "docker": ("docker", "sandbox/engine.py", "the sandbox's containers"),
    "pandas": ("pandas", "adapters/loop.py", "bars and indicators"),
    "pytest": ("pytest", "sandbox/own_tests.py", "a strategy's own tests in the container"),
    "jsonschema": ("jsonschema", "schemas/outside.py", "documents from outside"),
    "openai": ("openai", "bot/io/llm/wire.py", "the model"),
    "ruamel.yaml": ("ruamel", "bot/io/github/labels.py", "labels and workflow files"),
}
"""Package -> what is imported, where, what for."""
STARTED = {
    "pytest-json-report": ("pytest_jsonreport", "sandbox/own_tests.py"),
    "mypy": ('"mypy", "--strict"', "sandbox/static_tools.py"),
    "flake8": ('"flake8"', "sandbox/static_tools.py"),
    "bandit": ('"bandit"', "sandbox/static_tools.py"),
}
"""Package -> the words that start it, and where: tools, which nothing imports."""
IN_THE_IMAGE = {"pytest", "pytest-json-report", "mypy", "flake8", "bandit"}


def imports(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found


@pytest.mark.parametrize("package", IMPORTED)
def test_it_is_imported_where_its_work_is_done(package: str) -> None:
    name, file, _ = IMPORTED[package]
    assert name in imports(ROOT / file)


@pytest.mark.parametrize("package", STARTED)
def test_it_is_started_where_its_work_is_done(package: str) -> None:
    words, file = STARTED[package]
    assert words in (ROOT / file).read_text()


def test_the_product_has_each_installed() -> None:
    """What the bot imports is a dependency; what runs in the container is in its image."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    ours = {line.split(">=")[0].split("==")[0] for line in project["dependencies"]}
    image = (ROOT / "sandbox/requirements.in").read_text().split()
    assert IMPORTED.keys() - IN_THE_IMAGE <= ours
    assert set(image) >= IN_THE_IMAGE
