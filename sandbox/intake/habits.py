"""Habits that make decisions unrepeatable, endless or prophetic, though every name is allowed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sandbox.intake.rules import found
from sandbox.intake.tree import Tree
from schemas.report import Finding

MUTATES = {"add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem",
           "popleft", "remove", "setdefault", "sort", "update"}  # fmt: skip
CATCH_ALL = {"Exception", "BaseException"}
HUGE = 10**12
LONGEST_REPEAT = 10**6


def check_habits(tree: Tree) -> Iterator[Finding]:
    module_names = _module_names(tree.module)
    ends = tree.holding(n for n in tree.nodes if isinstance(n, (ast.Break, ast.Return, ast.Raise)))
    for node in tree.nodes:
        match node:
            case ast.Call():
                yield from _call(node, tree)
            case ast.ExceptHandler():
                yield from _handler(node)
            case ast.While() if node not in ends:
                yield from _loop(node)
            case ast.BinOp() | ast.Constant():
                yield from _size(node)
            case ast.JoinedStr():
                yield from _address(node)
        yield from _state(node, tree, module_names)


def _call(node: ast.Call, tree: Tree) -> Iterator[Finding]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else _id(node.func)
    keywords = {k.arg: k.value for k in node.keywords if k.arg}
    if name == "type" and len(node.args) != 1:
        yield found("introspection", node.lineno, "type")
    if name in ("empty", "empty_like") and not _filled_next(node, tree):
        yield found("uninitialised", node.lineno, name)
    if name in ("str", "format") and any(_id(a) == "self" for a in node.args):
        yield found("address", node.lineno, name)
    if "engine" in keywords or "engine_kwargs" in keywords:
        yield found("engine", node.lineno)
    if isinstance(node.func, ast.Attribute):
        if name in ("shift", "diff", "pct_change"):
            steps = [*node.args[:1], *(v for k, v in keywords.items() if k == "periods")]
            if any(_is_negative(s) for s in steps):
                yield found("look_ahead", node.lineno, name)
        if name == "rolling" and _is_true(keywords.get("center")):
            yield found("look_ahead", node.lineno, "center")


def _filled_next(node: ast.Call, tree: Tree) -> bool:
    """`out = np.empty(n)` and then at once `out[:] = value` or `out.fill(value)`."""
    assign = tree.parent(node)
    if not isinstance(assign, ast.Assign) or _id(assign.targets[0]) == "":
        return False
    body = getattr(tree.parent(assign), "body", [])
    at = body.index(assign) + 1 if assign in body else len(body)
    filled: ast.expr | None = None
    value: ast.expr | None = None
    match body[at : at + 1]:
        case [
            ast.Assign(
                targets=[ast.Subscript(value=filled, slice=ast.Slice(None, None, None)), *_],
                value=value,
            )
        ]:
            pass
        case [ast.Expr(value=ast.Call(func=ast.Attribute(value=filled, attr="fill")))]:
            pass
    name = _id(assign.targets[0])
    again = any(_id(n) == name for n in ast.walk(value)) if value else False
    return _id(filled) == name and not again


def _handler(node: ast.ExceptHandler) -> Iterator[Finding]:
    caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    everything = node.type is None or any(_id(c) in CATCH_ALL for c in caught if c)
    if everything and not isinstance(node.body[-1], ast.Raise):
        yield found("swallows", node.lineno)


def _loop(node: ast.While) -> Iterator[Finding]:
    if isinstance(node.test, ast.Constant) and node.test.value:
        yield found("endless", node.lineno)


def _size(node: ast.BinOp | ast.Constant) -> Iterator[Finding]:
    if isinstance(node, ast.Constant):
        if type(node.value) is int and node.value > HUGE:
            yield found("huge", node.lineno)
        return
    left, right = _number(node.left), _number(node.right)
    is_power = isinstance(node.op, ast.Pow) and right is not None and right > 18
    is_shift = isinstance(node.op, ast.LShift) and (right is None or right > 40)
    sequences = (ast.List, ast.Tuple, ast.JoinedStr)
    repeats = isinstance(node.op, ast.Mult) and (
        (_is_sequence(node.left, sequences) and (right or 0) > LONGEST_REPEAT)
        or (_is_sequence(node.right, sequences) and (left or 0) > LONGEST_REPEAT)
    )
    if is_power or is_shift or repeats:
        yield found("huge", node.lineno)


def _is_sequence(node: ast.expr, kinds: tuple[type[ast.expr], ...]) -> bool:
    text = isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
    return text or isinstance(node, kinds)


def _address(node: ast.JoinedStr) -> Iterator[Finding]:
    for part in node.values:
        if isinstance(part, ast.FormattedValue) and _id(part.value) == "self":
            yield found("address", node.lineno, "self")


def _module_names(module: ast.Module) -> set[str]:
    assigned = [n for n in module.body if isinstance(n, (ast.Assign, ast.AnnAssign, ast.ClassDef))]
    names_in = {n.name for n in assigned if isinstance(n, ast.ClassDef)}
    for node in assigned:
        if not isinstance(node, ast.ClassDef):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names_in |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    return names_in


def _state(node: ast.AST, tree: Tree, module_names: set[str]) -> Iterator[Finding]:
    """Writing into a constant of the module, or onto a class: state that no object owns."""
    base: ast.expr | None = None
    if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
        base = node.value
    elif isinstance(node, ast.Call) and _attr(node.func) in MUTATES:
        base = node.func.value if isinstance(node.func, ast.Attribute) else None
    while isinstance(base, (ast.Subscript, ast.Attribute)):
        base = base.value
    on_class = isinstance(base, ast.Call) and _id(base.func) == "type"
    if isinstance(base, ast.Name):
        shared = base.id in module_names and not tree.local.get(base, True)
        on_class = base.id == "cls" and isinstance(node, (ast.Subscript, ast.Attribute)) or shared
    if on_class:
        yield found("global_state", getattr(node, "lineno", 0))


def _is_negative(node: ast.expr) -> bool:
    number = _number(node.operand) if isinstance(node, ast.UnaryOp) else None
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and bool(number)


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and bool(node.value)


def _number(node: ast.expr) -> float | None:
    """The value of a literal, or of one power of literals."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Pow, ast.Mult)):
        left, right = _number(node.left), _number(node.right)
        if left is None or right is None or abs(left) > HUGE or abs(right) > HUGE:
            return None if left is None or right is None else float("inf")
        if isinstance(node.op, ast.Mult):
            return left * right
        return float("inf") if right > 20 or left < 0 else float(left) ** float(right)
    return None


def _id(node: ast.AST | None) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _attr(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else ""
