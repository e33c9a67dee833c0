"""Reads one condition: what is compared with what, and how. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bot.reading.book import AVERAGES, CHANNELS, Book
from bot.reading.candles import (
    BEARISH,
    above,
    at_least,
    candle,
    either,
    every,
    green,
    named_cross,
    number,
    price,
    red,
    times,
)
from bot.reading.cursor import Cursor
from bot.reading.lexer import Amount
from bot.reading.mirror import FLIP, mirror
from bot.reading.operands import arrange, operand, settings
from schemas import contract as c

OVER = {
    "rsi": 70.0,
    "stochastic": 80.0,
    "stochastic_rsi": 80.0,
    "mfi": 80.0,
    "williams_r": -20.0,
    "cci": 100.0,
}
UNDER = {
    "rsi": 30.0,
    "stochastic": 20.0,
    "stochastic_rsi": 20.0,
    "mfi": 20.0,
    "williams_r": -80.0,
    "cci": -100.0,
}
HARD = re.compile(r"cross|through|thru|from|turn|x above|x below")
RUNS = ("highest", "lowest", "donchian")


@dataclass(frozen=True)
class Cond:
    """`node` for a long or for anybody; `other` is what a short needs where that differs.

    `either` is a cross that named no direction.
    """

    node: c.Condition
    other: c.Condition | None = None
    either: bool = False
    bearish: bool = False
    calendar: bool = False
    """About the clock alone: it is meant for every entry of its sentence."""
    soft: bool = False
    """Said with "falls below" and the like: to leave, being below is enough."""


def condition(cur: Cursor) -> Cond | None:
    start = cur.at
    for read in (_named, _candle, _sequence, _chain, _compared, _elliptic):
        found = read(cur)
        if found is not None:
            cur.read.update(range(start, cur.at))
            return found
        cur.back_to(start)
    return None


def _named(cur: Cursor) -> Cond | None:
    if token := cur.take("named"):
        node = named_cross(str(token.value), cur.book)
        if isinstance(node, c.Cross):
            cur.book.pair = (node.left, node.right)
        settings(cur, "macd")
        return Cond(node, bearish=token.value == "death_cross")
    if found := _channel_break(cur):
        return found
    if cur.peek().kind == "cross" and cur.peek(1).kind == "lp":
        return _called(cur)
    if token := cur.take("bullish_cross"):
        pair = cur.book.pair or _implied_pair(cur.book)
        if pair is None:
            return None
        cur.book.pair = pair
        return Cond(_cross(pair, str(token.value)), bearish=token.value == "below")
    return None


def _channel_break(cur: Cursor) -> Cond | None:
    """ "Donchian 20 breakout", "opening range breakout": either side of it."""
    start, token = cur.at, cur.peek()
    if token.kind == "range":
        cur.at += 1
        if cur.take_value("break", None):
            top, low = (cur.book.series("opening_range", o) for o in ("high", "low"))
            return Cond(above(price("close"), top), above(low, price("close")), either=True)
    kind = str(token.value[0]) if token.kind == "ind" and isinstance(token.value, tuple) else ""
    if kind in CHANNELS and isinstance(token.value, tuple) and token.value[1] == "":
        cur.at += 1
        numbers = settings(cur, kind)
        if cur.take_value("break", None):
            values = arrange(kind, numbers) if numbers else None
            back = 1 if kind == "donchian" else 0
            upper, lower = (
                cur.book.series(kind, o, values, shift=back) for o in ("upper", "lower")
            )
            return Cond(above(price("close"), upper), above(lower, price("close")), either=True)
    cur.back_to(start)
    return None


def _called(cur: Cursor) -> Cond | None:
    """crossover(close, ema(close, 10)), as in code."""
    word = cur.take("cross")
    cur.take("lp")
    left = operand(cur)
    cur.take("comma")
    right = operand(cur)
    if left is None or right is None or not cur.take("rp"):
        return None
    direction = "below" if word and word.value == "below" else "above"
    cur.book.pair, cur.book.subject, cur.book.object = (left, right), left, right
    return Cond(_cross((left, right), direction), bearish=direction == "below")


def _implied_pair(book: Book) -> tuple[c.Operand, c.Operand] | None:
    """What a cross is of when nobody says: the two averages, or MACD and its signal."""
    if len(book.averages) >= 2:
        fast, slow = sorted(book.averages[:2], key=book.length)
        return fast, slow
    if "macd" in book.given or any(i.kind == "macd" for i in book.used.values()):
        return book.series("macd", "line"), book.series("macd", "signal")
    if any(i.kind == "stochastic" for i in book.used.values()) or "stochastic" in book.given:
        return book.series("stochastic", "k"), book.series("stochastic", "d")
    return None


def _cross(pair: tuple[c.Operand, c.Operand], direction: str) -> c.Cross:
    return c.Cross(
        direction="above" if direction == "above" else "below", left=pair[0], right=pair[1]
    )


def _candle(cur: Cursor) -> Cond | None:
    back = cur.take("back", "now")
    steps = int(str(back.value)) if back and back.kind == "back" else 0
    if token := cur.take("candle"):
        cur.book.shown.add(str(token.value))
        node = cur.book.defined.get(str(token.value)) or candle(str(token.value), cur.book)
        return Cond(earlier(node, steps), bearish=token.value in BEARISH)
    token = cur.take("color")
    if token is None and back is not None:
        cur.take("price")
        token = cur.take("trend")
    if token is None:
        return None
    up = token.value == "above"
    return Cond(green(steps) if up else red(steps), bearish=not up)


def earlier(node: c.Condition, steps: int) -> c.Condition:
    """The same condition, as it was some bars ago."""
    if not steps:
        return node
    match node:
        case c.Compare() | c.Cross():
            return replace(node, left=_back(node.left, steps), right=_back(node.right, steps))
        case c.Every() | c.Either():
            return replace(node, of=tuple(earlier(x, steps) for x in node.of))
        case c.Never() | c.InARow() | c.Within():
            return replace(node, of=earlier(node.of, steps))
    return node


def _back(node: c.Operand, steps: int) -> c.Operand:
    match node:
        case c.Price() | c.Series() | c.Calendar():
            return replace(node, shift=node.shift + steps)
        case c.Arithmetic():
            return replace(node, left=_back(node.left, steps), right=_back(node.right, steps))
    return node


def _sequence(cur: Cursor) -> Cond | None:
    """ "makes a new 20-day high": beyond every one of the bars before."""
    place = cur.at
    fresh = cur.take("new")
    near = cur.is_stretch() and cur.peek(1).kind in ("price", "highest", "lowest", "new")
    if not fresh and not near:
        return None
    length = cur.stretch() if cur.is_stretch() else None
    fresh = cur.take("new") or fresh
    word = cur.take("highest", "lowest")
    closing = None
    if cur.peek().kind == "price" and cur.peek(1).kind == "price":
        closing = cur.take("price")
    field = cur.take("price")
    if field is None or field.value not in ("high", "low", "close"):
        return None
    if length is None:
        cur.take("of"), cur.take("prev"), cur.take("last")
        length = cur.stretch() if cur.is_stretch() else None
    if length is None or not (fresh or word or _ends(cur)):
        cur.back_to(place)
        return None
    up = word.kind == "highest" if word else field.value == "high"
    of = "close" if closing or field.value == "close" else ("high" if up else "low")
    kind = "highest" if up else "lowest"
    limit = cur.book.series(kind, "value", {"length": length}, c.PriceField(of), shift=1)
    own = price("close")
    cur.book.subject, cur.book.object = own, limit
    return Cond(c.Compare(op="above" if up else "below", left=own, right=limit), bearish=not up)


def _ends(cur: Cursor) -> bool:
    return cur.peek().kind in (
        "end",
        "comma",
        "then",
        "enter",
        "exit",
        "slot",
        "rp",
        "side",
        "sell",
    )


def _chain(cur: Cursor) -> Cond | None:
    """EMA(5) > EMA(13) > EMA(50)."""
    first = operand(cur)
    parts: list[c.Condition] = []
    left = first
    while left is not None:
        sign = cur.take("cmp")
        right = operand(cur) if sign else None
        if sign is None or right is None:
            break
        parts.append(c.Compare(op=sign.value, left=left, right=right))  # type: ignore[arg-type]
        left = right
        if cur.peek().kind != "cmp":
            break
    return Cond(every(*parts)) if len(parts) > 1 else None


def _compared(cur: Cursor) -> Cond | None:
    """An operand, then what is said about it."""
    if named := _named_lengths(cur):
        return named
    left = _lone_series(cur)
    if left is None:
        return None
    first, second = left, None
    place = cur.at
    if cur.take("slash", "and", "comma", "times"):
        second = operand(cur)
        if second is None or cur.peek().kind not in ("cross", "bullish_cross"):
            cur.back_to(place)
            second = None
    if second is not None:
        return _pair_crosses(cur, first, second)
    cur.take("not") if cur.peek(1).kind == "end" else None
    return _said(cur, left)


def _named_lengths(cur: Cursor) -> Cond | None:
    """ "15 crosses above 45", after EMA 15 and EMA 45 were named."""
    first, word, second = (cur.peek(n) for n in range(3))
    if not (first.kind == second.kind == "num" and word.kind == "cross"):
        return None
    by_length = {cur.book.length(a): a for a in cur.book.averages}
    if first.value not in by_length or second.value not in by_length:
        return None
    cur.at += 3
    pair = (by_length[float(str(first.value))], by_length[float(str(second.value))])
    cur.book.pair, cur.book.subject, cur.book.object = pair, pair[0], pair[1]
    return _either(cur.book, pair, str(word.value) if word.value else "")


def _lone_series(cur: Cursor) -> c.Operand | None:
    """An operand, or the two lengths of "9/21 EMA", or a Heikin-Ashi candle."""
    place = cur.at
    if cur.peek().kind == "ha" and cur.peek(1).kind in ("flip", "trend"):
        cur.at += 1
        return cur.book.series("heikin_ashi", "close")
    pair = _two_lengths(cur)
    if pair is not None:
        return (
            pair[0]
            if cur.peek().kind in ("cross", "bullish_cross", "end", "comma", "slot", "lp")
            else None
        )
    cur.back_to(place)
    if cur.peek().kind == "it" and cur.peek(1).kind not in (
        "ind",
        "average",
        "price",
        "its",
        "band",
    ):
        cur.at += 1
        return cur.book.subject if cur.book.subject != cur.book.object else price("close")
    found = operand(cur)
    if isinstance(found, c.Constant):
        return None
    if cur.peek().kind == "lp" and not isinstance(found, c.Price):
        _skip_aside(cur)
    verb = cur.peek()
    if verb.kind == "it" and cur.peek(1).kind in ("cmp", "cross", "break"):
        cur.at += 1
    if isinstance(found, c.Series) and verb.kind == "price" and verb.text.startswith("close"):
        cur.at += 1
    return found


def _skip_aside(cur: Cursor) -> None:
    """Brackets after a name that compare nothing explain it."""
    ahead = 1
    while cur.peek(ahead).kind not in ("rp", "end"):
        if cur.peek(ahead).kind in ("cmp", "cross", "break", "slot", "side", "if", "revert"):
            return
        ahead += 1
    if cur.peek(ahead).kind == "rp":
        cur.at += ahead + 1


def _two_lengths(cur: Cursor) -> tuple[c.Series, c.Series] | None:
    """ "EMA 9/21", "9/21 EMA", "EMA 9 and 21", "50 and 200 day SMA"."""
    numbers: list[float] = []
    word = cur.take("ind", "average")
    opened = bool(cur.take("lp"))
    while cur.is_stretch() and len(numbers) < 2:
        token = cur.peek()
        value = token.value.value if isinstance(token.value, Amount) else float(str(token.value))
        numbers.append(value)
        cur.at += 1
        if len(numbers) < 2 and not cur.take("slash", "and", "comma", "minus", "times"):
            break
    if opened:
        cur.take("rp")
    word = word or cur.take("ind", "average")
    kind = str(word.value[0]) if word and isinstance(word.value, tuple) else cur.book.average
    if word is None or kind not in AVERAGES or len(numbers) != 2:
        return None
    fast, slow = (cur.book.series(kind, "value", {"length": n}) for n in sorted(numbers))
    cur.book.pair = (fast, slow)
    return fast, slow


def _pair_crosses(cur: Cursor, first: c.Operand, second: c.Operand) -> Cond:
    cur.book.pair = (first, second)
    cur.book.subject, cur.book.object = first, second
    token = cur.take("cross", "bullish_cross")
    direction = str(token.value) if token and token.value else ""
    return _either(cur.book, (first, second), direction)


def _either(book: Book, pair: tuple[c.Operand, c.Operand], direction: str) -> Cond:
    if direction:
        return Cond(_cross(pair, direction), bearish=direction == "below")
    return Cond(_cross(pair, "above"), _cross(pair, "below"), either=True)


def _said(cur: Cursor, left: c.Operand) -> Cond | None:
    book, token = cur.book, cur.peek()
    cur.take("now")
    negated = bool(cur.take("not"))
    token = cur.peek()
    if negated and cur.take("zero"):
        return Cond(above(left, number(0)))
    if isinstance(token.value, Amount) or token.kind == "num":
        return _aside(cur, left)
    if token.kind in ("sign", "sign_cross", "flip", "trend", "slope", "extreme"):
        cur.at += 1
        found = _state(cur, left, token.kind, str(token.value))
    elif token.kind == "between":
        cur.at += 1
        low, high = operand(cur), None
        if cur.take("and", "minus"):
            high = operand(cur)
        if low is None or high is None:
            return None
        found = Cond(every(at_least(left, low), at_least(high, left)))
    elif token.kind in ("highest", "lowest"):
        found = _of_stretch(cur, left)
    elif token.kind in ("cross", "break", "cmp", "revert", "other_side", "outside", "inside"):
        cur.at += 1
        found = _relation(cur, left, token.kind, token.value)
        if found is not None and token.kind == "cross" and not HARD.search(token.text):
            found = replace(found, soft=True)
        left = book.subject if book.subject is not None else left
    else:
        return None
    if found is None:
        return None
    book.subject = left
    found = _by_how_much(cur, _or_more(cur, found))
    if negated:
        return Cond(c.Never(of=found.node), c.Never(of=found.other) if found.other else None)
    return found


def _of_stretch(cur: Cursor, left: c.Operand) -> Cond | None:
    """ "the bandwidth is the lowest of the last 60 bars"."""
    word = cur.take("highest", "lowest")
    cur.take("price"), cur.take("of"), cur.take("prev"), cur.take("last")
    length = cur.stretch() if cur.is_stretch() else None
    if word is None or length is None:
        return None
    if isinstance(left, c.Series) and left.shift == 0:
        limit = cur.book.series(word.kind, "value", {"length": length}, of=left)
    elif isinstance(left, c.Price) and left.shift == 0:
        limit = cur.book.series(word.kind, "value", {"length": length}, left.field)
    else:
        return None
    op = "at_least" if word.kind == "highest" else "at_most"
    return Cond(c.Compare(op=op, left=left, right=limit), bearish=op == "at_most")  # type: ignore[arg-type]


def reaches(line: c.Operand) -> Cond:
    """A close at or beyond this line, from whichever side the position is on."""
    close = price("close")
    return Cond(
        c.Compare(op="at_least", left=close, right=line),
        c.Compare(op="at_most", left=close, right=line),
    )


def _by_how_much(cur: Cursor, found: Cond) -> Cond:
    """ "lower than the close 4 days ago by 3% or more"."""
    node, amount = found.node, cur.peek().value
    if (
        not isinstance(node, c.Compare)
        or not isinstance(amount, Amount)
        or amount.unit != "percent"
    ):
        return found
    if (
        isinstance(node.right, c.Constant)
        or node.op not in ("above", "below")
        or cur.peek(1).kind in ("stop", "target")
    ):
        return found
    cur.at += 1
    more = cur.take("or_more")
    up = node.op == "above"
    limit = times(node.right, round(1 + (1 if up else -1) * amount.value / 100, 12))
    if more:
        return Cond(replace(node, op="at_least" if up else "at_most", right=limit))
    return Cond(replace(node, right=limit))


def _or_more(cur: Cursor, found: Cond) -> Cond:
    """ "50 or higher": the level itself counts."""
    word = cur.take("or_more", "or_less")
    node = found.node
    if word is None or not isinstance(node, c.Compare):
        return found
    return Cond(replace(node, op="at_least" if word.kind == "or_more" else "at_most"))


def _aside(cur: Cursor, left: c.Operand) -> Cond | None:
    """ "3% below the average": at least so far below it. "10% or less of the range"."""
    share, more = cur.peek().value, cur.peek(1).kind
    if isinstance(share, Amount) and more in ("or_less", "or_more") and cur.peek(2).kind == "of":
        cur.at += 3
        whole = operand(cur)
        if whole is None:
            return None
        limit = times(whole, share.value / 100.0)
        op = "at_most" if more == "or_less" else "at_least"
        return Cond(c.Compare(op=op, left=left, right=limit))  # type: ignore[arg-type]
    if isinstance(share, float) and more in ("or_less", "or_more"):
        cur.at += 2
        op = "at_most" if more == "or_less" else "at_least"
        return Cond(c.Compare(op=op, left=left, right=number(share)))  # type: ignore[arg-type]
    ahead = 1
    while cur.peek(ahead).kind in ("times", "ind", "lp", "rp", "num", "or_more") and ahead < 7:
        ahead += 1
    word = cur.peek(ahead)
    if word.kind != "cmp" or word.value not in ("above", "below"):
        return None
    right = operand(cur)
    if right is None or isinstance(right, c.Constant):
        return None
    op = "at_most" if word.value == "below" else "at_least"
    return _build(cur.book, left, "cmp", op, right)


def _is_far_below(cur: Cursor) -> bool:
    """ "more than 3% below ...": the sign turns round."""
    ahead = 0
    token = cur.peek()
    if not isinstance(token.value, Amount) and token.kind != "num":
        return False
    while (
        cur.peek(ahead).kind in ("amount", "times", "ind", "lp", "rp", "num", "or_more")
        and ahead < 7
    ):
        ahead += 1
    return cur.peek(ahead).kind == "cmp" and cur.peek(ahead).value == "below"


def _relation(cur: Cursor, left: c.Operand, kind: str, value: object) -> Cond | None:
    book = cur.book
    if kind == "cmp" and value in ("above", "at_least") and _is_far_below(cur):
        value = FLIP[str(value)]
    if cur.take("cloud"):
        return _cloud(cur, left, kind, str(value))
    right = _right(cur, left, kind, value)
    if right is None:
        if kind == "cross" and value is None and book.pair:
            return _either(book, book.pair, "")
        if kind in ("cross", "break") and book.object is not None and value:
            right = book.object
        else:
            return None
    if (
        isinstance(right, c.Constant)
        and left == price("close")
        and book.subject != left
        and book.subject is not None
    ):
        left = book.subject
    return _build(book, left, kind, value, right) if left != right else None


def _right(cur: Cursor, left: c.Operand, kind: str, value: object) -> c.Operand | None:
    """The thing compared with. "its average", "0", "5% above the open"."""
    was = cur.book.subject
    cur.book.subject = left
    if steps := _when_before(cur):
        return _back(left, steps)
    pronoun = cur.peek().kind == "it"
    right = operand(cur)
    oscillator = was is not None and not cur.book.is_price(was) and not isinstance(was, c.Price)
    if isinstance(right, c.Constant) and left == price("close") and oscillator and cur.meant_it:
        cur.book.subject = was
    back = left.shift if isinstance(left, c.Series) else 0
    return _back(right, back) if pronoun and back and right is not None else right


def _when_before(cur: Cursor) -> int:
    """ "than on the previous bar", "than it was 5 bars ago": how many bars before."""
    place = cur.at
    cur.take("it")
    if cur.is_stretch() and cur.peek(1).kind == "ago":
        steps = cur.stretch() or 1
        cur.at += 1
        return steps
    if cur.peek().kind == "back" and cur.peek(1).kind != "price":
        steps = int(str(cur.peek().value))
        cur.at += 1
        return steps
    if cur.peek().kind == "prev" and cur.peek(1).kind in ("end", "comma", "and", "then", "word"):
        cur.at += 1
        return 1
    cur.back_to(place)
    return 0


def _build(book: Book, left: c.Operand, kind: str, value: object, right: c.Operand) -> Cond:
    op = str(value) if value else ""
    if kind == "revert" and book.kind(right) in ("highest", "lowest"):
        if (
            isinstance(right, c.Series)
            and left == price("close")
            and book.used[right.indicator].source in ("high", "low")
        ):
            about = book.used[right.indicator]
            right = book.series(
                about.kind, "value", {"length": about.parameters[0].value}, shift=right.shift
            )
        up = book.kind(right) == "highest"
        return Cond(
            c.Compare(op="at_least" if up else "at_most", left=left, right=right), bearish=not up
        )
    if kind == "revert" and isinstance(left, c.Price) and left.field in ("high", "low"):
        return Cond(
            c.Compare(op="at_least" if left.field == "high" else "at_most", left=left, right=right)
        )
    subject_back = left.shift if isinstance(left, c.Price) else 0
    book.object = right if not isinstance(right, c.Constant) else book.object
    if (
        subject_back
        and isinstance(right, c.Series)
        and right.shift == (1 if book.kind(right) == "donchian" else 0)
    ):
        right = _back(right, subject_back)
    left, right = _without_this_bar(book, left, right)
    if kind == "break":
        kind = "cmp" if book.kind(right) in RUNS or book.kind(right) == "opening_range" else "cross"
        if not op:
            return Cond(
                _relate(kind, "above", left, right),
                mirror(_relate(kind, "above", left, right), book),
                either=True,
            )
    if kind == "cross":
        book.pair = (left, right)
        return _either(book, (left, right), op)
    if kind == "cmp":
        node = c.Compare(op=op, left=left, right=right)  # type: ignore[arg-type]
        return Cond(node, bearish=op in ("below", "at_most") and book.is_price(right))
    if kind == "revert":
        reach = c.Compare(op="at_least", left=left, right=right)
        return Cond(reach, c.Compare(op="at_most", left=left, right=right))
    if kind == "other_side":
        return Cond(
            c.Compare(op="below", left=left, right=right),
            c.Compare(op="above", left=left, right=right),
        )
    return Cond(c.Compare(op="above", left=left, right=right))


def _relate(kind: str, op: str, left: c.Operand, right: c.Operand) -> c.Condition:
    if kind == "cmp":
        return c.Compare(op=op, left=left, right=right)  # type: ignore[arg-type]
    return _cross((left, right), op)


def _without_this_bar(book: Book, left: c.Operand, right: c.Operand) -> tuple[c.Operand, c.Operand]:
    """A close can never be beyond a high that counts its own bar."""
    if (
        isinstance(right, c.Series)
        and book.kind(right) in ("highest", "lowest")
        and right.shift == 0
    ):
        about = book.used[right.indicator]
        own_bar = isinstance(left, c.Price) and about.of is None and left.shift == 0
        if own_bar:
            return left, replace(right, shift=1)
    return left, right


def _cloud(cur: Cursor, left: c.Operand, kind: str, value: str) -> Cond:
    book = cur.book
    a, b = book.series("ichimoku", "span_a"), book.series("ichimoku", "span_b")
    top = c.Arithmetic(op="maximum", left=a, right=b)
    bottom = c.Arithmetic(op="minimum", left=a, right=b)
    book.subject = left
    edge = top if value in ("above", "at_least") else bottom
    if kind == "inside":
        return Cond(every(at_least(left, bottom), at_least(top, left)))
    if kind in ("cross", "break"):
        book.pair = (left, edge)
        if value not in ("above", "below"):
            return Cond(_cross((left, top), "above"), _cross((left, bottom), "below"), either=True)
        return Cond(_cross((left, edge), value), bearish=value == "below")
    if kind in ("revert", "outside"):
        return Cond(
            c.Compare(op="at_most", left=left, right=top),
            c.Compare(op="at_least", left=left, right=bottom),
        )
    return Cond(c.Compare(op=value, left=left, right=edge), bearish=value == "below")  # type: ignore[arg-type]


def _state(cur: Cursor, left: c.Operand, kind: str, value: str) -> Cond | None:
    """What is said of a series alone: positive, rising, oversold, green."""
    book, of = cur.book, cur.book.kind(left)
    if kind in ("flip", "trend") and of == "heikin_ashi":
        opened, closed = (book.series("heikin_ashi", o) for o in ("open", "close"))
        colour = c.Compare(op=value, left=closed, right=opened)  # type: ignore[arg-type]
        turned = every(colour, c.Never(of=earlier(colour, 1)))
        return Cond(turned if kind == "flip" else colour, bearish=value == "below")
    if kind in ("flip", "trend") and of in ("supertrend", "psar"):
        direction = book.series(of, "direction")
        zero = number(0)
        node: c.Condition = (
            _cross((direction, zero), value)
            if kind == "flip"
            else c.Compare(op=value, left=direction, right=zero)  # type: ignore[arg-type]
        )
        return Cond(node, bearish=value == "below")
    if kind == "sign":
        return Cond(c.Compare(op=value, left=left, right=number(0)), bearish=value == "below")  # type: ignore[arg-type]
    if kind == "sign_cross":
        book.pair = (left, number(0))
        return Cond(_cross((left, number(0)), value), bearish=value == "below")
    if kind == "extreme":
        if of not in OVER:
            return None
        level = OVER[of] if value == "above" else UNDER[of]
        book.assume(
            f"{of} oversold and overbought", f"{UNDER[of]:g} and {OVER[of]:g}", "the usual levels"
        )
        return Cond(c.Compare(op=value, left=left, right=number(level)), bearish=value == "above")  # type: ignore[arg-type]
    if kind == "trend" and isinstance(left, c.Price):
        return Cond(green() if value == "above" else red(), bearish=value == "below")
    steps, in_a_row = 1, 0
    if cur.is_stretch() and cur.peek(1).kind == "ago":
        steps = cur.stretch() or 1
        cur.at += 1
    elif cur.is_stretch() and kind == "slope":
        in_a_row = cur.stretch() or 1
    now, before = left, _back(left, steps)
    rising: c.Condition = c.Compare(op=value, left=now, right=before)  # type: ignore[arg-type]
    if kind == "flip":
        turned = c.Compare(op=FLIP[value], left=_back(left, 1), right=_back(left, 2))  # type: ignore[arg-type]
        not_before = replace(turned, op="at_most" if value == "above" else "at_least")
        return Cond(every(rising, not_before), bearish=value == "below")
    if in_a_row:
        rising = c.InARow(bars=in_a_row, of=rising)
    return Cond(rising, bearish=value == "below")


def _elliptic(cur: Cursor) -> Cond | None:
    """No left side: the one spoken of before, or the close where a price is meant."""
    token, book = cur.peek(), cur.book
    if token.kind == "both_of" and book.pair is not None and cur.peek(1).kind == "cmp":
        word = cur.peek(1)
        cur.at += 2
        limit = operand(cur)
        if limit is None:
            return None
        return Cond(every(*(c.Compare(op=word.value, left=x, right=limit) for x in book.pair)))  # type: ignore[arg-type]
    if token.kind == "word" and token.text in book.names:
        cur.at += 1
        return book.names[token.text]
    if (
        token.kind in ("flip", "trend")
        and book.flipper
        and book.kind(book.subject) not in ("supertrend", "psar")
    ):
        cur.at += 1
        return _state(cur, book.series(book.flipper, "direction"), token.kind, str(token.value))
    if token.kind in ("sign_cross", "flip", "sign", "extreme", "slope", "trend") and isinstance(
        book.subject, c.Series
    ):
        cur.at += 1
        return _state(cur, book.subject, token.kind, str(token.value))
    if token.kind not in ("cross", "break", "cmp", "revert", "other_side", "inside", "between"):
        return None
    cur.at += 1
    if cur.take("cloud"):
        return _cloud(cur, price("close"), token.kind, str(token.value))
    place = cur.at
    steps = _when_before(cur)
    if steps and book.subject is not None and token.kind == "cmp":
        return _build(book, book.subject, "cmp", token.value, _back(book.subject, steps))
    value = token.value
    if token.kind == "cmp" and value in ("above", "at_least") and _is_far_below(cur):
        value = FLIP[str(value)]
    right = operand(cur)
    if token.kind == "cross" and right is None:
        pair = book.pair or _implied_pair(book)
        if pair is None:
            return None
        return _either(book, pair, str(token.value) if token.value else "")
    if (
        right is None
        and token.kind == "cmp"
        and book.subject is not None
        and book.object is not None
    ):
        return _build(book, book.subject, "cmp", token.value, book.object)
    if right is None:
        cur.back_to(place)
        return None
    own = book.subject
    left: c.Operand = price("close")
    if isinstance(right, c.Series) and (book.kind(right), right.output) == ("macd", "signal"):
        return _build(book, book.series("macd", "line"), token.kind, token.value, right)
    if isinstance(right, c.Series) and (book.kind(right), right.output) == ("stochastic", "d"):
        return _build(book, replace(right, output="k"), token.kind, token.value, right)
    if isinstance(right, c.Constant):
        if own is None or token.kind == "between":
            return None
        left = own
    elif not book.is_price(right) and own is not None and own != right:
        left = own
    return _or_more(cur, _build(book, left, token.kind, value, right)) if left != right else None


__all__ = ["Cond", "above", "condition", "either", "every"]
