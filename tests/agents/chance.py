"""Contracts that nobody would write: any tree, any indicator, any setting, from a number."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

from schemas import contract as c
from schemas.indicators import KINDS
from tests.agents.making import FREE, LONG, SHORT, ind

LENGTHS = (3, 5, 9, 20, 33)
TIMEFRAMES: list[Any] = ["M5", "M15", "M30", "H1", "H4", "D1"]
WORDS = ("fast", "Slow-line", "x", "rsi", "close", "9", "held", "Volume", "enter_long",
         "very.long_name-of_an.indicator", "stop_long", "RSI")  # fmt: skip
HELD = ("entry_price", "bars", "highest_high", "lowest_low", "highest_close", "lowest_close")
FIELDS = ("minute", "weekday", "day", "month", "bar_of_day", "trading_day")


class Chance:
    """Draws a contract. The same number gives the same contract."""

    def __init__(self, number: int) -> None:
        self.draw = Random(number)
        self.based = Random(f"base {number}")
        self.name = f"chance_{number}"
        self.indicators = self._indicators()
        self.averages = [i.id for i in self.indicators if len(KINDS[i.kind].outputs) == 1]

    def contract(self) -> c.Contract:
        risk, draw = self._risk(), self.draw
        sides = draw.choice([(LONG,), (SHORT,), (LONG, SHORT)])
        entries = tuple(self._entry(draw.choice(sides)) for _ in range(draw.randint(1, 3)))
        entries += tuple(self._entry(s) for s in sides if s not in {e.side for e in entries})
        exits = tuple(self._exit() for _ in range(draw.randint(0, 3)))
        return c.Contract(
            workflow_id="wf", correlation_id="corr", name=self.name, symbol="AAPL",
            timeframe=draw.choice(TIMEFRAMES), summary="By chance.", indicators=self.indicators,
            entries=entries, exits=exits, risk=risk, costs=FREE, reverse=draw.random() < 0.2,
            pip_size=draw.choice([0.0001, 0.01, 0.1]),
        )  # fmt: skip

    def _indicators(self) -> tuple[c.Indicator, ...]:
        made: list[c.Indicator] = []
        for name in self.draw.sample(WORDS, self.draw.randint(1, 5)):
            kind = self.draw.choice(list(KINDS))
            about = KINDS[kind]
            given = {"length": self.draw.choice(LENGTHS)} if "length" in about.parameters else {}
            of = None
            if about.reads == "source" and made and self.draw.random() < 0.3:
                other = self.draw.choice(made)
                of = c.Series(indicator=other.id, output=KINDS[other.kind].outputs[0],
                              shift=self.draw.choice([0, 0, 1]))  # fmt: skip
            how = self.draw.choice(["", "", "simple", "exponential"]) if about.smoothing else ""
            source = self.draw.choice(["open", "high", "low", "close", "volume"])
            made.append(ind(name, kind, source, of=of, smoothing=how, **given))
        return (*made, ind("atr", "atr"))

    def _number(self) -> c.Constant:
        return c.Constant(value=self.draw.choice([0.0, 1.0, 2.0, 30.0, 70.5, 100.0, -20.0, 0.015]))

    def operand(self, depth: int, held: bool) -> c.Operand:
        draw = self.draw
        match draw.choice("kppssscah" if depth else "kppssch"):
            case "k":
                return self._number()
            case "p":
                field = draw.choice(list(c.PriceField)[:4])
                return c.Price(field=field, shift=draw.choice([0, 0, 0, 1, 3]))
            case "c":
                shift = draw.choice([0, 0, 2])
                return c.Calendar(field=draw.choice(FIELDS), shift=shift)  # type: ignore[arg-type]
            case "h" if held:
                return c.Held(field=draw.choice(HELD))  # type: ignore[arg-type]
            case "a":
                op: Any = draw.choice(
                    ["add", "subtract", "multiply", "divide", "minimum", "maximum"]
                )
                right = c.Constant(value=3.0) if op == "divide" else self.operand(depth - 1, held)
                return c.Arithmetic(op=op, left=self.operand(depth - 1, held), right=right)
        found = draw.choice(self.indicators)
        output = draw.choice(KINDS[found.kind].outputs)
        return c.Series(indicator=found.id, output=output, shift=draw.choice([0, 0, 1]))

    def condition(self, depth: int, held: bool) -> c.Condition:
        draw = self.draw
        match draw.choice("ggxxeonrwsd" if depth else "ggxxsd"):
            case "e":
                return c.Every(of=self._several(depth, held))
            case "o":
                return c.Either(of=self._several(depth, held))
            case "n":
                return c.Never(of=self.condition(depth - 1, held))
            case "r":
                return c.InARow(bars=draw.randint(1, 4), of=self.condition(depth - 1, held))
            case "w":
                return c.Within(bars=draw.randint(1, 6), of=self.condition(depth - 1, held))
            case "s":
                start, end = (
                    draw.choice(["07:00", "10:30", "22:00"]),
                    draw.choice(["02:00", "15:00"]),
                )
                return c.Session(start=start, end=end, includes_end=draw.random() < 0.5)
            case "d":
                days = tuple(sorted(draw.sample(range(7), draw.randint(1, 5))))
                return c.OnDays(weekdays=days)
            case "x":
                way: Any = draw.choice(["above", "below"])
                return c.Cross(
                    direction=way, left=self.operand(2, held), right=self.operand(2, held)
                )
        op: Any = draw.choice(["above", "below", "at_least", "at_most"])
        return c.Compare(op=op, left=self.operand(2, held), right=self.operand(2, held))

    def _several(self, depth: int, held: bool) -> tuple[c.Condition, ...]:
        return tuple(self.condition(depth - 1, held) for _ in range(self.draw.randint(1, 5)))

    def _entry(self, side: c.Side) -> c.Entry:
        limit = None
        if self.draw.random() < 0.2:
            near = c.Constant(value=0.997 if side is LONG else 1.003)
            close = c.Price(field=c.PriceField.CLOSE)
            limit = c.Arithmetic(op="multiply", left=close, right=near)
        reason = self.draw.choice(["it turns", "RSI < 30", "a long reason " * 9, "", "now", "2024"])
        return c.Entry(side=side, when=self.condition(3, False), limit=limit, reason=reason)

    def _exit(self) -> c.Exit:
        side = self.draw.choice([LONG, SHORT, None])
        return c.Exit(side=side, when=self.condition(3, True), reason="it is over")

    def _far(self, *units: str) -> c.Distance:
        unit: Any = self.draw.choice(units)
        amount = {"percent": 2.5, "price": 3.0, "pips": 120.0, "atr": 1.5, "r": 1.2}[unit]
        return c.Distance(unit=unit, amount=amount, indicator="atr" if unit == "atr" else None)

    def _based(self, *levels: tuple[c.Level, ...]) -> tuple[tuple[c.Level, ...], ...]:
        """From the signal, from the fill or any of both; where R counts, all from one."""
        bases: list[Any] = self.based.choice([["signal"], ["fill"], ["signal", "fill"]])
        if any(x.distance and x.distance.unit == "r" for some in levels for x in some):
            bases = bases[:1]
        return tuple(tuple(replace(x, base=self.based.choice(bases)) for x in some)
                     for some in levels)  # fmt: skip

    def _risk(self) -> c.Risk:
        draw = self.draw
        stops = tuple(c.Level(side=None, distance=self._far("percent", "atr"))
                      for _ in range(draw.randint(0, 2)))  # fmt: skip
        units = ("percent", "price", "atr", "r") if stops else ("percent", "price", "atr")
        targets = tuple(c.Level(side=draw.choice([None, LONG]), distance=self._far(*units))
                        for _ in range(draw.randint(0, 2)))  # fmt: skip
        trailing = tuple(
            c.Trailing(side=draw.choice([None, LONG, SHORT]), distance=self._far(*units),
                       mark=draw.choice(["close", "extreme"]),
                       starts_after=draw.choice([None, self._far(*units)]))
            for _ in range(draw.choice([0, 0, 1, 2]))
        )  # fmt: skip
        stops, targets = self._based(stops, targets)
        kinds: list[Any] = ["fixed_units", "fixed_cash", "percent_of_equity"]
        kinds += ["risk_percent", "risk_cash"] if stops else []
        kind = draw.choice(kinds)
        amount = {"risk_percent": "0.5", "percent_of_equity": "40"}.get(kind, "50")
        return c.Risk(
            stops=stops, targets=targets, trailing=trailing,
            break_even_after=draw.choice([None, None, self._far(*units)]),
            exit_after_bars=draw.choice([None, None, 3, 12]),
            exit_at=draw.choice([None, None, "15:30"]),
            sizing=c.Sizing(kind=kind, amount=Decimal(amount)),
            max_positions=draw.choice([1, 1, 1, 3]), cooldown_bars=draw.choice([0, 0, 0, 4]),
            cooldown_after=draw.choice(["exit", "stop", "loss"]),
            max_entries_per_day=draw.choice([None, None, None, 2]),
        )  # fmt: skip


def by_chance(number: int) -> c.Contract:
    return Chance(number).contract()
