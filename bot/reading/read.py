"""One request in, one reading out: a contract, at most five questions, or a refusal. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bot.reading import market
from bot.reading.book import AVERAGES, CHANNELS, Book
from bot.reading.compose.risk import costs
from bot.reading.compose.risk import risk as risk_of
from bot.reading.compose.sides import settle
from bot.reading.conditions.cond import Cond
from bot.reading.cursor import Cursor
from bot.reading.doubts import contradictions, refusals
from bot.reading.languages import to_english
from bot.reading.layout import Statement, statements
from bot.reading.lexer import tokens
from bot.reading.operands.settings import arrange, settings
from bot.reading.plain import plain
from bot.reading.rules.join import join
from bot.reading.rules.sentence import read_statement
from bot.reading.rules.told import Rule, Told
from bot.reading.spelling import correct
from schemas import contract as c

MOST = 12_000
"""Characters of a request that rules are looked for in: a strategy is said in far fewer."""


@dataclass(frozen=True)
class Asked:
    questions: tuple[str, ...]


@dataclass(frozen=True)
class Declined:
    code: str
    reason: str


Reading = c.Contract | Asked | Declined


def read(
    title: str, body: str, workflow: str = "local", correlation: str = "corr_local"
) -> Reading:
    """`title` and `body` are cleaned text. The same words always give the same reading."""
    if len(body) > MOST:
        return Asked(
            (
                f"Your request has {len(body):,} characters. Which rules do you want? Please say them in at most {MOST:,}.",
            )
        )
    symbol = market.symbol(f"{body}\n{title}", _field(body, "symbol"))
    title, body = _unnamed(title, symbol), _unnamed(body, symbol)
    english = _rewritten(
        correct(to_english(plain(f"{title}\n{body}")), frozenset({symbol.lower()}))
    )
    heading, _, text = english.partition("\n")
    if refused := _refused(english):
        return refused
    book, told = Book(), Told()
    found = statements(text)
    found = _prepare(found, heading, english, book, symbol)
    if "pivot" in english:
        found = [replace(s, text=re.sub(r"(?<![\w(])p(?![\w(])", "pivot", s.text)) for s in found]
    found.sort(key=lambda s: not re.search(r"\b(?:definition of|define)\b", s.text))
    for statement in found:
        read_statement(statement, told, book)
    if not told.waiting and not any(r.act in ("enter", "sell") for r in told.rules):
        for line in statements(_without_labels(heading)):
            read_statement(line, told, book)
    for name, cond in book.defined.items():
        if name not in book.shown and any(r.act == "enter" and r.parts for r in told.rules):
            told.filters.append((None, Cond(cond)))
            told.waiting = [(k, x) for k, x in told.waiting if x.node != cond]
    if told.waiting and not any(r.act == "enter" and r.when for r in told.rules):
        _adopt(told)
    _as_filters(told, book)
    return _conclude(told, book, english, heading, symbol, workflow, correlation)


INSTEAD = re.compile(
    r"\b(?:use|make it|make that|take|with) (\d+)(?: and (\d+))? instead of (\d+)(?: and (\d+))?"
)


def _changed(text: str) -> str:
    """ "use 15 and 45 instead of 20 and 50": the numbers before are not meant any more."""
    for found in INSTEAD.finditer(text):
        for new, old in ((found[1], found[3]), (found[2], found[4])):
            if new and old:
                text = re.sub(rf"(?<![\d.]){old}(?![\d.])", new, text)
    return INSTEAD.sub(" ", text)


REWRITES = (
    (
        r"\bhold (?:it |the trade |the position |on )?until (?:the )?(\d{1,2}:\d{2})( bar)? unless\b",
        r"exit at \1 or exit when",
    ),
    (
        r"\bhold (?:it |the trade |the position |on )?until (?:the )?(\d{1,2}:\d{2})( bar)?",
        r"exit at \1",
    ),
    (
        r"\b(?:tp|target|take profit) and (?:sl|stop|stop loss) (?:are )?(?:both )?(?:at |of )?(?=\d)([^.;\n]*)",
        r"target \1. stop \1",
    ),
    (
        r"\b(?:sl|stop|stop loss) and (?:tp|target|take profit) (?:are )?(?:both )?(?:at |of )?(?=\d)([^.;\n]*)",
        r"stop \1. target \1",
    ),
)
"""Sentences that say two things at once, as the two that they mean."""


def _rewritten(text: str) -> str:
    text = _changed(text)
    for pattern, plainer in REWRITES:
        text = re.sub(pattern, plainer, text)
    return text


def _unnamed(text: str, symbol: str) -> str:
    """Without the symbol as it was typed: LOW is a company, low is a price."""
    return re.sub(rf"(?<!\w)\$?{re.escape(symbol)}(?!\w)", " ", text) if symbol else text


def _without_labels(heading: str) -> str:
    return re.sub(r"^\s*\[[^\]]*\]:?\s*|^\s*(?:strategy|request|feature)\s*:\s*", "", heading)


def _field(body: str, name: str) -> str:
    found = re.search(
        rf"^\s*(?:#+\s*|[-*]\s+|\|\s*)?\**{name}s?\**\s*[:|]?\**\s*\n*\s*([^\n|]+)",
        body,
        re.I | re.M,
    )
    return found[1] if found else ""


def _refused(text: str) -> Declined | None:
    if words := refusals.other_task(text):
        return Declined(
            "not_a_strategy",
            f'I only turn requests for trading strategies into strategies. I will not act on instructions in a request such as "{_quote(words)}": I have no access to secrets, tests or approvals, and they are ignored; nothing is run, executed or deployed live from a request. Please describe entry, exit, symbol and timeframe, and nothing else.',
        )
    if words := refusals.future(text):
        return Declined(
            "needs_the_future",
            f'"{_quote(words)}" is not known in advance: it is only known after the fact, with hindsight, so it cannot be traded in real time. Please give a rule that uses only bars that have already closed.',
        )
    if lack := refusals.lacking(text):
        return Declined(
            "no_such_data",
            f'This needs {lack[0]} ("{_quote(lack[1])}"), which I do not have: only open, high, low, close and volume of one symbol are available, so it is not supported. Please give a rule on the price, the volume or the time of that symbol.',
        )
    return None


def _quote(words: str) -> str:
    return re.sub(r"[^\w\s%.,'/-]", "", words)[:80].strip()


def _prepare(
    found: list[Statement], heading: str, text: str, book: Book, symbol: str
) -> list[Statement]:
    """Timeframe, pips and the settings of indicators come first: rules refer to them."""
    named = " ".join(s.text for s in found if s.role == "timeframe")
    frame = (
        market.timeframe(named)[0]
        or market.timeframe(text.partition("\n")[2])[0]
        or market.timeframe(heading)[0]
    )
    if not frame:
        intraday = re.search(r"\b\d{1,2}:\d{2}\b|opening range|\bvwap\b", text)
        frame = "M15" if intraday else "D1"
        book.assume("timeframe", frame, "none was given")
    book.timeframe = frame
    book.has_macd = "macd" in text
    book.flipper = (
        "supertrend"
        if re.search(r"super ?trend", text)
        else "psar"
        if re.search(r"\bp?sar\b|parabolic", text)
        else ""
    )
    if re.search(r"stoch(?:astic)?[\s-]?rsi", text):
        book.renamed["stochastic"] = "stochastic_rsi"
    if found_lag := re.search(
        r"use (?:yesterday's|the (?:previous|prior) (?:bar|day)'s)(?: value of)?(?: the)? (atr|rsi|adx)",
        text,
    ):
        book.lagged.add(found_lag[1])
    book.pip = 0.01 if symbol.endswith("JPY") else 0.0001
    rest = [_without(s, symbol) for s in found if s.role not in ("symbol", "timeframe")]
    for line in (*rest, Statement("", heading)):
        _collect(line.text, book)
    return rest


def _without(statement: Statement, symbol: str) -> Statement:
    """What names the market and the bars is not part of a rule."""
    text = statement.text
    for start, end in reversed(market.timeframe(text)[1]):
        text = text[:start] + " " + text[end:]
    if symbol:
        spelt = r"[\s/_-]?".join(re.escape(x) for x in (symbol[:3], symbol[3:]) if x).lower()
        text = re.sub(rf"(?<!\w)\$?{spelt}(?!\w)", " ", text)
    return Statement(statement.role, text)


def _collect(text: str, book: Book) -> None:
    """Settings said once hold wherever the indicator is named again."""
    cur = Cursor(tokens(text), book)
    while not cur.done():
        token = cur.peek()
        cur.at += 1
        if token.kind != "ind" or not isinstance(token.value, tuple):
            continue
        kind = str(token.value[0])
        before = cur.tokens[cur.at - 2] if cur.at > 1 else None
        numbers = settings(cur, kind)
        if kind in CHANNELS and not book.channel:
            book.channel = kind
        if kind in AVERAGES:
            book.average = kind
            continue
        if (
            not numbers
            and before is not None
            and before.kind == "amount"
            and getattr(before.value, "unit", "") in ("bars", "days")
        ):
            numbers = [getattr(before.value, "value", 14.0)]
        if numbers and kind not in book.given:
            book.given["stochastic" if kind == "fast_stochastic" else kind] = arrange(kind, numbers)


def _as_filters(told: Told, book: Book) -> None:
    """A state that stands alone in a one-sided request holds for every entry, and we say so."""
    sides = {r.side for r in told.rules if r.act == "enter" and r.parts}
    if len(sides) != 1 or told.flags & {"both", "mirror", "reverse"}:
        return
    for part in [
        p
        for p in told.waiting
        if isinstance(p[1].node, c.Compare | c.Every) and p[0] in ("", "then", "if", "and")
    ][:1]:
        told.filters.append((None, part[1]))
        told.waiting.remove(part)
        book.assume(
            "a condition that stands alone", "it must hold for every entry", "no rule named it"
        )


def _adopt(told: Told) -> None:
    """A condition that stands alone in a request is its entry."""
    whole = join(told.waiting)
    two_sided = whole.either or told.flags & {"both", "mirror"}
    told.rules.append(
        Rule("enter", None if two_sided else "long", list(told.waiting), "the condition given")
    )
    told.waiting = []


def _conclude(
    told: Told, book: Book, text: str, heading: str, symbol: str, workflow: str, correlation: str
) -> Reading:
    entries, exits = settle(told, book, text)
    traded = {e.side for e in entries}
    risk = risk_of(told, book, traded, exits)
    reverse = "reverse" in told.flags and "not_reverse" not in told.flags and len(traded) == 2
    questions = _questions(told, book, entries, exits, risk, reverse, symbol)
    if questions:
        return Asked(tuple(questions[:5]))
    if not symbol:
        book.assume("symbol", "AAPL", "none was given")
    paid = costs(told.settings, book)
    contract = c.Contract(
        workflow_id=workflow,
        correlation_id=correlation,
        name=_name(heading),
        symbol=symbol or "AAPL",
        timeframe=book.timeframe,  # type: ignore[arg-type]
        summary=" ".join(text.split())[:2000],
        indicators=(),
        entries=tuple(entries),
        exits=tuple(exits),
        risk=risk,
        costs=paid,
        reverse=reverse,
        pip_size=book.pip,
        assumptions=tuple(
            c.Assumption(topic=k, taken=v[0], because=v[1]) for k, v in book.assumed.items()
        )[:50],
    )
    contract = replace(contract, indicators=_used(contract, book))
    if told.flags & {"only_long", "only_short"} and (wrong := _against(told)):
        return Asked(
            (f"You say {wrong[0]} only, but a rule goes {wrong[1]}. Which of the two do you mean?",)
        )
    if why := contradictions.out_of_range(contract):
        return Asked((f"{why}. Which level do you mean?",))
    if short := next(
        (
            i
            for i in contract.indicators
            for p in i.parameters
            if p.name in ("length", "fast", "slow") and p.value < 1
        ),
        None,
    ):
        return Asked((f"{short.kind} needs a length of at least 1 bar. Which length do you mean?",))
    if why := contradictions.contradiction(contract):
        return Asked((f"The rules contradict each other: {why}. Which of the two do you mean?",))
    return contract


def _against(told: Told) -> tuple[str, str] | None:
    only = "long" if "only_long" in told.flags else "short"
    other = "short" if only == "long" else "long"
    both = {"only_long", "only_short"} <= told.flags
    if not both and any(r.act == "enter" and r.side == other and r.parts for r in told.rules):
        return only, other
    return None


def _used(contract: c.Contract, book: Book) -> tuple[c.Indicator, ...]:
    """Only those that some rule names, in the order in which they depend on each other."""
    wanted: list[str] = []

    def want(name: str) -> None:
        about = book.used[name]
        if about.of is not None:
            want(about.of.indicator)
        if name not in wanted:
            wanted.append(name)

    for name in sorted(set(re.findall(r"indicator='([^']+)'", repr(contract)))):
        want(name)
    return tuple(book.used[n] for n in wanted)


def _questions(
    told: Told,
    book: Book,
    entries: list[c.Entry],
    exits: list[c.Exit],
    risk: c.Risk,
    reverse: bool,
    symbol: str,
) -> list[str]:
    asked: list[str] = []
    for what, said in dict(told.unsupported).items():
        asked.append(
            f'I cannot read {what} yet ("{_quote(said)}"). Which rule on price, volume, an indicator or the time should I use instead?'
        )
    for said in dict.fromkeys(told.unread):
        asked.append(f'I could not read "{_quote(said)}". What exactly is the condition?')
    if _unused(told):
        asked.append(
            "You describe a condition that no entry or exit uses. Is it part of the entry or of the exit?"
        )
    if not entries:
        asked.append(
            "When exactly should it enter? Please specify the entry rule: which indicator or price, which level, crossing or state."
        )
    if not _leaves(exits, risk, reverse):
        asked.append(
            "When exactly should it exit? Please specify the exit rule: a condition, a stop and a target, or a number of bars."
        )
    if (not entries and not risk.stops) or (not symbol and "timeframe" in book.assumed):
        asked.append("Which symbol and which timeframe?")
    if (
        any(x.distance and x.distance.unit == "r" for x in (*risk.targets, *risk.stops))
        and not risk.stops
    ):
        asked.append("The target is in R, but there is no stop. Where is the stop?")
    if risk.sizing.kind == "risk_percent" and not risk.stops:
        asked.append("You size by risk, but there is no stop to measure it. Where is the stop?")
    return asked


def _unused(told: Told) -> bool:
    """A condition that is none of the rules', in words or turned round."""
    known = {n for r in told.rules for _, x in r.parts for n in (x.node, x.other) if n is not None}
    known |= {n for _, x in told.filters for n in (x.node, x.other) if n is not None}
    return any(x.node not in known and x.other not in known for _, x in told.waiting)


def _leaves(exits: list[c.Exit], risk: c.Risk, reverse: bool) -> bool:
    """One target alone, or one stop alone, is a way out: the person said what it is."""
    timed = risk.exit_after_bars or risk.exit_at
    return bool(exits or reverse or risk.trailing or timed or risk.targets or risk.stops)


def _name(heading: str) -> str:
    words = re.findall(r"[a-z0-9]+", _without_labels(heading))
    name = "_".join(words)[:40].strip("_")
    return name if name and name[0].isalpha() else f"strategy_{name}".strip("_")
