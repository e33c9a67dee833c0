"""Whether a sentence says what a statement says. One function for each kind of statement."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.reading import market
from bot.reading.book import MINUTES
from bot.reading.cited.shared import DOWN, UP, Told, covers, told
from bot.reading.cited.statements import Atom, Line
from schemas import contract as c
from schemas.sheet.names import DAYS

TRIVIAL = (0.0, 1.0)
Link = Callable[[Line, Told, c.Contract], bool]
_CLAUSES = re.compile(r"[,;]|\band\b|\bor\b|\bwith\b|\bbut\b|\bthen\b")
_COMPARED = r"(?:above|below|over|under|[<>]=?|reaches|hits|than|least|most|past)\s+-?\$?"


_CROSSES = r"\bcross\w*\s+(?:back\s+)?(above|over|up|below|under|down)\b"
_ABOVE = ("above", "over", "up")
_OPPOSITE = r"\bopposite|\bvice versa|\bother way|\bmirror|\breverse"


def links(line: Line, said: Told, contract: c.Contract) -> tuple[str, ...]:
    """What of the statement the sentence says: all of it, some of its conditions, or nothing."""
    if line.kind in ("enter", "exit"):
        return _conditions(line, said, contract)
    return (line.text,) if KINDS[line.kind](line, said, contract) else ()


def _conditions(line: Line, said: Told, contract: c.Contract) -> tuple[str, ...]:
    if not _fits(line, said, contract):
        return ()
    found = [a.text for a in line.atoms if _atom(a, said, contract)]
    if len(found) == len(line.atoms):
        return (line.text,)
    return tuple(dict.fromkeys(found))


def _fits(line: Line, said: Told, contract: c.Contract) -> bool:
    """A sentence that only leaves is no entry, and one that only enters is no exit."""
    sides = {str(e.side) for e in contract.entries}
    either = "short" in sides and said.says(r"\bsell|\bshort")
    if line.kind == "enter":
        if said.role in ("long_entry", "short_entry") and not said.role.startswith(line.side):
            return False
        if _other_side(line.side, said, sides):
            return False
        return said.enters or not said.leaves or either
    both = contract.reverse or said.says(r"\bcover|\bbuy(?:s|ing)? (?:it )?(?:back|to)|\bflip")
    return said.leaves or both or not said.enters


def _other_side(side: str, said: Told, traded: set[str]) -> bool:
    """It speaks of entries of the other side only."""
    long, short = said.says(r"\bbuy|\blong"), said.says(r"\bshort|\bsell|\bcover")
    if side == "short":
        return long and not short and not said.says(r"\bboth")
    return short and not long and "short" in traded and not said.says(r"\bboth")


def _atom(atom: Atom, said: Told, contract: c.Contract) -> bool:
    if atom.clocks:
        before = {at - MINUTES[contract.timeframe] for at in said.clocks}
        return bool(said.clocks) and atom.clocks <= said.clocks | before
    days = {n for n, day in enumerate(DAYS) if re.search(rf"\b{day}\b", atom.text)}
    if "weekday" in atom.text:
        return bool(days & said.days) or said.says(r"\bweekdays?\b|\bfirst day\b")
    return _direction(atom, said) and _numbers_and_names(atom, said, contract)


def _direction(atom: Atom, said: Told) -> bool:
    up = re.search(r">|crosses above|rising", atom.text)
    down = re.search(r"<|crosses below|falling", atom.text)
    if bool(up) == bool(down):
        return True
    crossed = set(re.findall(_CROSSES, said.text))
    if "crosses" in atom.text and crossed and not said.says(_OPPOSITE):
        return any((way in _ABOVE) == bool(up) for way in crossed)
    if re.search(r"[<>]=", atom.text) and said.says(r"\bat\b|touch|reach|\bhits?\b|\btags?\b"):
        return True
    return said.goes(up=bool(up)) or _turned(atom, said)


def _turned(atom: Atom, said: Told) -> bool:
    """`a > b` is said as b below a, too; and a cross as the opposite of another one."""
    opposite = "crosses" in atom.text and said.says(_OPPOSITE)
    return opposite or (len(atom.names) > 1 and " > " in atom.text and said.goes(up=False))


def _numbers_and_names(atom: Atom, said: Told, contract: c.Contract) -> bool:
    if "crosses" in atom.text and said.says(r"\bopposite (?:cross|signal)"):
        return True
    constants = {x for x in atom.constants if x not in TRIVIAL}
    if any(_other_sign(x, atom, said) for x in constants):
        return False
    named = bool(atom.names) and all(said.names(name) for name in atom.names)
    if constants:
        if not all(_said(x, said, contract) for x in constants):
            return False
        after = any(re.search(rf"{_COMPARED}{x:g}(?![\d.])", said.text) for x in constants)
        return named or after or not atom.names
    if not atom.names:
        return _prices(atom, said) if not constants else True
    settings = {x for x in atom.settings if x not in TRIVIAL}
    known = [x for x in settings if _said(x, said, contract)]
    if len(known) == len(settings):
        return named or bool(settings)
    return not known and named and not _attached(atom, said)


def _prices(atom: Atom, said: Told) -> bool:
    """`close > open` and the like: every price in its own word, or as a colour."""
    coloured = {"open", "close"} == set(atom.prices) and said.says(
        r"\b(?:green|red|bullish|bearish|up|down|white|black) (?:day|bar|candle|close)"
    )
    if "[1]" in atom.text and not said.says(
        r"yesterday|previous|prior|last|before|\[1\]|consecutive"
    ):
        return False
    return bool(atom.prices) and (coloured or _compared(atom, said))


def _compared(atom: Atom, said: Told) -> bool:
    """Both prices in this order with the direction between them, or the other way round."""
    parts = re.split(r" (?:([<>])=?|crosses (above|below)) ", atom.text, maxsplit=1)
    if len(parts) != 4:
        return all(said.says(_spoken(price)) for price in atom.prices)
    left, sign, cross, right = parts
    way, other = (UP, DOWN) if ">" in (sign, "") and cross != "below" else (DOWN, UP)
    first, second = (
        "|".join(_spoken(price) for price in sorted(atom.prices) if price in side) or r"\w"
        for side in (left, right)
    )
    between = rf"(?:{first})[^.]{{0,50}}?(?:{way})[^.]{{0,50}}?(?:{second})"
    turned = rf"(?:{second})[^.]{{0,50}}?(?:{other})[^.]{{0,50}}?(?:{first})"
    return said.says(between) or said.says(turned)


def _spoken(price: str) -> str:
    return r"\bclos|\bprice|\bit\b|\bbar\b" if price == "close" else rf"\b{price}"


def _other_sign(number: float, atom: Atom, said: Told) -> bool:
    """100 where -100 was said, or the other way round."""
    signs = {m[1] for m in re.finditer(rf"(-?)\s?(?<![\d.]){number:g}(?![\d.])", said.text)}
    return (
        bool(signs) and ("-" if re.search(rf"-{number:g}(?![\d.])", atom.text) else "") not in signs
    )


def _attached(atom: Atom, said: Told) -> bool:
    """A number of its own that is another one."""
    names = "|".join(re.escape(name.split("_")[0]) for name in atom.names)
    return said.says(rf"\d+[- ]?(?:day|bar|period)?s?[- ]?(?:{names})\b|\b(?:{names}) ?\(?\d")


def _said(number: float, said: Told, contract: c.Contract) -> bool:
    minutes = MINUTES[contract.timeframe]
    return any(covers(v, unit, frozenset({number}), minutes) for v, unit in said.numbers)


def _amount(words: str, least: int = 0) -> Link:
    """A level or a cost: its word and its number in one part of the sentence."""

    def link(line: Line, said: Told, contract: c.Contract) -> bool:
        if not said.says(words):
            return False
        atom = line.atoms[0]
        if not atom.constants:
            return _priced(atom, said, contract)
        parts = _parts(words, said)
        minutes = MINUTES[contract.timeframe]
        return all(
            any(covers(v, u, frozenset({x}), minutes) for part in parts for v, u in part)
            for x in atom.constants
        )

    return link


def _priced(atom: Atom, said: Told, contract: c.Contract) -> bool:
    """A level at an indicator, or at a price of the signal bar."""
    if not atom.names:
        return all(said.says(rf"\b{price}") for price in atom.prices)
    settings = {x for x in atom.settings if x not in TRIVIAL}
    known = all(_said(x, said, contract) for x in settings)
    return (known or not _attached(atom, said)) and all(said.names(n) for n in atom.names)


def defined(line: Line, said: Told, contract: c.Contract) -> tuple[str, ...]:
    """Indicators whose name and settings the sentence gives, and no rule: "MACD 12/26/9"."""
    calls = [call for atom in line.atoms for call in atom.calls]
    return tuple(
        text
        for text, name, settings in calls
        if settings and said.names(name) and all(_said(x, said, contract) for x in settings)
    )


def _parts(words: str, said: Told) -> list[list[tuple[float, str]]]:
    """The numbers beside the word; all of the sentence's, where the word has none of its own."""
    parts = [told(part, "") for part in _CLAUSES.split(said.text)]
    near = [list(p.numbers) for p in parts if re.search(words, p.text) and p.numbers]
    return near or [list(said.numbers)]


def _symbol(line: Line, said: Told, contract: c.Contract) -> bool:
    ticker = contract.symbol.lower()
    spelt = r"[\s/_-]?".join(re.escape(x) for x in (ticker[:3], ticker[3:]) if x)
    if re.search(rf"(?<!\w){spelt}(?!\w)", said.text):
        return True
    names = [word for word, known in market.NAMED.items() if known == contract.symbol]
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", said.text) for word in names)


def _timeframe(line: Line, said: Told, contract: c.Contract) -> bool:
    named = market.timeframe(said.text)[0] or market.timeframe_of_indicator(said.text)
    return named == contract.timeframe


def _exit_after(line: Line, said: Told, contract: c.Contract) -> bool:
    (number,) = line.atoms[0].constants
    timed = said.says(r"\b(?:after|hold|held|for|within|max\w*|later|bars?|days?|time)\b")
    words = ("bar", "day", "candle", "session", "week", "hour", "min", "month", "h")
    minutes = MINUTES[contract.timeframe]
    return timed and any(
        covers(v, unit, frozenset({number}), minutes)
        for v, unit in said.numbers
        if unit.startswith(words) and not unit.startswith(("high", "higher"))
    )


def _exit_at(line: Line, said: Told, contract: c.Contract) -> bool:
    """Decided on the close of the bar before, so that the time may be that of either."""
    either = {(at + d) % 1440 for at in said.clocks for d in (0, MINUTES[contract.timeframe])}
    return bool(either & line.atoms[0].clocks)


def _size(line: Line, said: Told, contract: c.Contract) -> bool:
    match contract.risk.sizing.kind:
        case "risk_percent" | "risk_cash":
            words = r"\brisk|\blose|\bloss\b"
        case "percent_of_equity":
            if contract.risk.sizing.amount == 100 and said.says(r"\ball[ -]in|\bfully|\b(?:whole|entire|full|all)\b"):  # fmt: skip
                return True
            words = r"\bequity|\baccount|\bcapital|\bportfolio|\bbalance|\bsize|\binvest|\bcash"
        case "fixed_cash":
            words = r"[$€£]|\bcash|\bdollars?|\busd|\bmoney|\bper trade|\bsize|\bworth"
        case _:
            words = r"\bshares?\b|\bunits?\b|\bcontracts?\b|\blots?\b|\bcoins?\b|\bsize|\bquantity"
    return _amount(words)(line, said, contract)


def _always(words: str) -> Link:
    return lambda line, said, contract: said.says(words)


KINDS: dict[str, Link] = {
    "symbol": _symbol,
    "timeframe": _timeframe,
    "pip": _amount(r"\bpips?\b"),
    "reverse": _always(r"\brevers|\bflip|\balways in|\bopposite|\bstop and reverse"),
    "stop": _amount(r"\bstop|\bsl\b|\bloss\b|\blose\b|\bcut\b"),
    "target": _amount(r"\btarget|\btp\b|\bprofit|\bgain|\breward|\brisk[- ]reward|\bupside"),
    "trail": _amount(r"\btrail"),
    "breakeven": _amount(r"\bbreak[- ]?even|\bentry price"),
    "exit after": _exit_after,
    "exit at": _exit_at,
    "size": _size,
    "max position": _amount(r"\bposition|\btrades?\b|\bentries|\bpyramid|\badd"),
    "max trade": _amount(r"\bday|\bdaily|\bonce"),
    "wait": _amount(r"\bwait|\bcool|\bafter\b|\bpause|\bskip"),
    "commission": _amount(r"\bcommission|\bfees?\b|\bcosts?\b|\bbps\b"),
    "spread": _amount(r"\bspread"),
    "slippage": _amount(r"\bslippage|\bslip\b"),
    "costs none": _always(r"\b(?:no|without|zero|free|0) (?:\w+ )?(?:commission|fee|cost|slippage)|\bfree\b"),
}  # fmt: skip
"""Kind of statement -> whether a sentence says it."""
