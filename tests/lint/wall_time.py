"""TIM001: a test asserts how long something took. On a busy machine such a test fails for no fault.

Assert what must not happen instead: the reason something ended, the order of events, the work that
was not done. Allowed are a lower bound ("did not give up before its limit") and a deadline inside a
loop that waits for something else, because both hold on a machine of any speed.
"""

import ast
from collections.abc import Iterator
from pathlib import PurePath

MESSAGE = "TIM001 a test asserts a wall time; assert what happened instead"
CLOCKS = {"time", "monotonic", "perf_counter", "process_time", "thread_time"}
CLOCKS |= {f"{name}_ns" for name in CLOCKS} | {"now", "utcnow", "time_ns"}
SPANS = {"seconds", "elapsed", "took", "duration", "total_seconds"}
UPPER = (ast.Lt, ast.LtE)
LOWER = (ast.Gt, ast.GtE)
OPPOSITE = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}


class WallTime:
    """The form that flake8 asks of a plugin."""

    name = "wall-time"
    version = "1"

    def __init__(self, tree: ast.AST, filename: str) -> None:
        self.tree, self.filename = tree, filename

    def run(self) -> Iterator[tuple[int, int, str, type]]:
        if "tests" in PurePath(self.filename).parts or self.filename == "-":
            for line, column in found(self.tree):
                yield line, column, MESSAGE, type(self)


def found(tree: ast.AST) -> list[tuple[int, int]]:
    """Where a test holds a duration below a bound."""
    spans = _named(tree)
    in_loops = {
        id(node)
        for loop in ast.walk(tree)
        if isinstance(loop, ast.While)
        for node in ast.walk(loop)
        if isinstance(node, ast.Assert | ast.If)
    }
    return [
        (node.lineno, node.col_offset)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert | ast.If)
        and any(_bounded(c, spans, id(node) in in_loops) for c in _held(node))
    ]


def _held(node: ast.Assert | ast.If) -> list[ast.Compare]:
    """The comparisons that must hold where the test passes: also `if took > 5: pytest.fail()`."""
    match node:
        case ast.Assert(test=test):
            return list(_true(test, True))
        case ast.If(test=test, body=[ast.Raise(), *_]):
            return list(_true(test, False))
        case ast.If(test=test, body=[ast.Expr(value=ast.Call(func=func)), *_]):
            return list(_true(test, False)) if _last(func) == "fail" else []
    return []


def _last(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def _true(test: ast.AST, wanted: bool) -> Iterator[ast.Compare]:
    """Each comparison as it must come out: `not took > 5` is `took <= 5`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _true(operand, not wanted)
        case ast.Compare():
            signs = [s if wanted else OPPOSITE.get(type(s), ast.Eq)() for s in test.ops]
            yield ast.Compare(left=test.left, ops=signs, comparators=test.comparators)
        case _:
            for child in ast.iter_child_nodes(test):
                yield from _true(child, wanted)


def _bounded(node: ast.Compare, spans: set[str], waiting: bool) -> bool:
    sides = [node.left, *node.comparators]
    for small, sign, large in zip(sides, node.ops, sides[1:], strict=False):
        if isinstance(sign, ast.Eq):  # took == pytest.approx(2, abs=1)
            if any(_is_span(side, spans) for side in (small, large)) and _has_approx(node):
                return True
            continue
        if isinstance(sign, LOWER):
            small, large = large, small
        elif not isinstance(sign, UPPER):
            continue
        bound = not _is_span(large, spans)
        if bound and (_is_span(small, spans) or (not waiting and _reads_clock(small))):
            return True
    return False


def _has_approx(node: ast.Compare) -> bool:
    return any(isinstance(n, ast.Call) and _last(n.func) == "approx" for n in ast.walk(node))


def _is_span(side: ast.expr, spans: set[str]) -> bool:
    """A difference that a clock is part of, or something named after a duration."""
    for node in ast.walk(side):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and _reads_clock(node):
            return True
        if isinstance(node, ast.Attribute) and node.attr in SPANS:
            return True
        if isinstance(node, ast.Name) and (node.id in spans or node.id in SPANS):
            return True
    return False


def _reads_clock(node: ast.AST) -> bool:
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            name = call.func.id if isinstance(call.func, ast.Name) else name
            if name in CLOCKS:
                return True
    return False


def _named(tree: ast.AST) -> set[str]:
    """Names that hold a difference of two readings: `took = monotonic() - began`."""
    return {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _is_span(node.value, set())
        for target in node.targets
        if isinstance(target, ast.Name)
    }
