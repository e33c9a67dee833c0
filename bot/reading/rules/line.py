"""One sentence on its way: its tokens, the action that is open, the conditions that wait."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.reading.cursor import END, Cursor
from bot.reading.forms.form import Slot
from bot.reading.lexer import Amount
from bot.reading.rules.join import Parts
from bot.reading.rules.told import Rule

ROLES = {
    "entry": ("enter", None), "long_entry": ("enter", "long"), "short_entry": ("enter", "short"),
    "exit": ("exit", None), "long_exit": ("exit", "long"), "short_exit": ("exit", "short"),
}  # fmt: skip


@dataclass
class Line:
    """`made` are its rules so far, `rule` the one that conditions go to; `pending` are conditions
    that wait for an action, `shared` those of the last one, `prefix` those that hold for all."""

    cur: Cursor
    role: str
    text: str
    slots: list[Slot]
    left: str = ""
    """The text that the tokens were cut from: without what the forms took."""
    act: tuple[str, str | None] | None = None
    rule: Rule | None = None
    made: list[Rule] = field(default_factory=list)
    pending: Parts = field(default_factory=list)
    link: str = ""
    paused: bool = False
    shared: Parts | None = None
    opened: bool = False
    filter_side: str | None = None
    prefix: Parts = field(default_factory=list)
    last: Parts | None = None
    lead: Parts = field(default_factory=list)
    """Said before the first action, which has an "if" of its own: of each entry that has one."""
    always: Parts = field(default_factory=list)
    """Said with "only": of every entry of the request."""


def current_side(line: Line) -> str | None:
    if line.rule is not None:
        return line.rule.side if line.rule.act == "enter" else None
    return line.act[1] if line.act and line.act[0] == "enter" else None


def acts_now(line: Line) -> bool:
    return line.cur.peek().kind in ("enter", "exit", "sell", "side", "then")


def action_follows(line: Line) -> bool:
    """The next thing is an action, so this condition is its, not the last one's."""
    for token in line.cur.tokens[line.cur.at :]:
        if token.kind in ("enter", "exit", "sell", "side", "then"):
            return True
        if token.text == "close" and token is line.cur.tokens[-1]:
            return True
        if token.kind not in ("comma", "slot", "lp", "rp", "word"):
            return False
    return False


def if_follows(line: Line) -> bool:
    """Does a condition of its own come before the next action?"""
    rest = line.cur.tokens[line.cur.at + 1 :]
    for token, after in zip(rest, [*rest[1:], END], strict=False):
        if token.kind in ("if", "cmp", "cross", "break", "candle", "flip", "revert", "sign_cross"):
            return True
        if isinstance(token.value, Amount) and after.kind == "price":
            return True  # "a 20 day low"
        if token.kind in ("enter", "exit", "sell", "comma"):
            return False
    return False


def condition_before_action(line: Line) -> bool:
    """After "in this case:" comes another condition, so this one holds for all that follow."""
    for token in line.cur.tokens[line.cur.at + 1 :]:
        if token.kind in ("cmp", "cross", "break", "candle", "flip"):
            return True
        if token.kind in ("enter", "exit", "sell", "side"):
            return False
    return False
