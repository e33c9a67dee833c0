"""What is missing or unclear, as questions. Pure."""

from __future__ import annotations

from bot.reading import replies
from bot.reading.book import Book
from bot.reading.doubts.contradictions import contradiction, out_of_range
from bot.reading.mirror import mirror
from bot.reading.rules.told import Told
from schemas import contract as c

ADDING = "adding to a position without a rule and a number of positions"
LENGTHS = ("length", "fast", "slow")


def missing(
    told: Told, book: Book, entries: list[c.Entry], exits: list[c.Exit], risk: c.Risk, reverse: bool
) -> list[str]:
    """What must be known before there is a contract. `book` knows whether bars were named."""
    if wrong := _against(told):
        return [replies.one_side_only(*wrong)]
    asked = [replies.unsupported(what, said) for what, said in dict(told.unsupported).items()]
    asked += [replies.unread(said) for said in dict.fromkeys(told.unread)]
    bare = [r.said for r in told.rules if r.act == "add" and not r.parts]
    if told.settings.adds and (told.settings.positions or 1) < 2:
        bare.append("add")
    asked += [replies.unsupported(ADDING, said) for said in bare[:1]]
    if _unused(told):
        asked.append(replies.UNUSED)
    if not entries:
        asked.append(replies.ENTRY)
    if not _leaves(exits, risk, reverse):
        asked.append(replies.EXIT)
    unnamed = {"symbol", "timeframe"} & book.assumed.keys()
    if len(unnamed) == 2 or unnamed and not entries and not risk.stops:
        asked.append(replies.MARKET)
    far = [x.distance for x in (*risk.targets, *risk.stops)]
    far += [x for t in risk.trailing for x in (t.distance, t.starts_after)]
    far.append(risk.break_even_after)
    if any(x and x.unit == "r" for x in far) and not risk.stops:
        asked.append(replies.R_WITHOUT_STOP)
    if risk.sizing.kind in ("risk_percent", "risk_cash") and not risk.stops:
        asked.append(replies.RISK_WITHOUT_STOP)
    return asked


def _unused(told: Told) -> bool:
    """A condition that is none of the rules', in words or turned round."""
    used = [x for r in told.rules for _, x in r.parts] + [x for _, x in told.filters]
    known = {n for x in used for n in (x.node, x.other) if n is not None}
    return any(x.node not in known and x.other not in known for _, x in told.waiting)


def _leaves(exits: list[c.Exit], risk: c.Risk, reverse: bool) -> bool:
    """One target alone, or one stop alone, is a way out: the person said what it is."""
    timed = risk.exit_after_bars is not None or risk.exit_at
    return bool(exits or reverse or risk.trailing or timed or risk.targets or risk.stops)


def unclear(contract: c.Contract, told: Told) -> str | None:
    """What cannot be meant as it stands."""
    if "always_in" in told.flags and contract.exits and not contract.reverse:
        return replies.contradicts("it is never out of the market, yet an exit or a sell leaves it")
    if told.settings.no_stop and contract.risk.stops:
        return replies.contradicts("you want no stop, and you give one")
    if told.settings.single and contract.risk.max_positions > 1:
        return replies.contradicts("one position at a time, and several at once")
    if why := out_of_range(contract):
        return replies.out_of_reach(why)
    for indicator in contract.indicators:
        if any(p.name in LENGTHS and p.value < 1 for p in indicator.parameters):
            return replies.too_short(indicator.kind)
    if why := contradiction(contract):
        return replies.contradicts(why)
    return None


def one_sided(contract: c.Contract, book: Book) -> str | None:
    """One exit for both sides that goes one way: it would close one of them at once."""
    left = {x.when for x in contract.exits if x.side is c.Side.LONG}
    for exit_ in contract.exits:
        both = exit_.side is c.Side.SHORT and exit_.when in left
        if both and not isinstance(exit_.when, c.Either) and mirror(exit_.when, book) != exit_.when:
            return replies.whose_exit(exit_.reason)
    return None


def endless(contract: c.Contract) -> str | None:
    """A side that enters and never leaves, while the other does."""
    risk = contract.risk
    if (
        contract.reverse
        or risk.exit_after_bars is not None
        or risk.exit_at
        or risk.break_even_after
    ):
        return None
    ways = {x.side for x in contract.exits} | {x.side for x in (*risk.stops, *risk.targets)}
    ways |= {x.side for x in risk.trailing}
    for side in sorted({e.side for e in contract.entries}):
        if None not in ways and side not in ways:
            return replies.never_left(side)
    return None


LOOSE = {"stdev", "momentum", "roc", "true_range", "ichimoku"}
"""Words of prose as well: "momentum", "performance", "two standard deviations"."""


def unused(contract: c.Contract, told: Told, book: Book) -> str | None:
    """An indicator that the request names and no rule looks at: was it meant as a filter?"""
    kinds = {i.kind for i in contract.indicators}
    if kinds & {"highest", "lowest"}:
        kinds.add("donchian")
    for kind, words in told.named.items():
        kind = "stochastic" if kind == "fast_stochastic" else kind
        if book.renamed.get(kind, kind) not in kinds | LOOSE:
            return replies.named_in_vain(words)
    return None


def _against(told: Told) -> tuple[str, str] | None:
    only = {flag.removeprefix("only_") for flag in told.flags & {"only_long", "only_short"}}
    if len(only) != 1:
        return None
    side = only.pop()
    other = "short" if side == "long" else "long"
    goes = any(r.act == "enter" and r.side == other and r.parts for r in told.rules)
    return (side, other) if goes else None
