"""The shape of a strategy file: what may stand at its top, in its classes, and in which loops."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sandbox.intake.names import BUILTINS
from sandbox.intake.rules import found
from sandbox.intake.tree import Tree
from schemas.report import Finding

METHODS = {"prepare_indicators": 2, "find_entries": 4, "find_exits": 5}
BASES = {"object", "NamedTuple", "TypedDict", "Protocol", "Enum", "IntEnum", "StrEnum", "Generic"}
DECORATORS = {"cache", "cached_property", "classmethod", "dataclass", "final", "lru_cache",
              "overload", "property", "setter", "staticmethod", "unique"}  # fmt: skip
SPECIAL = {"__init__", "__post_init__", "__repr__", "__str__", "__len__", "__bool__"}
MAKERS = {
    "DateOffset", "Decimal", "NewType", "Timedelta", "Timestamp", "TypeVar", "abs", "array", "date",
    "dict", "field", "float", "frozenset", "int", "len", "list", "log", "max", "min", "namedtuple",
    "range", "round", "set", "sorted", "sqrt", "str", "sum", "time", "timedelta", "to_datetime",
    "to_timedelta", "tuple", "arange", "linspace", "auto", "BDay", "Day", "float64", "datetime",
}  # fmt: skip
"""Calls that make a constant."""
MAIN = "from strategies.template import main"


def check_shape(tree: Tree) -> Iterator[Finding]:
    yield from _interface(tree.module)
    for statement in tree.module.body:
        if not (_is_plain(statement, tree.classes) or is_main(statement) or _only_types(statement)):
            yield found("side_effect", statement.lineno)
    for node in tree.nodes:
        match node:
            case ast.ClassDef():
                yield from _class(node, tree.classes)
            case ast.FunctionDef():
                yield from _function(node)
            case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
                yield found("asynchronous", node.lineno)
            case ast.Global():
                yield found("global_state", node.lineno)


def _interface(module: ast.Module) -> Iterator[Finding]:
    classes = {n.name: n for n in module.body if isinstance(n, ast.ClassDef)}
    if "Strategy" not in classes:
        yield found("spec_mismatch", 1, "Strategy")
        return
    line = [classes["Strategy"]]
    for one in line:  # grows while we walk up the bases that are in this file
        bases = [classes[b.id] for b in one.bases if isinstance(b, ast.Name) and b.id in classes]
        line += [base for base in bases if base not in line]
    methods = {m.name: m for c in line for m in c.body if isinstance(m, ast.FunctionDef)}
    for name, most in METHODS.items():
        if name not in methods:
            yield found("spec_mismatch", classes["Strategy"].lineno, name)
        elif not methods[name].args.vararg and len(methods[name].args.args) != most:
            yield found("spec_mismatch", methods[name].lineno, name)


def _is_plain(node: ast.stmt, classes: frozenset[str]) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.FunctionDef() | ast.ClassDef() | ast.Pass():
            return True
        case ast.AsyncFunctionDef():
            return True  # refused by its own rule
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(targets=targets, value=value):
            return all(_is_name(t) for t in targets) and is_constant(value, classes)
        case ast.AnnAssign(target=target, value=value):
            return _is_name(target) and (value is None or is_constant(value, classes))
    return False


def _is_name(target: ast.expr) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(_is_name(t) for t in target.elts)
    return isinstance(target, ast.Name)


def is_constant(value: ast.expr, classes: frozenset[str]) -> bool:
    """Made of literals, names and arithmetic; calls only of what makes a plain value."""
    for node in ast.walk(value):
        if isinstance(node, ast.Call) and _last(node.func) not in MAKERS | classes:
            return False
        if isinstance(node, (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)):
            return False
    return True


def is_main(node: ast.AST) -> bool:
    """The last two lines of the template; `main` may be imported there, to load without ours."""
    match node:
        case ast.If(
            test=ast.Compare(
                left=ast.Name(id="__name__"),
                ops=[ast.Eq()],
                comparators=[ast.Constant(value="__main__")],
            ),
            body=[*before, last],
            orelse=[],
        ):
            return _calls_main(last) and [ast.unparse(b) for b in before] in ([], [MAIN])
    return False


def _calls_main(node: ast.stmt) -> bool:
    """`main(run_backtest, run_live)`, or `raise SystemExit(...)` with that inside."""
    match node:
        case ast.Raise(
            exc=ast.Call(func=ast.Name(id="SystemExit"), args=[call], keywords=[]), cause=None
        ):
            pass
        case ast.Expr(value=call):
            pass
        case _:
            return False
    match call:
        case ast.Call(
            func=ast.Name(id="main"),
            args=[ast.Name(id="run_backtest"), ast.Name(id="run_live")],
            keywords=[],
        ):
            return True
    return False


def _only_types(node: ast.stmt) -> bool:
    if not (isinstance(node, ast.If) and _last(node.test) == "TYPE_CHECKING"):
        return False
    return all(isinstance(n, (ast.Import, ast.ImportFrom)) for n in node.body + node.orelse)


def _class(node: ast.ClassDef, classes: frozenset[str]) -> Iterator[Finding]:
    for base in node.bases:
        name = _last(base.value if isinstance(base, ast.Subscript) else base)
        if name not in BASES | classes and not (name in BUILTINS and name.endswith("Error")):
            yield found("base_class", node.lineno, name)
    if any(k.arg != "total" for k in node.keywords):
        yield found("base_class", node.lineno, node.name)
    yield from _decorators(node)
    for inner in node.body:
        if not _is_plain(inner, classes):
            yield found("class_body", inner.lineno)


def _function(node: ast.FunctionDef) -> Iterator[Finding]:
    yield from _decorators(node)
    if node.name.startswith("__") and node.name not in SPECIAL:
        yield found("special_method", node.lineno, node.name)
    for default in (*node.args.defaults, *node.args.kw_defaults):
        if isinstance(default, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp)):
            yield found("mutable_default", default.lineno)


def _decorators(node: ast.ClassDef | ast.FunctionDef) -> Iterator[Finding]:
    for decorator in node.decorator_list:
        name = _last(decorator.func if isinstance(decorator, ast.Call) else decorator)
        if name not in DECORATORS:
            yield found("decorator", decorator.lineno, name)


def _last(node: ast.expr) -> str:
    """The last word of a dotted name, or "" for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
