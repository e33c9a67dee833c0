"""What a live run is made of: the strategy, its terms, its limits and its broker."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import cast

from adapters.base_adapter import Config
from adapters.live.decide import Make
from adapters.live.port import Broker, Kind, Market
from bot.live.launch import Launch
from bot.live.redact import Secret
from bot.live.refused import Code, Refused
from bot.text.live import experimental
from schemas import codec
from schemas.contract import Contract
from schemas.live import BrokerName, Limits

SECONDS = {"S": 1, "M": 60, "H": 3600, "D": 86_400, "W": 604_800}


def read_contract(launch: Launch) -> Contract:
    file = Path(launch.root) / "strategies" / launch.strategy / "contract.json"
    try:
        return codec.load(Contract, file.read_bytes())
    except (OSError, codec.Invalid) as error:
        raise Refused(Code.MISSING_FILE, f"{file.name}: {error}") from None


def read_limits(launch: Launch, contract: Contract) -> Limits:
    """The owner's file, or limits that fit one unit of the contract's symbol."""
    file = Path(launch.limits)
    if not launch.limits:
        return Limits(symbols=(contract.symbol,), max_order=1.0, max_position=1.0)
    try:
        return codec.load(Limits, file.read_bytes())
    except (OSError, codec.Invalid) as error:
        raise Refused(Code.BAD_LIMITS, str(error)) from None


def load_strategy(name: str) -> Make:
    """Only called after the gate has compared every file with what was approved."""
    module = importlib.import_module(f"strategies.{name}.strategy")
    return cast(Make, module.Strategy)


def config(contract: Contract) -> Config:
    """As the sandbox gives it, so that a live run sees what was tested."""
    costs = type(contract.costs).__dataclass_fields__
    return {
        "symbol": contract.symbol,
        "timeframe": contract.timeframe,
        "pip_size": 0.0001,
        "volume": 1.0,
        "max_positions": contract.risk.max_positions,
        "costs": {name: str(getattr(contract.costs, name)) for name in costs},
    }


def market(contract: Contract) -> Market:
    unit, count = contract.timeframe[:1], contract.timeframe[1:]
    if unit not in SECONDS or not count.isdecimal():
        raise Refused(Code.MISSING_FILE, f"timeframe {contract.timeframe}")
    seconds, most = SECONDS[unit] * int(count), contract.risk.max_positions
    return Market(contract.symbol, contract.timeframe, seconds, most)


def may_trade(launch: Launch, kind: Kind) -> str:
    """Refuse money that is real on a client that is not proven. What to say before it starts."""
    if launch.dry_run or kind == Kind.PAPER:
        return ""
    if kind == Kind.UNKNOWN:
        raise Refused(Code.ACCOUNT_UNKNOWN, launch.broker)
    if not launch.experimental:
        raise Refused(Code.REAL_MONEY, launch.broker)
    return experimental(launch.broker)


# ------------------------------------------------------------------------------- the brokers
Secrets = dict[str, Secret]


def sim(launch: Launch, market: Market, secrets: Secrets) -> Broker:
    from adapters.live.sim import SimExchange

    host, port = _address(launch, 8801)
    return SimExchange(host, port, secrets["sim_key"].reveal())


def ibkr(launch: Launch, market: Market, secrets: Secrets) -> Broker:
    try:
        from adapters.live.ibkr import Ibkr
    except ImportError as error:
        raise Refused(Code.NO_BROKER, str(error.name)) from None
    host, port = _address(launch, 7497)
    return Ibkr(host, port, secrets["ibkr_account"].reveal(), market)


def mt5(launch: Launch, market: Market, secrets: Secrets) -> Broker:
    try:
        import MetaTrader5 as terminal
    except ImportError as error:
        raise Refused(Code.NO_BROKER, str(error.name)) from None
    from adapters.live.mt5 import Login, Mt5

    login = Login(*(secrets[name].reveal() for name in ("mt5_login", "mt5_password", "mt5_server")))
    return Mt5(terminal, login, market)


def _address(launch: Launch, port: int) -> tuple[str, int]:
    host, _, given = launch.address.partition(":")
    return host or "127.0.0.1", int(given) if given.isdecimal() else port


BROKERS: dict[BrokerName, tuple[tuple[str, ...], Callable[[Launch, Market, Secrets], Broker]]] = {
    BrokerName.SIM: (("sim_key",), sim),
    BrokerName.IBKR: (("ibkr_account",), ibkr),
    BrokerName.MT5: (("mt5_login", "mt5_password", "mt5_server"), mt5),
}
"""The credentials that a broker needs, and how it is made."""
