"""From the text of a sheet to its rules. Every statement is read; every fault is told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from lark import Tree

from schemas import contract as c
from schemas.sheet.book import Book
from schemas.sheet.draft import Draft
from schemas.sheet.expressions import Scope
from schemas.sheet.grammar import parse
from schemas.sheet.levels import like_their_stops
from schemas.sheet.names import CURRENCY_PAIR
from schemas.sheet.problems import Assumed, Fault, Hole, HoleFound, Problem
from schemas.sheet.rules import Rules, canonical
from schemas.sheet.statements import MEANING
from schemas.sheet.suggest import example, tries
from schemas.sheet.text import MOST_CHARACTERS, MOST_LINES, Statement, statements

USUAL_COSTS = {"commission_percent": Decimal("0.05"), "slippage_percent_of_range": Decimal(2)}
COSTS = ("commission_per_trade", "commission_per_unit", "commission_percent", "spread",
         "slippage", "slippage_percent_of_range")  # fmt: skip
EARLY = ("symbol", "timeframe", "tf", "interval", "pip", "tick")
ORDERS = ("enter", "enter_side", "buy", "stop", "target")


@dataclass(frozen=True, slots=True)
class Reading:
    """`rules` are there only where nothing is wrong and nothing is left open."""

    rules: Rules | None
    problems: tuple[Problem, ...] = ()
    holes: tuple[Hole, ...] = ()
    assumed: tuple[Assumed, ...] = ()


def read_sheet(text: str) -> Reading:
    """Never raises, whatever the text is."""
    if len(text) > MOST_CHARACTERS or text.count("\n") > MOST_LINES:
        return _refused(f"a sheet has at most {MOST_LINES} lines and {MOST_CHARACTERS} characters")
    found = statements(text)
    draft = Draft(_scope(found))
    problems: list[Problem] = []
    holes: list[Hole] = []
    for statement in found:
        draft.line = statement.line
        try:
            _read(draft, statement)
            draft.tell()
        except Fault as fault:
            draft.scope.told.clear()
            problems.append(_problem(fault, statement, draft))
        except HoleFound as hole:
            line, column, typed = statement.place(hole.column)
            holes.append(Hole(line, column, typed))
        except RecursionError:
            problems.append(
                _problem(Fault("brackets in brackets, too deep to read"), statement, draft)
            )
    if problems or holes:
        return Reading(None, tuple(problems), tuple(holes), tuple(draft.assumed))
    return _finished(draft, text)


def _scope(found: list[Statement]) -> Scope:
    """Timeframe and pip are known from the start, wherever they stand."""
    scope = Scope(Book())
    for statement in found:
        words = statement.text.split()
        if words[0].lower() not in EARLY:
            continue
        early = Draft(Scope(Book()))
        try:
            _read(early, statement)
        except (Fault, HoleFound):
            continue
        scope.timeframe = early.said.get("timeframe", scope.timeframe)
        scope.pip = early.said.get("pip", scope.pip)
        scope.tick = early.said.get("tick", scope.tick)
        scope.symbol = early.said.get("symbol", scope.symbol)
    if scope.pip is None and CURRENCY_PAIR.fullmatch(scope.symbol):
        scope.pip = 0.01 if "JPY" in scope.symbol else 0.0001
    return scope


def _read(draft: Draft, statement: Statement) -> None:
    tree = parse(statement.text)
    if not isinstance(tree, Tree):
        raise Fault("this says nothing")
    draft.scope.ordering = str(tree.data) in ORDERS
    MEANING[str(tree.data)](draft, tree)


def _problem(fault: Fault, statement: Statement, draft: Draft) -> Problem:
    line, column, typed = statement.place(fault.column)
    lines = tries(fault, statement.text, lambda text: _legal(text, draft))
    word = statement.text[fault.column : fault.until] if fault.until else fault.word
    shown = "" if lines else example(fault, statement.text)
    return Problem(line, column, word, fault.message, typed, lines, shown)


def _legal(text: str, draft: Draft) -> bool:
    """Whether the line could stand in this sheet."""
    scope = replace(draft.scope, book=Book(), lets=dict(draft.scope.lets), unread={}, told=[])
    scope.book.indicators = list(draft.scope.book.indicators)
    try:
        _read(Draft(scope), Statement(0, text, (text,), (0,)))
    except (Fault, HoleFound, RecursionError):
        return False
    return True


def _refused(why: str) -> Reading:
    return Reading(None, (Problem(1, 1, "", why, ""),))


def _finished(draft: Draft, text: str) -> Reading:
    """What only the whole can tell."""
    missing = _missing(draft)
    if missing:
        last = text.count("\n") + 1
        return Reading(
            None, tuple(Problem(last, 1, "", why, "", (line,)) for why, line in missing), (),
            tuple(draft.assumed),
        )  # fmt: skip
    wrong = [Problem(n, 1, "", why, "") for n, why in _contradictions(draft)]
    if wrong:
        return Reading(None, tuple(wrong), (), tuple(draft.assumed))
    rules = canonical(_rules(draft))
    return Reading(rules, (), (), tuple(draft.assumed))


def _missing(draft: Draft) -> list[tuple[str, str]]:
    found = []
    if "symbol" not in draft.said:
        found.append(("which symbol?", "symbol AAPL"))
    if "timeframe" not in draft.said:
        found.append(("which timeframe?", "timeframe D1"))
    if not draft.entries:
        found.append(("no entry: when does it buy or sell?", "enter long when ???"))
    return found


def _contradictions(draft: Draft) -> list[tuple[int, str]]:
    sides = {e.side for e in draft.entries}
    found = []
    for line, only, what in draft.one_sided:
        if sides != {only}:
            best = what in ("highest", "lowest", "high", "low")
            told = "; write `from best close` or `from best price`" if best else ""
            found.append((line, f"`{what}` is for {only}s; this trades other positions, too{told}"))
    size = draft.said.get("size")
    if size and size.kind in ("risk_percent", "risk_cash") and not draft.stops:
        found.append((draft.said_on["size"], "a size by risk needs a stop to measure it"))
    if draft.scope.uses_pips and draft.scope.pip is None:
        found.append((1, "how large is a pip here? Add a line such as `pip 0.01`"))
    counted = [(x.side, x.distance) for x in draft.targets] + [
        (x.side, far) for x in draft.trailing for far in (x.distance, x.starts_after)
    ]
    counted += [(None, draft.said.get("breakeven"))]
    for side, far in counted:
        if far is not None and far.unit == "r":
            needs = sides if side is None else {side}
            if not all(any(s.side in (None, n) for s in draft.stops) for n in needs):
                found.append((0, "R is the distance to the stop, and a side has no stop"))
                break
    return found


def _rules(draft: Draft) -> Rules:
    said = draft.said
    if "size" not in said:
        draft.line = 0
        draft.assume("size", "1 unit of the symbol a trade")
    bars, after = said.get("cooldown", (0, "exit"))
    risk = c.Risk(
        stops=tuple(draft.stops),
        targets=like_their_stops(draft.targets, draft.like_their_stops, draft.stops),
        trailing=tuple(draft.trailing),
        break_even_after=said.get("breakeven"),
        exit_after_bars=said.get("exit_after"),
        exit_at=said.get("exit_at"),
        sizing=said.get("size") or c.Sizing(kind="fixed_units", amount=Decimal(1)),
        max_positions=said.get("positions", 1),
        cooldown_bars=bars,
        cooldown_after=after,
        max_entries_per_day=said.get("trades_per_day"),
    )
    return Rules(
        symbol=said["symbol"],
        timeframe=said["timeframe"],
        indicators=tuple(draft.scope.book.indicators),
        entries=tuple(_filtered(e, draft.filters) for e in draft.entries),
        exits=tuple(draft.exits),
        risk=risk,
        costs=_costs(draft),
        reverse=draft.reverse,
        pip_size=draft.scope.pip or 0.0001,
    )


def _filtered(entry: c.Entry, filters: list[c.Condition]) -> c.Entry:
    if not filters:
        return entry
    own = entry.when.of if isinstance(entry.when, c.Every) else (entry.when,)
    return replace(entry, when=c.Every(of=(*own, *filters)))


def _costs(draft: Draft) -> c.Costs:
    none = dict.fromkeys(COSTS, Decimal(0))
    if draft.no_costs:
        return c.Costs(**none)
    if draft.costs:
        return c.Costs(**{**none, **draft.costs})
    draft.line = 0
    draft.assume("costs", "0.05 % of each fill and 2 % of the bar's range as slippage")
    return c.Costs(**{**none, **USUAL_COSTS})
