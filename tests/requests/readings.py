"""The register of meanings: a plan for each request, its honest readings and its misreadings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product

from tests.requests.plan import Plan

Options = Mapping[str, object]
MakePlan = Callable[..., Plan]

# What a text may leave open, wherever it does.
ATRS = ("wilder", "sma")
SAMPLES = (False, True)
COUNTS = ("fill", "signal")
SINCE = ("fill", "signal", "price")
SEEDS = ("mean", "first")
VWAPS = ("typical", "close", "ohlc")
BANDS = ("last", "this")
DOTS = ("two bars", "before", "after", "last", "free")


@dataclass(frozen=True)
class Meaning:
    """The first reading is the plain one. A misreading replaces options of the first reading."""

    plan: MakePlan
    readings: tuple[Options, ...]
    misreadings: Mapping[str, Options]


MEANINGS: dict[str, Meaning] = {}


def means(
    request: str, misread: Mapping[str, Options], **open_choices: tuple[object, ...]
) -> Callable[[MakePlan], MakePlan]:
    """Register a plan. Every combination of the open choices is an accepted reading."""
    if request in MEANINGS:
        raise ValueError(f"{request} has two meanings")

    def register(plan: MakePlan) -> MakePlan:
        readings = tuple(
            dict(zip(open_choices, chosen, strict=True))
            for chosen in product(*open_choices.values())
        )
        wrong = {name: {**readings[0], **options} for name, options in misread.items()}
        MEANINGS[request] = Meaning(plan, readings, wrong)
        return plan

    return register
