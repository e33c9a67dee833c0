"""What one fill costs, booked."""

from simbroker.fills import commission, half_spread, slip, to_money
from simbroker.positions import Charges
from simbroker.terms import Costs

NO_CHARGES: Charges = (0.0, 0.0, 0.0)


def charges(
    costs: Costs, price: float, units: float, bar_range: float, takes: bool, entering: bool
) -> Charges:
    """Commission, spread and slippage. `takes`: the fill took the market and may have slipped."""
    fee = commission(
        costs.commission_per_trade,
        costs.commission_per_unit,
        costs.commission_percent,
        units,
        price,
        entering,
    )
    slipped = 0.0
    if takes:
        slipped = slip(costs.slippage, costs.slippage_percent_of_range, units, bar_range)
    return to_money(fee), to_money(half_spread(costs.spread, units)), to_money(slipped)
