"""Takes whole phrases out of a sentence that follow a fixed form: times, sizes, counts. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal

from bot.reading.book import MINUTES, Book
from bot.reading.candles import above, at_least, bottom, every, number, price, times, top
from bot.reading.conditions import Cond
from bot.reading.mirror import mirror
from schemas import contract as c

N = r"(\d+(?:\.\d+)?|\.\d+)"
T = r"(\d{1,2}(?::|h)\d{2}(?:\s*[ap]m)?|\d{1,2}\s*[ap]m|noon|midnight)"
SPAN = r"(bars?|candles?|periods?|days?|trading days?|sessions?|hours?|hrs?|h|weeks?|minutes?|mins?|months?)"
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
UNIT = {"b": "bars", "c": "bars", "p": "bars", "d": "days", "t": "days", "s": "bars", "h": "hours",
        "w": "weeks", "m": "minutes"}  # fmt: skip


@dataclass
class Settings:
    """What a request says beside its rules. None is: not said."""

    exit_after: int | None = None
    exit_at: str | None = None
    day_limit: int | None = None
    positions: int | None = None
    cooldown: int = 0
    cooldown_after: str = "exit"
    sizing: c.Sizing | None = None
    costs: dict[str, Decimal] = field(default_factory=dict)
    no_costs: bool = False
    ratio: float | None = None
    break_even: c.Distance | None = None
    no_stop: bool = False
    no_target: bool = False
    reverse: bool = False
    ignore_opposite: bool = False
    until_exit: bool = False
    same_levels: bool = False
    trail_after: c.Distance | None = None
    on_opposite: bool = False
    profit: c.Distance | None = None
    loss: c.Distance | None = None
    filters: list[Cond] = field(default_factory=list)
    exits: list[Cond] = field(default_factory=list)


@dataclass(frozen=True)
class Wrap:
    """What a phrase makes of the condition before it: "within", "row" or "edge"."""

    kind: str
    bars: int = 1


@dataclass
class Sentence:
    """The text as it shrinks, and what came out of it: slot number to condition or None."""

    text: str
    role: str
    slots: list[Cond | Wrap | None] = field(default_factory=list)
    only: bool = False
    """The form said all that the sentence says."""


Handler = Callable[["re.Match[str]", Sentence, Settings, Book], Cond | Wrap | None | bool]
FORMS: list[tuple[re.Pattern[str], Handler]] = []


def form(pattern: str) -> Callable[[Handler], Handler]:
    full = pattern.replace("{n}", N).replace("{t}", T).replace("{span}", SPAN)

    def keep(handler: Handler) -> Handler:
        FORMS.append((re.compile(rf"(?<!\w)(?:{full})(?!\w)"), handler))
        return handler

    return keep


def extract(text: str, role: str, settings: Settings, book: Book) -> Sentence:
    """Each form that is found leaves a slot; a handler that says False leaves the words."""
    sentence = Sentence(text, role)
    for pattern, handler in FORMS:
        start = 0
        while match := pattern.search(sentence.text, start):
            said = handler(match, sentence, settings, book)
            if said is False:
                start = match.end()
                continue
            sentence.slots.append(said if isinstance(said, Cond | Wrap) else None)
            if sentence.only:
                sentence.text = ""
                return sentence
            slot = f" ⟦{len(sentence.slots) - 1}⟧ "
            sentence.text = sentence.text[: match.start()] + slot + sentence.text[match.end() :]
            start = match.start() + len(slot)
    return sentence


def clock(text: str) -> str:
    if text == "noon":
        return "12:00"
    if text == "midnight":
        return "00:00"
    found = re.match(r"(\d{1,2})(?:[:h](\d{2}))?\s*([ap])?", text)
    hour, minute = int(found[1]), int(found[2] or 0)  # type: ignore[index]
    if found and found[3]:
        hour = hour % 12 + (12 if found[3] == "p" else 0)
    return f"{hour % 24:02d}:{min(minute, 59):02d}"


def _bars(book: Book, value: str, span: str) -> int:
    unit = "months" if span.startswith("mo") else UNIT[span[0]]
    return book.bars(float(value), unit)


# ------------------------------------------------------------------------------------- remarks
@form(
    r"\((?:it |which |i\.e\. )?(?:was|were|the previous|previous|prior|the prior|the bar before|yesterday|not |now|coming from|from below|from above)[^)]*\)"
)
@form(
    r"(?:in that case )?(?:just )?stay(?:ing|s)? (?:flat|out|in cash)(?: until[^.,;]*| otherwise)?"
)
@form(
    r"let the (?:sl/tp|sl and tp|stop(?: loss)? and (?:the )?(?:target|take profit)|stop and target|sl or tp) do the work"
)
@form(
    r"(?:checked|evaluated|measured|decided|calculated|computed|based) (?:only )?(?:on|at|from|off) (?:the )?(?:bar |candle |daily )?(?:close|signal (?:candle|bar)(?:'s)?(?: close)?|entry price|close of (?:the )?(?:signal|breakout|decision|entry) (?:bar|candle|day))(?: only)?"
)
@form(
    r"(?:with|using) the current atr(?: value)?|(?:atr )?at (?:the time of )?entry|on the next (?:bar's )?open|at the next (?:bar's )?open|next (?:bar|day|candle)(?:'s)? open|at the open of the next (?:bar|day|candle)|at the close of the bar|on the (?:bar|candle) of the (?:cross|signal)|on (?:the )?(?:bar|candle|daily|day's) close|on a closing basis|at market|market orders?|at the opening"
)
@form(r"\(?it was (?:below|above),? (?:and )?now it is (?:below|above)\)?")
@form(
    r"vwap (?:restarts|resets|is reset|starts (?:over|new|again|fresh)) (?:every|each) (?:day|morning|session)"
)
@form(
    r"(?:that's|that is) (?:it|all)(?: folks)?|nothing else (?:closes|matters|needed|to it|is needed)[^.,;]*|no other (?:exits?|rules?|stops?|filters?|conditions?|stop|target)(?: needed)?(?:,? no (?:target|stop|tp|sl))?|no filters?|nothing fancy|no adding(?: to positions?)?|no pyramiding|no scaling(?: in)?|no re-?entr(?:y|ies) filter|no overnight positions?|even when[^.,;-]*"
)
@form(r"skip the \"?[^.;\"]*\"? filter")
@form(r"until the (?:stop|target|sl|tp)(?: or (?:the )?(?:stop|target|sl|tp))? (?:is|are|gets) hit")
@form(r"(?:one|a|per) (?:per bar)|one per bar")
@form(
    r"(?:i|we) (?:want|would like|need)(?: you)?(?: to)? (?:be |have |test |build |try )?(?:a |an )?(?:strategy|bot|system)?"
)
def _remark(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if "no adding" in match[0] or "no pyramiding" in match[0]:
        told.positions = 1
    if re.search(r"no other stop|no stop", match[0]):
        told.no_stop = told.no_stop
    return True


@form(
    r"(?:on |in |at |during |over )*(?:at least (?:1|one) of |any of |one of |some ?time (?:in|during|within) |at some point (?:in|during|within) |(?:at )?any time (?:in|during|within) |within |at any point in )(?:the |these )*(?:last |past |previous |most recent )*{n}\s*{span}(?:\s*\([^)]*\))?"
)
@form(r"(?:in|during|over) the (?:last|past|previous) {n}\s*{span}(?:\s*\([^)]*\))?")
def _within(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Wrap | bool:
    before = sentence.text[: match.start()]
    if re.search(r"never happen|hasn't|has not|nothing happen|not happen|doesn't happen", before):
        return False
    if re.search(
        r"(?:high|low|close|highest|lowest|average|volume|range|range of|exit|out|sell)\s*(?:of|set|reached|seen|made|it)?\s*$",
        before,
    ):
        return False
    return Wrap("within", _bars(book, match[1], match[2]))


@form(
    r"(?:on|for|at|of)? ?(?:the )?(?:last )?{n} (?:consecutive|straight|successive) (?:bars|candles|days|closes|sessions|times)|(?:on |for )?(?:the last )?{n} (?:bars|candles|days|closes|sessions|times) (?:in a row|running|in succession|straight|consecutively)|for (?:at least )?{n} (?:bars|candles)(?! (?:at most|max))"
)
def _in_a_row(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Wrap | bool:
    before = sentence.text[: match.start()]
    if not re.search(
        r"above|below|over|under|[<>]|positive|negative|rising|falling|risen|fallen|rises|falls",
        before,
    ):
        return False
    if re.search(
        r"\b(?:rising|falling|risen|fallen|rises|falls|increasing|decreasing)\b[^,;]{0,6}$", before
    ):
        return Wrap("row", int(float(next(g for g in match.groups() if g))))
    if re.search(r"\b(?:hold|exit|sell|close[sd]?|out|wait)\b[^,;]{0,12}$", before):
        return False
    return Wrap("row", int(float(next(g for g in match.groups() if g))))


@form(
    r"(?:1st )?(?:becomes?|turns?|became|is) (?:newly )?true(?: for the 1st time)?(?:\s*\([^)]*\))?|for the 1st time(?: after[^,.;]*)?|\(?(?:it|this|that) was not (?:true|the case|so) (?:on|at) the (?:bar|day|candle) before\)?|(?:and|but) (?:it )?(?:was not|wasn't) (?:on )?the (?:bar|day|candle) before"
)
def _edge(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Wrap:
    return Wrap("edge")


@form(
    r"(?:an? |the |every |any )?opposite (?:[a-z0-9/-]+ ){0,3}(?:cross(?:over|es)?|signals?|flips?|turns?|breakouts?|breaks?)(?: (?:always )?(?:closes|exits|ends)(?: the)? (?:trade|position|it))?"
)
def _opposite(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if re.search(
        r"\bnot\b|n't|ignore|no reaction|never|nothing happens|does nothing|do nothing|no effect",
        sentence.text,
    ):
        told.ignore_opposite = True
        return True
    told.on_opposite = True
    return True


@form(
    r"(?:at |of |a |an |\+|once |when |we are |it is |i am |i'm |if |with )*(?<!take )(?<!take-)(?:profit|gain|up|in profit(?: by)?|in the plus|gains)(?: of| by| is| reaches| at least| more than| >=?)*\s*\+?{n}\s*(%|percent|pips?|points?|r|atr)(?: or more)?|(?:at |a |\+)*{n}\s*(%|percent|pips?|points?|r|atr) (?:in profit|in the plus|gain|profits?|in the green|up)(?! target)"
)
def _profit(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if not (re.search(_OUT, sentence.text) or "exit" in sentence.role) or re.search(
        r"trail|break[\s-]*even|stop to", sentence.text
    ):
        return False
    told.profit = _plain_distance(match, book)
    return told.profit is not None


@form(
    r"(?:at |of |a |an |-|once |when |we are |it is |i am |i'm |if |with )*(?:loss|down|in loss|loses|lost|in the red|in the minus)(?: of| by| is| reaches| at least| more than| >=?)*\s*-?{n}\s*(%|percent|pips?|points?|atr)(?: or more)?|(?:at |a |-)*{n}\s*(%|percent|pips?|points?|atr) (?:loss|in the red|in the minus|down|against me)"
)
def _loss(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if not (re.search(_OUT, sentence.text) or "exit" in sentence.role) or re.search(
        r"\bstop", match[0]
    ):
        return False
    told.loss = _plain_distance(match, book)
    return told.loss is not None


def _plain_distance(match: re.Match[str], book: Book) -> c.Distance | None:
    amount, unit = (match[1], match[2]) if match[1] else (match[3], match[4])
    return _some_distance(amount, unit, book) if float(amount) > 0 else None


@form(
    r"(?:with |using |,? )*(?:an? )?(?:atr )?(?:length|period)s?(?: of|:| =)? (\d+),?(?: and| with)?(?: an?)? (?:factor|multiplier|mult)(?: of|:| =)? {n}|(?:with |using )?(?:factor|multiplier|mult)(?: of|:| =)? {n},?(?: and| with)?(?: an?)? (?:atr )?(?:length|period)s?(?: of|:| =)? (\d+)"
)
def _factor(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    length, width = (match[1], match[2]) if match[1] else (match[4], match[3])
    book.given["supertrend"] = {"length": float(length), "width": float(width)}
    return True


@form(
    r"use (?:yesterday's|the (?:previous|prior) (?:bar|day)'s)(?: value of)?(?: the)? (atr|rsi|adx)[^.;]*"
)
def _lag(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    return True


@form(r"stochastic rsi[^.]*?stochastic of[^.]*")
def _stoch_rsi(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    return True


@form(
    r"\((?:every|each) (?:bar|day|candle|one) (?:higher|lower)[^)]*\)|\(i\.?e\.?,? [^)]*\)|\(e\.g\.?[^)]*\)|\(default[^)]*\)|\(whichever[^)]*\)"
)
def _aside(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    return True


@form(
    r"1 (?:point|pt) (?:=|is) {n}(?: in price| usd| dollars?)?|\(mon(?:day)? (?:to|-) fri(?:day)?\)"
)
def _units_said(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    return True


@form(r"1 tick (?:=|is) {n}(?: points?| in price)?")
def _tick(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    book.tick = float(match[1])
    return True


@form(
    r"(?:target|take[\s-]*profit|tp|stop|sl|stop[\s-]*loss)s?\s*(?:(?::|=|is)?\s*(?:none|nothing|n/a)|(?::|=)\s*no)"
)
def _said_none(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    return True


@form(
    r"closes? (?:back )?in (?:the )?(upper|lower|top|bottom) (half|third|quarter|{n}\s*%) of (?:its|the)(?: own)?(?: day's| bar's| daily| candle's)? range|closes? (?:near|close to) its (high|low)"
)
def _part_of_range(
    match: re.Match[str], sentence: Sentence, told: Settings, book: Book
) -> Cond | bool:
    if match[4]:
        return False
    share = {"half": 0.5, "third": 1 / 3, "quarter": 0.25}.get(match[2]) or float(match[3]) / 100
    span = c.Arithmetic(op="subtract", left=price("high"), right=price("low"))
    up = match[1] in ("upper", "top")
    level = c.Arithmetic(
        op="add", left=price("low"), right=times(span, round(1 - share if up else share, 12))
    )
    return Cond(
        c.Compare(op="at_least" if up else "at_most", left=price("close"), right=level),
        bearish=not up,
    )


@form(
    r"(?:as soon as|once|when|after|if)[^.;:]{0,40}?{n}\s*(%|percent|pips?|points?|r|atr)(?: or more)?[^.;:]{0,40}?(?:above the entry(?: price)?|in profit|profit|in the money|ahead)[^.;:]{0,30}?,? (?:a |the |start )?trail\w*(?: stop(?:[\s-]*loss)?)?[^.;:\d]{0,30}:?"
)
def _trail_after(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.trail_after = _some_distance(match[1], match[2], book)
    return True


@form(
    r"(?:but |and )?(?:only )?(?:after|once|when|starting at|activated at|activates at|kicks in at|starts at|starting after|as soon as)\s*(?:we are |it is |the trade is |price is |i am |a |the position is )*(?:up |in profit (?:by |of )?|a? ?profit of |gain of )?\+?{n}\s*(%|percent|pips?|r|atr|points?)(?: in)?(?: profit| gain| up| in the money| ahead)?"
)
def _trail_later(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if not re.search(r"trail", sentence.text[: match.start()]) or re.search(
        r"break[\s-]*even", sentence.text
    ):
        return False
    told.trail_after = _some_distance(match[1], match[2], book)
    return True


def _some_distance(amount: str, unit: str, book: Book) -> c.Distance:
    if unit == "atr":
        return c.Distance(unit="atr", amount=float(amount), indicator=book.series("atr").indicator)
    name = {"%": "percent", "r": "r"}.get(unit) or {
        "per": "percent",
        "pip": "pips",
        "poi": "price",
    }[unit[:3]]
    return c.Distance(unit=name, amount=float(amount))  # type: ignore[arg-type]


@form(
    r"if (?:the )?(?:stop|target|sl|tp)[^.;,]{0,20}(?:isn't|is not|hasn't been|has not been|wasn't|not) (?:hit|reached)(?: (?:before|by then|until then))?"
)
@form(r"\((?:state|level|a state|not the cross|signal|order fills)[^)]*\)|\(so [^)]*\)|\(= [^)]*\)")
@form(
    r"with the stop hit in bar n[^.;]*|(?:an? )?open (?:trade|position)s? (?:is|are) not closed[^.;]*|i\.?e\.?,? (?:the )?target is [^.;]*as far[^.;]*|(?:only )?(?:sl and tp|sl/tp|stop and target) only|\(same atr\)|after a winner no wait|trades? (?:may|can) run into the next day|no leverage"
)
@form(
    r"(?:if it|if it's|if) (?:isn't|is not|not) filled[^.;]*|not filled = [^.;]*|(?:the )?order is (?:good|valid) for (?:1|one|the next) bar[^.;]*|(?:good|valid) for (?:1|one|the next) (?:bar|day)(?: only)?"
)
@form(
    r"on every further (?:bar|day|candle) (?:where|when|on which) (?:that|this|it) (?:holds|is true)(?: i)? buy another(?: one| unit)?"
)
def _said_in_passing(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    return True


@form(
    r"(?:,? ?i\.?e\.?,? |\(|so |: |, )?(?:volume|size|shares|quantity|units|position size) = (?:{n}\s*(%|percent) of equity|{n}\s*\*\s*(?:the )?(?:equity|balance)) ?(?:/|divided by) ?(\(?close - stop\)?|the stop distance|\(?distance to the stop\)?|close|price)\)?[^.;]*"
)
def _formula(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    percent = Decimal(match[1]) if match[1] else Decimal(match[3]) * 100
    kind = "percent_of_equity" if match[4] in ("close", "price") else "risk_percent"
    told.sizing = c.Sizing(kind=kind, amount=percent)  # type: ignore[arg-type]
    return True


@form(r"(?:,? ?i\.?e\.?,? |\(|so |, )?(?:volume|size|shares|quantity|units|position size) = [^.;]*")
def _other_formula(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    return told.sizing is not None


@form(
    r"(?:its |the )?body (?:covers|engulfs|contains) (?:the )?(?:whole |entire )?(?:previous|prior|yesterday's)(?: candle's| bar's)? body|(?:covers|engulfs) (?:the )?(?:whole |entire )?(?:previous|prior|yesterday's)(?: candle's| bar's)? body"
)
def _engulfs(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    return Cond(every(at_least(top(), top(1)), at_least(bottom(1), bottom())))


@form(
    r"(?:today's |its |the |whole )*body (?:is |lies |sits )?(?:completely |fully |entirely )?(?:inside|within) (?:the )?(?:yesterday's|previous|prior)(?: candle's| bar's)? body"
)
def _inside_body(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    return Cond(every(at_least(top(1), top()), at_least(bottom(), bottom(1))))


@form(
    r"(?:tp|target|take[\s-]*profit) and (?:sl|stop(?:[\s-]*loss)?) (?:are )?(?:both )?(?:at |of )?(?={n})|(?:sl|stop(?:[\s-]*loss)?) and (?:tp|target|take[\s-]*profit) (?:are )?(?:both )?(?:at |of )?(?={n})"
)
def _both_levels(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.same_levels = True
    return False


# ------------------------------------------------------------------------------- no stop, sizes
@form(
    r"(?:no|without(?: a| any)?|and no|or|never a|don't use (?:a |any )?)\s?(?:hard |fixed |initial |other )?(?:stops?(?:[\s-]*loss(?:es)?)?|sl)(?:\s*(?:,|/|and|or|nor|,? no|and no|or a)\s*(?:take[\s-]*profits?|tp|targets?|profit targets?))?(?: (?:needed|please|at all|for now))?"
)
@form(
    r"(?:no|without(?: a| any)?|and no)\s?(?:fixed )?(?:take[\s-]*profits?|tp|targets?|profit targets?)(?:\s*(?:,|/|and|or|nor|,? no|and no|or a)\s*(?:stops?(?:[\s-]*loss)?|sl))?"
)
def _none(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if match[0].startswith("or ") or match[0].startswith("or"):
        return False
    told.no_stop |= bool(re.search(r"stop|sl\b", match[0]))
    told.no_target |= bool(re.search(r"target|tp\b|profit", match[0]))
    return True


@form(
    r"(?:risk(?:ing|s)?|lose|with a risk of)\s*(?:is |of |at most |max(?:imum)? |about |exactly |:)*{n}\s*(?:%|percent)(?: of (?:my |the |our |your |current |account )*(?:equity|account|capital|balance|portfolio|money))?(?:\s*(?:per|on (?:each|every)|each|a|every) (?:trade|position|entry))?(?: (?:if|when) the stop (?:is|gets) hit)?"
)
@form(
    r"{n}\s*(?:%|percent)(?: of (?:my |the |our )*(?:equity|account|capital|balance))? (?:at )?risk(?:ed)?(?:\s*(?:per|on (?:each|every)|each|a) (?:trade|position))?"
)
def _risk(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.sizing = c.Sizing(kind="risk_percent", amount=Decimal(match[1]))
    return True


@form(
    r"(?:use|invest|put|with|allocate|trade|size(?: is)?:?|sized? at|position size(?: is)?(?: of)?:?|buy (?:for|with|using))?\s*(?:always )?{n}\s*(?:%|percent) of (?:my |the |our |your |current |account |available |total )*(?:equity|capital|account(?: balance| equity)?|balance|portfolio|cash|money)(?:\s*(?:per|on (?:each|every)|each|in each|into each|in every|for each|a) (?:trade|position|entry))?"
)
def _share(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.sizing = c.Sizing(kind="percent_of_equity", amount=Decimal(match[1]))
    return True


@form(
    r"all[\s-]in|(?:with )?(?:the )?(?:full|whole|entire) (?:account|equity|balance|capital)|fully invested"
)
def _all_in(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.sizing = c.Sizing(kind="percent_of_equity", amount=Decimal(100))
    return True


@form(
    r"(?:[$€£]\s?{n}|{n}\s?(?:dollars|usd|euros?|eur|bucks|[$€£]))\s*(?:worth )?(?:per|a|each|in each|for each|on each|of (?:stock|shares)(?: per| each)?|in every|into each|into every|for every)?\s*(?:trade|position|entry|worth|time)s?(?: (?:size|notional))?"
)
@form(
    r"(?:position size|size|notional|invest|buy for|buy)(?: is| of| :|:)*\s*[$€£]\s?{n}(?:)(?: (?:worth|per trade|each time|each|a trade))*"
)
def _cash(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    amount = next(g for g in match.groups() if g)
    told.sizing = c.Sizing(kind="fixed_cash", amount=Decimal(amount))
    return True


@form(
    r"(?:always |fixed |size(?: is)?:? |with |trade |trading |use |buy(?= \d+ (?:shares|units|contracts|lots)) )*(?:a )?{n}\s*(standard lots?|mini lots?|lots?|shares|units?|contracts?|coins?)(?:\s*(?:per|each|a|every|fixed|at a time|of \w+)\s*(?:trade|position|entry|signal|time)?)?"
)
def _units(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    before = sentence.text[: match.start()]
    if (
        re.search(r"(?:more|another|next|of) $", before)
        or re.search(r"\bbuy $", before)
        and told.positions
    ):
        return True
    if told.sizing is None:
        told.sizing = c.Sizing(kind="fixed_units", amount=Decimal(match[1]))
    return True


# ------------------------------------------------------------------------------ counts and pauses
@form(
    r"(?:at )?(?:max(?:imum)?(?: of)?|at most|only|no more than|never more than|not more than|just|limit(?:ed)? to)?\s*(?:1|one|a single|{n})\s*(?:new )?(?:trades?|entry|entries|signals?|positions?|shots?|breakouts?|longs?|buys?)\s*(?:\(?(?:long or short)\)? )?(?:per|a|each|every|/|in a)\s*(?:calendar |trading )?(?:day|session)(?: max(?:imum)?)?"
)
@form(
    r"once (?:a|per|each) (?:day|session)|only the 1st (?:signal|breakout|trade|cross|entry|one|time)(?: of (?:the|each|every) (?:day|session)| each day| per day)(?: counts)?|1st (?:signal|breakout|trade) of the day only"
)
def _day_limit(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    number_ = match.groups()[0] if match.groups() else None
    told.day_limit = int(float(number_)) if number_ else 1
    return True


@form(
    r"(?:only |just |max(?:imum)? |at most |hold )*(?:1|one|a single) (?:open )?(?:position|trade|order|unit)s? (?:open )?(?:at (?:a|any|the same|one) (?:given )?time|at once|max(?:imum)?|only|open(?: at (?:a|any) time)?)|one at a time|single position(?: only)?|(?:max|maximum)(?: of)? (?:1|one) (?:open )?(?:position|trade)|(?:only )?(?:1|one) position(?: only)?|never (?:have )?more than (?:1|one) (?:position|trade)(?: open)?(?: at (?:a|the same) time)?"
)
def _one(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.positions = told.positions or 1
    return True


@form(
    r"(?:but )?(?:pyramid(?:ing)?(?: up to|,? max(?:imum)?)?|up to|max\.?(?:imum)?(?: of)?|at most|no more than|never (?:have |hold )?more than|not more than|limit(?:ed)? (?:of|to)|a total of|with)\s*{n}\s*(?:open |simultaneous |concurrent |long |total )*(?:positions?|units?|entries|trades?|lots|tranches|adds|open at once|open)(?: (?:open|in total|total|max|on|running))*(?: at (?:the same time|once|a time|any time))?(?:\s*\(?pyramiding[^).]*\)?)?"
)
@form(
    r"pyramid(?:ing|s)?(?: allowed| ok| up to| is allowed)?,?(?: max(?:imum)?(?: of)?| up to| to| at most| with| with up to)? {n}(?: positions?| units?| entries| times| levels)?|\(?pyramiding,? max {n},? one per bar\)?"
)
def _positions(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    amount = next(int(float(g)) for g in match.groups() if g)
    told.positions = max(1, min(amount, 100))
    return True


@form(r"(?:add|buy) up to {n} (?:more|additional)(?: \w+)?")
def _adds(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.positions = 1 + int(float(match[1]))
    return True


_PAUSE = r"(?:wait(?:s|ing)?|pause|stay out|stays out|no new (?:trades?|entr(?:y|ies)|longs?|shorts?|positions?|buys?|signals?)|no (?:trades?|entr(?:y|ies)|re-?entr(?:y|ies)|buying)|cool[\s-]*(?:down|off)(?: period)?|sit out|stand aside|rest|skip|do nothing|don't (?:re-?enter|trade|buy)|do not (?:re-?enter|trade)|ignore (?:all )?(?:new )?signals?|flat|not re-?enter|take a break|block(?:ed)?)"
_CAUSE = r"(?:an?|the|each|every|any)?\s*(?:\w+ )?(?:(stop(?:ped out)?(?:[\s-]*loss)?(?: (?:is|was|gets) hit| exit)?|stopped out|sl|being stopped(?: out)?)|(loss|losing trade|loser|losing exit)|(exit|trade|sale|sell|closing|close|closed trade|closing a (?:trade|position)|position|leaving|exiting))"


@form(
    _PAUSE
    + r"[^.;]{0,30}?\b(?:for |of |the |at least |next |1st |:|is )*{n}\s*{span}(?:\s*(?:after|following|from|once|when|since|before)\s*(?:(?:we|i|it) (?:are|get|got|is|was|gets) )?"
    + _CAUSE
    + r"?[^.;,]{0,50})?"
)
@form(
    r"(?:after|following|once)\s*(?:(?:we|i) (?:are|get|got) )?"
    + _CAUSE
    + r"[^.;]{0,30}?"
    + _PAUSE
    + r"[^.;\d]{0,30}?{n}\s*{span}(?:[^.;,]{0,40})?"
)
def _cooldown(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if re.search(r"\d:\d", match[0]):
        return False
    groups = [g for g in match.groups() if g]
    at = next(i for i, g in enumerate(groups) if re.fullmatch(N, g))
    told.cooldown = _bars(book, groups[at], groups[at + 1])
    if re.search(
        r"\bstop|\bsl\b", match[0].split("wait")[-1] if match[0].startswith("wait") else match[0]
    ):
        told.cooldown_after = "stop"
    elif re.search(r"loss|loser|losing", match[0]):
        told.cooldown_after = "loss"
    return True


# -------------------------------------------------------------------------------------- time exits
_OUT = r"\b(?:sell|exit|exits|close[sd]?|closed|out|leave|cover|flat|flatten|liquidate|square|hold|holding|held|time[\s-]*(?:stop|exit|limit)|keep|stay|max|latest|over|end)\b"


@form(
    r"(?:or |and |but |,? )?(?:hold(?:ing)?|keep)(?: it| each| every| the| them| positions?| trades?| trade| position)*(?: for| open for| period(?: is)?:?| exactly| time:?)*(?: at most| a max(?:imum)? of| max(?:imum)?| exactly| up to| no (?:longer|more) than)? {n}\s*{span}(?:\s*⟦\d+⟧\s*)?(?:,? then (?:sell|exit|close|get out|leave)(?: it)?)?(?: at most| max(?:imum)?| tops)?"
)
@form(r"time[\s-]*(?:based )?(?:stop|exit|limit|out)(?: is| of| after|:| at| =)*\s*{n}\s*{span}")
@form(r"max(?:imum)?(?:imal)?\s*(?:hold(?:ing)?)(?: period| time)?(?: is| of|:| =)*\s*{n}\s*{span}")
@form(
    r"(?:or |and |but |otherwise |else |at the latest |latest )*(?:always |automatically |at the latest )?(?:after|within|in)(?: exactly| at most| a maximum of| max(?:imum)?)? {n}\s*{span}(?: at the latest| in the trade| have passed| max(?:imum)?| later| if nothing else happens| whichever comes 1st| whatever happens| no matter what| regardless| after entry| since entry| of holding)*"
)
@form(r"after [^.;,()]{0,20}\({n}\s*{span}\)")
@form(r"{n}\s*{span} (?:have )?passed")
@form(
    r"{n}\s*{span} (?:after (?:the )?(?:entry|buying|fill|we bought|entering)|later|have passed since (?:the )?entry)"
)
@form(
    r"(?:when|once|if) (?:the )?(?:trade|position|it)(?: is| has been)?(?: open| held| old)?(?: for)? {n}\s*{span}(?: old)?"
)
def _after(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    hold = re.match(r"(?:or |and |but |,? )?(?:hold|keep|time|max)", match[0])
    exits = "exit" in sentence.role or re.search(_OUT, sentence.text)
    last = re.search(r"(?:within|in) ", match[0]) and not re.search(
        r"exit|sell|close", sentence.text
    )
    if not hold and (not exits or last) or re.search(r"\b(?:past|last|rsi|high|low)\b", match[0]):
        return False
    told.exit_after = _bars(book, match[1], match[2])
    return True


@form(
    r"(?:whatever|anything|everything|all|any position|a position)[^.,;]{0,30}?\bon (?:the )?(?:"
    + DAY
    + r"'s )?{t}(?: bar)? (?:gets|is|are|will be) closed"
)
@form(
    r"(?:(?:whatever|anything|everything|all|any|positions?|trades?|we|i)[^.,;]{0,40}?)?(?:exit(?:s|ed)?|clos(?:e|es|ed|ing)|get out|out|flat(?:ten)?|sell|sold|leave|liquidate|square[d]? off|go flat|end)\b(?:[^.,;⟦]{0,40}?)(?:\bon|\bat|\bby|\bbefore|\bwith|\bfrom|\blatest|\bwhen the)\s+(?:the\s+)?(?:close of the\s+|latest\s+)?{t}(?:\s*(?:bar|candle|close|bar's close|o'clock|et|est|utc|gmt|ny time|new york|sharp|is (?:reached|here|done)))*(?: at the latest)?(?: every day| each day| daily)?"
)
@form(
    r"(?:no|never hold|not hold|don't hold)(?: positions?| trades?)?[^.,;]{0,20}(?:past|after|beyond|later than) {t}"
)
@form(
    r"(?:the )?{t} (?:bar |candle )?(?:closes|exits|ends) (?:everything|all|the trade|any open position|whatever is open|it)"
)
@form(r"time exit:?(?: at| on)?(?: the)? {t}(?: bar)?|exit time:? {t}")
def _exit_at(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool | Cond:
    when = clock(next(g for g in match.groups() if g))
    if re.search(r"next (?:morning|day|session)|following (?:morning|day)", match[0]):
        told.exits.append(Cond(c.Session(start=when, end=when, includes_end=True)))
        return True
    days = [i for i, d in enumerate(DAYS) if re.search(rf"\b{d[:3]}(?:{d[3:]})?s?\b", match[0])]
    if days:
        late = c.Session(start=when, end="23:59", includes_end=True)
        told.exits.append(Cond(every(c.OnDays(weekdays=tuple(days)), late)))
        return True
    told.exit_at = when
    return True


_DAY = r"(?:mon(?:day)?s?|tue(?:s|sday|sdays)?|wed(?:nesday)?s?|thu(?:r|rs|rsday|rsdays)?|fri(?:day)?s?|sat(?:urday)?s?|sun(?:day)?s?)"


@form(
    r"(?:end|close) of (?:the )?(?:day|session|trading day)|(?:at |on |by )?(?:the )?(?:day's|session's|daily) (?:end|close)|eod|before the (?:session )?close|at the close of trading|at the closing bell|same day|intraday only|overnight"
)
def _end_of_day(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if MINUTES[book.timeframe] >= 1440 or not (
        re.search(_OUT, sentence.text) or "exit" in sentence.role
    ):
        return False
    told.exit_at = "15:30" if book.timeframe in ("M1", "M5", "M15", "M30") else "22:00"
    book.assume(
        "end of the day",
        f"the {told.exit_at} bar",
        "the last bar that can still be filled the same day",
    )
    return True


# ------------------------------------------------------------------------------ hours and weekdays
def _window(start: str, end: str, inclusive: bool) -> Cond:
    return Cond(c.Session(start=start, end=end, includes_end=inclusive))


_INCLUDED = (
    r"(?:\s*\(?(?:both )?(?:bars )?(?:includ(?:ed|ing|sive)|incl\.?)(?: both)?(?: ends)?\)?)"
)


@form(
    r"no (?:new )?(?:entr(?:y|ies)|trades?) before (?:the )?{t}(?: bar)?,? (?:or|and|nor) (?:none )?after (?:the )?{t}(?: bar)?"
)
def _neither(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.filters.append(_window(clock(match[1]), clock(match[2]), True))
    return True


_TIMES = r"{t}(?:\s*(?:,|and|or|, and|, or)\s*(?:the )?{t})*"


def _stamps(text: str) -> c.Condition:
    stamps = [clock(x) for x in re.findall(T, text)]
    nodes = [c.Session(start=x, end=x, includes_end=True) for x in stamps[:20]]
    return nodes[0] if len(nodes) == 1 else c.Either(of=tuple(nodes))


@form(
    r"no (?:new )?(?:entr(?:y|ies)|trades?|positions?) (?:on|in|at|during) (?:the )?{t}(?: bar)? or later"
)
def _none_later(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.filters.append(_window("00:00", clock(match[1]), False))
    return True


@form(
    r"(?:but |and )?(?:no|never|skip|not)(?: any)?(?: new)? ?(?:entr(?:y|ies)|trades?|positions?|signals?)?(?: on| in| at| during)?(?: the)?(?: bars)? (?:from|between) {t} (?:up to and including|up to|to|and|until|-|through) (?:the )?{t}(?: bars?)?("
    + r"\s*\(?(?:both )?includ\w+[^).]*\)?"
    + r")?"
)
def _not_between(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    inclusive = bool(match[3]) or "including" in match[0]
    told.filters.append(
        Cond(
            c.Never(
                of=c.Session(start=clock(match[1]), end=clock(match[2]), includes_end=inclusive)
            )
        )
    )
    return True


@form(
    r"(?:but |and )?no (?:new )?(?:entr(?:y|ies)|trades?|positions?) (?:on|in|at|during) (?:the )?"
    + _TIMES
    + r"(?: bars?)?"
)
def _not_stamped(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.filters.append(Cond(c.Never(of=_stamps(match[0]))))
    return True


@form(
    r"(?:only )?(?:on |at )?(?:the )?bars? (?:stamped )?{t}(?:(?:,| and|, and| or|, or) (?:the )?{t})+(?: bars?)?(?: only)?"
)
def _stamped(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.filters.append(Cond(_stamps(match[0])))
    return True


@form(
    r"no (?:new )?entries (?:from there on|after that|from then on|from that bar on)|(?:and )?nothing new (?:after that|from then on)"
)
def _none_after_exit(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.until_exit = True
    return True


@form(
    r"(?:only )?(?:if )?(?:the )?day of (?:the )?month (?:is )?(before|up to|at most|<=|<|under|after|at least|>=|>|no later than)?\s*(?:the )?(\d+)(?:st|nd|rd|th)?( or (?:less|earlier|lower|before|below)| or (?:later|more|higher|above|after))?"
)
def _day_of_month(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    word, late = match[1] or "", (match[3] or "").split()[-1:]
    day, limit = c.Calendar(field="day"), number(int(match[2]))
    if word in ("before", "<", "under"):
        op = "below"
    elif word in ("after", ">"):
        op = "above"
    elif (
        word in ("at least", ">=")
        or late
        and late[0] in ("later", "more", "higher", "above", "after")
    ):
        op = "at_least"
    elif word or late:
        op = "at_most"
    else:
        op = "equal"
    told.filters.append(Cond(c.Compare(op=op, left=day, right=limit)))  # type: ignore[arg-type]
    return True


@form(
    r"(?:but |and )*(?:only |trade |trades |entries |entry |enter |signals |take |on |in |during |bars |stamped |the |with |session |hours |time |times |a |timestamps? |valid |allowed |open |us |regular |cash )*(?:between|from|:)?\s*(?:the )?{t}\s*(?:to|and|-|until|till|through|thru|up to)\s*(?:the )?{t}(?: bars?)?("
    + _INCLUDED
    + r")?(?: (?:utc|gmt|et|est|ny time|new york time|local time|server time|exchange time))?(?: only)?"
)
def _between(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond | bool:
    if re.search(
        r"opening range|range (?:is|=|:|of)|\brange\b[^.]*$", sentence.text[: match.start()]
    ):
        return False
    inclusive = bool(match[3]) or bool(re.search(r"\bthr(?:ough|u)\b", match[0]))
    told.filters.append(_window(clock(match[1]), clock(match[2]), inclusive))
    return True


@form(
    r"(?:only |on |bars |stamped |entries |trade |and )*(?:at |after |from )?{t} or later,? (?:and|but) (?:strictly )?before {t}"
)
@form(
    r"(?:only |on |bars |stamped |entries |trade )*(?:after|from|starting) {t},? (?:and|but) (?:not after|no later than|until|before) {t}"
)
def _from_before(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.filters.append(_window(clock(match[1]), clock(match[2]), False))
    return True


@form(
    r"(?:and |but )?(?:no|never|don't take|do not take|not|without|stop)(?: any)?(?: new)? ?(?:entr(?:y|ies)|trades?|positions?|longs?|shorts?|buys?|signals?|entering|trading|buying|taking trades|enter)?\s*(from|after|past|later than|before|until|on or after|earlier than)\s+(?:the )?{t}(?: bar)?(?: on(?:wards?)?| any ?more)?"
)
@form(
    r"(?:last|latest) (?:entry|entries|trade|signal)s?(?: is| at| on| bar|:| the)*\s*()(?:the )?{t}(?: bar)?"
)
def _no_entries(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    word, when = match[1], clock(match[2])
    if word in ("before", "until", "earlier than"):
        told.filters.append(_window(when, "23:59", True))
    elif word in ("from", "on or after", "past"):
        told.filters.append(_window("00:00", when, False))
    else:
        told.filters.append(_window("00:00", when, True))
    return True


@form(
    r"(?:but |and )?only (?:on bars |bars |entries |trade |enter |buy |in bars )*(?:stamped )?(before|after|from|until|up to|at or after|starting)(?: the)? {t}(?: bar)?(?: or later)?(?:\s*\([^)]*includ[^)]*\))?"
)
@form(r"(?:only |on |bars |stamped )*(){t} or later")
def _one_sided(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if match[1] in ("before", "until", "up to"):
        told.filters.append(_window("00:00", clock(match[2]), "includ" in match[0]))
    else:
        told.filters.append(_window(clock(match[2]), "23:59", True))
    return True


@form(r"(?:only )?(?:on |in |during |at )?(?:the )?{t} (?:bar|candle)(?: only)?")
def _at_bar(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond | bool:
    if re.search(r"\brange (?:is|=|:)|opening range|1st \d+ (?:bars|candles)", sentence.text):
        return False
    return Cond(
        c.Session(start=clock(match[1]), end=clock(match[1]), includes_end=True), calendar=True
    )


@form(
    r"(?:on |every |each |at |only |only on |trade |entries |no trades?(?: on)? |not on |never on |except(?: on)? |no entr(?:y|ies)(?: on)? |no new trades?(?: on)? |don't trade(?: on)? |do not trade(?: on)? |skip |avoid |but not on |but |never (?:buy|trade|enter) on |no longs? on |nothing on |no buying on |no new positions?(?: on)? |no positions?(?: on)? )*(?:the |an? )?("
    + _DAY
    + r")(?:'s)?(?:\s*(?:,|and|or|to|-|through|till|until|, and|/|&)\s*(?:an? |the )?("
    + _DAY
    + r")(?:'s)?)?(?:\s*(?:,|and|or|, and)\s*("
    + _DAY
    + r"))?(?: only| close| closes| bars?| open| session| evening| night)*"
)
def _weekdays(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond | bool:
    named = [_weekday(g) for g in match.groups() if g]
    text = match[0]
    if len(named) == 2 and re.search(r"\b(?:to|through|till|until)\b|-", text):
        first, last = named
        named = (
            list(range(first, last + 1)) if first <= last else [*range(first, 7), *range(last + 1)]
        )
    days = tuple(sorted(set(named)))
    not_on = re.match(
        r"(?:but )?(?:no |not |never |except|don't|do not|skip|avoid|but not|nothing)", text
    )
    if not_on:
        node: c.Condition = c.Never(of=c.OnDays(weekdays=days))
        told.filters.append(Cond(node))
        return True
    if re.search(r"only", text) or re.search(r"(?:to|through|-)\s*" + _DAY, text):
        told.filters.append(Cond(c.OnDays(weekdays=days)))
        return True
    return Cond(c.OnDays(weekdays=days), calendar=True)


def _weekday(word: str) -> int:
    return next(i for i, d in enumerate(DAYS) if d.startswith(word.rstrip("s")[:3]))


@form(
    r"(?:only )?(?:on |in )?(?:the )?1st (?:trading )?day of (?:the|each|every|a) month|(?:only )?on the 1st of (?:the|each) month"
)
def _first_of_month(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    return Cond(c.Compare(op="equal", left=c.Calendar(field="trading_day"), right=number(1)))


@form(r"(?:on |after )?(?:the )?(\d+)(?:st|nd|rd|th) trading day of (?:the|each|every|a) month")
def _nth_of_month(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    return Cond(
        c.Compare(op="equal", left=c.Calendar(field="trading_day"), right=number(int(match[1])))
    )


MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september",
          "october", "november", "december")  # fmt: skip
_MONTH = r"(january|february|march|april|may|june|july|august|september|october|november|december)"


@form(
    r"(?:only |not |no trades |never |except |skip |avoid |no entries |but not )*(?:in|during|from|between)\s*(?:the months? (?:of )?)?"
    + _MONTH
    + r"(?:\s*(to|through|-|until|and|or|,)\s*"
    + _MONTH
    + r")?(?: only)?"
)
def _months(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    first = MONTHS.index(match[1]) + 1
    last = MONTHS.index(match[3]) + 1 if match[3] else first
    month = c.Calendar(field="month")
    if match[3] and match[2] in ("and", "or", ","):
        node: c.Condition = c.Either(
            of=tuple(c.Compare(op="equal", left=month, right=number(m)) for m in (first, last))
        )
    elif first <= last:
        node = every(at_least(month, number(first)), at_least(number(last), month))
    else:
        node = c.Either(of=(at_least(month, number(first)), at_least(number(last), month)))
    not_in = re.match(r"(?:not|no |never|except|skip|avoid|but not)", match[0])
    told.filters.append(Cond(c.Never(of=node) if not_in else node))
    return True


SESSIONS = {"london": ("07:00", "16:00"), "new york": ("13:00", "21:00"), "ny": ("13:00", "21:00"),
            "us": ("13:00", "21:00"), "asian": ("00:00", "07:00"), "asia": ("00:00", "07:00"),
            "tokyo": ("00:00", "07:00"), "european": ("07:00", "16:00")}  # fmt: skip


@form(
    r"(?:only )?(?:in|during|within|inside|for) (?:the )?(london|new york|ny|asian|asia|tokyo|european|us)(?: trading)? (?:session|hours|open)(?: only)?(?!\s*(?:\(|⟦|from|between|\d))"
)
def _session(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    start, end = SESSIONS[match[1]]
    book.assume(
        f"the {match[1]} session", f"{start} to {end} of the data's clock", "no hours were given"
    )
    told.filters.append(_window(start, end, False))
    return True


# --------------------------------------------------------------------------------------------- costs
@form(
    r"(?:commissions?|fees?|costs?|trading costs?|transaction costs?)(?: of| is| are|:| =| at)*\s*(?:about )?{n}\s*(%|percent|bps|bp|basis points)(?: (?:per|a|each|on each|for each) (?:trade|side|fill|order|transaction|way|leg))?|{n}\s*(%|percent|bps|basis points) (?:commissions?|fees?|costs?)(?: (?:per|a) (?:trade|side|fill|order))?"
)
def _commission(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    amount, unit = (match[1], match[2]) if match[1] else (match[3], match[4])
    told.costs["commission_percent"] = Decimal(amount) / (100 if unit.startswith("b") else 1)
    return True


@form(
    r"(?:commissions?|fees?|costs?)(?: of| is| are|:| =| at)*\s*[$€£]?\s?{n}(?: ?(?:dollars|usd|[$€£]))?\s*(?:per|a|each|/)\s*(trade|order|fill|side|share|unit|lot|contract)s?(?: (?:round trip|traded))?|[$€£]\s?{n}\s*(?:per|a|/) (trade|order|side|share|unit|lot|contract)(?:s)? (?:commissions?|fees?)"
)
def _commission_cash(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    amount, per = (match[1], match[2]) if match[1] else (match[3], match[4])
    name = (
        "commission_per_trade"
        if per in ("trade", "order", "fill", "side")
        else "commission_per_unit"
    )
    told.costs[name] = Decimal(amount)
    return True


@form(
    r"(spread|slippage)(?: of| is|:| =)*\s*(?:about )?{n}\s*(pips?|points?|ticks?|%|percent|bps|cents?)(?: per (?:trade|side|fill))?|{n}\s*(pips?|points?|ticks?|%|percent|bps|cents?) (?:of )?(spread|slippage)"
)
def _slippage(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    name, amount, unit = (
        (match[1], match[2], match[3]) if match[1] else (match[6], match[4], match[5])
    )
    size = Decimal(amount) * (Decimal(str(book.pip)) if unit.startswith(("pip", "tick")) else 1)
    size = size / 100 if unit.startswith("cent") else size
    if unit in ("%", "percent", "bps"):
        told.costs["commission_percent"] = told.costs.get("commission_percent", Decimal(0)) + (
            size / 100 if unit == "bps" else size
        )
    else:
        told.costs[name] = size
    return True


@form(
    r"(?:no|zero|without|ignore(?: the)?|free of|assume no|assume zero)\s*(?:trading |transaction )?(?:costs?|commissions?|fees?|slippage|spread)(?:(?:,| and| or|,? no)\s*(?:costs?|commissions?|fees?|slippage|spread))*|commission[\s-]*free|costs? (?:don't matter|are zero)|(?:commission|costs|fees): (?:none|zero|0|no)"
)
def _no_costs(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.no_costs = True
    return True


# ------------------------------------------------------------------------- ratios and break-even
@form(
    r"(?:risk[\s/:-]*(?:to[\s-]*)?reward|rr|r:r|r/r|reward[\s/:-]*(?:to[\s-]*)?risk|crv)(?: ratio)?(?: of| is|:| =)*\s*{n}\s*(?:[:/]|to)\s*{n}|(?:risk[\s/:-]*(?:to[\s-]*)?reward|rr|r:r|reward[\s/:-]*(?:to[\s-]*)?risk)(?: ratio)?(?: of| is|:| =)*\s*{n}|{n}\s*(?::|to)\s*1 (?:reward|rr|r/r|risk)[\w\s/:-]*"
)
def _ratio(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if match[1] and match[2]:
        a, b = float(match[1]), float(match[2])
        told.ratio = max(a, b) / min(a, b) if min(a, b) else None
    else:
        told.ratio = float(match[3] or match[4])
    return True


@form(
    r"(?:target|take[\s-]*profit|tp)(?: is| at| of|:| =)* (?:{n} times |)(?:the )?(?:initial |stop )?(?:risk|stop distance|distance (?:of|to) the stop|stop size|distance to stop)(?: distance)?(?: x {n})?|{n} times (?:the )?(?:initial )?(?:risk|stop distance)(?: as (?:the )?(?:target|take profit|tp))?"
)
def _times_risk(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.ratio = float(next((g for g in match.groups() if g), "1"))
    return True


_DIST = r"\+?(?:{n}\s*(%|percent|pips?|points?|r|atrs?|x atr|times (?:the )?atr|times the (?:initial )?risk|x risk)(?:\s*\((\d+)\))?|(?:an? |the )?(?:initial )?()(risk|stop distance)())"
_EVEN = r"(?:(?:move|set|put|bring|shift|raise|moves|moved|goes|trail|pull)s? )?(?:the |my |its )?(?:stop(?:[\s-]*loss)?|sl)?(?: is| gets| goes)?(?: moved| set| raised| shifted)?(?: up)? ?(?:to |at )?(?:break[\s-]*even|be(?= (?:after|once|at|when))|(?:the )?entry(?: price)?|cost)"


@form(_EVEN + r"[^.;\d]{0,50}?" + _DIST + r"[^.;,]{0,40}")
@form(
    r"(?:once|when|after|as soon as|if)[^.;\d]{0,50}?"
    + _DIST
    + r"[^.;]{0,50}?(?:(?:move|set|put|bring|shift|raise)s? )?(?:the |my )?(?:stop(?:[\s-]*loss)?|sl)?[^.;]{0,20}?(?:to |at )(?:break[\s-]*even|(?:the )?entry(?: price)?|cost)(?:[^.;,]{0,30})"
)
def _break_even(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if not re.search(r"stop|sl\b|break|\bbe\b", match[0]):
        return False
    amount, unit, length = match[1], match[2] or "", match[3]
    sentence.only = bool(re.match(r"\W*break[\s-]*even", sentence.text))
    if not unit:
        told.break_even = c.Distance(unit="r", amount=1.0)
        return True
    value = float(amount)
    if unit in ("%", "percent"):
        told.break_even = c.Distance(unit="percent", amount=value)
    elif unit.startswith("pip"):
        told.break_even = c.Distance(unit="pips", amount=value)
    elif unit.startswith("point"):
        told.break_even = c.Distance(unit="price", amount=value)
    elif "atr" in unit:
        atr = book.series("atr", "value", {"length": float(length)} if length else None)
        told.break_even = c.Distance(unit="atr", amount=value, indicator=atr.indicator)
    else:
        told.break_even = c.Distance(unit="r", amount=value)
    return True


# ----------------------------------------------------------------------- streaks, gaps and volume
@form(
    r"{n} (?:days|bars|candles) in a row (?:close|closes|closed|closing) (higher|lower)(?: than (?:on )?the (?:day|bar|candle|one) before)?"
)
def _days_in_a_row(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    node = _one_of_streak(match[2], "closes")
    return Cond(c.InARow(bars=int(float(match[1])), of=node), bearish=match[2] == "lower")


_WHAT = r"(?:(lower|higher|down|up|red|green|bearish|bullish|losing|winning|falling|rising|black|white)\s*(?:daily |weekly )?(closes?|closing prices?|days?|bars?|candles?|highs?|lows?|sessions?|closings?))"


def _one_of_streak(word: str, what: str) -> c.Condition:
    up = word in ("higher", "up", "green", "bullish", "winning", "rising", "white")
    if what.startswith(("high", "low")):
        field = "high" if what.startswith("high") else "low"
        left, right = price(field), price(field, 1)
    elif word in ("red", "green", "bullish", "bearish", "black", "white"):
        left, right = price("close"), price("open")
    else:
        left, right = price("close"), price("close", 1)
    return above(left, right) if up else c.Compare(op="below", left=left, right=right)


@form(
    r"(?:after |on |with |there (?:are|were|have been) |we (?:get|have|see|had) |makes? )?(?:{n} |)(?:consecutive |straight |successive )?"
    + _WHAT
    + r"(?: in a row| consecutively| straight| running| back to back)?(?: for {n} (?:days|bars|candles|sessions)(?: in a row| straight)?)?"
)
def _streak(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond | bool:
    count = match[1] or match[4]
    if not count:
        return False
    node = _one_of_streak(match[2], match[3])
    up = isinstance(node, c.Compare) and node.op == "above"
    return Cond(c.InARow(bars=max(1, int(float(count))), of=node), bearish=not up)


@form(
    r"(?:price |market |it |stock )?(?:closes?|closed|is|has closed|falls|fell|rises|rose|has been|goes|went|drops|dropped)\s*(lower|higher|down|up|red|green)(?: for| on)?(?: at least)? {n} (?:consecutive |straight |successive )?(?:days|bars|candles|sessions|times)(?: in a row| straight| running| consecutively)?"
)
def _streak_verb(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    node = _one_of_streak(match[1], "closes")
    return Cond(
        c.InARow(bars=int(float(match[2])), of=node), bearish=match[1] in ("lower", "down", "red")
    )


@form(
    r"(?:the )?(?:market |price |stock |it |today |day )?(?:gaps?|gapped|opens? with a gap|gapping)\s*(up|down|higher|lower)(?:\s*(?:by|of|at the open|on the open))*\s*(?:(?:more than|over|at least|>=?|by more than|by at least|greater than|above|exceeding)\s*)?(?:{n}\s*(%|percent|pips?|points?))?(?: or more)?(?: (?:from|below|above|vs|versus|over|under|against|relative to|compared to|than) (?:the )?(?:yesterday's|previous|prior|last|previous day's|prior day's|previous bar's)? ?(close|high|low))?"
)
@form(
    r"(?:the )?(?:market |price |stock |it |today )?opens?\s*(?:at least |more than |over |by )*()(?:{n}\s*(%|percent|pips?|points?))\s*(?:or more )?(below|above|lower than|higher than|under|over) (?:the )?(?:yesterday's|previous|prior|last|previous day's|prior day's|previous bar's|prev) (?:last )?(close|high|low)"
)
def _gap(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond | bool:
    groups = match.groups()
    way, amount, unit = groups[0], groups[1], groups[2] or ""
    level = groups[-1] or "close"
    if not way:
        way = "up" if groups[3] in ("above", "higher than", "over") else "down"
    up = way in ("up", "higher")
    intraday = MINUTES[book.timeframe] < 1440
    before: c.Operand = book.series("prior_day", level) if intraday else price(level, 1)
    opened: c.Operand = book.series("this_day", "open") if intraday else price("open")
    value = float(amount) if amount else 0.0
    sign = 1 if up else -1
    if unit in ("%", "percent"):
        limit: c.Operand = times(before, round(1 + sign * value / 100, 12))
    elif value:
        step = number(value * (book.pip if unit.startswith("pip") else 1.0))
        limit = c.Arithmetic(op="add" if up else "subtract", left=before, right=step)
    else:
        limit = before
    least = re.search(r"at least|>=|or more", match[0])
    op = ("at_least" if up else "at_most") if least else ("above" if up else "below")
    book.subject = opened
    return Cond(c.Compare(op=op, left=opened, right=limit), bearish=not up)  # type: ignore[arg-type]


@form(
    r"(?:the )?(?:close |price |it )?(?:is |was |closes |closed )?(?:at least |more than |over )*(?:down|drops?|dropped|falls?|fell|loses|lost|declines?|decreases?)\s*(?:by )?(?:at least |more than |over )*{n}\s*(?:%|percent)(?: or more)? (?:in (?:a|one|a single|1) (?:day|bar|session)|on the day|from (?:the )?(?:previous|prior|yesterday's|last) close|day over day|versus yesterday|from yesterday(?:'s close)?|in the last (?:day|bar)|today|vs (?:the )?(?:previous|prior|yesterday's) close)"
)
def _fell(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    limit = times(price("close", 1), round(1 - float(match[1]) / 100, 12))
    return Cond(c.Compare(op="at_most", left=price("close"), right=limit), bearish=True)


@form(
    r"(?:the )?(?:close |price |it )?(?:is |was |closes |closed )?(?:at least |more than |over )*(?:up|rises?|rose|gains?|gained|climbs?|increases?|jumps?)\s*(?:by )?(?:at least |more than |over )*{n}\s*(?:%|percent)(?: or more)? (?:in (?:a|one|a single|1) (?:day|bar|session)|on the day|from (?:the )?(?:previous|prior|yesterday's|last) close|day over day|versus yesterday|from yesterday(?:'s close)?|in the last (?:day|bar)|today|vs (?:the )?(?:previous|prior|yesterday's) close)"
)
def _rose(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    limit = times(price("close", 1), round(1 + float(match[1]) / 100, 12))
    return Cond(at_least(price("close"), limit))


@form(
    r"(?:the )?opening range(?: is| =|:)?(?: the)?(?: high(?:/| and | & )low (?:of )?)?[^.;]{0,30}?(?:1st|first) (\d+|hour|half hour|\d+ minutes|bar)?\s*(bars?|candles?|minutes?|mins?|hours?|hour|half[\s-]hour)?(?: of (?:the )?(?:session|day|trading))?(?:\s*\([^)]*\))?"
)
@form(
    r"(?:the )?(?:opening )?range (?:is|=|:|means) (?:the )?(?:high(?:/| and | & |-)low (?:of )?)(?:the )?(?:1st|first)?\s*(\d+)?\s*(bars?|candles?|minutes?|mins?|hours?|hour|half[\s-]hour)(?: of (?:the )?(?:session|day|trading))?(?:\s*\([^)]*\))?"
)
@form(r"(?:the )?(\d+)[\s-]*(minutes?|mins?|min|bars?|hours?)\s*(?:opening range|orb)")
@form(
    r"(?:the )?(?:opening range|orb)(?: breakout)?[ ,:(]*(\d+)[\s-]*(minutes?|mins?|min|bars?|hours?)\)?"
)
def _opening_range(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    count, unit = match[1] or "1", match[2] or "bars"
    size = {"m": 1, "h": 60}.get(unit[0], MINUTES[book.timeframe])
    words = f"{count} {unit}"
    minutes = (
        30
        if "half" in words
        else 60
        if count == "hour"
        else int(re.sub(r"\D", "", count) or 1) * size
    )
    book.given["opening_range"] = {"start": -1, "minutes": float(minutes)}
    return bool(re.search(r"range (?:is|=|:|means)|range[^.;]{0,30}1st", match[0]))


@form(
    r"(?:the )?(?:asian|asia|overnight|morning|opening|london|session)?\s*range(?: is| =|:| from| between| of| runs from)*\s*(?:the )?(?:high(?:/| and |-)low |highest high and (?:the )?lowest low )?(?:of |from |between |bars |stamped |the )*{t}\s*(?:to|and|-|until)\s*{t}(?: bars?)?("
    + _INCLUDED
    + r")?"
)
def _clock_range(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    start, end = (int(x[:2]) * 60 + int(x[3:]) for x in (clock(match[1]), clock(match[2])))
    end += MINUTES[book.timeframe] if match[3] or "bars" in match[0] else 0
    book.given["opening_range"] = {"start": float(start), "minutes": float(end - start)}
    return True


@form(r"(?:opening )?range (?:is|=|:) (?:the )?(?:1st|{t}) (?:bar|candle)(?: only)?")
def _one_bar_range(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    book.given["opening_range"] = {"start": -1, "minutes": float(MINUTES[book.timeframe])}
    return True


@form(
    r"keltner[^.]{0,30}?ema\s*\(?\s*(\d+)\s*\)?[^.]{0,40}?{n}\s*(?:x|times|\*)?\s*(?:the )?atr\s*\(?\s*(\d+)?\s*\)?"
)
def _keltner(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    book.given["keltner"] = {
        "length": float(match[1]),
        "width": float(match[2]),
        "atr_length": float(match[3] or 10),
    }
    book.channel = "keltner"
    return True


@form(
    r"channel (?:is|=|:)[^.]{0,20}?(\d+)[\s-]*(?:day |period |bar )?ema[^.]{0,40}?{n}\s*(?:x|times|\*)?\s*(?:the )?atr\s*\(?\s*(\d+)?\s*\)?(?: away)?"
)
def _own_channel(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    return _keltner(match, sentence, told, book) is True


@form(
    r"bollinger[^.]{0,30}?(\d+)[\s-]*(?:day|period|bar)?s?[^.\d]{0,30}?{n}\s*(?:standard deviations?|std(?:ev)?s?(?: dev(?:iations?)?)?|sd|sigmas?|deviations?)"
)
def _bollinger(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    book.given["bollinger"] = {"length": float(match[1]), "width": float(match[2])}
    book.channel = "bollinger"
    return False


@form(r"\bn (?:is|=|being)(?: the)? (\d+)?[\s-]*(?:day|period|bar)?s?\s*atr\s*(?:\((\d+)\))?")
def _turtle_n(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    book.given["atr"] = {"length": float(match[1] or match[2] or 20)}
    return True


@form(r"\(?\br (?:is|=|being) [^.;]*")
def _definition_of_r(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    return True


__all__ = ["Sentence", "Settings", "clock", "extract", "mirror"]
