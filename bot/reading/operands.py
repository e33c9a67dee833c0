"""Reads what is compared: prices, indicators with their settings, highs and lows, sums. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.reading.book import AVERAGES, CHANNELS, MINUTES, Book
from bot.reading.candles import body, bottom, minus, number, span, times, top
from bot.reading.cursor import Cursor
from bot.reading.lexer import Amount
from schemas import contract as c
from schemas.indicators import KINDS

WIDTHS = {"bollinger", "keltner", "supertrend"}


def operand(cur: Cursor) -> c.Operand | None:
    """The longest thing from here that has a value on every bar, or None."""
    start = cur.at
    left = _factor(cur)
    while left is not None:
        place = cur.at
        sign = cur.take("plus", "minus")
        if sign is None:
            break
        right = _factor(cur)
        if right is None or (isinstance(right, c.Constant) and not cur.book.is_price(left)):
            cur.back_to(place)
            break
        left = c.Arithmetic(op="add" if sign.kind == "plus" else "subtract", left=left, right=right)
    if left is None:
        cur.back_to(start)
    return left


def _factor(cur: Cursor) -> c.Operand | None:
    """A base, or a number of times a base: "1.5 x the average", "80% of the high"."""
    start = cur.at
    if cur.peek().kind == "lp":
        cur.at += 1
        inner = operand(cur)
        if inner is not None and cur.take("rp"):
            return inner
        cur.back_to(start)
    amount = cur.peek().value
    apart = isinstance(amount, Amount) and amount.unit in ("pips", "price")
    if (apart or _is_atrs(cur)) and (beside := _beside(cur)):
        return beside
    if _is_atrs(cur) and _is_multiple(cur):
        count = float(str(cur.peek().value))
        cur.at += 1
        cur.take("times")
        base = _base(cur)
        if base is not None:
            return times(base, count) if count != 1 else base
        cur.back_to(start)
    if cur.peek().kind == "num" and cur.peek(1).kind == "times":
        value = cur.peek().value
        cur.at += 2
        cur.take("of")
        base = _base(cur)
        if base is not None and isinstance(value, float):
            return times(base, value)
        cur.back_to(start)
    if isinstance(amount, Amount) and amount.unit == "percent":
        if cur.peek(1).kind == "or_more" and cur.peek(2).kind == "cmp":
            cur.tokens.insert(cur.at, cur.tokens.pop(cur.at + 1))
            cur.at += 1
        following = cur.peek(1)
        if following.kind == "of":
            cur.at += 2
            base = _base(cur)
            if base is not None and not isinstance(base, c.Constant):
                return times(base, amount.value / 100.0)
            cur.back_to(start)
        if following.kind == "cmp" and following.value in ("above", "below"):
            cur.at += 2
            base = _base(cur)
            if base is not None and not isinstance(base, c.Constant):
                step = amount.value / 100.0 * (1 if following.value == "above" else -1)
                return times(base, round(1.0 + step, 12))
            cur.back_to(start)
    base = _base(cur)
    if base is not None and cur.peek().kind == "times" and cur.peek(1).kind == "num":
        value = cur.peek(1).value
        cur.at += 2
        return times(base, float(str(value)))
    return base


def _is_atrs(cur: Cursor) -> bool:
    ahead = 1 if cur.peek().kind == "num" else 0
    ahead += 1 if ahead and cur.peek(ahead).kind == "times" else 0
    token = cur.peek(ahead)
    return bool(ahead) and token.kind == "ind" and token.value == ("atr", "value")


def _is_multiple(cur: Cursor) -> bool:
    """ "2.5 ATR(22)" is a number of ATRs; "14 ATR" is an ATR of 14 bars."""
    value = float(str(cur.peek().value))
    own = any(cur.peek(n).kind == "lp" for n in (2, 3))
    return cur.peek(1).kind == "times" or own or value != int(value) or value <= 6


def _beside(cur: Cursor) -> c.Operand | None:
    """ "2 ATR below the low", "10 pips above the high": a price beside another."""
    start, amount = cur.at, cur.peek().value
    if isinstance(amount, Amount):
        cur.at += 1
        step: c.Operand = number(amount.value * (cur.book.pip if amount.unit == "pips" else 1.0))
    else:
        value = float(str(cur.take("num").value))  # type: ignore[union-attr]
        cur.take("times")
        atr = _base(cur)
        if atr is None:
            cur.back_to(start)
            return None
        step = times(atr, value) if value != 1 else atr
    side = cur.take_value("cmp", "above", "below")
    base = _base(cur) if side else None
    if side is None or base is None or not cur.book.is_price(base):
        cur.back_to(start)
        return None
    return c.Arithmetic(op="add" if side.value == "above" else "subtract", left=base, right=step)


def _base(cur: Cursor) -> c.Operand | None:
    start = cur.at
    for read in (_constant, _extreme, _of_two, _average, _indicator, _price, _pronoun):
        found = read(cur)
        if found is not None:
            return _shifted(cur, found)
        cur.back_to(start)
    return None


def _constant(cur: Cursor) -> c.Operand | None:
    sign = cur.take("minus", "plus")
    if cur.take("zero"):
        return number(0)
    token = cur.peek()
    value: float | None = None
    if token.kind == "num" and isinstance(token.value, float):
        if sign is None and _names_length(cur):
            return None
        value = token.value
    elif isinstance(token.value, Amount) and token.value.unit in ("percent", "price", "money"):
        subject = cur.book.subject
        if token.value.unit == "percent" and subject is not None and cur.book.is_price(subject):
            return None
        value = token.value.value
    if value is None:
        return None
    cur.at += 1
    return number(-value if sign and sign.kind == "minus" else value)


def _names_length(cur: Cursor) -> bool:
    """ "200 SMA", "9/21 EMA", "20 highest": the number belongs to what follows."""
    following = cur.peek(1)
    if following.kind == "slash":
        return cur.peek(2).kind == "num" and cur.peek(3).kind in ("ind", "average")
    if following.kind == "ind" and isinstance(following.value, tuple):
        after = cur.peek(2)
        kind = following.value[0]
        own = after.kind == "lp" and cur.peek(3).kind in ("num", "amount")
        return (
            kind
            in (
                *AVERAGES,
                "rsi",
                "atr",
                "roc",
                "cci",
                "adx",
                "momentum",
                "donchian",
                "williams_r",
                "bollinger",
                "stdev",
                "mfi",
                "keltner",
                "zscore",
                "stochastic",
            )
            and not own
        )
    return following.kind in ("average", "highest", "lowest")


def _stretch_of(cur: Cursor) -> tuple[int | None, bool]:
    """ "of the previous 20 days", "over the last 5 bars": how many, and without this bar?"""
    place = cur.at
    cur.take("of", "cmp") if cur.peek().kind == "of" or cur.peek().text in ("over",) else None
    without = bool(cur.take("prev"))
    last = bool(cur.take("last"))
    if cur.is_stretch():
        return cur.stretch(), without and not last
    cur.back_to(place)
    return None, False


def _extreme(cur: Cursor) -> c.Operand | None:
    """Highest high of the previous 20 days, 20-day low, high of the last 5 bars."""
    without = bool(cur.take("prev"))
    cur.take("last")
    before = cur.stretch() if cur.is_stretch() else None
    cur.take("new")
    word = cur.take("highest", "lowest")
    if word is not None and cur.peek().kind == "ind":
        inner = _indicator(cur)
        length, excludes = _stretch_of(cur)
        if not isinstance(inner, c.Series) or not (length or before):
            return None
        found = cur.book.series(
            word.kind, "value", {"length": float(length or before or 1)}, of=inner
        )
        return replace(found, shift=1) if excludes or without else found
    field = cur.take("price")
    if field is None or field.value == "volume" and word is None:
        return None
    name = str(field.value)
    if word is None and name not in ("high", "low"):
        return None
    if held := _held(cur, name, word.kind if word else ""):
        return held
    length, excludes = _stretch_of(cur)
    length = length or before
    if length is None:
        return None
    up = (word.kind == "highest") if word else name == "high"
    return _channel(cur.book, up, name, length, without or excludes)


def _channel(book: Book, up: bool, field: str, length: int, without: bool) -> c.Series:
    kind = "highest" if up else "lowest"
    found = book.series(kind, "value", {"length": length}, c.PriceField(field))
    return replace(found, shift=1) if without else found


def _held(cur: Cursor, name: str, word: str) -> c.Operand | None:
    if not cur.take("since_entry"):
        return None
    up = word == "highest" or (not word and name == "high")
    if name == "close":
        return c.Held(field="highest_close" if up else "lowest_close")
    return c.Held(field="highest_high" if up else "lowest_low")


def _of_two(cur: Cursor) -> c.Operand | None:
    """The lower of the two candles' lows; the bar's range and body."""
    if cur.take("entry_price"):
        return c.Held(field="entry_price")
    if cur.peek().kind in ("range_high", "range_low", "range_mid"):
        word = cur.take("range_high", "range_low", "range_mid")
        high, low = (cur.book.series("opening_range", o) for o in ("high", "low"))
        if word and word.kind == "range_mid":
            total = c.Arithmetic(op="add", left=high, right=low)
            return c.Arithmetic(op="divide", left=total, right=number(2))
        return high if word and word.kind == "range_high" else low
    if cur.take("day_open"):
        return cur.book.series("this_day", "open") if _intraday(cur) else _day("open", 0)
    if cur.take("range"):
        return span()
    if cur.take("body"):
        return body()
    if cur.take("ibs"):
        return c.Arithmetic(op="divide", left=minus(_day("close", 0), _day("low", 0)), right=span())
    if cur.take("lower_wick"):
        return minus(bottom(), _day("low", 0))
    if cur.take("upper_wick"):
        return minus(_day("high", 0), top())
    if cur.peek().kind == "ha" and cur.peek(1).kind == "price":
        cur.at += 1
        field = cur.take("price")
        return cur.book.series("heikin_ashi", str(field.value)) if field else None
    back = cur.peek()
    if back.kind == "back" and cur.peek(1).kind == "body":
        cur.at += 2
        return body(int(str(back.value)))
    word = cur.take("lower_of", "higher_of")
    if word:
        for _ in range(6):
            field = cur.take("price")
            if field and field.value in ("high", "low", "open", "close"):
                op = "minimum" if word.kind == "lower_of" else "maximum"
                now, before = (_day(str(field.value), n) for n in (0, 1))
                return c.Arithmetic(op=op, left=now, right=before)  # type: ignore[arg-type]
            cur.at += 1
    return None


def _intraday(cur: Cursor) -> bool:
    return MINUTES[cur.book.timeframe] < 1440


def _day(field: str, back: int) -> c.Price:
    return c.Price(field=c.PriceField(field), shift=back)


def _average(cur: Cursor) -> c.Operand | None:
    """A moving average without a name, an average of the volume, or "its 20-day average"."""
    own = cur.take("its")
    cur.take("prev"), cur.take("last")
    length = cur.stretch() if cur.is_stretch() else None
    volume = cur.take_value("price", "volume")
    if volume and cur.take("its"):
        pass
    if volume and length is None and cur.is_stretch():
        length = cur.stretch()
    word = cur.take("average")
    if word is None and cur.peek().kind == "ind" and _is_average(cur.peek().value):
        if not (volume or own):
            return None
        word = cur.take("ind")
        kind = str(word.value[0]) if word and isinstance(word.value, tuple) else "sma"
    else:
        kind = cur.book.average if not volume else "sma"
    if word is None:
        return None
    cur.take("of") if cur.peek(1).value == "volume" else None
    volume = cur.take_value("price", "volume") or volume
    given = _in_brackets(cur)
    after, excludes = _stretch_of(cur)
    length = length or (int(given[0]) if given else None) or after
    length = length or (cur.stretch() if cur.peek().kind == "num" else None)
    values = {"length": float(length)} if length else None
    if volume or cur.book.subject == _day("volume", 0):
        kind = "sma"
        return replace(
            cur.book.series("sma", "value", values or {"length": 20.0}, c.PriceField.VOLUME),
            shift=int(excludes),
        )
    if volume or (own and cur.book.subject == _day("volume", 0)):
        return cur.book.series(
            "sma" if kind not in AVERAGES else kind,
            "value",
            values or {"length": 20.0},
            c.PriceField.VOLUME,
        )
    subject = cur.book.subject
    if own and isinstance(subject, c.Series) and not cur.book.is_price(subject):
        return cur.book.series("sma", "value", values, of=subject)
    if values is None and cur.book.averages:
        return cur.book.averages[-1]
    return cur.book.series(kind, "value", values)


def _is_average(value: object) -> bool:
    return isinstance(value, tuple) and value[0] in AVERAGES


def _indicator(cur: Cursor) -> c.Operand | None:
    if which := cur.take("which"):
        return _which(cur, str(which.value))
    if band := cur.take("band"):
        kind = cur.book.channel or "bollinger"
        return _banded(cur, kind, str(band.value))
    cur.take("prev"), cur.take("last")
    numbers: list[float] = []
    while cur.is_stretch() and len(numbers) < 3:
        token = cur.peek()
        value = token.value.value if isinstance(token.value, Amount) else float(str(token.value))
        unit = token.value.unit if isinstance(token.value, Amount) else ""
        numbers.append(float(cur.book.bars(value, unit)) if unit not in ("", "bars") else value)
        cur.at += 1
        cur.take("slash")
    cur.take("minus")
    named = cur.take("ind")
    if named is None or not isinstance(named.value, tuple):
        return None
    kind, output = str(named.value[0]), str(named.value[1])
    if (
        cur.peek().kind == "band"
        and output == ""
        or (kind in CHANNELS and cur.peek().kind == "band")
    ):
        output = str(cur.take("band").value)  # type: ignore[union-attr]
    after = settings(cur, kind)
    if output == "" and cur.peek().kind == "band":
        output = str(cur.take("band").value)  # type: ignore[union-attr]
    numbers = after if after else numbers
    if output == "":
        return None
    source = (
        _source(cur) if kind in (*AVERAGES, "highest", "lowest", "rsi", "roc", "stdev") else None
    )
    if kind in CHANNELS:
        cur.book.channel = cur.book.channel or kind
    values = arrange(kind, numbers) if numbers else _one_given(cur.book, kind)
    if isinstance(source, c.Series):
        return cur.book.series(kind, output, values, of=source)
    if kind == "donchian":
        return replace(cur.book.series(kind, output, values), shift=1)
    field = source.field if isinstance(source, c.Price) else c.PriceField.CLOSE
    return cur.book.series(kind, output, values, field)


def _one_given(book: Book, kind: str) -> dict[str, float] | None:
    """ "the EMA" after "EMA 20" was named once: that one."""
    if kind in AVERAGES:
        same = [a for a in book.averages if book.kind(a) == kind]
        if len({a.indicator for a in same}) == 1:
            return {p.name: p.value for p in book.used[same[0].indicator].parameters}
    return None


def _banded(cur: Cursor, kind: str, output: str) -> c.Operand:
    found = cur.book.series(kind, output)
    return replace(found, shift=1) if kind == "donchian" else found


def _which(cur: Cursor, speed: str) -> c.Operand | None:
    """ "the fast one": of the averages named so far."""
    numbers = settings(cur, "ema")
    word = cur.take("average", "ind")
    numbers = numbers or settings(cur, "ema")
    if numbers:
        named = str(word.value[0]) if word and isinstance(word.value, tuple) else cur.book.average
        return cur.book.series(
            named if named in AVERAGES else cur.book.average, "value", {"length": numbers[0]}
        )
    if len(cur.book.averages) < 2:
        return None
    ordered = sorted(cur.book.averages[:2], key=cur.book.length)
    return ordered[0] if speed == "fast" else ordered[-1]


def _source(cur: Cursor) -> c.Operand | None:
    """ "of the volume", "of the highs", "of OBV"."""
    place = cur.at
    if not cur.take("of"):
        return None
    field = cur.take("price")
    if field:
        return _day(str(field.value), 0)
    inner = cur.take("ind")
    if (
        inner
        and isinstance(inner.value, tuple)
        and inner.value[0] in ("obv", "rsi", "atr", "macd", "roc")
    ):
        return cur.book.series(str(inner.value[0]), str(inner.value[1]))
    cur.back_to(place)
    return None


def settings(cur: Cursor, kind: str) -> list[float]:
    """The numbers after an indicator: "(12, 26, 9)", "14", "12/26/9", "of 14 periods"."""
    inside = _in_brackets(cur)
    if inside:
        return inside
    place = cur.at
    if cur.peek().kind == "of" and not cur.is_stretch(1):
        return []
    cur.take("of")
    most = max(1, len(KINDS[kind].parameters)) if kind in KINDS else 1
    most = 3 if kind == "fast_stochastic" else most
    numbers: list[float] = []
    while len(numbers) < most and cur.is_stretch():
        token = cur.peek()
        if token.is_said:
            break
        if token.kind == "amount" and cur.peek(1).kind in ("ago", "highest", "lowest"):
            break
        if not KINDS.get(kind, KINDS["sma"]).parameters:
            break
        if token.kind == "num" and cur.peek(1).kind in ("times", "ind") and numbers:
            break
        if (
            token.kind == "amount"
            and isinstance(token.value, Amount)
            and token.value.unit != "bars"
        ) and (token.value.unit != "days" or numbers):
            break
        value = token.value.value if isinstance(token.value, Amount) else float(str(token.value))
        numbers.append(value)
        cur.at += 1
        if (
            len(numbers) < most
            and cur.peek().kind in ("comma", "slash", "minus")
            and cur.peek(1).kind == "num"
        ):
            if cur.peek(2).kind in ("cmp", "ind", "times") and cur.peek().kind == "comma":
                break
            cur.at += 1
    if not numbers:
        cur.back_to(place)
    return numbers


def _in_brackets(cur: Cursor) -> list[float]:
    """Every number inside brackets that hold nothing else of meaning."""
    if cur.peek().kind != "lp":
        return []
    place, numbers = cur.at, list[float]()
    cur.at += 1
    for _ in range(14):
        token = cur.peek()
        if cur.take("rp"):
            if numbers:
                return numbers
            break
        if token.kind == "num":
            numbers.append(float(str(token.value)))
        elif isinstance(token.value, Amount) and token.value.unit in ("bars", "days", "hours"):
            numbers.append(token.value.value)
        elif token.kind not in (
            "comma",
            "word",
            "slash",
            "price",
            "ind",
            "average",
            "and",
            "which",
            "of",
            "times",
            "then",
        ):
            break
        cur.at += 1
    cur.back_to(place)
    return []


def arrange(kind: str, numbers: list[float]) -> dict[str, float]:
    """Numbers to parameters in their usual order; a small one of a band is its width."""
    kind = "stochastic" if kind == "fast_stochastic" else kind
    names = list(KINDS[kind].parameters)
    if kind in WIDTHS and len(numbers) > 1:
        widths = [n for n in numbers if n < 5 or n != int(n)]
        lengths = [n for n in numbers if n not in widths]
        if widths and lengths:
            named = {"length": lengths[0], "width": widths[0]}
            if kind == "keltner":
                named["atr_length"] = (
                    lengths[-1] if len(lengths) > 1 else KINDS[kind].parameters["atr_length"]
                )
            return named
    if kind == "stochastic" and len(numbers) == 2:
        return {"length": numbers[0], "smooth": 3.0, "signal": numbers[1]}
    told = dict(zip(names, numbers, strict=False))
    return {**KINDS[kind].parameters, **told}


def _price(cur: Cursor) -> c.Operand | None:
    """A price of this bar or of an earlier one: "yesterday's high", "the open of the bar before"."""
    if cur.peek().kind == "candle" and cur.peek(1).kind == "price":
        cur.at += 1
    if cur.take("last_week"):
        field = cur.take("price")
        return cur.book.series("prior_week", str(field.value)) if field else None
    if (
        cur.peek().kind == "its"
        and cur.peek(1).value in ("high", "low")
        and "opening_range" in cur.book.given
    ):
        cur.at += 1
        field = cur.take("price")
        return cur.book.series("opening_range", str(field.value)) if field else None
    back = cur.take("back", "now")
    if back is not None and cur.peek().kind == "it" and cur.peek(1).kind == "price":
        cur.at += 1
    if back is None and cur.peek().kind in ("prev", "last") and cur.peek(1).kind == "price":
        back = cur.take("prev", "last")
    if cur.take("typical"):
        total = c.Arithmetic(
            op="add",
            left=c.Arithmetic(op="add", left=_day("high", 0), right=_day("low", 0)),
            right=_day("close", 0),
        )
        return c.Arithmetic(op="divide", left=total, right=number(3))
    if cur.take("median"):
        return c.Arithmetic(
            op="divide",
            left=c.Arithmetic(op="add", left=_day("high", 0), right=_day("low", 0)),
            right=number(2),
        )
    field = cur.take("price")
    if field is None:
        return None
    name = str(field.value)
    if name == "open" and cur.peek().kind == "price" and cur.peek().value == "close":
        return None
    place = cur.at
    if back is None and cur.take("of"):
        back = cur.take("back", "now")
        if back is None and cur.take("candle"):
            return _day(name, 0)
        if back is None and cur.take("last_week"):
            return cur.book.series("prior_week", name)
        if back is None and cur.is_stretch() and cur.peek(1).kind == "ago":
            steps = cur.stretch() or 1
            cur.at += 1
            return _day(name, steps)
        if back is None:
            cur.back_to(place)
    if back is None or back.kind == "now":
        return _day(name, 0)
    is_day = any(w in back.text for w in ("day", "session"))
    if _intraday(cur) and is_day and back.value == 1:
        return cur.book.series("prior_day", name) if name != "volume" else None
    return _day(name, int(str(back.value)) if back.kind == "back" else 1)


def _pronoun(cur: Cursor) -> c.Operand | None:
    if cur.peek().kind == "it" and cur.peek(1).kind in ("ind", "average", "price", "band"):
        cur.at += 1
        return _base(cur)
    if cur.take("it"):
        return cur.book.object if cur.book.object is not None else cur.book.subject
    return None


def _shifted(cur: Cursor, found: c.Operand) -> c.Operand:
    """ "... 5 bars ago", "... of the bar before"."""
    place = cur.at
    steps: int | None = None
    if cur.is_stretch() and cur.peek(1).kind == "ago":
        steps = cur.stretch()
        cur.at += 1
    elif cur.peek().kind == "back" and isinstance(found, c.Series):
        steps = int(str(cur.peek().value))
        cur.at += 1
    elif cur.peek().kind == "of" and cur.peek(1).kind == "back":
        cur.at += 1
        steps = int(str(cur.peek().value))
        cur.at += 1
    if steps is None or not isinstance(found, c.Price | c.Series):
        cur.back_to(place)
        return found
    return replace(found, shift=found.shift + steps)
