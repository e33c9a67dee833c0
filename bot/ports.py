"""What the bot needs from the world: three ports and three errors. One file can fake them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from typing import NoReturn, Protocol

from bot.events import Event, Fact
from schemas.acts import Act, View
from schemas.base import Usage
from schemas.codec import Invalid
from schemas.work import Product, WorkOrder
from schemas.workflow import Record, Role, Workflow


class Conflict(Exception):
    """Someone else moved the state first. Read again and decide again."""


class Unavailable(Exception):
    """The world did not answer. Nothing is lost: run again later."""


class Rejected(Exception):
    """The world said no, and will say no again. A person has to look."""


class Gone(Rejected):
    """What it was about has been deleted: there is nothing left to look after."""


class Look(IntEnum):
    """How far to look: a request costs GitHub's patience, and the sweep looks everywhere."""

    SAID = 1
    """What was said on the request."""
    REQUEST = 2
    """Also whether it was edited or closed."""
    EVERYWHERE = 3
    """Also its pull requests, and the results of its runs."""


def stop(error: Invalid) -> NoReturn:
    """What to do about a state that cannot be read, unless somebody knows better."""
    raise error


class Store(Protocol):
    """State with compare-and-swap. `at` names the version that was read; "" is none yet."""

    def read(self, issue: int) -> tuple[Workflow, str]: ...

    def write(self, workflow: Workflow, expected: str, record: Record) -> str: ...

    def issues(self) -> tuple[int, ...]: ...

    def history(
        self, issue: int, broken: Callable[[Invalid], None] = stop
    ) -> Iterator[tuple[str, Record, Workflow]]: ...


class Hub(Protocol):
    """GitHub as the bot sees it."""

    def role(self, login: str) -> Role: ...

    def news(self, workflow: Workflow, look: Look = Look.EVERYWHERE) -> tuple[Event, ...]:
        """What has happened to this request that its state does not know, oldest first."""
        ...

    def perform(self, workflow: Workflow, act: Act) -> Fact | None:
        """Make it so, once. A repeat finds it done and gives the same fact."""
        ...

    def show(self, workflow: Workflow, view: View) -> None: ...

    def dispatch(self, order: WorkOrder, fresh: bool = False) -> None:
        """Start this work once. `fresh`: nobody can have started it before us."""
        ...

    def alive(self, orders: tuple[WorkOrder, ...]) -> frozenset[str]:
        """The keys of those whose run waits for a machine or is under way."""
        ...

    def open_requests(self) -> tuple[int, ...]: ...

    def stirred(self) -> Mapping[int, int]:
        """When issues and pull requests, closed ones too, were touched, of the last days."""
        ...


class Writer(Protocol):
    """Turns a work order into a document. It holds no token and cannot reach GitHub."""

    def write(self, order: WorkOrder) -> tuple[Product, Usage]:
        """A plan, questions, a refusal, a draft, a repair or tests; `WorkFailed` if it cannot."""
        ...
