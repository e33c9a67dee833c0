"""Size, limits and costs."""

from __future__ import annotations

from decimal import Decimal

from lark import Token, Tree

from schemas import contract as c
from schemas.sheet import literals
from schemas.sheet.draft import Draft
from schemas.sheet.expressions import maybe_token, place, token_of
from schemas.sheet.grammar import Node
from schemas.sheet.names import CURRENCY_PAIR
from schemas.sheet.problems import Fault, HoleFound

KINDS = {
    "risk_percent": "risk_percent", "risk_pct": "risk_percent", "percent_risk": "risk_percent",
    "equity_pct": "percent_of_equity", "percent_equity": "percent_of_equity", "usd": "fixed_cash",
    "dollars": "fixed_cash", "notional": "fixed_cash", "value": "fixed_cash", "amount":
    "fixed_cash", "quantity": "fixed_units", "qty": "fixed_units",
    "equity_percent": "percent_of_equity",
    "percent_of_equity": "percent_of_equity", "risk_cash": "risk_cash", "cash": "fixed_cash",
    "fixed_cash": "fixed_cash", "units": "fixed_units", "fixed_units": "fixed_units", "fixed":
    "fixed_units", "shares": "fixed_units", "contracts": "fixed_units", "coins": "fixed_units",
}  # fmt: skip
NO_MULTIPLIER = "a contract is one unit of the price: the value of a point is 1"
LOTS = "how many units is a lot here? Write the units, as in `size units 10000`"
PERCENT = ("risk_percent", "percent_of_equity")
SIDES = ("side", "fill", "order")
CASH = ("usd", "eur", "gbp", "usdt", "cash")
AFTER = {"loss": "loss", "losing": "loss", "stop": "stop", "exit": "exit"}


def size(draft: Draft, node: Node) -> None:
    word = token_of(node, "SIZE_KIND")
    if str(word).lower() == "lots":
        _lots(draft, node, word)
        return
    kind = KINDS[str(word).lower()]
    if str(word).lower() == "contracts":
        draft.assume("size", NO_MULTIPLIER)
    if kind not in PERCENT and any(isinstance(x, Token) and x == "%" for x in node.children):
        raise Fault("this size is no percentage; write `size equity_percent …`")
    _size(draft, node, kind)


def size_plain(draft: Draft, node: Node) -> None:
    amount, unit = str(token_of(node, "NUMBER")), maybe_token(node, "SIZE_UNIT")
    currency = maybe_token(node, "CURRENCY")
    if unit is not None and str(unit).lower().startswith("lot"):
        _lots(draft, node, unit)
        return
    if any(isinstance(x, Tree) for x in node.children):
        raise Fault(f"of what? `size equity_percent {amount}` or `size risk_cash {amount}`")
    cash = currency is not None or (unit is not None and str(unit).lower() in CASH)
    if unit is not None and str(unit).lower().startswith("contract"):
        draft.assume("size", NO_MULTIPLIER)
    if unit is None and currency is None:
        draft.assume("size", f"{amount} units of the symbol")
    _size(draft, node, "fixed_cash" if cash else "fixed_units")


def _lots(draft: Draft, node: Node, word: Token) -> None:
    """A standard lot of a currency pair is known; of anything else it is the broker's."""
    if not CURRENCY_PAIR.fullmatch(draft.scope.symbol):
        raise Fault(LOTS, place(word), str(word))
    units = money(token_of(node, "NUMBER")) * 100_000
    draft.assume("size", "a lot is 100,000 units")
    draft.once("size", c.Sizing(kind="fixed_units", amount=units))


def size_percent(draft: Draft, node: Node) -> None:
    """`size 10 % of equity`, `size 1 % risk`; a bare percentage can mean both."""
    amount = str(token_of(node, "NUMBER"))
    of = next((x for x in node.children if isinstance(x, Tree)), None)
    if of is None:
        both = (f"size equity_percent {amount}", f"size risk_percent {amount}")
        raise Fault(
            f"{amount} % of what? `{both[0]}` is that much of the account, `{both[1]}` is lost at "
            "the stop", 0, "", both,
        )  # fmt: skip
    risk = any(isinstance(x, Token) and x.type == "RISK" for x in of.children)
    _size(draft, node, "risk_percent" if risk else "percent_of_equity")


def size_risk(draft: Draft, node: Node) -> None:
    _size(draft, node, "risk_percent")


def size_hole(draft: Draft, node: Node) -> None:
    raise HoleFound(place(node.children[-1]))


def _size(draft: Draft, node: Node, kind: str) -> None:
    amount = money(token_of(node, "NUMBER"))
    if not amount:
        raise Fault("a size is larger than zero")
    draft.once("size", c.Sizing(kind=kind, amount=amount))  # type: ignore[arg-type]
    if kind.startswith("risk"):
        draft.assume(
            "size", "by the stop's distance from the signal bar's close, or from the limit"
        )
    if kind != "fixed_units":
        draft.assume("size", "not rounded to whole units")


def positions(draft: Draft, node: Node) -> None:
    many = literals.whole(token_of(node, "NUMBER"))
    if not 1 <= many <= 100:
        raise Fault("at most 1 to 100 positions")
    draft.once("positions", many)


def positions_maybe(draft: Draft, node: Node) -> None:
    """`max 3 entries`: at once, or on a day?"""
    many = str(token_of(node, "NUMBER"))
    both = (f"max {many} positions", f"max {many} trades per day")
    raise Fault(f"at once or a day? `{both[0]}` or `{both[1]}`", 0, "", both)


def trades_per(draft: Draft, node: Node) -> None:
    period = token_of(node, "PERIOD")
    if str(period).lower() != "day":
        raise Fault(
            f"a limit per {period} is not built yet; per day is", place(period), str(period)
        )
    trades_per_day(draft, node)


def trades_per_day(draft: Draft, node: Node) -> None:
    many = literals.whole(token_of(node, "NUMBER"))
    if not many:
        raise Fault("at least one trade a day")
    draft.assume("trades a day", "counted on the day on which the entry is decided")
    draft.once("trades_per_day", many)


def cooldown(draft: Draft, node: Node) -> None:
    after = AFTER[str(token_of(node, "LOSING")).lower()]
    many = literals.bars(token_of(node, "NUMBER"), maybe_token(node, "SPAN"), draft.scope.timeframe)
    draft.once("cooldown", (min(many, 10_000), after))


def cooldown_any(draft: Draft, node: Node) -> None:
    many = literals.bars(token_of(node, "NUMBER"), token_of(node, "SPAN"), draft.scope.timeframe)
    draft.assume("wait", "after every exit")
    draft.once("cooldown", (min(many, 10_000), "exit"))


def commission_percent(draft: Draft, node: Node) -> None:
    unit = maybe_token(node, "BROKER_UNIT")
    amount = money(token_of(node, "NUMBER"))
    if maybe_token(node, "BPS") is not None:
        amount = amount / 100
    if unit is not None and str(unit).lower() == "trade":
        draft.assume(
            "commission", f"{amount} % per trade is {amount / 2} % of each of its two fills"
        )
        amount = amount / 2
    draft.cost("commission_percent", amount)


def commission_each(draft: Draft, node: Node) -> None:
    units = [
        str(x).lower() for x in node.children if isinstance(x, Token) and x.type == "BROKER_UNIT"
    ]
    unit, amount = units[0], money(token_of(node, "NUMBER"))
    if "lot" in units:
        raise Fault("how many units is a lot here? Write the commission of one unit")
    if len(units) == 2 and (unit not in ("share", "unit", "contract") or units[1] not in SIDES):
        raise Fault("per what? `per share` counts on each fill, `per trade` once")
    if unit in ("order", "fill", "side"):
        draft.assume(
            "commission", f"{amount} per {unit} is booked as {amount * 2} per trade, at entry"
        )
        draft.cost("commission_per_trade", amount * 2)
    else:
        draft.cost("commission_per_trade" if unit == "trade" else "commission_per_unit", amount)
        if unit == "trade":
            draft.assume("commission", f"{amount} once a trade, at its entry")
        if unit == "contract":
            draft.assume("commission", NO_MULTIPLIER)


def commission_round(draft: Draft, node: Node) -> None:
    """Of a whole round trip: of one contract, or of the trade?"""
    amount = money(token_of(node, "NUMBER"))
    each, whole = f"commission {amount / 2} per contract", f"commission {amount} per trade"
    unit = maybe_token(node, "BROKER_UNIT")
    if unit is None:
        raise Fault(f"of one contract or of all? `{each}` or `{whole}`", 0, "", (each, whole))
    per_unit = str(unit).lower() in ("share", "unit", "contract")
    draft.cost(
        "commission_per_unit" if per_unit else "commission_per_trade", amount / (1 + per_unit)
    )


def spread(draft: Draft, node: Node) -> None:
    draft.cost("spread", _price(draft, node))
    draft.assume("spread", "half of it on each fill, limits and targets included")


def slippage(draft: Draft, node: Node) -> None:
    unit = maybe_token(node, "BROKER_UNIT")
    if unit is not None and str(unit).lower() in ("order", "trade"):
        raise Fault(
            "slippage is a price: `slippage 0.01` a unit, or `slippage 2 % of range`", place(unit),
            str(unit),
        )  # fmt: skip
    draft.cost("slippage", _price(draft, node))


def _price(draft: Draft, node: Node) -> Decimal:
    amount = money(token_of(node, "NUMBER"))
    if points := maybe_token(node, "POINTS"):
        raise Fault(
            "how large is a point here? Write the price, as in `spread 0.25`", place(points)
        )
    if maybe_token(node, "CENTS") is not None:
        return amount / 100
    if maybe_token(node, "TICKS") is not None:
        if draft.scope.tick is None:
            raise Fault("how large is a tick here? Add a line such as `tick 0.01`")
        return amount * Decimal(repr(draft.scope.tick))
    if maybe_token(node, "PIPS") is None:
        return amount
    if draft.scope.pip is None:
        raise Fault("how large is a pip here? Add a line such as `pip 0.01`")
    return amount * Decimal(repr(draft.scope.pip))


def slippage_range(draft: Draft, node: Node) -> None:
    draft.cost("slippage_percent_of_range", money(token_of(node, "NUMBER")))


def no_costs(draft: Draft, node: Node) -> None:
    if draft.costs:
        raise Fault("other lines name costs")
    draft.no_costs = True


def money(token: Token) -> Decimal:
    literals.real(token)
    return Decimal(str(token))
