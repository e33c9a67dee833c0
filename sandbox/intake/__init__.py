"""The intake: what is taken, and the lint that refuses early, with line, rule and what to write.

It is a lint, not a boundary. What gets past it still meets the container and the pipe.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from sandbox.intake import modules, names
from sandbox.intake.by_name import check_by_name
from sandbox.intake.chance import check_chance
from sandbox.intake.dormant import check_dormant
from sandbox.intake.files import NotTaken, take
from sandbox.intake.habits import check_habits
from sandbox.intake.reach import Allowed, check_reach
from sandbox.intake.rules import RULES, found, in_order
from sandbox.intake.sets import check_sets
from sandbox.intake.shape import check_shape
from sandbox.intake.testfile import check_tests
from sandbox.intake.text import check_identifiers, check_text, decode
from sandbox.intake.tree import Tree, grow, oversize
from sandbox.intake.tricks import check_tricks
from schemas.report import Finding

__all__ = ["RULES", "NotTaken", "check", "check_files", "take"]

MOST_BRACES = 2_000  # Python 3.11 looks for each field of an f-string from its beginning
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
    return check_files(strategy, {} if tests is None else {TESTS_FILE: tests})


def check_files(strategy: bytes, tests: Mapping[str, bytes]) -> tuple[Finding, ...]:
    """The same for a strategy with several files of tests, by their names."""
    tree, wrong = _read(strategy)
    wrong += _apply(_strategy_rules, tree)
    findings = [replace(f, file=STRATEGY_FILE) for f in wrong]
    known = tree.offers() if tree else frozenset()
    for name, text in tests.items():
        tree, wrong = _read(text)
        wrong += _apply(partial(_test_rules, known=known), tree)
        findings += [replace(f, file=name) for f in wrong]
    return in_order(findings)


def _strategy_rules(tree: Tree) -> Iterator[Finding]:
    yield from check_reach(tree, FOR_STRATEGIES)
    yield from check_shape(tree)
    yield from check_by_name(tree)
    yield from check_habits(tree)
    yield from check_sets(tree)
    yield from check_chance(tree)
    yield from check_tricks(tree)
    yield from check_dormant(tree)


def _test_rules(tree: Tree, known: frozenset[str]) -> Iterator[Finding]:
    """Tests may look at whatever the strategy itself gives a name to."""
    yield from check_reach(tree, replace(FOR_TESTS, attributes=FOR_TESTS.attributes | known))
    yield from check_by_name(tree)
    yield from check_tests(tree)


def _read(source: bytes) -> tuple[Tree | None, list[Finding]]:
    text, findings = decode(source)
    if not text:
        return None, findings
    findings += check_text(text)
    if text.count("{") > MOST_BRACES:
        return None, [*findings, found("too_many")]
    try:
        with warnings.catch_warnings():  # an odd escape in the source is not our output
            warnings.simplefilter("ignore")
            module = ast.parse(text)
        if rule := oversize(module):
            return None, [*findings, found(rule)]
        return grow(module), [*findings, *check_identifiers(text)]
    except SyntaxError as error:
        return None, [*findings, found("syntax", max(0, error.lineno or 0))]
    except ValueError:  # a null byte, or a number with too many digits
        return None, [*findings, found("syntax")]
    except (RecursionError, MemoryError):
        return None, [*findings, found("too_deep")]


def _apply(rules: Callable[[Tree], Iterator[Finding]], tree: Tree | None) -> list[Finding]:
    try:
        return list(rules(tree)) if tree else []
    except RecursionError:
        return [found("too_deep")]
