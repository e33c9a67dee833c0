"""Builds what two operands are to each other: a cross, a break, a state, a touch. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.reading.book import AVERAGES, Book
from bot.reading.conditions.cond import Cond, bars_before, is_itself
from bot.reading.conditions.crosses import cross, either_way
from bot.reading.cursor import Cursor
from bot.reading.lexer import Amount
from bot.reading.mirror import FLIP, mirror
from bot.reading.nodes import at_least, compare, every, price
from bot.reading.operands.operand import operand
from schemas import contract as c

FAR = ("amount", "times", "ind", "lp", "rp", "num", "or_more", "back", "now", "range", "body")
RUNS = ("highest", "lowest", "donchian")


def is_far_below(cur: Cursor) -> bool:
    """ "more than 3% below ...": the sign turns round."""
    ahead = 0
    token = cur.peek()
    if not isinstance(token.value, Amount) and token.kind != "num":
        return False
    while cur.peek(ahead).kind in FAR and ahead < 7:
        ahead += 1
    return cur.peek(ahead).kind == "cmp" and cur.peek(ahead).value == "below"


def relation(cur: Cursor, left: c.Operand, kind: str, value: object) -> Cond | None:
    book = cur.book
    if kind == "cmp" and value in ("above", "at_least") and is_far_below(cur):
        value = FLIP[str(value)]
    if cur.take("cloud"):
        return cloud(cur, left, kind, str(value))
    if cur.peek().kind == "both_of" and kind == "cmp" and (two := _last_two(book)):
        cur.at += 1
        return Cond(every(*(compare(str(value), left, x) for x in two)))
    if cur.peek().kind == "all_of" and kind == "cmp" and len(book.averages) > 1:
        cur.at += 1
        return Cond(every(*(compare(str(value), left, x) for x in book.averages)))
    right = _right(cur, left, kind, value)
    if right is None:
        if kind == "cross" and value is None and book.pair:
            return either_way(book, book.pair, "")
        if kind == "cross" and value and book.pair and book.pair[0] == left:
            right = book.pair[1]
        elif (
            kind in ("cross", "break")
            and book.object is not None
            and value
            or kind == "cmp"
            and _is_said_again(cur, left)
        ):
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
    if right is None or left == right:
        return None
    found = build(book, left, kind, value, right)
    more = _further(cur) if kind == "cmp" and book.kind(right) in AVERAGES else []
    if more:
        return replace(found, node=every(found.node, *(compare(str(value), left, x) for x in more)))
    return found


def _is_said_again(cur: Cursor, left: c.Operand) -> bool:
    """ "higher than the close 252 bars ago; out when it is lower": than the same."""
    ends = cur.peek().kind in ("end", "comma", "then")
    return ends and cur.book.subject == left and cur.book.object != left


NOT_A_LIST = ("cmp", "cross", "break", "slope", "flip", "sign", "sign_cross", "trend", "between",
              "bullish_cross", "highest", "lowest", "its", "it", "not", "slash", "times")  # fmt: skip


def _further(cur: Cursor) -> list[c.Operand]:
    """ "above SMA 20, SMA 50 and SMA 200": the averages after the first."""
    found: list[c.Operand] = []
    while True:
        place = cur.at
        while cur.take("comma", "and"):
            pass
        also = operand(cur) if cur.at > place else None
        if also is None or cur.book.kind(also) not in AVERAGES or cur.peek().kind in NOT_A_LIST:
            cur.back_to(place)
            return found
        found.append(also)


def _last_two(book: Book) -> tuple[c.Operand, c.Operand] | None:
    """The two series that were compared before: "... and the close is above both"."""
    one, other = book.subject, book.object
    if isinstance(one, c.Series) and isinstance(other, c.Series) and one != other:
        return one, other
    return None


def _right(cur: Cursor, left: c.Operand, kind: str, value: object) -> c.Operand | None:
    """The thing compared with. "its average", "0", "5% above the open"."""
    was = cur.book.subject
    cur.book.subject = left
    if steps := when_before(cur):
        return bars_before(left, steps)
    pronoun = cur.peek().kind == "it"
    right = operand(cur)
    oscillator = was is not None and not cur.book.is_price(was) and not isinstance(was, c.Price)
    if isinstance(right, c.Constant) and left == price("close") and oscillator and cur.meant_it:
        cur.book.subject = was
    back = left.shift if isinstance(left, c.Series) else 0
    return bars_before(right, back) if pronoun and back and right is not None else right


def when_before(cur: Cursor) -> int:
    """ "than on the previous bar", "than it was 5 bars ago": how many bars before."""
    place = cur.at
    if cur.peek().kind == "it" and cur.tokens[place - 1].text in (
        "above",
        "below",
        "over",
        "under",
    ):
        return 0
    cur.take("it", "its")
    bare = cur.peek().kind == "num" and cur.peek(1).text == "before"
    if cur.is_stretch() and cur.peek(1).kind == "ago" and not bare:
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


def build(book: Book, left: c.Operand, kind: str, value: object, right: c.Operand) -> Cond:
    op = str(value) if value else ""
    right = _of_volume(book, left, _other_average(book, left, right))
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
        book.object = right if not isinstance(right, c.Constant) else book.object
        return Cond(
            c.Compare(op="at_least" if left.field == "high" else "at_most", left=left, right=right)
        )
    subject_back = _bars_back(left)
    if subject_back and isinstance(left, c.Arithmetic) and _is_of_no_bar(right):
        right = bars_before(right, subject_back)
    book.object = left if is_itself(left, right) else _spoken_of(right, book)
    if (
        subject_back
        and isinstance(right, c.Series)
        and right.shift == (1 if book.kind(right) == "donchian" else 0)
    ):
        right = bars_before(right, subject_back)
    left, right = _without_this_bar(book, left, right)
    if kind == "break":
        op = op or _way_out(book, right)
        earlier_bar = isinstance(right, c.Price) and right.shift > 0
        kind = (
            "cmp"
            if earlier_bar or book.kind(right) in RUNS or book.kind(right) == "opening_range"
            else "cross"
        )
        if not op:
            return Cond(
                _relate(kind, "above", left, right),
                mirror(_relate(kind, "above", left, right), book),
                either=True,
            )
    if kind == "cross":
        book.pair = (left, right)
        return either_way(book, (left, right), op)
    if kind == "cmp":
        node = compare(op, left, right)
        return Cond(node, bearish=op in ("below", "at_most") and book.is_price(right))
    if (
        kind == "revert"
        and isinstance(right, c.Series)
        and right.output in ("upper", "lower")
        and left == price("close")
    ):
        up = right.output == "upper"
        edge = price("high" if up else "low")
        return Cond(
            c.Compare(op="at_least" if up else "at_most", left=edge, right=right), bearish=up
        )
    if kind == "revert":
        reach = c.Compare(op="at_least", left=left, right=right)
        return Cond(reach, c.Compare(op="at_most", left=left, right=right), touch=True)
    if kind == "other_side":
        return Cond(
            c.Compare(op="below", left=left, right=right),
            c.Compare(op="above", left=left, right=right),
            through=True,
        )
    return Cond(c.Compare(op="above", left=left, right=right))


def _spoken_of(right: c.Operand, book: Book) -> c.Operand | None:
    """ "0.5% below the VWAP ... above it": it is the VWAP, not what lies 0.5% below."""
    if isinstance(right, c.Constant):
        return book.object
    beside = isinstance(right, c.Arithmetic) and isinstance(right.right, c.Constant)
    if beside and isinstance(right, c.Arithmetic) and isinstance(right.left, c.Price | c.Series):
        return right.left
    return right


def _other_average(book: Book, left: c.Operand, right: c.Operand) -> c.Operand:
    """ "The EMA 12 crosses above the 26": the number is the length of another average."""
    of = book.kind(left)
    if of not in AVERAGES or not isinstance(right, c.Constant) or not book.is_price(left):
        return right
    is_length = right.value == int(right.value) and 2 <= right.value <= 400
    return book.series(of, "value", {"length": right.value}) if is_length else right


def _way_out(book: Book, line: c.Operand) -> str:
    """ "Breaks the upper band": there is one way to do that."""
    name = line.output if isinstance(line, c.Series) else ""
    name = book.kind(line) if book.kind(line) in ("highest", "lowest") else name
    return {"upper": "above", "highest": "above", "lower": "below", "lowest": "below"}.get(name, "")


def _relate(kind: str, op: str, left: c.Operand, right: c.Operand) -> c.Condition:
    if kind == "cmp":
        return compare(op, left, right)
    return cross((left, right), op)


def _bars_back(node: c.Operand) -> int:
    """Of which bar a price is, or a body or a range."""
    if isinstance(node, c.Price):
        return node.shift
    return _bars_back(node.left) if isinstance(node, c.Arithmetic) else 0


def _is_of_no_bar(node: c.Operand) -> bool:
    """Some times an indicator, with no word about its bar."""
    if isinstance(node, c.Arithmetic):
        return _is_of_no_bar(node.left) and isinstance(node.right, c.Constant)
    return isinstance(node, c.Series) and node.shift == 0


def _of_volume(book: Book, left: c.Operand, right: c.Operand) -> c.Operand:
    """What volume is compared with is volume too: "volume above its 20 day average"."""
    if not isinstance(left, c.Price) or left.field is not c.PriceField.VOLUME:
        return right
    if isinstance(right, c.Arithmetic) and isinstance(right.right, c.Constant):
        return replace(right, left=_of_volume(book, left, right.left))
    if not isinstance(right, c.Series) or book.kind(right) not in (*AVERAGES, "highest", "lowest"):
        return right
    about = book.used[right.indicator]
    if about.of is not None or about.source is c.PriceField.VOLUME:
        return right
    values = {p.name: p.value for p in about.parameters}
    return book.series(about.kind, "value", values, c.PriceField.VOLUME, shift=right.shift)


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


def cloud(cur: Cursor, left: c.Operand, kind: str, value: str) -> Cond:
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
            return Cond(cross((left, top), "above"), cross((left, bottom), "below"), either=True)
        return Cond(cross((left, edge), value), bearish=value == "below")
    if kind in ("revert", "outside"):
        return Cond(
            c.Compare(op="at_most", left=left, right=top),
            c.Compare(op="at_least", left=left, right=bottom),
        )
    return Cond(compare(value, left, edge), bearish=value == "below")
