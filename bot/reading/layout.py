"""The layout of a request: markdown and issue forms as statements with the part they stand in."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

LABELS = {
    "symbol": "symbol and timeframe|symbol|symbols|instrument|ticker|market|asset|pair|what to trade|underlying|stock",
    "timeframe": "timeframe|time frame|tf|chart|interval|bars|period|resolution|candles",
    "long_entry": "long|longs|buy|buys|go long|long entry|entry long|long entries|buy signal|buy rule|buy when|buy if|long setup|long signal|entry (long)|enter long|long side",
    "short_entry": "short|shorts|sell short|go short|short entry|entry short|short entries|short signal|short setup|entry (short)|enter short|short side",
    "entry": "trigger|entry|entries|entry rule|entry rules|enter|signal|signals|setup|entry condition|entry conditions|entry signal|when to enter|open",
    "long_exit": "long exit|exit long|exit longs|close long|exit (long)|sell exit",
    "short_exit": "short exit|exit short|exit shorts|cover|close short|exit (short)",
    "exit": "exit|exits|exit rule|exit rules|exit condition|exit conditions|sell|close|out|leave|exit signal|when to exit",
    "long_stop": "long stop|stop long|long sl",
    "short_stop": "short stop|stop short|short sl",
    "long_target": "long target|target long|long tp|long take profit",
    "short_target": "short target|target short|short tp|short take profit",
    "stop": "stop|stop loss|stoploss|sl|stops|initial stop|hard stop|stop-loss|protective stop",
    "target": "target|take profit|tp|targets|profit target|take-profit|takeprofit",
    "risk": "risk|risk management|risk & money|money management|risk and money|trade management",
    "size": "size|sizing|position size|position sizing|volume|quantity|lot size|lots|money",
    "costs": "costs|cost|fees|commission|commissions|slippage|spread",
    "filter": "filter|filters|trend filter|regime|regime filter|condition|conditions|only when|only if",
    "direction": "direction|directions|side|sides|bias",
    "session": "session|sessions|time|times|trading hours|hours|when|time filter|days",
    "other": "anything else|notes|note|other|comments|additional context|details|more|extra|rules|strategy|the rules|idea|description|summary|what|rule|management",
}
ROLE = {label: role for role, labels in LABELS.items() for label in labels.split("|")}
UNSAID = {"_no response_", "no response"}
NOTHING = {*UNSAID, "n/a", "none", "-", "no", "nothing", "nope", "na"}
_LABEL = re.compile(
    r"^\s*(?:[-*+]\s+|\d+[.)]\s+)?\**\s*([a-z][a-z &/()-]{0,28}?)\s*\**\s*:\**\s*(.*)$"
)
BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)]|\([a-z0-9]\)|[a-h]\))\s+(?:\[[ x]\]\s*)?")
SENTENCES = re.compile(
    r"(?<!\be\.g)(?<!\bincl)(?<!\bexcl)(?<!\bi\.e)(?<!\bvs)(?<!\bapprox)(?<!\bmax)(?<!\bmin)(?<!\betc)(?<!\b[ap])"
    r"[.!?](?=\s|$)|;|\n+"
)


_TAG = re.compile(
    r"</?(?:br|p|b|i|u|em|strong|code|pre|div|span|li|ul|ol|details|summary|table|tr|td|th|h[1-6]|hr|sub|sup|kbd|img|a)(?:\s[^<>]{0,200})?/?>"
)
"""Only these: "close<bb lower and close>bb mid" is a rule."""


@dataclass(frozen=True)
class Statement:
    """One sentence and the part of the request that it stands in; "" is none."""

    role: str
    text: str


def statements(body: str) -> list[Statement]:
    """`body` is plain text. Quoted lines and links' addresses are not part of it."""
    role, found, passing = "", list[Statement](), False
    for line in _lines(body):
        heading = re.match(r"^\s*#{1,6}\s+(.*?)\s*#*\s*$", line)
        bold = re.match(r"^\s*(?:\*\*|__)([^*_]{1,30}?)(?:\*\*|__):?\s*$", line)
        title = heading or bold
        opens = re.match(r"^\s*\**([a-z]+(?: [a-z]+)?)\b[^:.]{0,30}:\**\s*$", line)
        if opens and not title and (ROLE.get(opens[1]) or ROLE.get(opens[1].split()[0])):
            named = ROLE.get(opens[1]) or ROLE[opens[1].split()[0]]
            if named not in ("symbol", "timeframe"):  # their value was taken out, not the rest
                role, passing = named, True
            continue
        if not line.strip() and passing:
            role, passing = "", False
        if title:
            role, passing = ROLE.get(title[1].strip(" :*?."), ""), False
            continue
        found += _of_line(BULLET.sub("", line), role)
    return [_as_commission(s) if s.role == "costs" else s for s in found]


_BARE_COST = re.compile(r"[$€£]?\s?\d+(?:\.\d+)?\s*(?:%|percent|bps|basis points|per\b|a\b|/)")


def _as_commission(s: Statement) -> Statement:
    """A bare number under the heading of costs is a commission."""
    named = re.search(r"commission|fee|spread|slippage|cost", s.text)
    bare = not named and _BARE_COST.match(s.text)
    return Statement(s.role, f"commission {s.text}") if bare else s


def in_a_line(text: str) -> str:
    """The request on one line, for people: headings as labels, and none that was left empty."""
    label, found = "", list[str]()
    for line in text.splitlines():
        heading = re.match(r"^\s*#{1,6}\s+(.*?)[\s:]*#*\s*$", line)
        if heading:
            label = f"{heading[1]}: "
        elif line.strip() and line.strip() not in UNSAID:
            found.append(label + line)
            label = ""
    return " ".join(" ".join(found).split())


def _of_line(line: str, role: str) -> list[Statement]:
    line = re.sub(r"\*\*|__", "", line)
    label = _LABEL.match(line)
    if label and label[1].strip() in ROLE and not label[2].startswith("reward"):
        own = ROLE[label[1].strip()]
        parts = sentences(label[2])
        if own in ("symbol", "timeframe"):
            return [Statement(own, s) for s in parts[:1]] + [Statement(role, s) for s in parts[1:]]
        return [Statement(_within(role, own), s) for s in parts]
    return [Statement(role, s) for s in sentences(line)]


def _within(outer: str, inner: str) -> str:
    """`Long:` under the heading Exit is the exit of a long."""
    if outer in ("exit", "entry", "stop", "target") and inner in ("long_entry", "short_entry"):
        return f"{inner.split('_')[0]}_{outer}"
    return inner


def sentences(text: str) -> list[str]:
    parts = [
        re.sub(r"^[-\s,]+(?=\s)|[\s,]+(?:-\s*)?$", "", part.strip())
        for part in SENTENCES.split(text)
    ]
    return [part for part in parts if part and part not in NOTHING]


def _lines(body: str) -> list[str]:
    body = re.sub(r"!?\[([^][\n]{0,300})\]\([^()\n]{0,500}\)", r"\1", body)
    body = re.sub(r"~~[^~\n]*~~", " ", body)
    body = _in_short(body)
    body = re.sub(r"(?m)^\s*[-*] \[[x ]\] i (?:have|agree|confirm|understand|read).*$", "", body)
    body = _from_json(body)
    body = re.sub(r"(?m)^(?!\s*\|)(.*)$", _at_bars, body)
    body = re.sub(r"https?://\S+|www\.\S+", " ", body)
    body = _TAG.sub(" ", body)
    body = re.sub(r"^\s*(```|~~~).*$", "", body, flags=re.M)
    lines = [line for line in body.splitlines() if not line.lstrip().startswith(">")]
    return _joined(_rows(lines))


def _at_bars(line: re.Match[str]) -> str:
    """ "buy: A | sell: B | sl: 6%" on one line: a label begins each part."""
    return re.sub(r" ?\| ?(?=[a-z][a-z /]{0,20}:)", "\n", line[0])


def _in_short(body: str) -> str:
    """ "TL;DR: ..." after a long story: the rules are what follows."""
    before, mark, after = (
        re.split(r"(\btl;\s?dr\b:?)", body, maxsplit=1)
        if re.search(r"\btl;\s?dr\b", body)
        else (body, "", "")
    )
    if not mark:
        return body
    whole = re.search(r"\b(?:buy|sell|long|short|enter)\b", after) and len(after) > 60
    return after if whole else f"{before} {after}"


def _rows(lines: list[str]) -> list[str]:
    """Tables as lines. Columns headed Long and Short say for whom a row is."""
    sides: list[str] = []
    out: list[str] = []
    for line in lines:
        cells = (
            [c.strip() for c in line.strip().strip("|").split("|")] if line.count("|") > 2 else []
        )
        if len(cells) >= 3 and {"long", "short"} & set(cells[1:]):
            sides = cells[1:]
            continue
        if sides and len(cells) >= 3 and not re.fullmatch(r"[:\s-]*", "".join(cells)):
            out += [
                f"{side} {cells[0]}: {cell}"
                for side, cell in zip(sides, cells[1:], strict=False)
                if cell not in NOTHING
            ]
            continue
        if not cells:
            sides = []
        out.append(_cell(line))
    return out


def _from_json(body: str) -> str:
    """A JSON object says the same as lines with labels."""
    found = re.search(r"\{[^{}]*\}", body, re.S)
    if not found:
        return body
    try:
        said = json.loads(found[0])
    except ValueError:
        return body
    lines = "\n".join(f"{key}: {value}" for key, value in said.items())
    return body[: found.start()] + "\n" + lines + "\n" + body[found.end() :]


def _cell(line: str) -> str:
    """A row of a table: the first cell names what the others say."""
    if line.count("|") < 2 or not line.lstrip().startswith("|"):
        return line
    cells = [c.strip() for c in line.strip().strip("|").split("|")]
    if all(re.fullmatch(r":?-*:?", c) for c in cells):
        return ""
    return f"{cells[0]}: {', '.join(c for c in cells[1:] if c)}" if len(cells) > 1 else cells[0]


def _joined(lines: list[str]) -> list[str]:
    """A line that goes on in the next: it ends in a comma, an operator or a joining word."""
    out: list[str] = []
    for line in lines:
        if out and line.strip() and goes_on(out[-1]) and not starts(line):
            out[-1] = out[-1].rstrip() + " " + BULLET.sub("", line).strip()
        else:
            out.append(line)
    return out


def goes_on(line: str) -> bool:
    wrapped = len(line) > 60 and not re.search(r"[.!?:;)]\s*$", line)
    open_end = r"(?:,|->|\b(?:and|or|when|if|the|of|a|to|than|only|is|at|by|for)|[<>=(])\s*$"
    return not re.match(r"\s*(#|\|)", line) and bool(wrapped or re.search(open_end, line))


def starts(line: str) -> bool:
    """A line that begins something: a label, a heading, a bullet, a row."""
    label = _LABEL.match(line)
    if re.search(r":\s*$", line):
        return True
    return bool(BULLET.match(line) or re.match(r"\s*[#|]", line) or (label and label[1] in ROLE))
