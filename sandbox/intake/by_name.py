"""Functions that pandas looks up by their name: `.agg("eval", ...)` calls the method `eval`.

The name must be a text from the list, written where it is used; nothing that is worked out.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import pandas as pd

from sandbox.intake import names
from sandbox.intake.modules import is_strategy, words
from sandbox.intake.rules import found
from sandbox.intake.tree import Tree, arguments
from schemas.report import Finding

DOORS = {"agg", "aggregate", "apply", "transform"}
TABLES = {"pivot_table": 3, "crosstab": 5, "filter": 0}
"""From which positional argument on one may be the function, or else a label of the table."""
ATTRIBUTES = DOORS | TABLES.keys() | {"rolling"}
NAMED = words(
    """
    abs all any ceil count cumcount cummax cummin cumprod cumsum exp ffill first floor idxmax
    idxmin kurt last log log10 log1p max mean median min ngroup nunique ohlc prod quantile rank
    round sem sign size skew sqrt square std sum var
    """
)
"""Each is arithmetic on its own column and takes no path, no code and no other function."""
WINDOWS = words("barthann bartlett blackman blackmanharris bohman boxcar cosine exponential"
                " gaussian hamming hann nuttall parzen triang")  # fmt: skip
KNOWN_TO_PANDAS = (pd.Series, pd.DataFrame, np)


def check_by_name(tree: Tree) -> Iterator[Finding]:
    given = _Given(tree)
    for node in tree.nodes:
        if isinstance(node, ast.Call):
            yield from (found("named_function", node.lineno) for bad in given.wrong(node) if bad)
        elif isinstance(node, (ast.Attribute, ast.Name)) and _takes_names(node, tree):
            up = tree.parent(node)  # `f = df.agg` would be called where no rule looks
            if not (isinstance(up, ast.Call) and up.func is node):
                yield found("named_function", node.lineno, _last(node))
        elif isinstance(node, ast.alias) and node.asname and node.name in TABLES:
            yield found("named_function", node.lineno, node.name)
        elif isinstance(node, ast.MatchClass):  # `case DataFrame(agg=f)` is `f = df.agg`
            doors = (name for name in node.kwd_attrs if name in ATTRIBUTES)
            yield from (found("named_function", node.lineno, name) for name in doors)


class _Given:
    """What the file's names stand for, where a function is asked for."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        bound = _bindings(tree)
        self._functions, self._literals = _functions(bound), _literals(bound, tree)

    def wrong(self, call: ast.Call) -> Iterator[bool]:
        """For each place of the call that may name a function: whether it may not stand there."""
        name = _last(call.func)
        keywords = {k.arg: k.value for k in call.keywords if k.arg}
        opaque = any(k.arg is None for k in call.keywords) or any(
            isinstance(a, ast.Starred) for a in call.args
        )
        if isinstance(call.func, ast.Attribute) and name in DOORS:
            yield opaque
            yield from self._door(name, [*call.args[:1], *_one(keywords, "func")], keywords)
        if name in TABLES and _takes_names(call.func, self._tree):
            yield opaque
            places = [*call.args[TABLES[name] : TABLES[name] + 2], *_one(keywords, "func")]
            yield from (not self._is_label(a) and not self.is_function(a) for a in places)
        if name == "NamedAgg":
            yield opaque
            yield from (not self.is_function(a) for a in call.args[1:2])
        if name == "rolling":
            yield opaque
            windows = [*call.args[3:4], *_one(keywords, "win_type")]
            yield from (not _is_text(w, WINDOWS) for w in windows)
        yield from (not self.is_function(a) for a in _one(keywords, "aggfunc"))

    def _door(
        self, name: str, first: list[ast.expr], keywords: dict[str, ast.expr]
    ) -> Iterator[bool]:
        yield from (not self.is_function(a) for a in first)
        unnamed = all(isinstance(a, ast.Constant) and a.value is None for a in first)
        if unnamed and name in ("agg", "aggregate"):
            named = (v for k, v in keywords.items() if k not in ("func", "axis"))
            yield from (not self._is_aggregation(v) for v in named)

    def _is_aggregation(self, node: ast.expr) -> bool:
        """`high=("High", "max")`, `high=pd.NamedAgg("High", "max")` or `high="max"`."""
        match node:
            case ast.Tuple(elts=[column, function]):
                return self._is_label(column) and self.is_function(function)
            case ast.Call(func=func):
                return _last(func) == "NamedAgg"  # judged as a call of its own
        return self.is_function(node)

    def is_function(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(value=str() as word):
                return word in NAMED
            case ast.Constant() | ast.Lambda():
                return True
            case ast.Dict(values=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts):
                return all(self.is_function(p) for p in parts)
            case ast.IfExp(body=body, orelse=orelse):
                return self.is_function(body) and self.is_function(orelse)
            case ast.Name(id=name):
                value = self._literals.get(name)
                return name in self._functions if value is None else self.is_function(value)
            case ast.Attribute(value=ast.Name(id=module) as base):
                return module in self._tree.modules and not self._tree.local.get(base, False)
            case ast.Call(func=ast.Name(id="partial"), args=[function, *_]):
                return "partial" in self._functions and self.is_function(function)
        return False

    def _is_label(self, node: ast.expr) -> bool:
        """A column. pandas also calls one by its name where it finds no table: no method's name."""
        if isinstance(node, (ast.List, ast.Tuple)):
            return all(self._is_label(part) for part in node.elts)
        word = node.value if isinstance(node, ast.Constant) else None
        if not isinstance(word, str):
            return isinstance(node, ast.Constant)
        return word in NAMED or not any(hasattr(known, word) for known in KNOWN_TO_PANDAS)


def _functions(bound: dict[str, list[ast.AST | None]]) -> frozenset[str]:
    """Names that can be nothing but a function: of the file, imported, or a builtin."""
    sure = (ast.FunctionDef, ast.Lambda, ast.ImportFrom)
    made = {name for name, ways in bound.items() if all(isinstance(w, sure) for w in ways)}
    return frozenset(made | (names.BUILTINS - bound.keys()))


def _literals(bound: dict[str, list[ast.AST | None]], tree: Tree) -> dict[str, ast.expr]:
    """Names with one binding in the whole file, to a literal that nothing else can change."""
    loads = (n for n in tree.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    passed_on = {n.id for n in loads if not _is_handed_over(n, tree)}
    kept: dict[str, ast.expr] = {}
    for name, ways in bound.items():
        match ways:
            case [ast.Constant() as text]:
                kept[name] = text
            case [ast.Dict() | ast.List() | ast.Tuple() as table] if name not in passed_on:
                kept[name] = table
    return kept


def _bindings(tree: Tree) -> dict[str, list[ast.AST | None]]:
    """Every way in which the file gives a name a meaning; None where that cannot be read."""
    bound: dict[str, list[ast.AST | None]] = defaultdict(list)
    for node in tree.nodes:
        match node:
            case ast.FunctionDef(name=name):
                bound[name].append(None if node.decorator_list else node)
            case ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
                bound[name].append(None)
            case ast.ImportFrom(module=module, names=aliases):
                known = not (is_strategy(module or "") or node.level)
                for alias in aliases:
                    bound[alias.asname or alias.name].append(node if known else None)
            case ast.Import(names=aliases):
                for alias in aliases:
                    bound[(alias.asname or alias.name).split(".")[0]].append(None)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                bound[name].append(_value_of(node, tree))
            case ast.ExceptHandler(name=str(name)) | ast.MatchStar(name=str(name)):
                bound[name].append(None)
            case ast.MatchAs(name=str(name)) | ast.MatchMapping(rest=str(name)):
                bound[name].append(None)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            for name in arguments(node):
                bound[name].append(None)
    return bound


def _is_handed_over(node: ast.Name, tree: Tree) -> bool:
    """Straight to pandas, as in `.agg(HOW)`: nobody can write into the table on the way."""
    up = tree.parent(node)
    if isinstance(up, ast.keyword):
        return up.arg in ("func", "aggfunc")
    door = isinstance(up, ast.Call) and isinstance(up.func, ast.Attribute) and up.func.attr in DOORS
    return door and isinstance(up, ast.Call) and up.args[:1] == [node]


def _value_of(node: ast.Name, tree: Tree) -> ast.expr | None:
    """What a plain assignment binds the name to."""
    match tree.parent(node):
        case ast.Assign(targets=[target], value=value) if target is node:
            return value
        case ast.AnnAssign(target=target, value=value) if target is node:
            return value
    return None


def _takes_names(node: ast.expr, tree: Tree) -> bool:
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            return name in TABLES and name in tree.imported
        case ast.Attribute(attr=name, ctx=ast.Load()):
            return name in ATTRIBUTES
    return False


def _is_text(node: ast.expr, allowed: frozenset[str]) -> bool:
    word = node.value if isinstance(node, ast.Constant) else 0
    return word is None or word in allowed


def _one(keywords: dict[str, ast.expr], name: str) -> list[ast.expr]:
    return [keywords[name]] if name in keywords else []


def _last(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
