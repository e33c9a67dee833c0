"""The rules for the tests of a submission: they must be able to fail, about the strategy."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sandbox.intake.modules import is_strategy
from sandbox.intake.rules import found
from sandbox.intake.tree import Tree, arguments
from sandbox.intake.worth import Worth
from schemas.report import Finding

PATCHERS = {"monkeypatch", "mocker", "request", "pytester", "testdir", "pytestconfig"}
TESTED = {"prepare_indicators", "find_entries", "find_exits", "run_backtest", "run_live"}
TOO_WIDE = {"AssertionError", "Exception", "BaseException", ""}
READERS = {"read_csv", "read_json"}


def check_tests(tree: Tree) -> Iterator[Finding]:
    tests = [n for n in tree.nodes if isinstance(n, ast.FunctionDef) and _is_test(n)]
    if not tests:
        yield found("no_tests", 1)
    if not _uses_strategy(tree):
        yield found("no_strategy", 1)
    asserting = _asserting(tree)
    asserts = tree.holding(n for n in tree.nodes if _asserts(n, asserting))
    for test in tests:
        yield from _test(test, asserts)
    for statement in tree.module.body:
        if isinstance(statement, ast.Expr) and not isinstance(statement.value, ast.Constant):
            yield found("side_effect", statement.lineno)
    worth = Worth(tree)
    sources = (n for n in tree.nodes if isinstance(n, ast.expr) and worth.text(n).endswith(".py"))
    yield from (found("reads_source", n.lineno) for n in sources if not _is_docstring(n, tree))
    seeded = _seeds(tree)
    outside = tree.holding(n for n in tree.nodes if _leads_out(n))
    for node in tree.nodes:
        yield from _node(node, tree, outside)
        if isinstance(node, ast.Call):
            yield from _random(node, seeded)


def _is_docstring(node: ast.AST, tree: Tree) -> bool:
    return isinstance(tree.parent(node), ast.Expr)


def _is_test(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test")


def _uses_strategy(tree: Tree) -> bool:
    taken: set[str] = set()
    for node in tree.nodes:
        if isinstance(node, ast.ImportFrom) and is_strategy(node.module or ""):
            taken |= {a.asname or a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("strategies."):
            taken |= {a.asname or a.name for a in node.names if a.name == "strategy"}
        elif isinstance(node, ast.Import):
            taken |= {a.asname or a.name.split(".")[0] for a in node.names if is_strategy(a.name)}
    return any(isinstance(n, ast.Name) and n.id in taken for n in tree.nodes)


def _test(test: ast.FunctionDef, asserts: set[ast.AST]) -> Iterator[Finding]:
    if test not in asserts:
        yield found("no_assertion", test.lineno, test.name)
    for statement in test.body:
        if isinstance(statement, ast.Return):
            yield found("unreached", statement.lineno)
    for name in sorted(PATCHERS & set(arguments(test))):
        yield found("patched", test.lineno, name)


def _asserts(node: ast.AST, asserting: set[str]) -> bool:
    if isinstance(node, ast.Assert):
        return not _never_fails(node.test)
    if not isinstance(node, ast.Call):
        return False
    name = _last(node.func)
    return name in asserting or name == "raises" or name.startswith("assert_")


def _asserting(tree: Tree) -> set[str]:
    """The file's own functions that assert, so that a test may ask them to."""
    asserts = tree.holding(n for n in tree.nodes if _asserts(n, set()))
    functions = (n for n in asserts if isinstance(n, ast.FunctionDef))
    return {f.name for f in functions if not _is_test(f)}


def _never_fails(test: ast.expr) -> bool:
    """True whatever the strategy does."""
    match test:
        case ast.Constant():
            return True
        case ast.Tuple(elts=elements):
            return bool(elements)
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(isinstance(v, ast.Constant) and bool(v.value) for v in values)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            same = ast.dump(left) == ast.dump(right)
            if same and isinstance(op, (ast.Eq, ast.Is, ast.LtE, ast.GtE)):
                return not any(isinstance(n, ast.Call) for n in ast.walk(left))
            length = isinstance(left, ast.Call) and _last(left.func) == "len"
            zero = isinstance(right, ast.Constant) and right.value == 0
            if length and zero and isinstance(op, ast.GtE):
                return True
    return not any(isinstance(n, (ast.Name, ast.Call)) for n in ast.walk(test))


def _node(node: ast.AST, tree: Tree, outside: set[ast.AST]) -> Iterator[Finding]:
    match node:
        case ast.Assert(test=test) if _never_fails(test):
            yield found("constant_assert", node.lineno)
        case ast.ExceptHandler():
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if any(_last(c) in TOO_WIDE for c in caught):
                yield found("swallowed_assertion", node.lineno)
        case ast.If(test=ast.Constant()) | ast.While(test=ast.Constant(value=False | 0 | None)):
            yield found("unreached", node.lineno)
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if name.startswith("pytest_"):
            yield found("hook", node.lineno, name)
        case ast.Name(id="pytest_plugins" | "collect_ignore" | "__test__" | "__tracebackhide__"):
            yield found("hook", node.lineno, node.id)
        case ast.AsyncFunctionDef():
            yield found("asynchronous", node.lineno, node.name)
        case ast.Attribute(ctx=ast.Store() | ast.Del()):
            yield from _patch(node, tree)
        case ast.Attribute(attr="skip" | "skipif" | "xfail" | "importorskip"):
            yield found("skipped", node.lineno, node.attr)
        case ast.Yield() | ast.YieldFrom() if any(map(_is_test, tree.above(node))):
            yield found("unreached", node.lineno)
        case ast.Call():
            yield from _call(node, outside)


def _patch(node: ast.Attribute, tree: Tree) -> Iterator[Finding]:
    base = node.value
    while isinstance(base, ast.Attribute):
        base = base.value
    imported = isinstance(base, ast.Name) and base.id in tree.imported
    if imported or node.attr in TESTED:
        yield found("patched", node.lineno, node.attr)


def _call(node: ast.Call, outside: set[ast.AST]) -> Iterator[Finding]:
    name = _last(node.func)
    if name == "raises" and (not node.args or _last(node.args[0]) in TOO_WIDE):
        yield found("swallowed_assertion", node.lineno, "raises")
    if name == "parametrize" and _has_no_cases(node):
        yield found("unreached", node.lineno, "parametrize")
    if name in READERS and not (node.args and _is_fixture(node.args[0], outside)):
        yield found("fixture_path", node.lineno, name)


def _random(node: ast.Call, seeded: bool) -> Iterator[Finding]:
    name = _last(node.func)
    if name in ("default_rng", "RandomState", "seed"):
        if not (node.args and isinstance(node.args[0], ast.Constant)):
            yield found("unseeded", node.lineno, name)
    elif _is_global_random(node.func) and not seeded:
        yield found("unseeded", node.lineno, name)


def _has_no_cases(node: ast.Call) -> bool:
    cases = node.args[1] if len(node.args) > 1 else None
    return isinstance(cases, (ast.List, ast.Tuple)) and not cases.elts


def _is_fixture(path: ast.expr, outside: set[ast.AST]) -> bool:
    """Every piece of text in it stays inside; something else must bring the rest."""
    if path in outside:
        return False
    return not isinstance(path, ast.Constant) or str(path.value).startswith("fixtures/")


def _leads_out(node: ast.AST) -> bool:
    word = node.value if isinstance(node, ast.Constant) else None
    return isinstance(word, str) and (".." in word or word.startswith(("/", "~")) or ":" in word)


def _is_global_random(func: ast.expr) -> bool:
    return isinstance(func, ast.Attribute) and _last(func.value) == "random"


def _seeds(tree: Tree) -> bool:
    calls = (n for n in tree.nodes if isinstance(n, ast.Call))
    return any(_last(c.func) == "seed" and _is_global_random(c.func) for c in calls)


def _last(node: ast.AST | None) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
