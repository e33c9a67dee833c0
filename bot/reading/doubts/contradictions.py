"""Rules that cannot both be meant, and levels that are never reached. Pure."""

from __future__ import annotations

from schemas import contract as c


def contradiction(contract: c.Contract) -> str | None:
    """Rules that cannot both be meant."""
    longs = [e.when for e in contract.entries if e.side is c.Side.LONG]
    shorts = [e.when for e in contract.entries if e.side is c.Side.SHORT]
    if any(a == b for a in longs for b in shorts):
        return "the same condition opens a long and a short"
    for exit_ in contract.exits:
        for entry in contract.entries:
            if exit_.side in (entry.side, None) and exit_.when == entry.when:
                return "the same condition enters and leaves"
    if reason := _levels(contract):
        return reason
    rules = [e.when for e in contract.entries] + [e.when for e in contract.exits]
    return next((reason for when in rules if (reason := _impossible(when))), None)


def _levels(contract: c.Contract) -> str | None:
    """A stop must lie on the losing side of the close, a target on the other."""
    for levels, away, name in (
        (contract.risk.stops, -1, "stop"),
        (contract.risk.targets, 1, "target"),
    ):
        for level in levels:
            sides = [level.side] if level.side else list({e.side for e in contract.entries})
            if any(_beyond(level.price) == -away * (1 if s is c.Side.LONG else -1) for s in sides):
                return f"the {name} is on the wrong side of the entry"
            if level.price == c.Price(field=c.PriceField.CLOSE):
                return f"the {name} would be at the close itself"
    return None


def _beyond(price: c.Operand | None) -> int:
    """1 above the close, -1 below it, 0 where that depends on the bar."""
    if not isinstance(price, c.Arithmetic) or price.left != c.Price(field=c.PriceField.CLOSE):
        return 0
    if price.op == "multiply" and isinstance(price.right, c.Constant):
        return 1 if price.right.value > 1 else -1
    return {"add": 1, "subtract": -1}.get(price.op, 0)


RANGES = {
    "rsi": (0, 100),
    "stochastic": (0, 100),
    "stochastic_rsi": (0, 100),
    "mfi": (0, 100),
    "williams_r": (-100, 0),
    "adx": (0, 100),
    "aroon": (0, 100),
}


def out_of_range(contract: c.Contract) -> str | None:
    """A level that the indicator can never reach."""
    kinds = {i.id: i.kind for i in contract.indicators}
    for node in _comparisons(
        [*(e.when for e in contract.entries), *(e.when for e in contract.exits)]
    ):
        if isinstance(node.left, c.Series) and isinstance(node.right, c.Constant):
            low, high = RANGES.get(kinds.get(node.left.indicator, ""), (None, None))
            if low is not None and high is not None and not low <= node.right.value <= high:
                return f"{kinds[node.left.indicator]} lies between {low} and {high}, so it never reaches {node.right.value:g}"
    return None


def _comparisons(nodes: list[c.Condition]) -> list[c.Compare | c.Cross]:
    found: list[c.Compare | c.Cross] = []
    for node in nodes:
        match node:
            case c.Compare() | c.Cross():
                found.append(node)
            case c.Every() | c.Either():
                found += _comparisons(list(node.of))
            case c.Never() | c.InARow() | c.Within():
                found += _comparisons([node.of])
    return found


def _multiple(node: c.Operand) -> tuple[c.Operand | None, float]:
    """What it is a multiple of, and how many times; a plain number is a multiple of nothing."""
    if isinstance(node, c.Constant):
        return None, node.value
    if (
        isinstance(node, c.Arithmetic)
        and node.op == "multiply"
        and isinstance(node.right, c.Constant)
    ):
        return node.left, node.right.value
    return node, 1.0


def _beyond_each_other(base: c.Operand | None, low: float, high: float) -> bool:
    """At or above and at or below one line is to be on it: only numbers are never that exact."""
    return low >= high if base is None else low > high > 0


BEYOND = {("above", c.PriceField.HIGH), ("below", c.PriceField.LOW)}


def _is_beyond_its_bar(node: c.Condition) -> bool:
    if not isinstance(node, c.Compare | c.Cross):
        return False
    one, other = node.left, node.right
    if not isinstance(one, c.Price) or not isinstance(other, c.Price) or one.shift != other.shift:
        return False
    inner = one.field in (c.PriceField.OPEN, c.PriceField.CLOSE)
    return inner and (_way(node), other.field) in BEYOND


def _way(node: c.Compare | c.Cross) -> str:
    return node.op if isinstance(node, c.Compare) else node.direction


def _is_an_event(node: c.Condition) -> bool:
    """A cross, or one with states beside it: it is not so on two bars that follow each other."""
    parts = node.of if isinstance(node, c.Every) else (node,)
    return any(isinstance(x, c.Cross) for x in parts)


def _is_outside(one: c.Compare, other: c.Compare) -> bool:
    """The high below a line that the close is above, or the low above one that it is below."""
    a, b = one.left, other.left
    if not isinstance(a, c.Price) or not isinstance(b, c.Price) or a.shift != b.shift:
        return False
    inner = b.field in (c.PriceField.OPEN, c.PriceField.CLOSE) and one.right == other.right
    turned = {("below", "high", "above"), ("above", "low", "below")}
    return inner and (one.op, a.field.value, other.op) in turned


def _impossible(node: c.Condition) -> str | None:
    """One value above and below the same line at once: no bar can do it."""
    parts = node.of if isinstance(node, c.Every) else (node,)
    if any(_is_beyond_its_bar(x) for x in parts):
        return "no bar closes beyond its own high or low"
    if any(isinstance(x, c.InARow) and x.bars > 1 and _is_an_event(x.of) for x in parts):
        return "a cross cannot happen on several bars in a row"
    if not isinstance(node, c.Every):
        return None
    low: dict[tuple[c.Operand, c.Operand | None], float] = {}
    high: dict[tuple[c.Operand, c.Operand | None], float] = {}
    for x in node.of:
        if not isinstance(x, c.Compare | c.Cross):
            continue
        base, factor = _multiple(x.right)
        key = (x.left, base)
        if _way(x) in ("above", "at_least"):
            low[key] = max(low.get(key, factor), factor)
        elif _way(x) in ("below", "at_most"):
            high[key] = min(high.get(key, factor), factor)
    if any(k in high and _beyond_each_other(k[1], low[k], high[k]) for k in low):
        return "one value would have to be above and below at the same time"
    inner = [x.of if isinstance(x, c.InARow) else x for x in node.of]
    states = [x for x in inner if isinstance(x, c.Compare)]
    flipped = {"above": "below", "below": "above"}
    for a in states:
        for b in states:
            same = a.left == b.left and a.right == b.right and flipped.get(a.op) == b.op
            turned = a.left == b.right and a.right == b.left and a.op == b.op and a.op in flipped
            if same or turned:
                return "one value would have to be above and below at the same time"
    if any(_is_outside(a, b) for a in states for b in states):
        return "a bar would have to close beyond its own high or low"
    crosses = [x for x in node.of if isinstance(x, c.Cross)]
    if any(
        (a.left, a.right) == (b.left, b.right) and a.op == flipped.get(b.direction)
        for a in states
        for b in crosses
    ):
        return "one value would have to be above and below at the same time"
    if any(
        a.left == b.left and a.right == b.right and a.direction != b.direction
        for a in crosses
        for b in crosses
    ):
        return "it would have to cross both ways on one bar"
    windows = [x for x in node.of if isinstance(x, c.Session) and x.start < x.end]
    if any(a.end < b.start for a in windows for b in windows):
        return "no bar is in both time windows"
    days = [set(x.weekdays) for x in node.of if isinstance(x, c.OnDays)]
    if days and not set.intersection(*days):
        return "no bar is on both days"
    return None
