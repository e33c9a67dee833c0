"""Where chance comes in by the back door: memory nobody filled, and texts that hold an address."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np

from sandbox.intake.rules import found
from sandbox.intake.tree import Tree
from schemas.report import Finding

UNFILLED = {"empty", "empty_like"}
ITERATORS = {"enumerate", "filter", "iter", "map", "object", "reversed", "zip"}
METHODS = {"append", "get", "items", "keys", "pop", "update"}
SHOWN = {"NamedTuple", "TypedDict", "Enum", "IntEnum", "StrEnum"}
TO_TEXT = {"str", "format"}
HOLDERS = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Assign, ast.BinOp, ast.FormattedValue)


def check_chance(tree: Tree) -> Iterator[Finding]:
    addressed = _addressed(tree)
    for node in tree.nodes:
        yield from _unfilled(node, tree)
        match node:
            case ast.Name(id="self", ctx=ast.Load()) if isinstance(tree.parent(node), HOLDERS):
                yield found("address", node.lineno, "self")
            case ast.FormattedValue(value=value):
                yield from _shown(value, addressed)
            case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str()), right=value):
                yield from _shown(value, addressed)
            case ast.Call(func=func, args=given) if _last(func) in TO_TEXT:
                yield from (f for value in given for f in _shown(value, addressed))
            case ast.Call(func=ast.Name(id="object")):
                if isinstance(tree.parent(node), (ast.List, ast.Tuple, ast.Dict, ast.Call)):
                    yield found("address", node.lineno, "object")


def _addressed(tree: Tree) -> frozenset[str]:
    """Functions, methods and plain classes of the file: as text they show where they lie."""
    found_in = set()
    for node in tree.nodes:
        if isinstance(node, ast.FunctionDef):
            ours = tree.parent(node)
            is_property = any(_last(d) in ("property", "cached_property", "setter")
                              for d in node.decorator_list)  # fmt: skip
            if not is_property:
                found_in.add(f"self.{node.name}" if isinstance(ours, ast.ClassDef) else node.name)
        elif isinstance(node, ast.ClassDef) and not _shows_itself(node):
            found_in.add(node.name)
    for name, meanings in tree.meanings.items():
        if meanings and all(isinstance(m, (ast.Lambda, ast.GeneratorExp)) for m in meanings):
            found_in.add(name)
    return frozenset(found_in)


def _shows_itself(node: ast.ClassDef) -> bool:
    methods = {m.name for m in node.body if isinstance(m, ast.FunctionDef)}
    made = any(_last(d.func if isinstance(d, ast.Call) else d) == "dataclass"
               for d in node.decorator_list)  # fmt: skip
    return made or bool(methods & {"__str__", "__repr__"} or node.bases)


def _shown(value: ast.expr, addressed: frozenset[str]) -> Iterator[Finding]:
    match value:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            yield from (f for part in parts for f in _shown(part, addressed))
        case ast.Lambda() | ast.GeneratorExp():
            yield found("address", value.lineno)
        case ast.Name() | ast.Attribute() if Tree.key(value) in addressed:
            yield found("address", value.lineno, Tree.key(value))
        case ast.Attribute(attr=name) if name in METHODS:
            yield found("address", value.lineno, name)
        case ast.Call(func=ast.Name(id=name)) if name in ITERATORS | addressed - _functions(name):
            yield found("address", value.lineno, name)


def _functions(name: str) -> frozenset[str]:
    """A call of a function is what it returns; only a class makes an object of its own."""
    return frozenset() if name[:1].isupper() else frozenset({name})


def _unfilled(node: ast.AST, tree: Tree) -> Iterator[Finding]:
    """Beside `out = np.empty(n)`, which the habits look at."""
    name = _of_numpy(node, tree)
    called = isinstance(up := tree.parent(node), ast.Call) and up.func is node
    if name in UNFILLED and not (called and _last(node) in UNFILLED):
        yield found("uninitialised", getattr(node, "lineno", 0), name)
    if not isinstance(up, ast.Call) or not called:
        return
    keywords = {k.arg for k in up.keywords}
    is_ufunc = isinstance(getattr(np, name, None), np.ufunc) if name else False
    if name == "ndarray" or (is_ufunc and "where" in keywords and "out" not in keywords):
        yield found("uninitialised", up.lineno, name)


def _of_numpy(node: ast.AST, tree: Tree) -> str:
    """The name in numpy of what this stands for."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.attr if tree.modules.get(node.value.id) == "numpy" else ""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return tree.from_numpy.get(node.id, "")
    return ""


def _last(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
