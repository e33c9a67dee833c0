"""The strategy contract: what a person approves, as a tree that code and tests follow from."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from schemas.base import Clock, Count, Line, Money, Name, Real, Text, Version, document

Bars = Annotated[int, Field(ge=1, le=100_000)]
Shift = Annotated[int, Field(ge=0, le=10_000)]
"""How many bars back. There is no negative shift: the future cannot be written down."""


class Side(StrEnum):
    LONG = "long"
    SHORT = "short"


class PriceField(StrEnum):
    OPEN = "open"
    HIGH = "high"
    LOW = "low"
    CLOSE = "close"
    VOLUME = "volume"


@document
class Parameter:
    name: Name
    value: Real


@document
class Indicator:
    """One series, computed once. `id` is how rules name it; `kind` is in `schemas/indicators.py`.

    `of` makes it an indicator of another one, as in an average of OBV; else it reads `source`.
    """

    id: Name
    kind: Name
    source: PriceField = PriceField.CLOSE
    of: Series | None = None
    parameters: Annotated[tuple[Parameter, ...], Field(max_length=12)] = ()
    smoothing: Line = ""


@document
class Constant:
    value: Real
    kind: Literal["constant"] = "constant"


@document
class Price:
    field: PriceField
    shift: Shift = 0
    kind: Literal["price"] = "price"


@document
class Series:
    indicator: Name
    output: Name = "value"
    shift: Shift = 0
    kind: Literal["series"] = "series"


@document
class Held:
    """Something that only an open position has; `bars` is 0 on the bar of the fill. In an entry it
    is of the position that was opened last, and unknown, so that nothing compares, without one."""

    field: Literal["entry_price", "bars", "highest_high", "lowest_low", "highest_close", "lowest_close"]  # fmt: skip  # noqa: E501
    kind: Literal["held"] = "held"


@document
class Calendar:
    """Of the bar's opening time: minute of the day, Monday 0, day of the month, and counted from 1
    the bars of this day and the trading days of this month."""

    field: Literal["minute", "weekday", "day", "month", "bar_of_day", "trading_day"]
    shift: Shift = 0
    kind: Literal["calendar"] = "calendar"


@document
class Arithmetic:
    op: Literal["add", "subtract", "multiply", "divide", "minimum", "maximum"]
    left: Operand
    right: Operand
    kind: Literal["arithmetic"] = "arithmetic"


Operand = Annotated[
    Constant | Price | Series | Held | Calendar | Arithmetic, Field(discriminator="kind")
]


@document
class Compare:
    """A state: true on every bar on which it holds."""

    op: Literal["above", "below", "at_least", "at_most", "equal"]
    left: Operand
    right: Operand
    kind: Literal["compare"] = "compare"


@document
class Cross:
    """An event: the previous bar was on the other side or equal, this bar is beyond."""

    direction: Literal["above", "below"]
    left: Operand
    right: Operand
    kind: Literal["cross"] = "cross"


@document
class Every:
    of: Annotated[tuple[Condition, ...], Field(min_length=1, max_length=20)]
    kind: Literal["every"] = "every"


@document
class Either:
    of: Annotated[tuple[Condition, ...], Field(min_length=1, max_length=20)]
    kind: Literal["either"] = "either"


@document
class Never:
    of: Condition
    kind: Literal["never"] = "never"


@document
class InARow:
    bars: Bars
    of: Condition
    kind: Literal["in_a_row"] = "in_a_row"


@document
class Within:
    """True if the condition held on any of the last `bars` bars, this one included."""

    bars: Bars
    of: Condition
    kind: Literal["within"] = "within"


@document
class Session:
    """Bars stamped from `start` to `end`, by the bar's opening time; past midnight where the end
    is earlier than the start."""

    start: Clock
    end: Clock
    includes_end: bool = False
    kind: Literal["session"] = "session"


@document
class OnDays:
    weekdays: Annotated[
        tuple[Annotated[int, Field(ge=0, le=6)], ...], Field(min_length=1, max_length=7)
    ]
    kind: Literal["on_days"] = "on_days"


Condition = Annotated[
    Compare | Cross | Every | Either | Never | InARow | Within | Session | OnDays,
    Field(discriminator="kind"),
]


@document
class Distance:
    """How far: of a stop or a target from its level's `base`; of an open position from the fill
    price, or from the best mark."""

    unit: Literal["percent", "price", "pips", "atr", "r"]
    amount: Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]
    indicator: Name | None = None


@document
class Entry:
    side: Side
    when: Condition
    limit: Operand | None = None
    reason: Line


@document
class Exit:
    """A rule that closes a position at the next open. `side` None means both."""

    side: Side | None
    when: Condition
    reason: Line


@document
class Level:
    """A stop or a target that rests in the market: a distance, or a price from the decision bar.

    `base` is what a distance is measured from: the close of the signal bar (or the limit price of
    a limit order), or the price of the fill. A target in R has the base of its stop.
    """

    side: Side | None
    distance: Distance | None = None
    price: Operand | None = None
    base: Literal["signal", "fill"] = "signal"


@document
class Trailing:
    """Leave at the next open when a close falls this far from the best mark since the fill bar."""

    side: Side | None
    distance: Distance
    mark: Literal["close", "extreme"] = "close"
    starts_after: Distance | None = None


@document
class Sizing:
    """`risk_percent` of the equity, or `risk_cash` in money, is lost when the stop is hit;
    `percent_of_equity` and `fixed_cash` are spent."""

    kind: Literal["fixed_units", "fixed_cash", "percent_of_equity", "risk_percent", "risk_cash"]
    amount: Money


@document
class Risk:
    """Of several levels of a side the one that is reached first counts. `exit_after_bars` counts
    from the bar of the fill: 0 leaves at the open after it. An entry is decided `cooldown_bars`
    after the bar of the exit at the earliest; trailing and break-even exits count as stops. Entries
    count on the day decided on."""

    stops: Annotated[tuple[Level, ...], Field(max_length=4)] = ()
    targets: Annotated[tuple[Level, ...], Field(max_length=4)] = ()
    trailing: Annotated[tuple[Trailing, ...], Field(max_length=4)] = ()
    break_even_after: Distance | None = None
    exit_after_bars: Shift | None = None
    exit_at: Clock | None = None
    sizing: Sizing
    max_positions: Annotated[int, Field(ge=1, le=100)] = 1
    cooldown_bars: Shift = 0
    cooldown_after: Literal["exit", "stop", "loss"] = "exit"
    max_entries_per_day: Bars | None = None


@document
class Costs:
    """Zero only when the contract says so; the report then says that this flatters."""

    commission_per_trade: Money
    commission_per_unit: Money
    commission_percent: Money
    spread: Money
    slippage: Money
    slippage_percent_of_range: Money


@document
class Assumption:
    """A default that was taken, so that nothing is guessed silently."""

    topic: Line
    taken: Line
    because: Line


@document
class Method:
    name: Name
    signature: Line
    returns: Line


@document
class DataModel:
    """What is passed between a strategy and its broker: each field as `name: type`."""

    name: Name
    fields: Annotated[tuple[Line, ...], Field(min_length=1, max_length=40)]


@document
class Raised:
    """An exception that belongs to the interface; any other fails the run."""

    method: Name
    exception: Name
    when: Line


@document
class Example:
    """A worked case: on this bar of this fixture, this must be decided."""

    fixture: Name
    bar: Count
    expects: Literal["long", "short", "exit", "nothing"]
    because: Line


@document
class Contract:
    """What a strategy must do. Its digest is pinned in the approval and in every report.

    `reverse`: an entry of the other side closes the position too, and both fill on one open.
    """

    workflow_id: Name
    correlation_id: Name
    name: Name
    symbol: Name
    timeframe: Literal["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"]
    summary: Text
    indicators: Annotated[tuple[Indicator, ...], Field(max_length=30)] = ()
    entries: Annotated[tuple[Entry, ...], Field(min_length=1, max_length=20)]
    exits: Annotated[tuple[Exit, ...], Field(max_length=20)] = ()
    risk: Risk
    costs: Costs
    reverse: bool = False
    pip_size: Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)] = 0.0001
    min_trades: Count = 1
    assumptions: Annotated[tuple[Assumption, ...], Field(max_length=50)] = ()
    open_questions: Annotated[tuple[Line, ...], Field(max_length=5)] = ()
    interface: Annotated[tuple[Method, ...], Field(max_length=20)] = ()
    test_skeleton: Text = ""
    examples: Annotated[tuple[Example, ...], Field(max_length=50)] = ()
    data_models: Annotated[tuple[DataModel, ...], Field(max_length=20)] = ()
    exceptions: Annotated[tuple[Raised, ...], Field(max_length=20)] = ()
    sheet: Text = ""
    """The rules as somebody typed them, with comments and names; empty where nobody did."""
    schema: Version = 1
