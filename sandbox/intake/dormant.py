"""What waits for a year or for more bars than any test has: dormant here, awake when it is live."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import partial

from sandbox.intake.rules import found
from sandbox.intake.tree import Tree
from sandbox.intake.worth import Unclear, Worth
from schemas.report import Finding

YEARS = range(1960, 2111)
PERIODS = range(1, 13)
"""A rule that comes back every few years is met by any bars."""
TESTED = 1_490
"""No fewer bars than that are in the longest test."""
COUNTS = (*range(0, TESTED, 30), *range(TESTED, 20_000, 250), 10**5, 10**6, 10**7)
DAY = 86_400
FIRST_OF = {"isocalendar", "timetuple", "utctimetuple"}
LONG = 4_000
MOST = 200
EPOCHS = {"Timestamp", "datetime", "date"}


def check_dormant(tree: Tree) -> Iterator[Finding]:
    dated = tree.holding(n for n in tree.nodes if _year(n, tree, 2000) is not None)
    counted = tree.holding(n for n in tree.nodes if _count(n, tree, 1) is not None)
    by_year, by_count = _reaching(dated, tree), _reaching(counted, tree)
    if by_year:
        worths = [Worth(tree, partial(_year, tree=tree, year=y)) for y in YEARS]
        yield from (found("calendar", n.lineno, "year") for n in by_year if _waits(n, worths))
    if by_count:
        points = sorted({*COUNTS, *_near(tree)})
        counts = [(n, Worth(tree, partial(_count, tree=tree, count=n))) for n in points]
        yield from (found("late", n.lineno) for n in by_count if _is_late(n, counts))
    yield from _epochs(tree)


def _reaching(wanted: set[ast.AST], tree: Tree) -> list[ast.Compare]:
    """The comparisons with one of these inside, or with a name that stands for one."""
    names = {name for name, meanings in tree.meanings.items()
             if any(m in wanted for m in meanings if m is not None)}  # fmt: skip
    keyed = (n for n in tree.nodes if isinstance(n, (ast.Name, ast.Attribute)))
    around = wanted | tree.holding(n for n in keyed if tree.key(n) in names)
    return [n for n in tree.nodes if isinstance(n, ast.Compare) and n in around]


def _year(node: ast.AST, tree: Tree, year: int) -> object:
    """What this would be in that year, if it is a year, a date as text or a time as a number."""
    match node:
        case ast.Attribute(attr="year"):
            return year
        case ast.Attribute(attr="value", value=ast.Subscript() | ast.Name()):
            return (year - 1970) * 365.25 * DAY * 1e9
        case ast.Subscript(
            value=ast.Call(func=ast.Attribute(attr=name)), slice=ast.Constant(value=0)
        ) if name in FIRST_OF:
            return year
        case ast.Call(func=ast.Attribute(attr="strftime"), args=[ast.Constant(value=str() as how)]):
            return _written(how, year)
        case ast.FormattedValue(format_spec=ast.JoinedStr(values=[ast.Constant(value=how)])):
            return _written(str(how), year)
        case ast.Call(func=ast.Name(id="str"), args=[argument]) if _is_time(argument, tree):
            return f"{year}-01-01 00:00:00"
    return None


def _written(how: str, year: int) -> str | None:
    if not any(mark in how for mark in ("%Y", "%G", "%y", "%F", "%D", "%s", "%c", "%x")):
        return None
    return how.replace("%Y", str(year)).replace("%G", str(year)).replace("%y", f"{year % 100:02}")


def _is_time(node: ast.AST, tree: Tree) -> bool:
    """`df.index[idx]`, or a name that stands for it."""
    match node:
        case ast.Subscript(value=ast.Attribute(attr="index")):
            return True
        case ast.Call(func=ast.Attribute(value=value)):
            return _is_time(value, tree)
        case ast.Name(id=name):
            meanings = tree.meanings.get(name, [])
            return len(meanings) == 1 and isinstance(meanings[0], ast.Subscript) and _is_time(
                meanings[0], tree
            )  # fmt: skip
    return False


def _count(node: ast.AST, tree: Tree, count: int) -> object:
    """What this would be so many bars after the first."""
    match node:
        case ast.Name(id="idx"):
            return count
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id="df")]):
            return count
        case ast.Call(func=ast.Name(id="len"), args=[ast.Attribute(value=ast.Name(id="df"))]):
            return count
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=ast.Constant(value=0)):
            return count
        case ast.Attribute(attr="size" | "days"):
            return count
        case ast.Name() | ast.Attribute() if tree.key(node) in tree.counters:
            return count
    return None


def _waits(node: ast.Compare, worths: Sequence[Worth]) -> bool:
    """Whether it holds in some years only, and not in turn."""
    try:
        holds = [worth.holds(node) for worth in worths]
    except Unclear:
        return False
    return not any(holds[period:] == holds[:-period] for period in PERIODS)


def _is_late(node: ast.Compare, counts: Sequence[tuple[int, Worth]]) -> bool:
    """Whether it is one thing on all bars of a test, and another later."""
    try:
        holds = [(n, worth.holds(node)) for n, worth in counts]
    except Unclear:
        return False
    early = {held for n, held in holds if n < TESTED}
    return len(early) == 1 and {held for _, held in holds} != early


def _near(tree: Tree) -> set[int]:
    """The counts around each number of the file."""
    numbers = {n.value for n in tree.nodes if isinstance(n, ast.Constant) and type(n.value) is int}
    large = {n * times for n in numbers for times in (1, 10, 100, 1000) if n < 10**7}
    return {n + step for n in sorted(large)[:MOST] if n >= TESTED for step in (-1, 0, 1)}


def _epochs(tree: Tree) -> Iterator[Finding]:
    """`pd.Timestamp(0) + pd.Timedelta(days=31000)`: a date without a date."""
    worth = Worth(tree)
    for node in tree.nodes:
        match node:
            case ast.Call(func=func, args=[first, *_]) if _last(func) in EPOCHS:
                if _added(node, tree) and not worth.text(first) and _is_number(worth, first):
                    yield found("calendar", node.lineno, _last(func))
            case ast.Attribute(attr="min" | "max", value=value) if _last(value) in EPOCHS:
                if _added(node, tree):
                    yield found("calendar", node.lineno, _last(value))
            case ast.Call(func=func, keywords=[ast.keyword(arg="days", value=days)]):
                if _is_number(worth, days) and worth.of(days) > LONG:
                    yield found("late", node.lineno)


def _added(node: ast.AST, tree: Tree) -> bool:
    return isinstance(tree.parent(node), ast.BinOp)


def _is_number(worth: Worth, node: ast.AST) -> bool:
    try:
        return isinstance(worth.of(node), (int, float))
    except Unclear:
        return False


def _last(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
