"""Reads the numbers of an indicator and says which parameter each is. Pure."""

from __future__ import annotations

from bot.reading.cursor import Cursor
from bot.reading.lexer import Amount
from schemas.indicators import KINDS

WIDTHS = {"bollinger", "keltner", "supertrend"}


def settings(cur: Cursor, kind: str) -> list[float]:
    """The numbers after an indicator: "(12, 26, 9)", "14", "12/26/9", "of 14 periods"."""
    if cur.peek().kind == "which" and cur.peek(1).kind in ("lp", "num"):
        cur.at += 1
    inside = in_brackets(cur)
    if inside:
        return inside
    place = cur.at
    if kind == "donchian" and cur.peek().kind == "of" and cur.peek(1).kind in ("prev", "last"):
        cur.at += 2 if cur.is_stretch(2) else 0
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
    if not numbers or (kind == "macd" and len(numbers) == 1):
        cur.back_to(place)
        return []
    return numbers


def in_brackets(cur: Cursor) -> list[float]:
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


def stretch_of(cur: Cursor) -> tuple[int | None, bool]:
    """ "of the previous 20 days", "over the last 5 bars": how many, and without this bar?"""
    place = cur.at
    cur.take("of", "cmp") if cur.peek().kind == "of" or cur.peek().text in ("over",) else None
    without = bool(cur.take("prev"))
    last = bool(cur.take("last"))
    if cur.is_stretch():
        return cur.stretch(), without and not last
    cur.back_to(place)
    return None, False


def arrange(kind: str, numbers: list[float]) -> dict[str, float]:
    """Numbers to parameters in their usual order; a small one of a band is its width."""
    if kind == "fast_stochastic":
        length, signal = numbers[0], (numbers[1:] or [3.0])[-1]
        return {"length": length, "smooth": 1.0, "signal": signal}
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
