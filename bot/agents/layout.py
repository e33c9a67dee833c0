"""Lays out code as the formatter would: on one line, or broken in the way that it breaks it."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

WIDTH = 100
BODY = "        "
ATOM, NOT, TIMES, PLUS, AND, OR, COMPARED = 9, 8, 7, 6, 5, 4, 3
"""How tightly Python binds an expression; a looser one inside a tighter one needs parentheses."""


@dataclass(frozen=True)
class Code:
    """An expression. `scalar` is one number, not a series; `rule` is true or false on each bar."""

    text: str
    binds: int = ATOM
    scalar: bool = False
    rule: bool = False
    parts: tuple[str, ...] = ()
    joint: str = ""

    def within(self, binds: int) -> str:
        """As part of an expression that binds so tightly."""
        return self.text if self.binds >= binds else f"({self.text})"


def assign(name: str, code: Code, indent: str = BODY) -> list[str]:
    """The lines of `name = code`."""
    return statement(f"{name} = ", code, indent)


def statement(start: str, code: Code, indent: str) -> list[str]:
    line = f"{indent}{start}{code.text}"
    if len(line) <= WIDTH:
        return [line]
    if len(code.parts) > 2:
        first, *rest = code.parts
        inside = [first, *(f"{code.joint} {part}" for part in rest)]
        if len(f"{indent}    {code.text}") <= WIDTH:
            inside = [code.text]
        return [f"{indent}{start}(", *(f"{indent}    {x}" for x in inside), f"{indent})"]
    if len(code.parts) == 2 and (lines := _last_call(start, code, indent)):
        return lines
    name, _, given = code.text.partition("(")
    if not (name.replace(".", "_").isidentifier() and is_bracketed(f"({given}")):
        return [f"{indent}{start}(", f"{indent}    {code.text}", f"{indent})"]
    return call(f"{start}{name}", given[:-1].split(", "), indent)


def _last_call(start: str, code: Code, indent: str) -> list[str]:
    """Two parts of which the last is a call are broken inside that call, where its name fits."""
    first, last = code.parts
    name, _, given = last.partition("(")
    opening = f"{start}{first} {code.joint} {name}"
    whole = name.isidentifier() and is_bracketed(f"({given}") and given != ")"
    if not whole or len(f"{indent}{opening}(") > WIDTH:
        return []
    return call(opening, given[:-1].split(", "), indent)


def is_bracketed(text: str) -> bool:
    """Whether its first bracket is closed by its last letter."""
    depth = 0
    if not text.startswith("("):
        return False
    for n, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return n == len(text) - 1
    return False


def call(start: str, arguments: list[str], indent: str) -> list[str]:
    one = f"{indent}{start}({', '.join(arguments)})"
    if len(one) <= WIDTH:
        return [one]
    middle = f"{indent}    {', '.join(arguments)}"
    if len(middle) <= WIDTH:
        return [f"{indent}{start}(", middle, f"{indent})"]
    return [f"{indent}{start}(", *(f"{indent}    {a}," for a in arguments), f"{indent})"]


def signature(name: str, arguments: list[str], returns: str) -> list[str]:
    """The first lines of a method."""
    lines = call(f"def {name}", arguments, "    ")
    if len(lines) == 1 and len(lines[0]) + len(returns) + 5 > WIDTH:
        lines = [f"    def {name}(", f"        {', '.join(arguments)}", "    )"]
    return [*lines[:-1], f"{lines[-1]} -> {returns}:"]


def returned(tests: list[str]) -> list[str]:
    """The lines that return whether all of it holds."""
    together = " and ".join(tests)
    if len(f"{BODY}return {together}") <= WIDTH:
        return [f"{BODY}return {together}"]
    first, *rest = tests
    inside = [together] if len(f"{BODY}    {together}") <= WIDTH else [
        first, *(f"and {test}" for test in rest)
    ]  # fmt: skip
    return [f"{BODY}return (", *(f"{BODY}    {line}" for line in inside), f"{BODY})"]


def docstring(lines: list[str], indent: str = BODY) -> list[str]:
    """Sentences as the docstring of a method: on one line where they fit."""
    wide = WIDTH - len(indent)
    first, *rest = [
        part for n, line in enumerate(lines)
        for part in textwrap.wrap(line, wide - (0 if n else 6))
    ]  # fmt: skip
    if not rest:
        return [f'{indent}"""{first}"""']
    return [f'{indent}"""{first}', *(indent + line for line in rest), f'{indent}"""']


def documented(method: str, lines: list[str]) -> str:
    """The method with this docstring, unless it has one of its own."""
    text = method.splitlines()
    head = next(n for n, line in enumerate(text) if line.endswith(":")) + 1
    if not lines or text[head].lstrip().startswith('"""'):
        return method
    return "\n".join([*text[:head], *docstring(lines), *text[head:]])
