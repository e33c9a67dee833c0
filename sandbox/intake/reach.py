"""What a submission reaches for: imports, names and attributes."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass

from sandbox.intake import names
from sandbox.intake.modules import is_strategy
from sandbox.intake.rules import found
from sandbox.intake.shape import is_main
from sandbox.intake.tree import Tree, arguments
from sandbox.intake.worth import Worth
from schemas.report import Finding

DUNDER = re.compile(r"__\w+__")
WORDS_OF_THE_CLOCK = {"now", "today"}
PLAIN_TEXT_METHODS = {"capitalize", "lower", "strip", "title", "upper"}
"""What is done to the names of columns. Others of `.str` take patterns, which can run for ever."""
PIECES = (ast.Attribute, ast.BinOp, ast.Call, ast.Constant, ast.JoinedStr, ast.Name, ast.Subscript)
ZONES_OF_THE_MACHINE = ("tzlocal", "dateutil/")


@dataclass(frozen=True)
class Allowed:
    """What one kind of file may reach."""

    modules: dict[str, frozenset[str]]
    builtins: frozenset[str]
    attributes: frozenset[str]
    dunders: frozenset[str]
    uses_strategy: bool


def check_reach(tree: Tree, may: Allowed) -> Iterator[Finding]:
    for node in tree.nodes:
        if isinstance(node, ast.Import):
            yield from _import(node, may)
        elif isinstance(node, ast.ImportFrom):
            yield from _import_from(node, may)
        elif isinstance(node, ast.Name):
            yield from _name(node, tree, may)
        elif isinstance(node, ast.Attribute):
            yield from _attribute(node, tree, may)
        elif isinstance(node, ast.MatchClass):
            for attr in node.kwd_attrs:
                yield from _any_attribute(attr, node.lineno, tree, may)
    yield from _texts(tree)
    yield from _rebound(tree)


def _import(node: ast.Import, may: Allowed) -> Iterator[Finding]:
    for name in (a.name for a in node.names):
        if name not in may.modules and not (may.uses_strategy and is_strategy(name)):
            yield found("import", node.lineno, name)


def _import_from(node: ast.ImportFrom, may: Allowed) -> Iterator[Finding]:
    module = "." * node.level + (node.module or "")
    if any(a.name == "*" for a in node.names):
        yield found("star_import", node.lineno, module)
    elif may.uses_strategy and is_strategy(module):
        yield from (found("private", node.lineno, a.name) for a in node.names if a.name[0] == "_")
    elif module not in may.modules:
        yield found("import", node.lineno, module)
    else:
        for name in (a.name for a in node.names):
            if name not in may.modules[module]:
                yield found("import_name", node.lineno, f"{module}.{name}")


def _name(node: ast.Name, tree: Tree, may: Allowed) -> Iterator[Finding]:
    if DUNDER.fullmatch(node.id) and node.id not in may.dunders:
        yield found("dunder", node.lineno, node.id)
    if not isinstance(node.ctx, ast.Load) or tree.local[node]:
        return
    if node.id == "SystemExit" and any(is_main(up) for up in tree.above(node)):
        return
    if node.id in ("id", "hash"):
        yield found("address", node.lineno, node.id)
    elif node.id in ("eval", "exec", "compile"):
        yield found("evaluates", node.lineno, node.id)
    elif _is_refused(node.id, may):
        yield found("builtin", node.lineno, node.id)
    elif node.id in tree.modules and not isinstance(tree.parent(node), ast.Attribute):
        yield found("module_value", node.lineno, node.id)


def _is_refused(name: str, may: Allowed) -> bool:
    return name in names.ALL_BUILTINS and name not in may.builtins and not name.startswith("__")


def _attribute(node: ast.Attribute, tree: Tree, may: Allowed) -> Iterator[Finding]:
    if (module := _module_of(node.value, tree, may)) is not None:
        if module in may.modules and node.attr not in may.modules[module]:
            yield found("import_name", node.lineno, f"{module}.{node.attr}")
        if module not in may.modules and is_strategy(module):
            yield from _any_attribute(node.attr, node.lineno, tree, may)
        return  # of a module that is not on the list the import itself is refused
    if _is_own(node.value, tree) and node.attr in tree.own and node.attr not in names.HARD_RULE:
        return
    if node.attr == "str" and _attr(tree.parent(node)) in PLAIN_TEXT_METHODS:
        return
    if node.attr == "format":
        yield from _format(node, tree)
        return
    yield from _any_attribute(node.attr, node.lineno, tree, may)


def _is_own(node: ast.expr, tree: Tree) -> bool:
    """`self`, `cls`, `super()` or a class of this file: its attributes are the file's own words."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "super"
    return isinstance(node, ast.Name) and (node.id in ("self", "cls") or node.id in tree.classes)


def _module_of(node: ast.expr, tree: Tree, may: Allowed) -> str | None:
    """The module that the expression names, as in `np` or `np.linalg`."""
    if isinstance(node, ast.Name):
        return None if tree.local.get(node) else tree.modules.get(node.id)
    if isinstance(node, ast.Attribute):
        outer = _module_of(node.value, tree, may)
        inner = f"{outer}.{node.attr}"
        known = outer is not None and (inner in may.modules or is_strategy(inner))
        return inner if known else None
    return None


def _any_attribute(name: str, line: int, tree: Tree, may: Allowed) -> Iterator[Finding]:
    """An attribute of something that we know nothing about."""
    if rule := names.HARD_RULE.get(name):
        yield found(rule, line, name)
    elif name in may.attributes:
        return
    elif DUNDER.fullmatch(name):
        yield found("dunder", line, name)
    elif name.startswith("_"):
        yield found("private", line, name)
    elif name in names.SOFT or not (name in tree.own or name in tree.columns):
        yield found("attribute", line, name)


def _format(node: ast.Attribute, tree: Tree) -> Iterator[Finding]:
    """Only a text that stands there, with plain fields: "{0.__class__}" walks attributes."""
    text = node.value.value if isinstance(node.value, ast.Constant) else None
    if not isinstance(text, str) or not isinstance(tree.parent(node), ast.Call):
        yield found("format", node.lineno)
        return
    try:
        fields = [f for _, f, spec, _ in string.Formatter().parse(text) if f is not None]
    except ValueError:
        fields = ["."]
    if any(not re.fullmatch(r"\w*", f) for f in fields) or text.count("{:{") or "__" in text:
        yield found("format", node.lineno)


def _texts(tree: Tree) -> Iterator[Finding]:
    """Also those that are put together from pieces."""
    worth = Worth(tree)
    for node in tree.nodes:
        is_docstring = isinstance(tree.parent(node), ast.Expr)
        if isinstance(node, PIECES) and not is_docstring and (text := worth.text(node)):
            yield from _text(node, text)


def _text(node: ast.expr, text: str) -> Iterator[Finding]:
    if any(word not in ("__main__", "__name__") for word in DUNDER.findall(text)):
        yield found("dunder", node.lineno, "text")
    if text.strip().lower() in WORDS_OF_THE_CLOCK or text.startswith(ZONES_OF_THE_MACHINE):
        yield found("clock", node.lineno, "text")


def _attr(node: ast.AST | None) -> str:
    return node.attr if isinstance(node, ast.Attribute) else ""


def _rebound(tree: Tree) -> Iterator[Finding]:
    for node in tree.nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            if node.id in tree.modules:
                yield found("rebound", node.lineno, node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            for name in set(arguments(node)) & tree.modules.keys():
                yield found("rebound", node.lineno, name)
