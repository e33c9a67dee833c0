"""From the tree of an expression to the nodes of a contract: what each word means.

Nothing is guessed: what two readers could take differently is a fault with both spellings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from lark import Token, Tree

from schemas import contract as c
from schemas.sheet import calls, names
from schemas.sheet.book import Book
from schemas.sheet.grammar import Node, nearest
from schemas.sheet.problems import Fault, HoleFound, Unbound
from schemas.sheet.shift import condition_ago, operand_ago

OPERATORS = {
    ">": "above", "<": "below", ">=": "at_least", "<=": "at_most", "≥": "at_least",
    "≤": "at_most", "=": "equal", "==": "equal",
}  # fmt: skip
STEPS = {"add": "add", "subtract": "subtract", "multiply": "multiply", "divide": "divide"}


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with a unit: only levels, sizes and costs take one."""

    value: float
    unit: str


CLOSED = ("group", "rising", "falling")
"""A condition that nobody takes for a part of a longer one."""
OPERANDS = (c.Constant, c.Price, c.Series, c.Held, c.Calendar, c.Arithmetic)
Value: TypeAlias = "c.Operand | c.Condition | Amount"


@dataclass
class Scope:
    """What the statements above have named, and what all of them share."""

    book: Book
    symbol: str = ""
    timeframe: str = ""
    pip: float | None = None
    tick: float | None = None
    told: list[tuple[str, str]] = field(default_factory=list)
    """What words of this statement were taken to mean: (topic, text)."""
    lets: dict[str, Value] = field(default_factory=dict)
    unread: dict[str, int] = field(default_factory=dict)
    """Names whose own line could not be read, and that line."""
    uses_pips: bool = False


def place(node: Node | Token) -> int:
    """The column at which it begins."""
    if isinstance(node, Token):
        return (node.column or 1) - 1
    return (node.meta.column or 1) - 1 if not node.meta.empty else 0


@dataclass
class Reader:
    scope: Scope

    def value(self, node: Node | Token) -> Value:
        if isinstance(node, Token):
            raise Fault(f"`{node}` is no value", place(node), str(node))
        try:
            found = getattr(self, f"_{node.data}")(node)
        except Fault as fault:
            if not fault.column and not fault.word:
                fault.column = place(node)
            raise
        return found  # type: ignore[no-any-return]

    def operand(self, node: Node | Token) -> c.Operand:
        found = self.value(node)
        if isinstance(found, Amount):
            raise Fault(_lost_unit(found), place(node))
        if not isinstance(found, OPERANDS):
            raise Fault("this is a condition; a price or a number belongs here", place(node))
        return found

    def condition(self, node: Node | Token) -> c.Condition:
        if isinstance(node, Tree) and node.data == "day":
            today = c.Calendar(field="weekday")
            return c.Compare(op="equal", left=today, right=self.operand(node))
        found = self.value(node)
        if isinstance(found, (*OPERANDS, Amount)):
            raise Fault(
                "this is a value; compare it with another, as in `rsi(14) < 30`", place(node)
            )
        return found

    # conditions

    def _either(self, node: Node) -> Value:
        return c.Either(of=tuple(self._parts(node)))

    def _every(self, node: Node) -> Value:
        return c.Every(of=tuple(self._parts(node)))

    def _parts(self, node: Node) -> list[c.Condition]:
        parts = [x for x in node.children if isinstance(x, Tree)]
        if len(parts) > 20:
            raise Fault("more than 20 conditions in one group", place(node))
        for later in parts[1:]:
            inner = _trees(later)[0] if later.data in ("in_a_row", "within") else None
            if inner is not None and inner.data not in CLOSED:
                word = "for" if later.data == "in_a_row" else "within"
                raise Unbound(word, place(inner), (inner.meta.end_column or 1) - 1)
        return [self.condition(x) for x in parts]

    def _never(self, node: Node) -> Value:
        return c.Never(of=self.condition(_trees(node)[0]))

    def _in_a_row(self, node: Node) -> Value:
        return c.InARow(bars=self._bars(node), of=self.condition(_trees(node)[0]))

    def _within(self, node: Node) -> Value:
        return c.Within(bars=self._bars(node), of=self.condition(_trees(node)[0]))

    def _any_of_last(self, node: Node) -> Value:
        return self._within(node)

    def _bars(self, node: Node) -> int:
        number, span = _tokens(node, "NUMBER")[0], _tokens(node, "SPAN")[0]
        return calls.bars(number, span, self.scope.timeframe)

    def _compare(self, node: Node) -> Value:
        children = node.children
        pairs = [
            self._compared(children[n], children[n + 1], children[n + 2])
            for n in range(0, len(children) - 2, 2)
        ]
        return pairs[0] if len(pairs) == 1 else c.Every(of=tuple(pairs))

    def _compared(self, left: Node | Token, sign: Node | Token, right: Node | Token) -> c.Condition:
        token = _word(sign)
        typed = str(token).lower()
        if hours := _hours(left, typed, right):
            return hours
        if since := self._bars_since(left, typed, right):
            return since
        a, b = self._pair(left, right)
        if any(isinstance(x, c.Calendar) and x.field == "minute" for x in (a, b)):
            self._by_stamp()
        if typed in ("!=", "≠"):
            return c.Never(of=c.Compare(op="equal", left=a, right=b))
        op = {"ABOVE": "above", "BELOW": "below"}.get(token.type) or OPERATORS[typed]
        return c.Compare(op=op, left=a, right=b)  # type: ignore[arg-type]

    def _bars_since(self, left: Node | Token, sign: str, right: Node | Token) -> c.Condition | None:
        """`bars_since(x) <= 5`: x held on this bar or on one of the five before."""
        if not isinstance(left, Tree) or left.data != "call":
            return None
        word, arguments = calls.of_call(left)
        if str(word).lower() not in ("barssince", "bars_since", "ta.barssince"):
            return None
        number = self.value(right)
        if len(arguments) != 1 or not isinstance(number, c.Constant):
            return None
        bars = int(number.value) + (sign in ("<=", "≤", ">"))
        if sign not in ("<=", "<", "≤", ">", ">=", "≥") or bars < 1:
            return None
        recent = c.Within(bars=bars, of=self.condition(arguments[0]))
        return recent if sign in ("<=", "<", "≤") else c.Never(of=recent)

    def _pair(self, left: Node | Token, right: Node | Token) -> tuple[c.Operand, c.Operand]:
        """A percent beside a rate of change is that rate: both count in percent."""
        a, b = self.value(left), self.value(right)
        a, b = self._rate(a, b), self._rate(b, a)
        for found, other, node in ((a, b, left), (b, a, right)):
            if isinstance(found, Amount):
                raise Fault(_lost_unit(found), place(node))
            if not isinstance(found, OPERANDS):
                raise Fault("a condition cannot be compared; put `and` or `or`", place(node))
            _comparable(node, found, other)
        return a, b  # type: ignore[return-value]

    def _rate(self, found: Value, other: Value) -> Value:
        if not isinstance(found, Amount) or found.unit != "percent":
            return found
        if isinstance(other, c.Series) and self.scope.book.kind_of(other) == "roc":
            return c.Constant(value=found.value)
        return found

    def _cross(self, node: Node) -> Value:
        left, right = self.operand(node.children[0]), self.operand(node.children[-1])
        up = bool(_tokens(node, "ABOVE") or _tokens(node, "UP"))
        return c.Cross(direction="above" if up else "below", left=left, right=right)

    def _cross_any(self, node: Node) -> Value:
        word = _tokens(node, "CROSSES")[0]
        both = ("crosses above", "crosses below")
        told = f"which way? `{both[0]}` or `{both[1]}`"
        raise Fault(told, place(word), str(word), both)

    def _rising(self, node: Node) -> Value:
        return self._moves(node, "above")

    def _falling(self, node: Node) -> Value:
        return self._moves(node, "below")

    def _moves(self, node: Node, op: str) -> Value:
        now = self.operand(node.children[0])
        return c.Compare(op=op, left=now, right=operand_ago(now, 1))  # type: ignore[arg-type]

    def _between(self, node: Node) -> Value:
        tested, low, high = _trees(node)
        closed = bool(_tokens(node, "INCLUSIVE"))
        what = self.value(tested)
        if isinstance(what, c.Calendar) and what.field == "minute" and not what.shift:
            self._by_stamp()
            start, end = (_clock_of(self.value(x), x) for x in (low, high))
            return c.Session(start=start, end=end, includes_end=closed)
        a, b, x = self.operand(low), self.operand(high), self.operand(tested)
        return c.Every(
            of=(c.Compare(op="at_least", left=x, right=a), c.Compare(op="at_most", left=x, right=b))
        )

    def _by_stamp(self) -> None:
        told = "by the opening stamp of the signal bar, whose order fills one bar later; an end is "
        self.scope.told.append(("times", told + "left out unless it says `inclusive`"))

    def _among(self, node: Node) -> Value:
        tested, *members = _trees(node)
        what = self.value(tested)
        if isinstance(what, c.Calendar) and what.field == "weekday" and not what.shift:
            if not all(m.data == "day" for m in members):
                raise Fault("name the days, as in `weekday in (mon, tue)`", place(members[0]))
            return c.OnDays(weekdays=tuple(_day(_tokens(m, "DAY")[0]) for m in members))
        left = self.operand(tested)
        each = tuple(c.Compare(op="equal", left=left, right=self.operand(m)) for m in members)
        return each[0] if len(each) == 1 else c.Either(of=each)

    # values

    def _add(self, node: Node) -> Value:
        return self._sum(node)

    def _subtract(self, node: Node) -> Value:
        return self._sum(node)

    def _multiply(self, node: Node) -> Value:
        return self._sum(node)

    def _divide(self, node: Node) -> Value:
        return self._sum(node)

    def _sum(self, node: Node) -> Value:
        left, right = _trees(node)
        a = self._term(left)
        if right.data == "percent" and node.data in ("add", "subtract"):
            share = c.Constant(value=calls.percent(_tokens(right, "NUMBER")[0]))
            b: c.Operand = c.Arithmetic(op="multiply", left=a, right=share)
        else:
            b = self._term(right)
        return c.Arithmetic(op=STEPS[str(node.data)], left=a, right=b)  # type: ignore[arg-type]

    def _term(self, node: Node | Token) -> c.Operand:
        """In a sum of prices pips and points are prices."""
        found = self.value(node)
        if isinstance(found, Amount) and found.unit == "price":
            return c.Constant(value=found.value)
        if isinstance(found, Amount) and found.unit == "pips":
            if self.scope.pip is None:
                raise Fault("how large is a pip here? Add a line such as `pip 0.01`", place(node))
            return c.Constant(value=round(found.value * self.scope.pip, 12))
        return self.operand(node)

    def _negative(self, node: Node) -> Value:
        found = self.value(_trees(node)[0])
        if isinstance(found, Amount):
            return Amount(-found.value, found.unit)
        if isinstance(found, c.Constant):
            return c.Constant(value=-found.value if found.value else 0.0)
        if not isinstance(found, OPERANDS):
            raise Fault("a condition has no sign; write `not (…)`", place(node))
        return c.Arithmetic(op="subtract", left=c.Constant(value=0.0), right=found)

    def _number(self, node: Node) -> Value:
        return c.Constant(value=calls.real(_tokens(node, "NUMBER")[0]))

    def _amount(self, node: Node, unit: str) -> Amount:
        return Amount(calls.real(_tokens(node, "NUMBER")[0]), unit)

    def _percent(self, node: Node) -> Value:
        return self._amount(node, "percent")

    def _multiple_of_risk(self, node: Node) -> Value:
        return self._amount(node, "r")

    def _points(self, node: Node) -> Value:
        return self._amount(node, "price")

    def _pips(self, node: Node) -> Value:
        self.scope.uses_pips = True
        return self._amount(node, "pips")

    def _ticks(self, node: Node) -> Value:
        if self.scope.tick is None:
            raise Fault("how large is a tick here? Add a line such as `tick 0.01`", place(node))
        many = calls.real(_tokens(node, "NUMBER")[0])
        return Amount(round(many * self.scope.tick, 12), "price")

    def _cents(self, node: Node) -> Value:
        return Amount(round(calls.real(_tokens(node, "NUMBER")[0]) / 100.0, 12), "price")

    def _percent_above(self, node: Node) -> Value:
        return self._away(node, "add")

    def _percent_below(self, node: Node) -> Value:
        return self._away(node, "subtract")

    def _away(self, node: Node, op: str) -> Value:
        share = calls.percent(_tokens(node, "NUMBER")[0])
        base = self.operand(_trees(node)[0])
        part = c.Arithmetic(op="multiply", left=base, right=c.Constant(value=share))
        return c.Arithmetic(op=op, left=base, right=part)  # type: ignore[arg-type]

    def _times_name(self, node: Node) -> Value:
        return self._times(node, self._name(node))

    def _times_call(self, node: Node) -> Value:
        return self._times(node, self._call(node))

    def _times(self, node: Node, found: Value) -> Value:
        """`2 atr(14)`: only an ATR is counted like that."""
        if not isinstance(found, c.Series) or self.scope.book.kind_of(found) != "atr":
            word = _tokens(node, "NAME")[0]
            raise Fault(f"put a sign between the number and `{word}`", place(word), str(word))
        times = c.Constant(value=calls.real(_tokens(node, "NUMBER")[0]))
        return c.Arithmetic(op="multiply", left=times, right=found)

    def _range_of_values(self, node: Node) -> Value:
        raise Fault("trying several values is not built yet; write one number", place(node))

    def _clock(self, node: Node) -> Value:
        return c.Constant(value=float(calls.minute(_tokens(node, "CLOCK")[0])))

    def _day(self, node: Node) -> Value:
        return c.Constant(value=float(_day(_tokens(node, "DAY")[0])))

    def _group(self, node: Node) -> Value:
        return self.value(_trees(node)[0])

    def _hole(self, node: Node) -> Value:
        raise HoleFound(place(node))

    def _ago(self, node: Node) -> Value:
        found = self.value(_trees(node)[0])
        bars = calls.whole(_tokens(node, "NUMBER")[0])
        if isinstance(found, Amount):
            raise Fault(_lost_unit(found), place(node))
        if isinstance(found, OPERANDS):
            return operand_ago(found, bars)
        return condition_ago(found, bars)

    def _range_of_day(self, node: Node) -> Value:
        """`highest high between 09:30 and 10:00`: the range of the day's bars stamped so."""
        names_said = [str(x).lower() for x in node.children if isinstance(x, Token)
                      and x.type in ("MARK_FIRST", "NAME")]  # fmt: skip
        output = {("highest", "high"): "high", ("lowest", "low"): "low"}.get(
            (names_said[0].removesuffix("_high").removesuffix("_low"), names_said[1])
        )
        start, end = (calls.minute(x) for x in _tokens(node, "CLOCK"))
        if output is None or end <= start:
            raise Fault("of a part of the day: `highest high between 09:30 and 10:00`", place(node))
        self.scope.told.append(
            ("range of the day", "known from the first bar stamped at its end on")
        )
        values = {"start": float(start), "minutes": float(end - start)}
        found = calls.plain_indicator(self, "opening_range", values)
        return c.Series(indicator=found, output=output)

    def _of_day(self, node: Node) -> Value:
        return self._of_period(node, "this_day")

    def _of_previous_day(self, node: Node) -> Value:
        return self._of_period(node, "prior_day")

    def _of_previous_week(self, node: Node) -> Value:
        return self._of_period(node, "prior_week")

    def _of_period(self, node: Node, kind: str) -> Value:
        word = _tokens(node, "NAME")[0]
        output = str(word).lower().removeprefix("highest.").removeprefix("lowest.")
        if (kind, output) not in names.NAME_OF:
            raise Fault(f"which price of the day is `{word}`?", place(word), str(word))
        return c.Series(indicator=calls.plain_indicator(self, kind), output=output)

    def _of_signal_bar(self, node: Node) -> Value:
        return self._name(node)

    def _of_timeframe(self, node: Node) -> Value:
        """`high of D1[1]`: the day before; `open of D1`: the day so far."""
        word, frame = _tokens(node, "NAME")[0], str(_tokens(node, "TIMEFRAME_WORD")[0]).upper()
        back = [calls.whole(x) for x in _tokens(node, "NUMBER")]
        price = str(word).lower()
        kind = {("D1", 1): "prior_day", ("W1", 1): "prior_week", ("D1", 0): "this_day"}.get(
            (frame, back[0] if back else 0)
        )
        if kind == "this_day" and price == "close":
            return c.Price(field=c.PriceField.CLOSE)
        if kind is None or (kind, price) not in names.NAME_OF:
            told = "only yesterday's, last week's and today's prices are; another timeframe"
            raise Fault(f"{told} is not built yet", place(word), str(word))
        return c.Series(indicator=calls.plain_indicator(self, kind), output=price)

    def _on_timeframe(self, node: Node) -> Value:
        word = _tokens(node, "TIMEFRAME_WORD")[0]
        raise Fault(
            f"another timeframe than the sheet's own (`{word}`) is not built yet",
            place(word),
            str(word),
        )

    def _output(self, node: Node) -> Value:
        """`bollinger(20, 2).lower`: the outputs of an indicator, as many write them."""
        base, output = node.children
        if isinstance(base, Tree) and base.data in ("call", "name"):
            return calls.series(self, base, str(output).lower())
        raise Fault(f"what has `.{output}`?", place(output), str(output))

    def _call(self, node: Node) -> Value:
        return calls.call(self, node)

    def _name(self, node: Node) -> Value:
        word = _tokens(node, "NAME")[0]
        name = str(word).lower()
        if name in self.scope.lets:
            return self.scope.lets[name]
        if name in self.scope.unread:
            told = f"`{word}` waits for line {self.scope.unread[name]} to be readable"
            raise Fault(told, place(word), str(word))
        name = calls.known(name)
        if name in names.PRICES:
            return c.Price(field=c.PriceField(name))
        if name in names.CALENDAR:
            return c.Calendar(field=names.CALENDAR[name])  # type: ignore[arg-type]
        if name in names.HELD:
            return c.Held(field=names.HELD[name])  # type: ignore[arg-type]
        if name in names.MONTHS:
            return c.Constant(value=float(names.MONTHS.index(name) + 1))
        return calls.call(self, node)


def unknown(reader: Reader, word: Token) -> Fault:
    """No word of the language: what is built later, or the nearest known word."""
    name = calls.known(str(word).lower())
    column, typed = place(word), str(word)
    if name in names.INSTEAD:
        return Fault(f"`{typed}` is not built yet: {names.INSTEAD[name]}", column, typed)
    if name in names.LATER:
        return Fault(f"`{typed}` ({names.LATER[name]}) is not built yet", column, typed)
    if many := names.MANY.get(name):
        one = " or ".join(f"`{x}`" for x in many)
        return Fault(f"`{typed}` can mean several things; say {one}", column, typed, many)
    known = [*names.SERIES, *names.ALSO, *names.PRICES, *names.CALENDAR, *names.HELD,
             *reader.scope.lets, "min", "max", "abs", *names.LATER]  # fmt: skip
    meant = nearest(name, known)
    tail = f"; did you mean `{meant}`?" if meant else ""
    return Fault(f"I do not know `{typed}`{tail}", column, typed, (meant,) if meant else ())


def _trees(node: Node) -> list[Node]:
    return [x for x in node.children if isinstance(x, Tree)]


def _tokens(node: Node, kind: str) -> list[Token]:
    return [x for x in node.children if isinstance(x, Token) and x.type == kind]


def _word(node: Node | Token) -> Token:
    return (
        node
        if isinstance(node, Token)
        else next(x for x in reversed(node.children) if isinstance(x, Token))
    )


def _day(token: Token) -> int:
    return names.DAYS.index(str(token).lower()[:3])


def _hours(left: Node | Token, sign: str, right: Node | Token) -> c.Condition | None:
    """`hour >= 10` is `time >= 10:00`."""
    is_hour = isinstance(left, Tree) and left.data == "name"
    is_hour = is_hour and str(left.children[0]).lower() == "hour"  # type: ignore[union-attr]
    if not is_hour or not (isinstance(right, Tree) and right.data == "number"):
        return None
    hour = calls.whole(_tokens(right, "NUMBER")[0])
    if not 0 <= hour <= 23:
        raise Fault("an hour is 0 to 23", place(right))
    if sign in ("=", "=="):
        end = f"{hour + 1:02}:00" if hour < 23 else "00:00"
        return c.Session(start=f"{hour:02}:00", end=end)
    op = {">=": ("at_least", 0), "≥": ("at_least", 0), ">": ("at_least", 1), "<": ("below", 0),
          "<=": ("below", 1), "≤": ("below", 1)}.get(sign)  # fmt: skip
    if op is None:
        return None
    now, then = c.Calendar(field="minute"), c.Constant(value=float(60 * (hour + op[1])))
    return c.Compare(op=op[0], left=now, right=then)  # type: ignore[arg-type]


def _comparable(node: Node | Token, found: Value, other: Value) -> None:
    """A time of day is compared with `time`, a weekday with `weekday`, and with nothing else."""
    kind = node.data if isinstance(node, Tree) else ""
    field = other.field if isinstance(other, c.Calendar) else ""
    if kind == "day" and field != "weekday":
        raise Fault("a weekday is compared with `weekday`, as in `weekday = monday`", place(node))
    if kind == "clock" and field != "minute":
        raise Fault("a time of day is compared with `time`, as in `time >= 10:00`", place(node))
    if kind != "number" or not isinstance(found, c.Constant) or found.value != int(found.value):
        return
    if field == "weekday" and 0 <= found.value < 7:
        raise Fault("name the day, as in `weekday = monday`", place(node))
    if field == "minute" and 0 <= found.value < 1440:
        raise Fault("write a time of day, as in `time >= 10:00`", place(node))


def _clock_of(found: Value, node: Node) -> str:
    if not isinstance(found, c.Constant) or not 0 <= found.value < 1440:
        raise Fault("write a time of day, as in 09:30", place(node))
    return f"{int(found.value) // 60:02}:{int(found.value) % 60:02}"


def _lost_unit(found: Amount) -> str:
    if found.unit == "percent":
        return "a percent of what? For 2 % above a price write `2 % above close` or `close * 1.02`"
    if found.unit == "r":
        return "R belongs to a target, a trail or a break-even"
    return f"{found.unit} belong to a stop, a target or a trail; in a price write the number"
