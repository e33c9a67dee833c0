"""What a model is asked to answer. Less than a document: ids, costs and plans are not its own."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from schemas.base import Line, Source, Text, document, whole
from schemas.contract import Contract
from schemas.work import QuestionsAsked, RequestDeclined


@document
class Understood:
    """The request can be built as this contract says."""

    contract: Contract
    kind: Literal["understood"] = "understood"


@document
class Planned:
    answer: Annotated[Understood | QuestionsAsked | RequestDeclined, Field(discriminator="kind")]


@document
class Drafted:
    strategy: Source
    tests: Source
    explanation: Text


@document
class Repaired:
    """A repair is the strategy and nothing else: there is no place for tests or a contract."""

    strategy: Source
    explanation: Text


TestName = Annotated[str, StringConstraints(pattern=whole("test_[a-z0-9_]{1,80}"))]


@document
class Missing:
    name: TestName
    goal: Line


@document
class TestsNamed:
    __test__ = False
    cases: Annotated[tuple[Missing, ...], Field(max_length=20)]


@document
class TestsWritten:
    """A unified diff that adds one file of tests."""

    __test__ = False
    diff: Source
