"""The intake: what is taken, and the lint that refuses early, with line, rule and what to write.

It is a lint, not a boundary. What gets past it still meets the container and the pipe.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace

from sandbox.intake import modules, names
from sandbox.intake.files import NotTaken, take
from sandbox.intake.habits import check_habits
from sandbox.intake.reach import Allowed, check_reach
from sandbox.intake.rules import RULES, found, in_order
from sandbox.intake.sets import check_sets
from sandbox.intake.shape import check_shape
from sandbox.intake.testfile import check_tests
from sandbox.intake.text import check_identifiers, check_text, decode
from sandbox.intake.tree import Tree, grow
from sandbox.intake.tricks import check_tricks
from schemas.report import Finding

__all__ = ["RULES", "NotTaken", "check", "take"]

_Rules = Callable[[Tree], Iterator[Finding]]

STRATEGY_FILE, TESTS_FILE = "strategy.py", "test_strategy.py"
FOR_STRATEGIES = Allowed(
    modules=modules.STRATEGY,
    builtins=names.BUILTINS,
    attributes=names.ATTRIBUTES,
    dunders=frozenset({"__name__", "__slots__", "__all__"}),
    uses_strategy=False,
)
FOR_TESTS = Allowed(
    modules=modules.TESTS,
    builtins=names.TEST_BUILTINS,
    attributes=names.TEST_ATTRIBUTES,
    dunders=frozenset({"__name__", "__file__"}),
    uses_strategy=True,
)


def check(strategy: bytes, tests: bytes | None) -> tuple[Finding, ...]:
    """What is wrong with the source, by line; empty means that it may go on to the sandbox."""
    findings = [replace(f, file=STRATEGY_FILE) for f in _check(strategy, _strategy_rules)]
    if tests is not None:
        findings += [replace(f, file=TESTS_FILE) for f in _check(tests, _test_rules)]
    return in_order(findings)


def _strategy_rules(tree: Tree) -> Iterator[Finding]:
    yield from check_reach(tree, FOR_STRATEGIES)
    yield from check_shape(tree)
    yield from check_habits(tree)
    yield from check_sets(tree)
    yield from check_tricks(tree)


def _test_rules(tree: Tree) -> Iterator[Finding]:
    yield from check_reach(tree, FOR_TESTS)
    yield from check_tests(tree)


def _check(source: bytes, rules: _Rules) -> list[Finding]:
    text, findings = decode(source)
    if not text:
        return findings
    findings += [*check_text(text), *check_identifiers(text)]
    try:
        with warnings.catch_warnings():  # an odd escape in the source is not our output
            warnings.simplefilter("ignore")
            module = ast.parse(text)
        return findings + list(rules(grow(module)))
    except SyntaxError as error:
        return [*findings, found("syntax", max(0, error.lineno or 0))]
    except ValueError:  # a null byte, or a number with too many digits
        return [*findings, found("syntax")]
    except (RecursionError, MemoryError):
        return [*findings, found("too_deep")]
