"""The figures of a backtest: what each is called, how it is written, and what it means."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from schemas.report import Summary
from simbroker.luck import FEW_LOSSES, FEW_RETURNS, FEW_TRADES

NONE = "–"
SHORT = f"{NONE} (fewer than {FEW_RETURNS} daily returns)"
"""Instead of a figure of a year that a few days were stretched to."""
Figure = Decimal | float | None


def too_short(summary: Summary | None) -> bool:
    """Too few days to speak of a year. Figures of an older version do not say how many."""
    return summary is not None and 0 < summary.returns < FEW_RETURNS


@dataclass(frozen=True, slots=True)
class Measure:
    """One row wherever figures are shown. `form` is how Python writes the number."""

    name: str
    field: str
    form: str
    means: str
    unit: str = ""
    yearly: bool = False

    def of(self, summary: Summary | None) -> Figure:
        found: Figure = getattr(summary, self.field) if summary else None
        return found

    def told(self, summary: Summary | None) -> str:
        value = self.of(summary)
        if value is not None and self.yearly and too_short(summary):
            return SHORT
        return NONE if value is None else f"{value:{self.form}}{self.unit}"

    def change(self, now: Summary, then: Summary | None) -> str:
        one, other = self.of(now), self.of(then)
        if one is None or other is None or SHORT in (self.told(now), self.told(then)):
            return NONE
        by = Decimal(str(one)) - Decimal(str(other))
        return f"{by:+{self.form.lstrip('+')}}{self.unit}" if by else "same"


MEASURES = (
    Measure("net result", "net_pnl", "+,.2f",
            "what all trades earned after costs, in the money of the account"),
    Measure("total return", "return_pct", "+,.2f",
            "the same as a part of the money at the start", "%"),
    Measure("return a year (CAGR)", "cagr_pct", "+,.2f",
            "that growth as if each year had been the same", "%", yearly=True),
    Measure("at twice the costs", "net_pnl_at_double_costs", "+,.2f",
            "the same trades, had every cost been twice as high"),
    Measure("buying and holding", "buy_and_hold", "+,.2f",
            "what the whole account would have earned from first bar to last, without costs"),
    Measure("maximum drawdown", "max_drawdown", ",.2f",
            "the deepest fall below an earlier peak of the account"),
    Measure("maximum drawdown of the peak", "max_drawdown_pct", ",.2f",
            "the deepest fall as a part of the peak before it", "%"),
    Measure("drawdown of holding", "hold_drawdown_pct", ",.2f",
            "how deep the account would have fallen had it bought once and held", "%"),
    Measure("longest time below a peak", "max_drawdown_days", ",.0f",
            "from a peak until it was reached again, or until the end", " days"),
    Measure("trades", "total_trades", ",",
            "positions that were opened and closed"),
    Measure("win rate", "win_rate", ".1%",
            "the part of the trades that earned something"),
    Measure("average trade", "average_trade", "+,.2f",
            "what one trade earned on average, after costs (expectancy)"),
    Measure("best trade", "best_trade", "+,.2f",
            "what the best one earned, after costs: how much would be left without it?"),
    Measure("worst trade", "worst_trade", "+,.2f",
            "what the worst one earned or lost, after costs"),
    Measure("average time in a trade", "average_bars", ",.1f",
            "from the bar of the entry to the bar of the exit", " bars"),
    Measure("longest losing streak", "longest_losing_streak", ",",
            "losses in a row: can you sit through that?"),
    Measure("profit factor", "profit_factor", ".2f",
            "what the winners won for each unit of money that the losers lost"),
    Measure("Sharpe", "sharpe", ".2f",
            "mean of the daily returns / their deviation * √(days of a year); no risk-free rate",
            yearly=True),
    Measure("Sharpe of holding", "hold_sharpe", ".2f",
            "the same of buying once and holding, on the same days", yearly=True),
    Measure("Sortino", "sortino", ".2f",
            "the Sharpe ratio, where only returns below zero count as deviation", yearly=True),
    Measure("time in the market", "exposure_pct", ".1f",
            "the part of the bars with a position open", "%"),
)  # fmt: skip


def shown(*columns: Summary | None) -> list[Measure]:
    """What is known in any column: a run of an older version knows less."""
    return [m for m in MEASURES if any(m.of(column) is not None for column in columns)]


LUCK: tuple[tuple[str, str], ...] = (
    ("Sharpe that luck alone gives",
     "s · m, where m = (1 − γ) · Z(1 − 1/N) + γ · Z(1 − 1/(N·e)), N counts the trials, γ = 0.5772, "
     "and Z is the inverse of the normal distribution. s is the deviation of the Sharpe ratios of "
     "the trials where two or more are known, and at least 1/√(T − 1) for T returns: so much "
     "varies by chance alone. Bailey and López de Prado, The Deflated Sharpe Ratio, 2014; the "
     "least s is ours."),
    ("Deflated Sharpe ratio",
     "Φ((SR − s · m) · √(T − 1) / D), where D = √(1 − skew · SR + (kurtosis − 1)/4 · SR²) and SR "
     "is the Sharpe ratio per day: how sure it is that the true ratio is above what luck gives. "
     f"The same source. It takes {FEW_RETURNS} daily returns, {FEW_TRADES} trades and {FEW_LOSSES} "
     "trades that did not win: else it is not told. That rule is ours."),
    ("Returns that are enough to tell",
     "1 + ((Z(0.95) · D + m) / SR)²: with so many returns like these the deflated ratio is 95%. "
     "Where the trials vary by more than chance: 1 + (Z(0.95) · D / (SR − s · m))², if that is "
     "more. Solved for T from the same source; the second is the minimum track record length of "
     "Bailey and López de Prado, The Sharpe Ratio Efficient Frontier, 2012."),
    ("Equal stretches of time",
     "the daily returns, cut into 8 parts as equal as can be; each is told in money. The rules "
     "stay the same in all of them. A plain cut of ours: it needs no source."),
    ("Probability of backtest overfitting",
     "of all ways to take half of the stretches, how often the variant that was best there is no "
     "better than the middle one on the rest. Bailey, Borwein, López de Prado and Zhu, The "
     "Probability of Backtest Overfitting, 2017."),
)  # fmt: skip
"""What the words about luck mean, with formula and source. simbroker/luck.py has all of them."""


def glossary() -> str:
    """Folded, for whoever meets a word for the first time."""
    named = [*((m.name, m.means) for m in MEASURES), *LUCK]
    rows = [f"- **{name}**: {means}" for name, means in named]
    return "\n".join(
        ["<details><summary>What each figure means</summary>", "", *rows, "", "</details>"]
    )
