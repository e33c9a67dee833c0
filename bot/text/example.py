"""One trade of the contract in money, as a person would check it by hand."""

from __future__ import annotations

from bot.agents.worked import CLOSE, Trade, worked
from schemas.contract import Contract, Side


def example(contract: Contract) -> list[str]:
    trade = worked(contract)
    return ["#### Example", "", " ".join([_entry(trade, contract), *_stop(trade, contract)]), ""]


def _entry(trade: Trade, contract: Contract) -> str:
    first = contract.entries[0]
    verb = "buys" if trade.side is Side.LONG else "sells short"
    how = "with the limit order" if first.limit is not None else "at the next open"
    where = (
        f"a limit of {money(CLOSE)}" if first.limit is not None else f"a close of {money(CLOSE)}"
    )
    given = [where]
    given += [f"an ATR of {money(trade.atr)}"] if trade.atr else []
    given += (
        [f"a stop {money(abs(trade.price - (trade.stop or 0)))} away"] if trade.stop_taken else []
    )
    listed = f"{', '.join(given[:-1])} and {given[-1]}" if len(given) > 1 else given[0]
    return (
        f"With {money(trade.balance)} and {listed}: {verb} {_units(trade.units)} {how}, "
        f"about {money(trade.spent)}."
    )


def _stop(trade: Trade, contract: Contract) -> list[str]:
    said = []
    if trade.target is not None:
        said.append(f"The target rests at {price(trade.target)}.")
    if trade.stop is None or trade.result is None:
        why = "The stop depends on the bars." if contract.risk.stops else "There is no stop."
        return [*said, why]
    moved = "" if trade.stop_taken else f"the stop rests at {price(trade.stop)}. "
    share = f"{trade.result / trade.balance * 100.0:.1f}%".replace("-", "−")
    paid = f" plus {money(trade.costs)} costs" if trade.costs else ""
    more = ", before slippage" if contract.costs.slippage_percent_of_range else ""
    return [
        *said,
        f"If that fills at {price(trade.price)}, {moved}Stopped out "
        f"{'there' if moved else f'at {price(trade.stop)}'}, the trade loses "
        f"{money(-trade.result - trade.costs)}{paid}{more}: **{share} of the account**. "
        "A gap can cost more.",
    ]


def _units(units: float) -> str:
    said = f"{units:,.2f}".rstrip("0").rstrip(".") if units < 1e6 else f"{units:,.0f}"
    return f"{said} share{'s' * (units != 1)}"


def money(amount: float) -> str:
    """No cents above a hundred dollars."""
    if amount >= 100 or amount == int(amount):
        return f"${amount:,.0f}"
    return f"${amount:,.2f}" if amount >= 0.01 else f"${amount:.4f}"


def price(amount: float) -> str:
    return (
        f"${amount:,.2f}" if abs(amount * 100 - round(amount * 100)) < 1e-6 else f"${amount:,.4f}"
    )
