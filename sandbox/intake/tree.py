"""A parsed submission: its tree, who is whose parent, and which names are local where."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

MOST_NODES, DEEPEST = 10_000, 60
"""Rules look up and down from every node: these two bound how long that can take."""


@dataclass(frozen=True)
class Tree:
    """`local` says for a loaded name whether a function that it is in gives it its meaning."""

    module: ast.Module
    nodes: tuple[ast.AST, ...]
    parents: dict[ast.AST, ast.AST]
    local: dict[ast.Name, bool]
    modules: dict[str, str]
    classes: frozenset[str]
    own: frozenset[str]
    columns: frozenset[str]

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self.parents.get(node)

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around it, from the inside out."""
        while (up := self.parents.get(node)) is not None:
            yield up
            node = up

    def holding(self, wanted: Iterable[ast.AST]) -> set[ast.AST]:
        """The wanted nodes and everything around them."""
        held: set[ast.AST] = set()
        for node in wanted:
            up: ast.AST | None = node
            while up is not None and up not in held:
                held.add(up)
                up = self.parents.get(up)
        return held

    @cached_property
    def imported(self) -> frozenset[str]:
        froms = (n for n in self.nodes if isinstance(n, ast.ImportFrom))
        return frozenset(a.asname or a.name for n in froms for a in n.names) | self.modules.keys()

    @cached_property
    def from_numpy(self) -> dict[str, str]:
        """The name in the file -> the name in numpy."""
        froms = (n for n in self.nodes if isinstance(n, ast.ImportFrom) and n.module == "numpy")
        return {a.asname or a.name: a.name for n in froms for a in n.names}

    @cached_property
    def meanings(self) -> dict[str, list[ast.expr | None]]:
        """What a name or an attribute of `self` may stand for; None where that cannot be read."""
        found: dict[str, list[ast.expr | None]] = {}
        for node in self.nodes:
            for key, value in _given(node):
                found.setdefault(key, []).append(value)
        return found

    @cached_property
    def counters(self) -> frozenset[str]:
        """What is only ever set to a number, or added to by one."""
        adds = (n for n in self.nodes if isinstance(n, ast.AugAssign) and isinstance(n.op, ast.Add))
        names = {self.key(n.target) for n in adds if isinstance(n.value, ast.Constant)}
        return frozenset(names - {""})

    @staticmethod
    def key(node: ast.AST) -> str:
        """`x` or `self.x`, as `meanings` has it; "" for anything else."""
        return _key(node)

    def offers(self) -> frozenset[str]:
        """What the file gives a name to, in its classes and at its top."""
        tops = (n for s in self.module.body for n in _class_names(s))
        return self.own | frozenset(tops)


def _key(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"self.{node.attr}" if _is_self(node.value) else ""
    return node.id if isinstance(node, ast.Name) else ""


def _given(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a node gives a meaning to."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _taken_apart(target, value)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            yield from _taken_apart(target, value)
        case ast.NamedExpr(target=target, value=value):
            yield from _taken_apart(target, value)
        case ast.AugAssign(target=target, op=ast.Add(), value=value):
            yield _key(target), ast.Starred(value=value, ctx=ast.Load())  # one more piece
        case ast.AugAssign(target=target):
            yield _key(target), None
        case ast.For(target=target) | ast.comprehension(target=target):
            yield from ((n.id, None) for n in ast.walk(target) if isinstance(n, ast.Name))
        case ast.FunctionDef() | ast.Lambda():
            yield from ((name, None) for name in arguments(node))


def _taken_apart(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    """`year, week = x` as `year = x[0]; week = x[1]`."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield _key(target), value
        return
    for n, part in enumerate(target.elts):
        one = ast.Subscript(value=value, slice=ast.Constant(value=n), ctx=ast.Load())
        yield from _taken_apart(part, one)


def oversize(module: ast.Module) -> str:
    """The rule that a source breaks by its mere size, or nothing."""
    level: list[ast.AST] = [module]
    count = 0
    for _ in range(DEEPEST):
        count += len(level)
        if count > MOST_NODES:
            return "too_many"
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return "too_deep" if level else ""


def grow(module: ast.Module) -> Tree:
    nodes = tuple(ast.walk(module))
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    return Tree(
        module=module,
        nodes=nodes,
        parents=parents,
        local=dict(_locals(module)),
        modules=_modules(nodes),
        classes=frozenset(n.name for n in nodes if isinstance(n, ast.ClassDef)),
        own=frozenset(_own(nodes)),
        columns=frozenset(_columns(nodes)),
    )


def _modules(nodes: tuple[ast.AST, ...]) -> dict[str, str]:
    """The name in the file -> the module that it stands for."""
    names = [a for node in nodes if isinstance(node, ast.Import) for a in node.names]
    return {a.asname or a.name.split(".")[0]: a.name if a.asname else a.name.split(".")[0]
            for a in names}  # fmt: skip


def _own(nodes: tuple[ast.AST, ...]) -> Iterator[str]:
    """Attributes that the file itself gives to its classes."""
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                yield from _class_names(inner)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield from [node.attr] if _is_self(node.value) else []


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _class_names(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name))


def _columns(nodes: tuple[ast.AST, ...]) -> Iterator[str]:
    """Words that the file uses as columns, so that `row.atr` is known where `df["atr"]` is."""
    for node in nodes:
        if isinstance(node, ast.Subscript):
            yield from _words(node.slice)
        elif isinstance(node, ast.Dict):
            for key in node.keys:
                yield from _words(key)
        elif isinstance(node, ast.Call):
            yield from (k.arg for k in node.keywords if k.arg)


def _words(node: ast.AST | None) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, (ast.List, ast.Tuple)):
        for element in node.elts:
            yield from _words(element)


def _locals(module: ast.Module) -> Iterator[tuple[ast.Name, bool]]:
    """Each loaded name, and whether a function scope binds it. Class and module scopes do not
    count: there a name that is not bound yet falls through to the builtin."""
    stack: list[tuple[ast.AST, frozenset[str]]] = [(module, frozenset())]
    while stack:
        node, seen = stack.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node, node.id in seen
        inner = _inner(node)
        within = seen | frozenset(_bound(node)) if inner else seen
        for child in _parts(node):
            stack.append((child, within if child in inner else seen))


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The children; of a comprehension also its loops' parts, since the first is read outside."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.comprehension):
            yield from ast.iter_child_nodes(child)
        else:
            yield child


def _inner(node: ast.AST) -> set[ast.AST]:
    """The children that are evaluated inside of the scope that the node opens."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return set(node.body)
    if isinstance(node, ast.Lambda):
        return {node.body}
    if isinstance(node, COMPREHENSIONS):
        return set(_parts(node)) - {node.generators[0].iter}
    return set()


def _bound(scope: ast.AST) -> Iterator[str]:
    if isinstance(scope, COMPREHENSIONS):
        for part in scope.generators:
            yield from (n.id for n in ast.walk(part.target) if isinstance(n, ast.Name))
        return
    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        yield from arguments(scope)
        yield from _assigned(scope)


def arguments(function: Function) -> list[str]:
    a = function.args
    given = [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg))]
    return [one.arg for one in given]


def _assigned(function: ast.AST) -> Iterator[str]:
    """Names that the function's own statements bind; what nested scopes bind is theirs."""
    stack = list(_inner(function))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)):
            yield node.name or ""
        if isinstance(node, SCOPES):
            continue
        if isinstance(node, COMPREHENSIONS):
            stack += [n.target for n in ast.walk(node) if isinstance(n, ast.NamedExpr)]
            continue
        stack += ast.iter_child_nodes(node)
