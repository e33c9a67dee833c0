"""What a live run is made of: the strategy, its terms, its limits and its broker."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import cast

from adapters.live.decide import Make
from adapters.live.port import Broker, Kind, Market
from bot.live.generated import require_generated
from bot.live.launch import Launch
from bot.live.redact import Secret
from bot.live.refused import Code, Refused
from bot.text.live import experimental
from schemas import codec
from schemas.contract import Contract
from schemas.live import BrokerName, Limits, Passport

SECONDS = {"S": 1, "M": 60, "H": 3600, "D": 86_400, "W": 604_800}


def read_contract(launch: Launch) -> Contract:
    file = Path(launch.root) / "strategies" / launch.strategy / "contract.json"
    try:
        return codec.load(Contract, file.read_bytes())
    except (OSError, codec.Invalid) as error:
        raise Refused(Code.MISSING_FILE, f"{file.name}: {error}") from None


def read_limits(launch: Launch, contract: Contract) -> Limits:
    """The owner's file, or limits that fit what the contract orders."""
    if not launch.limits:
        return _own_limits(contract)
    file = Path(launch.limits)
    try:
        return codec.load(Limits, file.read_bytes())
    except (OSError, codec.Invalid) as error:
        raise Refused(Code.BAD_LIMITS, str(error)) from None


def _own_limits(contract: Contract) -> Limits:
    """Only where the contract names a number of units is it known what one order may be."""
    sizing, symbols = contract.risk.sizing, (contract.symbol,)
    if sizing.kind != "fixed_units":
        sample = codec.line(Limits(symbols=symbols, max_order=10.0, max_position=10.0))
        raise Refused(Code.NO_LIMITS, f"orders are sized by {sizing.kind}; a file such as {sample}")
    units = float(sizing.amount)
    most = units * contract.risk.max_positions
    return Limits(symbols=symbols, max_order=units, max_position=most)


def read_strategy(launch: Launch, contract: Contract) -> str:
    """The source of the strategy, refused unless the generator writes it from the contract."""
    file = Path(launch.root) / "strategies" / launch.strategy / "strategy.py"
    try:
        found = file.read_bytes()
    except OSError as error:
        raise Refused(Code.MISSING_FILE, f"{file.name}: {error}") from None
    name = file.relative_to(launch.root).as_posix()
    return require_generated(contract, name, found, _passport(file.with_name("passport.json")))


def _passport(file: Path) -> Passport | None:
    """What the strategy says of its origin, where it was delivered."""
    try:
        return codec.load(Passport, file.read_bytes())
    except (OSError, codec.Invalid):
        return None


def load_strategy(name: str, source: str) -> Make:
    """Runs the text that was compared. An import could find something else beside the file:
    `__init__.py`, a package or a library of the same name, a compiled file, a later edit."""
    module = ModuleType(f"strategies.{name}.strategy")
    exec(compile(source, f"strategies/{name}/strategy.py", "exec"), module.__dict__)  # nosec B102
    return cast(Make, module.Strategy)


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
