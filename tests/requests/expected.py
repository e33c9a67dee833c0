"""The expected trades of a request, for each accepted reading and each misreading."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from tests.requests import meanings
from tests.requests.compare import Runs
from tests.requests.corpus import Request, requests
from tests.requests.market import market
from tests.requests.plan import Plan, trades
from tests.requests.readings import MEANINGS, Meaning, Options

for _module in iter_modules(meanings.__path__):
    import_module(f"{meanings.__name__}.{_module.name}")


def meaning(request: Request) -> Meaning:
    return MEANINGS[request.id]


def plans(request: Request, options: Options) -> dict[str, Plan]:
    make = meaning(request).plan
    return {name: make(bars, **options) for name, bars in market(request.timeframe).items()}


def runs(request: Request, options: Options) -> Runs:
    data = market(request.timeframe)
    return {name: trades(data[name], plan) for name, plan in plans(request, options).items()}


@cache
def reading(name: str, number: int) -> Runs:
    """The trades of an accepted reading; made once."""
    request = requests()[name]
    return runs(request, meaning(request).readings[number])


def accepted(request: Request) -> Iterator[Runs]:
    for number in range(len(meaning(request).readings)):
        yield reading(request.id, number)


def misread(request: Request) -> Iterator[tuple[str, Runs]]:
    for name, options in meaning(request).misreadings.items():
        yield name, runs(request, options)
