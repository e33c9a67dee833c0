"""Actions: to enter, to leave, for which side, the other way round."""

from __future__ import annotations

import re

from bot.reading.lexer import Token
from bot.reading.rules.join import join, negated
from bot.reading.rules.line import ROLES, Line, if_follows
from bot.reading.rules.told import Rule, Told
from schemas import contract as c


def action(line: Line, told: Told, token: Token) -> bool:
    cur = line.cur
    match token.kind:
        case "only_side":
            _only(line, told, str(token.value))
        case "no_entries":
            if line.pending:
                told.filters.append((None, negated(join(line.pending))))
                line.pending = []
            else:
                line.link = "unless"
                cur.read.add(cur.at)
                cur.at += 1
                return True
        case "reverse" if token.text == "flip" and cur.book.flipper:
            pass  # the flip of the indicator, not of the position
        case "both" | "mirror" | "reverse" | "not_opposite" | "else_flat" | "always_in":
            negative = line.link == "not"
            told.flags.add(
                f"not_{token.kind}"
                if negative and token.kind in ("mirror", "reverse")
                else token.kind
            )
        case "opposite":
            negative = line.link == "not" or any(t.kind == "not" for t in cur.tokens[cur.at :])
            told.flags.add("not_opposite" if negative else "opposite")
            if re.search("signal|setup|entry", token.text):
                told.flags.add("opposite_signal")
            if negative:
                cur.read.update(range(len(cur.tokens)))
                cur.at = len(cur.tokens)
                return True
        case "add":
            line.act, line.rule, line.link = None, Rule("add", None, [], line.text), ""
            told.rules.append(line.rule)
            line.made.append(line.rule)
            line.shared, line.opened, line.last = None, True, line.rule.parts
        case "enter" | "exit" | "sell":
            act(line, told, token.kind, str(token.value) if token.value else None)
        case "price" if token.text == "close" and _is_verb(line):
            act(line, told, "exit", None)
        case "side" if cur.at and "mirror" in {
            t.kind for t in cur.tokens[max(0, cur.at - 2) : cur.at]
        }:
            pass  # "mirror it for shorts" is one thing
        case "side":
            _side(line, told, str(token.value))
        case _:
            return False
    cur.read.add(cur.at)
    cur.at += 1
    return True


def _is_verb(line: Line) -> bool:
    """ "close when ..." and "..., close." are about the position, not the price."""
    following = line.cur.peek(1).kind
    return following == "if" and not line.link or following == "end" and bool(line.pending)


def _only(line: Line, told: Told, side: str) -> None:
    """ "Longs only above the average" filters longs; "long only" is about the whole request."""
    event = any(isinstance(x.node, c.Cross) or x.either for _, x in line.pending)
    event = event or line.role in ROLES
    if line.pending and not event and line.cur.peek(1).kind in ("comma", "end", "enter"):
        told.filters.append((side, join(line.pending)))
        line.pending = []
        line.link = ""
    elif line.cur.peek(1).kind in ("cmp", "if", "only") or line.cur.peek(2).kind in ("cmp",):
        line.filter_side = side
    else:
        told.flags.add(f"only_{side}")


def _side(line: Line, told: Told, side: str) -> None:
    """ "long" alone: an entry, or which side the exit that is spoken of is for."""
    exiting = line.rule.act == "exit" if line.rule else bool(line.act and line.act[0] == "exit")
    if (
        exiting
        and line.rule
        and line.rule.side is None
        and line.rule.parts
        and line.cur.peek(1).kind in ("rp", "end", "or")
    ):
        line.rule.side = side
        line.rule, line.act, line.opened = None, ("exit", None), False
        return
    if exiting and line.rule is None and line.act and line.act[1] is None and not line.pending:
        line.act = ("exit", side)
        act(line, told, "exit", side)
        return
    act(line, told, "exit" if exiting else "enter", side)


def _opened(line: Line, told: Told) -> None:
    """ "Enter when A, leave when B": A is the entry's, whichever side it is for."""
    side = line.act[1] if line.act and line.act[0] == "enter" else None
    entry = Rule("enter", side, line.pending, line.text)
    told.rules.append(entry)
    line.made.append(entry)
    line.pending, line.shared = [], None


def _is_both(line: Line) -> bool:
    """ "When they cross, buy or sell short": the way of the cross says which."""
    return line.link == "or" and any(x.either for _, x in line.shared or ())


def _is_entry(line: Line) -> bool:
    """ "EMA 20/50 cross, both ways, leave on the opposite cross": the cross enters."""
    if line.act is not None and line.act[0] == "enter":
        return True
    undirected = any(x.either for _, x in line.pending)
    return undirected and line.cur.peek(1).kind in ("slot", "opposite")


def act(line: Line, told: Told, kind: str, side: str | None) -> None:
    if line.link == "not":
        line.link = "unless" if kind == "enter" else ""
        return
    if kind != "enter" and line.rule is None and line.pending and _is_entry(line):
        _opened(line, told)
    if kind == "enter" and side is None:
        if line.act is None or (line.act[0] == "exit" and line.rule is None):
            line.act = ("enter", None)
        return
    if kind == "exit" and side is None:
        entered = {r.side for r in line.made if r.act == "enter"}
        side = entered.pop() if len(entered) == 1 and line.link not in ("or",) else None
    if (
        line.link == "mean"
        and line.rule is not None
        and line.rule.side is None
        and line.rule.act == kind
    ):
        told.rules.remove(line.rule)
        line.made.remove(line.rule)
    own_if = line.cur.peek(1).kind == "if"
    if line.pending:
        parts, line.pending = line.pending, []
        line.shared, line.opened = parts, False
        line.lead = list(parts) if own_if and kind == "enter" and not line.made else []
    elif (
        line.shared is not None
        and (line.link in ("and", "also", "", "then") or _is_both(line))
        and not if_follows(line)
    ):
        if kind in ("exit", "sell") and line.rule is not None and line.rule.act == "enter":
            if line.cur.peek(1).kind != "slot":
                return  # "buy and hold, then sell": when is said elsewhere
            parts, line.shared, line.opened = [], None, True
        else:
            parts = list(line.shared)
    else:
        parts = list(line.lead) if own_if and kind == "enter" else []
        line.shared, line.opened = None, True
    line.rule = Rule(kind, side, parts, line.text)
    told.rules.append(line.rule)
    line.made.append(line.rule)
    line.last = parts
    line.act, line.link, line.paused = (kind, side), "", False
