"""The guards: each looks at one order in its situation and says why it must not be sent. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from bot.live.refused import Code
from schemas.live import Limits

MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Asked:
    """One order as the guards see it. `signed` is below zero for a sale."""

    client_id: str
    symbol: str
    signed: float
    closes: bool


@dataclass(frozen=True, slots=True)
class Situation:
    halted: bool
    unheard: float
    """Seconds since the repository was last asked for a halt and answered."""
    now: float
    broker_now: float
    data_age: float
    position: float
    sent_at: tuple[float, ...]
    sent_ids: frozenset[str]
    day_start_equity: float
    equity: float
    left: float
    """Seconds until the approval expires."""
    newer: str
    """The tag of a newer approval: somebody else may trade this strategy by now."""


def for_exit(halted: bool) -> Situation:
    """For an exit. Only the kill switch counts, so nothing else is asked of anybody."""
    no = math.nan
    return Situation(halted=halted, unheard=no, now=no, broker_now=no, data_age=no, position=no,
                     sent_at=(), sent_ids=frozenset(), day_start_equity=no, equity=no, left=no,
                     newer="")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refusal:
    """`stops` ends all trading until a person looks; otherwise only this order is left out."""

    code: Code
    detail: str
    stops: bool


Guard = Callable[[Asked, Situation, Limits], str]


def halted(asked: Asked, at: Situation, limits: Limits) -> str:
    return "the kill switch is set" if at.halted else ""


def skew(asked: Asked, at: Situation, limits: Limits) -> str:
    apart = abs(at.now - at.broker_now)
    return "" if apart <= limits.max_clock_skew else f"{apart:.1f} seconds"


def duplicate(asked: Asked, at: Situation, limits: Limits) -> str:
    return asked.client_id if asked.client_id in at.sent_ids else ""


def symbol(asked: Asked, at: Situation, limits: Limits) -> str:
    return "" if asked.symbol in limits.symbols else asked.symbol[:40]


def order_size(asked: Asked, at: Situation, limits: Limits) -> str:
    size = abs(asked.signed)
    return "" if 0.0 < size <= limits.max_order else f"{size:g} of {limits.max_order:g}"


def position(asked: Asked, at: Situation, limits: Limits) -> str:
    after = abs(at.position + asked.signed)
    return "" if after <= limits.max_position else f"{after:g} of {limits.max_position:g}"


def rate(asked: Asked, at: Situation, limits: Limits) -> str:
    recent = sum(1 for sent in at.sent_at if at.now - sent < MINUTE)
    return "" if recent < limits.orders_per_minute else f"{recent} in the last minute"


def daily_loss(asked: Asked, at: Situation, limits: Limits) -> str:
    lost = at.day_start_equity - at.equity
    most = float(limits.max_daily_loss)
    return "" if lost < most else f"{lost:.2f} of {most:.2f}"


def stale(asked: Asked, at: Situation, limits: Limits) -> str:
    return "" if at.data_age <= limits.max_data_age else f"{at.data_age:.0f} seconds"


def unheard(asked: Asked, at: Situation, limits: Limits) -> str:
    return "" if at.unheard <= limits.max_unheard else f"{at.unheard:.0f} seconds"


def expired(asked: Asked, at: Situation, limits: Limits) -> str:
    return "" if at.left > 0 else f"{-at.left:.0f} seconds ago"


def superseded(asked: Asked, at: Situation, limits: Limits) -> str:
    return at.newer


ALWAYS: tuple[tuple[Code, Guard, bool], ...] = ((Code.HALTED, halted, True),)
"""(reason, guard, does it stop all trading). Only the kill switch holds for every order: nothing
else may keep anybody inside a position."""

OPENING: tuple[tuple[Code, Guard, bool], ...] = (
    (Code.SKEW, skew, True),
    (Code.DUPLICATE, duplicate, False),
    (Code.SYMBOL, symbol, False),
    (Code.ORDER_SIZE, order_size, False),
    (Code.POSITION, position, False),
    (Code.RATE, rate, True),
    (Code.DAILY_LOSS, daily_loss, True),
    (Code.STALE, stale, False),
    (Code.UNHEARD, unheard, False),
    (Code.EXPIRED, expired, False),
    (Code.SUPERSEDED, superseded, False),
)
"""Only for orders that open. An exit is never sent twice: the adapter and the broker look first."""


def check(
    asked: Asked,
    at: Situation,
    limits: Limits,
    always: tuple[tuple[Code, Guard, bool], ...] = ALWAYS,
    opening: tuple[tuple[Code, Guard, bool], ...] = OPENING,
) -> Refusal | None:
    """The first reason against this order. A guard that fails is a reason, and stops trading."""
    for code, guard, stops in always if asked.closes else always + opening:
        try:
            said = guard(asked, at, limits)
        except Exception as error:  # whatever it is: nobody knows what the guard would have said
            return Refusal(Code.GUARD_ERROR, f"{code}: {type(error).__name__}: {error}", True)
        if said:
            return Refusal(code, said, stops)
    return None
