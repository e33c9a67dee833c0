"""The terms of an account: what trading costs, how much may be held, what it starts with."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self


@dataclass(frozen=True, slots=True)
class Costs:
    """What a fill costs, booked as money beside the price, so that every fill stays inside its bar.

    The defaults are not zero on purpose: free trading flatters every strategy that trades often.
    """

    commission_per_trade: float = 0.0
    commission_per_unit: float = 0.0
    commission_percent: float = 0.05
    spread: float = 0.0
    slippage: float = 0.0
    slippage_percent_of_range: float = 2.0

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if not 0.0 <= value < float("inf"):
                raise ValueError(f"costs.{f.name} is {value}: give zero or a positive number")

    @classmethod
    def read(cls, given: Mapping[str, object]) -> Self:
        """From a contract's `costs`, whose amounts are decimal strings. What is absent is zero."""
        known = {f.name for f in fields(cls)}
        unknown = sorted(set(given) - known)
        if unknown:
            raise ValueError(f"costs has no {unknown[0]!r}: use {', '.join(sorted(known))}")
        return cls(**{name: float(str(given.get(name, 0.0))) for name in sorted(known)})

    @property
    def zero(self) -> bool:
        return all(getattr(self, f.name) == 0.0 for f in fields(self))


FREE = Costs(commission_percent=0.0, slippage_percent_of_range=0.0)


@dataclass(frozen=True, slots=True)
class Terms:
    """One account, one symbol. `leverage` 1 means: what is bought must be paid for."""

    symbol: str = ""
    timeframe: str = ""
    initial_balance: float = 10_000.0
    costs: Costs = Costs()
    leverage: float = 1.0
    max_positions: int = 1
    contract_size: float = 1.0

    def __post_init__(self) -> None:
        for name in ("initial_balance", "leverage", "contract_size"):
            value = getattr(self, name)
            if not 0.0 < value < float("inf"):
                raise ValueError(f"{name} is {value}: give a positive number")
        if self.max_positions < 1:
            raise ValueError(f"max_positions is {self.max_positions}: give 1 or more")

    @classmethod
    def read(cls, cfg: Mapping[str, object]) -> Self:
        """From the cfg that a strategy gets. Keys that only the strategy needs are left alone."""
        costs = cfg.get("costs")
        return cls(
            symbol=str(cfg.get("symbol", "")),
            timeframe=str(cfg.get("timeframe", "")),
            initial_balance=float(str(cfg.get("initial_balance", 10_000.0))),
            costs=Costs.read(costs) if isinstance(costs, Mapping) else Costs(),
            leverage=float(str(cfg.get("leverage", 1.0))),
            max_positions=int(str(cfg.get("max_positions", 1))),
            contract_size=float(str(cfg.get("contract_size", 1.0))),
        )
