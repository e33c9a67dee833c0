"""Functions and indicators by name: `sma(volume, 20)`, `macd_signal(12, 26, 9)`, `min(a, b)`."""

from __future__ import annotations

from lark import Token, Tree

from schemas import contract as c
from schemas.indicators import KINDS
from schemas.sheet import literals, names
from schemas.sheet.expressions import OPERANDS, Reader, Value
from schemas.sheet.formulas import FORMULAS, exactly, formula, parts_of
from schemas.sheet.grammar import Node
from schemas.sheet.literals import column
from schemas.sheet.problems import Fault
from schemas.sheet.shift import operand_ago
from schemas.sheet.unknown import known, unknown

CROSSES = {
    "crossover": "above", "crossed_above": "above", "cross_above": "above", "crossesabove":
    "above", "crossunder": "below", "crossed_below": "below", "cross_below": "below",
}  # fmt: skip
OF_A_PRICE = {
    "highest_high": ("highest", "high"), "lowest_low": ("lowest", "low"),
    "highest_close": ("highest", "close"), "lowest_close": ("lowest", "close"),
    "hh": ("highest", "high"), "ll": ("lowest", "low"),
}  # fmt: skip
EARLIER = ("prev", "previous", "ref", "lag", "shift")
FUNCTIONS = (
    *OF_A_PRICE,
    *EARLIER,
    "all",
    "min",
    "max",
    *CROSSES,
    *FORMULAS,
    "rising",
    "falling",
)
ALONE = {("ichimoku", "kijun"): "kijun", ("ichimoku", "span_b"): "senkou"}
"""What a single number is, where it is not the first setting."""
OF_DAYS = ("vwap", "pivots", "prior_day", "prior_week", "this_day")
NEEDS_SOURCE = ("highest", "lowest")


def call(reader: Reader, node: Node) -> Value:
    word, arguments = parts_of(node)
    name = known(str(word).lower())
    if name in CROSSES:
        a, b = (reader.operand(x) for x in exactly(2, arguments, word))
        return c.Cross(direction=CROSSES[name], left=a, right=b)  # type: ignore[arg-type]
    if name in ("min", "max"):
        return _extreme(reader, name, arguments, word)
    if name == "all":
        return _on_all(reader, arguments, word)
    if name in ("rising", "falling"):
        return _moving(reader, name, arguments, word)
    if name in FORMULAS:
        return formula(reader, name, arguments, word)
    if name in EARLIER:
        return _earlier(reader, arguments, word)
    if name in OF_A_PRICE:
        kind, price = OF_A_PRICE[name]
        values, _ = _settings(reader, kind, arguments, word)
        return c.Series(indicator=plain_indicator(reader, kind, values, c.PriceField(price)))
    if name in names.PRICES and not arguments:
        return c.Price(field=c.PriceField(name))
    if name in names.PRICES:
        return _price_ago(reader, name, arguments, word)
    if meaning := names.SERIES.get(name):
        return _indicator(reader, *meaning, arguments, word)
    base, _, output = name.rpartition(".")
    if base:
        return _by_output(reader, base, output, arguments, word)
    if name in names.CALENDAR or name in names.HELD:
        raise Fault(f"`{word}` takes nothing in brackets", column(word), str(word))
    raise unknown(reader, word)


def series(reader: Reader, base: Node, output: str) -> Value:
    """`bollinger(20, 2).lower`."""
    word, arguments = parts_of(base)
    return _by_output(reader, known(str(word).lower()), output, arguments, word)


def _by_output(reader: Reader, base: str, output: str, arguments: list[Node], word: Token) -> Value:
    kind = names.KIND_WORDS.get(base, base)
    output = names.OUTPUT_WORDS.get(output, output)
    if (
        kind in names.SERIES
    ):  # `macd(12, 26, 9).signal`: the first name of a kind names the kind too
        kind = names.SERIES[kind][0]
    if kind not in KINDS:
        raise unknown(reader, word)
    outputs = KINDS[kind].outputs
    output = "value" if outputs == ("value",) and output in (kind, "value") else output
    if output not in outputs:
        told = ", ".join(f"`{names.NAME_OF[kind, o]}`" for o in outputs)
        raise Fault(f"`{base}` has no `.{output}`; there is {told}", column(word), str(word))
    return _indicator(reader, kind, output, arguments, word)


def _indicator(
    reader: Reader, kind_name: str, output: str, arguments: list[Node], word: Token
) -> c.Operand:
    kind = KINDS[kind_name]
    source, of, back = c.PriceField.CLOSE, None, 0
    if kind.reads == "source":
        source, of, back, arguments = _source(reader, kind_name, arguments, word)
    else:
        while arguments and _is_column(arguments[0]):
            arguments = arguments[1:]  # `ATR(high, low, close, 14)`
    values, smoothing = _settings(reader, kind_name, arguments, word, output)
    if kind_name == "supertrend" and values.get("length", 10) < values.get("width", 3):
        raise Fault("the length comes first: `supertrend(10, 3)`", column(word), str(word))
    _told(reader, kind_name, values)
    wanted = c.Indicator(
        id="new", kind=kind_name, source=source, of=of, smoothing=smoothing,
        parameters=tuple(c.Parameter(name=n, value=v) for n, v in values.items()),
    )  # fmt: skip
    return c.Series(indicator=reader.scope.book.add(wanted), output=output, shift=back)


def plain_indicator(
    reader: Reader,
    kind: str,
    values: dict[str, float] | None = None,
    source: c.PriceField = c.PriceField.CLOSE,
) -> str:
    _told(reader, kind, values or {})
    given = tuple(c.Parameter(name=n, value=v) for n, v in (values or {}).items())
    return reader.scope.book.add(c.Indicator(id="new", kind=kind, source=source, parameters=given))


def _told(reader: Reader, kind: str, values: dict[str, float]) -> None:
    """A setting that was left out beside others that were given is not silently the usual one."""
    usual = KINDS[kind].parameters
    if kind == "vwap":
        reader.scope.told.append(("vwap", "counted anew from the first bar of each day"))
    if kind in OF_DAYS and reader.scope.timeframe in names.MINUTES:
        told = "of all bars that the data stamps with a day, hours outside the session included"
        reader.scope.told.append(("days", told))
    if 0 < len(values) < len(usual) and kind not in ("opening_range", "ichimoku"):
        rest = ", ".join(f"{name} {usual[name]:g}" for name in usual if name not in values)
        reader.scope.told.append((kind, f"{rest}, which is usual"))


def _source(
    reader: Reader, kind: str, arguments: list[Node], word: Token
) -> tuple[c.PriceField, c.Series | None, int, list[Node]]:
    """The first thing in brackets, where it is a series: (column, series, shift)."""
    if arguments and arguments[0].data not in ("number", "compare", "negative"):
        found = reader.value(arguments[0])
        match found:
            case c.Price():
                return found.field, None, found.shift, arguments[1:]
            case c.Series():
                return c.PriceField.CLOSE, found, 0, arguments[1:]
            case c.Constant():
                pass
            case _ if isinstance(found, OPERANDS):
                raise Fault(
                    f"an indicator of an expression (`{word}(…)` of a sum) is not built yet",
                    column(word), str(word),
                )  # fmt: skip
            case _:
                if not _smoothing(arguments[0]):
                    raise Fault(
                        f"`{word}` is taken of a price or an indicator", column(word), str(word)
                    )
    if kind in NEEDS_SOURCE:
        prices = ("high", "close", "low") if kind == "highest" else ("low", "close", "high")
        lines = tuple(f"{word}({price}, " for price in prices)
        raise Fault(
            f"of what? As in `{lines[0]}20)`", column(word), str(word), lines,
            column(arguments[0]) if arguments else 0,
        )  # fmt: skip
    return c.PriceField.CLOSE, None, 0, arguments


def _settings(
    reader: Reader, kind: str, arguments: list[Node], word: Token, output: str = ""
) -> tuple[dict[str, float], str]:
    order = names.SETTING_ORDER.get(kind, tuple(KINDS[kind].parameters))
    if len(arguments) == 1 and (kind, output) in ALONE:
        order = (ALONE[kind, output],)
    if kind == "stochastic" and len(arguments) == 2:
        raise Fault(
            f"say all three: `{word}(length, smoothing of %K, length of %D)`, as in "
            f"`{word}(14, 3, 3)`", column(word), str(word),
        )  # fmt: skip
    values: dict[str, float] = {}
    smoothing, at = "", 0
    for argument in arguments:
        if way := _smoothing(argument):
            if not KINDS[kind].smoothing:
                raise Fault(f"`{word}` has one way of smoothing", column(word), str(word))
            smoothing = way
            continue
        name, value = _setting(reader, argument, kind, word)
        if name is None:
            if at >= len(order):
                usual = ", ".join(order) or "nothing"
                raise Fault(
                    f"too much in the brackets of `{word}`; it takes {usual}",
                    column(word),
                    str(word),
                )
            name, at = order[at], at + 1
        if name in values:
            raise Fault(f"`{word}`: {name} is given twice", column(word), str(word))
        values[name] = value
    return values, smoothing


def _setting(reader: Reader, argument: Node, kind: str, word: Token) -> tuple[str | None, float]:
    """A number, or `length = 20`."""
    if argument.data == "compare":
        left, sign, right = argument.children
        if isinstance(left, Tree) and left.data == "name" and isinstance(sign, Tree):
            name = str(left.children[0]).lower()
            own = name if name in KINDS[kind].parameters else names.SETTINGS.get(name, name)
            if own not in KINDS[kind].parameters:
                takes = ", ".join(KINDS[kind].parameters) or "nothing"
                raise Fault(f"`{word}` has no `{name}`; it takes {takes}", column(left), name)
            return own, _number(reader, right, word)
    return None, _number(reader, argument, word)


def _number(reader: Reader, node: Node | Token, word: Token) -> float:
    found = reader.operand(node)
    if not isinstance(found, c.Constant):
        raise Fault(f"`{word}` takes numbers in its brackets", column(word), str(word))
    return found.value


def _smoothing(node: Node) -> str | None:
    if node.data != "name":
        return None
    return names.SMOOTHINGS.get(str(node.children[0]).lower())


def _extreme(reader: Reader, name: str, arguments: list[Node], word: Token) -> Value:
    if len(arguments) < 2:
        raise Fault(f"`{word}` compares two or more values", column(word), str(word))
    found = [reader.operand(x) for x in arguments]
    joined = found[0]
    for other in found[1:]:
        joined = c.Arithmetic(op=f"{name}imum", left=joined, right=other)  # type: ignore[arg-type]
    return joined


def _moving(reader: Reader, name: str, arguments: list[Node], word: Token) -> Value:
    """`rising(close, 3)`: higher than on the bar before, on three bars in a row."""
    now = reader.operand(exactly((1, 2), arguments, word)[0])
    op = "above" if name == "rising" else "below"
    moved = c.Compare(op=op, left=now, right=operand_ago(now, 1))  # type: ignore[arg-type]
    if len(arguments) == 1:
        return moved
    return c.InARow(bars=literals.at_least_one(_number(reader, arguments[1], word), word), of=moved)


def _on_all(reader: Reader, arguments: list[Node], word: Token) -> Value:
    """`all(x, 3)`: x held on the last three bars."""
    what, many = exactly(2, arguments, word)
    bars = literals.at_least_one(_number(reader, many, word), word)
    return c.InARow(bars=bars, of=reader.condition(what))


def _earlier(reader: Reader, arguments: list[Node], word: Token) -> Value:
    """`prev(close)`, `ref(close, 2)`."""
    now = reader.operand(exactly((1, 2), arguments, word)[0])
    back = abs(_number(reader, arguments[1], word)) if len(arguments) == 2 else 1.0
    return operand_ago(now, literals.at_least_one(back, word))


def _price_ago(reader: Reader, name: str, arguments: list[Node], word: Token) -> Value:
    back = _number(reader, exactly(1, arguments, word)[0], word)
    raise Fault(
        f"write `{name}[{back:g}]` for the value {back:g} bars back", column(word), str(word)
    )


def _is_column(node: Node) -> bool:
    return node.data == "name" and str(node.children[0]).lower() in names.PRICES
