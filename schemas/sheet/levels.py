"""Stops, targets, trailing stops and break-even: how far, from which price, and how watched."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias

from lark import Token, Tree

from schemas import contract as c
from schemas.sheet.draft import Draft
from schemas.sheet.expressions import OPERANDS, Amount, Value, place
from schemas.sheet.grammar import Node
from schemas.sheet.names import PAIR_OR_METAL
from schemas.sheet.problems import Fault

Base: TypeAlias = Literal["signal", "fill"]
UNITS = {"percent": "percent", "price": "price", "pips": "pips", "r": "r"}
WATCHED = "is looked at on each close and leaves at the next open; it does not rest in the market"


def level(draft: Draft, node: Node, name: str) -> c.Level:
    side = side_of(node)
    inside = next(x for x in node.children if isinstance(x, Tree) and x.data == "level")
    at = any(isinstance(x, Token) and x.type == "AT" for x in inside.children)
    trees = [x for x in inside.children if isinstance(x, Tree)]
    origin = next((x for x in trees if str(x.data).startswith("from_")), None)
    said = trees[0]
    found = draft.read.value(said)
    far = as_distance(draft, found, said)
    if far is not None and not at:
        base = _base(draft, origin, name, far)
        found_level = c.Level(side=side, distance=far, base=base)
        if origin is None and far.unit == "r":
            draft.like_their_stops.append(found_level)
        return found_level
    if origin is not None:
        raise Fault(
            f"a {name} at a price is not counted from another; leave `from …` out", place(origin)
        )
    price = _price(found, said, name, at)
    if not isinstance(price, c.Constant):
        draft.assume(name, f"the price of the {name} is worked out once, on the signal bar")
    return c.Level(side=side, price=price)


def _base(draft: Draft, origin: Node | None, name: str, far: c.Distance) -> Base:
    if origin is None and far.unit == "r":
        draft.assume(name, "a target in R counts from what its stop counts from")
        return "signal"
    if origin is None:
        draft.assume(name, f"the {name} counts from the fill price")
        return "fill"
    if origin.data == "from_average":
        raise Fault("the average price of several fills is not built yet", place(origin))
    return "fill" if origin.data == "from_fill" else "signal"


def _price(found: Value, said: Node, name: str, at: bool) -> c.Operand:
    if isinstance(found, Amount) or not isinstance(found, OPERANDS):
        word = "a distance" if isinstance(found, Amount) else "a condition"
        raise Fault(f"this is {word}; after `at` stands a price", place(said))
    if isinstance(found, c.Constant) and not at:
        raise Fault(
            f"is {found.value:g} a price or a distance? Write `{name} at {found.value:g}`, "
            f"`{name} {found.value:g} %` or `{name} {found.value:g} points`",
            place(said), "", (f"{name} at {found.value:g}", f"{name} {found.value:g} %"),
        )  # fmt: skip
    if _times_something(found) and not at:
        told = "a distance is counted in %, points, pips, R or ATRs, as in `2 * atr(14)`"
        raise Fault(told, place(said))
    return found


def _times_something(found: Value) -> bool:
    return isinstance(found, c.Arithmetic) and found.op in ("multiply", "divide")


def as_distance(draft: Draft, found: Value, said: Node) -> c.Distance | None:
    """`5 %`, `40 pips`, `2 R`, `2 * atr(14)`, `atr(14) * 2`, `atr(14)`."""
    if said.data == "points" and PAIR_OR_METAL.fullmatch(draft.scope.symbol):
        told = "points of a currency pair or a metal can be prices or tenths of a pip; write pips"
        raise Fault(told, place(said))
    if isinstance(found, Amount):
        amount = _positive(found.value, said)
        return c.Distance(unit=UNITS[found.unit], amount=amount)  # type: ignore[arg-type]
    if isinstance(found, c.Series) and _is_atr(draft, found):
        return c.Distance(unit="atr", amount=1.0, indicator=found.indicator)
    if isinstance(found, c.Arithmetic) and found.op == "multiply":
        for times, atr in ((found.left, found.right), (found.right, found.left)):
            if isinstance(times, c.Constant) and isinstance(atr, c.Series) and _is_atr(draft, atr):
                amount = _positive(times.value, said)
                return c.Distance(unit="atr", amount=amount, indicator=atr.indicator)
    return None


def _is_atr(draft: Draft, found: c.Series) -> bool:
    return draft.scope.book.kind_of(found) == "atr" and not found.shift


def like_their_stops(
    targets: list[c.Level], unsaid: list[c.Level], stops: list[c.Level]
) -> tuple[c.Level, ...]:
    """A target in R without a `from` counts from what the first stop of its side counts from."""
    found = []
    for target in targets:
        own = [x for x in stops if x.side is None or target.side in (None, x.side)]
        base: Base = next((x.base for x in own if x.distance is not None), "fill")
        in_r = target.distance is not None and target.distance.unit == "r"
        found.append(replace(target, base=base) if in_r and target in unsaid else target)
    return tuple(found)


def _positive(amount: float, said: Node) -> float:
    if not 0 < amount <= 1e9:
        raise Fault("a distance is larger than zero", place(said))
    return amount


def _distance(draft: Draft, said: Node) -> c.Distance:
    far = as_distance(draft, draft.read.value(said), said)
    if far is None:
        raise Fault(
            "a distance belongs here: `8 %`, `40 pips`, `2 R` or `3 * atr(14)`", place(said)
        )
    return far


def trail(draft: Draft, node: Node) -> None:
    said = [x for x in node.children if isinstance(x, Tree)][-1]
    parts = [x for x in said.children if isinstance(x, Tree)]
    side = side_of(node)
    checked = _checked(draft, parts, "trailing stop")
    parts = [x for x in parts if x is not checked]
    marked = next((x for x in parts if x.data == "mark"), None)
    far = _distance(draft, parts[0])
    starts = [x for x in parts[1:] if x is not marked]
    if far.unit == "atr":
        told = "the ATR is that of each bar, so the level can move away again when it grows"
        draft.assume("trailing stop", told)
    draft.trailing.append(
        c.Trailing(
            side=side,
            distance=far,
            mark=_mark(draft, marked, side),
            starts_after=_distance(draft, starts[0]) if starts else None,
        )
    )


def _mark(draft: Draft, node: Node | None, side: c.Side | None) -> Literal["close", "extreme"]:
    """`from highest close` says the side, too: for a short it is the lowest."""
    if node is None:
        draft.assume(
            "trailing stop", "it follows the best price since the fill (high, or low of a short)"
        )
        return "extreme"
    words = [str(x).lower() for x in node.children if isinstance(x, Token)]
    if words[0] in ("highest", "lowest", "high", "low"):
        meant = c.Side.LONG if words[0].startswith("high") else c.Side.SHORT
        if side is not None and side is not meant:
            raise Fault(f"a {side}'s trailing stop follows the other extreme", place(node))
        if side is None:
            draft.one_sided.append((draft.line, meant, words[0]))
    return "close" if "close" in words else "extreme"


def _checked(draft: Draft, parts: list[Node], name: str) -> Node | None:
    found = next((x for x in parts if x.data in ("on_close", "resting")), None)
    if found is None:
        draft.assume(name, f"the {name} {WATCHED}")
    elif found.data == "resting":
        raise Fault(
            f"a {name} that rests in the market is not built yet; `checked on close` is",
            place(found),
        )
    return found


def breakeven(draft: Draft, node: Node) -> None:
    parts = [x for x in node.children if isinstance(x, Tree)]
    checked = _checked(draft, parts, "break-even stop")
    draft.once("breakeven", _distance(draft, next(x for x in parts if x is not checked)))


def partial_target(draft: Draft, node: Node) -> None:
    raise Fault("closing a part of the position is not built yet; a target closes all of it")


def ladder_target(draft: Draft, node: Node) -> None:
    raise Fault("a target that changes with time is not built yet")


def side_of(node: Node) -> c.Side | None:
    token = next((x for x in node.children if isinstance(x, Token) and x.type == "SIDE"), None)
    return c.Side(str(token).lower()) if token is not None else None
