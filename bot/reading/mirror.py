"""The other side of a rule: what a short needs where a long needs this. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.reading.book import Book
from bot.reading.nodes import compare, crossing
from schemas import contract as c

FLIP = {"above": "below", "below": "above", "at_least": "at_most", "at_most": "at_least"}
SWAP = {
    "upper": "lower", "lower": "upper", "plus": "minus", "minus": "plus", "up": "down",
    "down": "up", "r1": "s1", "s1": "r1", "r2": "s2", "s2": "r2", "r3": "s3", "s3": "r3",
    "high": "low", "low": "high",
}  # fmt: skip
CENTRE = {"rsi": 50.0, "stochastic": 50.0, "stochastic_rsi": 50.0, "mfi": 50.0, "williams_r": -50.0}
AROUND_ZERO = {"cci", "roc", "momentum", "macd", "zscore", "supertrend", "psar"}
SAME = {"atr", "adx", "range", "true_range", "stdev", "obv"}
HELD = {
    "highest_high": c.Held(field="lowest_low"), "lowest_low": c.Held(field="highest_high"),
    "highest_close": c.Held(field="lowest_close"), "lowest_close": c.Held(field="highest_close"),
}  # fmt: skip


def mirror(node: c.Condition, book: Book) -> c.Condition:
    """The same rule for the other side. What has no side, such as ADX or volume, stays."""
    match node:
        case c.Compare():
            if not _has_side(node.left, node.right, book):
                return node
            if book.is_height(node.left) or book.is_height(node.right):
                left, right = mirrored(node.left, book), mirrored(node.right, book)
                return replace(node, left=left, right=right)
            left, right = _unswapped(node.left, node.right, book)
            return compare(FLIP.get(node.op, node.op), left, right)
        case c.Cross():
            if not _has_side(node.left, node.right, book):
                return node
            left, right = _unswapped(node.left, node.right, book)
            return crossing(FLIP[node.direction], left, right)
        case c.Every() | c.Either():
            return replace(node, of=tuple(mirror(x, book) for x in node.of))
        case c.Never() | c.InARow() | c.Within():
            return replace(node, of=mirror(node.of, book))
    return node


def _unswapped(left: c.Operand, right: c.Operand, book: Book) -> tuple[c.Operand, c.Operand]:
    """+DI and -DI change places: turning the sign as well would say the same again."""
    pair = _pair(left, right, book)
    return (left, right) if pair == (right, left) else pair


def _pair(left: c.Operand, right: c.Operand, book: Book) -> tuple[c.Operand, c.Operand]:
    kind = book.kind(left)
    if isinstance(right, c.Constant):
        if kind in CENTRE:
            return left, replace(right, value=2 * CENTRE[kind] - right.value)
        if kind == "bollinger" and isinstance(left, c.Series) and left.output == "percent":
            return left, replace(right, value=1.0 - right.value)
        if kind in AROUND_ZERO or isinstance(left, c.Arithmetic):
            return mirrored(left, book), replace(right, value=-right.value)
    return mirrored(left, book), mirrored(right, book)


def _has_side(left: c.Operand, right: c.Operand, book: Book) -> bool:
    """Volume, ADX, ATR and the calendar are the same for both sides."""
    return not (_neutral(left, book) and _neutral(right, book))


def _neutral(node: c.Operand, book: Book) -> bool:
    match node:
        case c.Constant() | c.Calendar():
            return True
        case c.Price(field=field):
            return field is c.PriceField.VOLUME
        case c.Series(indicator=name, output=output):
            about = book.used[name]
            if about.of is not None:
                return _neutral(about.of, book)
            side = about.kind == "adx" and output != "adx"
            volume = about.source is c.PriceField.VOLUME
            return (about.kind in SAME and not side) or volume or output == "bandwidth"
        case c.Arithmetic():
            return _neutral(node.left, book) and _neutral(node.right, book)
    return False


def mirrored(node: c.Operand, book: Book) -> c.Operand:
    match node:
        case c.Price(field=field) if field in ("high", "low"):
            return replace(node, field=c.PriceField(SWAP[field]))
        case c.Held(field=held) if held in HELD:
            return HELD[held]
        case c.Series(indicator=name):
            return _series(node, book.used[name], book)
        case c.Arithmetic() if book.is_height(node):
            left, right = mirrored(node.left, book), mirrored(node.right, book)
            if node.op == "subtract":
                left, right = right, left
            return replace(node, left=left, right=right)
        case c.Arithmetic():
            op = node.op
            left, right = mirrored(node.left, book), mirrored(node.right, book)
            if (
                op in ("add", "subtract")
                and book.is_price(node.left)
                and not book.is_price(node.right)
            ):
                op = "subtract" if op == "add" else "add"
            elif op in ("minimum", "maximum"):
                op = "maximum" if op == "minimum" else "minimum"
            elif (
                op == "multiply" and isinstance(node.right, c.Constant) and book.is_price(node.left)
            ):
                right = c.Constant(value=round(2.0 - node.right.value, 12))
            return replace(node, op=op, left=left, right=right)
    return node


def _series(node: c.Series, about: c.Indicator, book: Book) -> c.Series:
    swapped = replace(node, output=SWAP.get(node.output, node.output))
    if about.kind not in ("highest", "lowest"):
        return swapped
    kind = "lowest" if about.kind == "highest" else "highest"
    source = c.PriceField(SWAP.get(about.source, about.source))
    values = {p.name: p.value for p in about.parameters}
    return book.series(kind, "value", values, source, about.of, node.shift)
