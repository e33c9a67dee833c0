"""What a document is, and the few scalar types that all documents share."""

from __future__ import annotations

import dataclasses
import re
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal, TypeVar, dataclass_transform

from pydantic import BeforeValidator, Field, PlainSerializer, StringConstraints, WithJsonSchema

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def document(cls: type[T]) -> type[T]:
    """A frozen dataclass that refuses unknown fields and never coerces."""
    config = {"extra": "forbid", "strict": True, "regex_engine": "python-re"}
    cls.__pydantic_config__ = config  # type: ignore[attr-defined]
    return dataclasses.dataclass(frozen=True, slots=True, kw_only=True)(cls)


def whole(regex: str) -> str:
    """A pattern for the whole string. `$` would also match before a final newline."""
    return rf"^(?:{regex})(?![\s\S])"


DECIMAL = whole(r"-?[0-9]{1,18}(\.[0-9]{1,12})?")


AMOUNT = whole(r"[0-9]{1,18}(\.[0-9]{1,12})?")
MOST = Decimal(10**18 - 1)


def _decimal(value: object) -> Decimal:
    return _matching(DECIMAL, value)


def _amount(value: object) -> Decimal:
    return _matching(AMOUNT, value)


def _matching(pattern: str, value: object) -> Decimal:
    if isinstance(value, Decimal):
        value = format(value, "f")
    if not isinstance(value, str) or not re.match(pattern, value):
        raise ValueError('write money as a string of digits, as in "12.50"')
    return Decimal(value)


Money = Annotated[
    Decimal,
    BeforeValidator(_decimal),
    PlainSerializer(lambda d: format(d, "f"), return_type=str),
    WithJsonSchema({"type": "string", "pattern": DECIMAL}),
]
"""A decimal string in JSON: binary floats cannot hold cents."""

Cost = Annotated[
    Decimal,
    BeforeValidator(_amount),
    PlainSerializer(lambda d: format(d, "f"), return_type=str),
    WithJsonSchema({"type": "string", "pattern": AMOUNT}),
]
"""Money that was spent: never below zero, so that nobody's cap grows by working."""


def _version(value: object) -> object:
    if isinstance(value, bool):  # to Python, true is 1
        raise ValueError("a version is a number")
    return value


def _true(value: object) -> object:
    if value is not True:  # to Python, 1 is true
        raise ValueError("this is always true")
    return value


Always = Annotated[Literal[True], BeforeValidator(_true)]
Version = Annotated[Literal[1], BeforeValidator(_version)]

Sha = Annotated[str, StringConstraints(pattern=whole("[0-9a-f]{40}"))]
Digest = Annotated[str, StringConstraints(pattern=whole("sha256:[0-9a-f]{64}"))]
Name = Annotated[str, StringConstraints(pattern=whole("[A-Za-z0-9][A-Za-z0-9_.-]{0,99}"))]
LOGIN = whole(r"[A-Za-z0-9][A-Za-z0-9_-]{0,98}(\[bot\])?")
Login = Annotated[str, StringConstraints(pattern=LOGIN)]
Branch = Annotated[str, StringConstraints(pattern=whole("[A-Za-z0-9][A-Za-z0-9_./-]{0,199}"))]
Path = Annotated[str, StringConstraints(pattern=whole(r"([A-Za-z0-9_][A-Za-z0-9_.-]{0,99}/){0,8}[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}"))]  # fmt: skip  # noqa: E501
Clock = Annotated[str, StringConstraints(pattern=whole("([01][0-9]|2[0-3]):[0-5][0-9]"))]
Line = Annotated[str, StringConstraints(max_length=500)]
Text = Annotated[str, StringConstraints(max_length=8_000)]
LongText = Annotated[str, StringConstraints(max_length=60_000)]
OWNER = whole("@[A-Za-z0-9][A-Za-z0-9-]{0,38}(/[A-Za-z0-9_.-]{1,100})?")
Owner = Annotated[str, StringConstraints(pattern=OWNER)]
SOURCE = 100_000
Source = Annotated[str, StringConstraints(max_length=SOURCE)]
RESULTS = 1_000_000
Results = Annotated[str, StringConstraints(max_length=RESULTS)]

Count = Annotated[int, Field(ge=0, le=2**53)]
Number = Annotated[int, Field(ge=1, le=2**53)]
"""An issue, pull request, comment or run: GitHub's own positive numbers."""
Instant = Annotated[int, Field(ge=0, le=2**40)]
"""Seconds since 1970, UTC. Arithmetic needs no parser and no time zone."""
Moment = Annotated[str, StringConstraints(pattern=whole(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?"))]  # fmt: skip  # noqa: E501
"""ISO 8601, UTC. Only in what is printed: a stored event has the instant of its record."""
Seconds = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
Percent = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Real = Annotated[float, Field(ge=-1e15, le=1e15, allow_inf_nan=False)]


class TaskId(StrEnum):
    """The four fixed steps, the one that adds tests to a green strategy, and the whole of them.

    Nobody is asked for a draft of the delivery: it is what the others made, tested as one commit.
    """

    DATA = "t1_data"
    INDICATORS = "t2_indicators"
    ENTRY = "t3_entry"
    EXIT = "t4_exit"
    TESTS = "t5_tests"
    DELIVERY = "deliver"


class AgentRole(StrEnum):
    PLANNER = "planner"
    ARCHITECT = "architect"
    CODER = "coder"
    TESTER = "tester"
    DEBUGGER = "debugger"
    TEST_PLANNER = "test_planner"
    TEST_BUILDER = "test_builder"
    HUMAN = "human"


@document
class Usage:
    """What a piece of work cost. Counted also when it fails."""

    input_tokens: Count = 0
    output_tokens: Count = 0
    cost: Cost = Decimal(0)
    seconds: Seconds = 0.0

    def __add__(self, other: Usage) -> Usage:
        """Stays at the largest figure that can be written down."""
        return Usage(
            input_tokens=min(self.input_tokens + other.input_tokens, 2**53),
            output_tokens=min(self.output_tokens + other.output_tokens, 2**53),
            cost=total(self.cost, other.cost),
            seconds=min(self.seconds + other.seconds, 1e9),
        )


def total(spent: Decimal, more: Decimal) -> Decimal:
    return min(spent + more, MOST)


@document
class Provenance:
    """Who wrote something: enough to ask for the same thing again."""

    agent: AgentRole
    agent_version: Name
    model: Line
    prompt_hash: Digest
