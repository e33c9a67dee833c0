"""One statement that takes the place of another: `/revise stop 3 % from fill`."""

from __future__ import annotations

from lark import Token, Tree

from schemas.sheet.grammar import Node, parse
from schemas.sheet.problems import Fault
from schemas.sheet.text import Statement, plain, statements

SIZES = ("size", "size_plain", "size_percent", "size_risk", "size_hole")
SAME = {
    **dict.fromkeys(SIZES, "size"), "buy": "enter", "enter_side": "enter", "cover": "exit",
    "partial_target": "target", "ladder_target": "target", "cooldown_any": "cooldown",
    "trades_per": "trades_per_day", "commission_each": "commission", "commission_percent":
    "commission", "slippage_range": "slippage", "exit_at_close": "exit",
}  # fmt: skip
COSTS = ("commission", "spread", "slippage")
SIDED = ("enter", "exit", "stop", "target", "trail")
ADDS = ("no_trade_on", "no_trade_when", "trade_on")


def is_statements(text: str) -> bool:
    """Whether every line of it is a statement of a sheet, whatever it may mean."""
    found = statements(text)
    return bool(found) and all(_tree(s) is not None for s in found)


def edited(sheet: str, changes: str) -> str:
    """The sheet with each statement of the changes in the place of the one that it replaces.

    `Fault` where it is not clear which one that is. Comments and everything else stay.
    """
    lines = plain(sheet).rstrip("\n").split("\n")
    for change in statements(changes):
        new = _key(change)
        old = [s for s in statements("\n".join(lines)) if _replaces(new, _key(s))]
        lines = _put(lines, old, change, new)
    return "\n".join(lines) + "\n"


def _put(
    lines: list[str], old: list[Statement], change: Statement, new: tuple[str, str]
) -> list[str]:
    if new[0] in ("enter", "exit") and len(old) > 1:
        raise Fault(
            f"there are {len(old)} lines that this could replace; send the whole sheet with "
            "`/revise` and the sheet in a code block"
        )
    if new[0] in SIDED and new[1] and any(not _key(s)[1] for s in old) and new[0] != "exit":
        raise Fault(f"the sheet has a `{new[0]}` for both sides; write a line for each side")
    typed = [line.strip() for line in change.typed]
    if not old:
        return [*lines, *typed]
    gone = {n for s in old for n in range(s.line, s.line + len(s.typed))}
    kept = [(n, line) for n, line in enumerate(lines, 1) if n not in gone]
    before = [line for n, line in kept if n < old[0].line]
    return [*before, *typed, *(line for n, line in kept if n > old[0].line)]


def _replaces(new: tuple[str, str], old: tuple[str, str]) -> bool:
    if new[0] in ADDS:
        return new == old
    if new[0] == "no_costs" or old[0] == "no_costs":
        return new[0] in (*COSTS, "no_costs") and old[0] in (*COSTS, "no_costs")
    if new[0] != old[0]:
        return False
    if new[0] in ("enter", "exit"):
        return new[1] == old[1]
    return new[0] != "let" and (not new[1] or not old[1] or new[1] == old[1]) or new == old


def _key(statement: Statement) -> tuple[str, str]:
    """What it is about: its rule, and its side or name."""
    tree = _tree(statement)
    if tree is None:
        return ("", "")
    rule = SAME.get(str(tree.data), str(tree.data))
    if rule == "let":
        return rule, str(tree.children[0]).lower()
    if str(tree.data) == "buy":
        return rule, "long"
    return rule, "short" if str(tree.data) == "cover" else _side(tree)


def _side(tree: Node) -> str:
    parts = [x for x in tree.children if isinstance(x, Tree) and x.data == "who"]
    tokens = [x for part in (tree, *parts) for x in part.children if isinstance(x, Token)]
    return next((str(x).lower() for x in tokens if x.type == "SIDE"), "")


def _tree(statement: Statement) -> Node | None:
    try:
        return parse(statement.text)
    except Fault:
        return None
