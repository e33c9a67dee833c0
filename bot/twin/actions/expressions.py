"""GitHub's `${{ }}` expressions: contexts, comparisons, and the functions that workflows use."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

Context = dict[str, Any]
TOKEN = re.compile(
    r"""\s*(?:(?P<number>-?0x[0-9a-fA-F]+|-?\d+(?:\.\d+)?)|'(?P<text>(?:[^']|'')*)'
    |(?P<name>[A-Za-z_][\w-]*)|(?P<op>==|!=|<=|>=|&&|\|\||[!<>()\[\].,*]))""",
    re.X,
)
WORDS = {"true": True, "false": False, "null": None}
EMBEDDED = re.compile(r"\$\{\{(.*?)\}\}", re.S)


class Wrong(ValueError):
    """An expression that GitHub would refuse."""


def fill(text: str, context: Context) -> str:
    """A text with its expressions replaced."""
    return EMBEDDED.sub(lambda m: shown(evaluate(m[1], context)), text)


def value_of(text: Any, context: Context) -> Any:
    """One expression keeps its type; anything around it makes it text."""
    if not isinstance(text, str):
        return text
    alone = re.fullmatch(r"\s*\$\{\{(.*?)\}\}\s*", text, re.S)
    if alone and "${{" not in alone[1]:
        return evaluate(alone[1], context)
    return fill(text, context)


def holds(condition: Any, context: Context) -> bool:
    """An `if:`, with or without the brackets; success() is meant where no state is asked for."""
    if condition is None:
        return bool(context["success"])
    text = str(condition).lower() if isinstance(condition, bool) else str(condition)
    text = EMBEDDED.sub(r"(\1)", text)
    found = truthy(evaluate(text, context))
    asks = re.search(r"\b(success|failure|always|cancelled)\s*\(", text)
    return found if asks else found and bool(context["success"])


def evaluate(text: str, context: Context) -> Any:
    parser = Parser(text, context)
    found = parser.either()
    if parser.at < len(parser.tokens):
        raise Wrong(f"unexpected {parser.tokens[parser.at][1]!r} in {text.strip()!r}")
    return found


class Parser:
    def __init__(self, text: str, context: Context) -> None:
        self.text, self.context = text, context
        self.tokens: list[tuple[str, str]] = []
        at, text = 0, text.rstrip()
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None or found.lastgroup is None:
                raise Wrong(f"cannot read {text[at:]!r}")
            self.tokens.append((found.lastgroup, found[found.lastgroup]))
            at = found.end()
        self.at = 0

    def take(self, *ops: str) -> str | None:
        if self.at < len(self.tokens) and self.tokens[self.at] in [("op", op) for op in ops]:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def need(self, op: str) -> None:
        if not self.take(op):
            raise Wrong(f"expected {op} in {self.text.strip()!r}")

    def either(self) -> Any:
        left = self.both()
        while self.take("||"):
            right = self.both()
            left = left if truthy(left) else right
        return left

    def both(self) -> Any:
        left = self.compared()
        while self.take("&&"):
            right = self.compared()
            left = right if truthy(left) else left
        return left

    def compared(self) -> Any:
        left = self.single()
        while op := self.take("==", "!=", "<", "<=", ">", ">="):
            left = compare(op, left, self.single())
        return left

    def single(self) -> Any:
        if self.take("!"):
            return not truthy(self.single())
        if self.take("("):
            found = self.either()
            self.need(")")
            return self.further(found)
        if self.at >= len(self.tokens):
            raise Wrong(f"{self.text.strip()!r} ends too early")
        kind, word = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return float(int(word, 0)) if "x" in word else float(word)
        if kind == "text":
            return word.replace("''", "'")
        if kind != "name":
            raise Wrong(f"unexpected {word!r} in {self.text.strip()!r}")
        if self.take("("):
            return self.further(self.called(word))
        return WORDS[word] if word in WORDS else self.further(self.context.get(word.lower()))

    def called(self, name: str) -> Any:
        given: list[Any] = []
        while not self.take(")"):
            given.append(self.either())
            if not self.take(","):
                self.need(")")
                break
        if name.lower() in STATES:
            return STATES[name.lower()](self.context)
        if name.lower() not in FUNCTIONS:
            raise Wrong(f"{name} is not a function that this twin knows")
        return FUNCTIONS[name.lower()](*given)

    def further(self, found: Any) -> Any:
        while op := self.take(".", "["):
            if op == "[":
                key: Any = "*" if self.take("*") else self.either()
                self.need("]")
            elif self.take("*"):
                key = "*"
            else:
                key = self.tokens[self.at][1]
                self.at += 1
            found = look(found, key)
        return found


def look(found: Any, key: Any) -> Any:
    if key == "*":
        return list(found.values()) if isinstance(found, dict) else found
    if isinstance(found, dict):
        low = {str(k).lower(): v for k, v in found.items()}
        return low.get(str(key).lower())
    if isinstance(found, list):
        if isinstance(key, float | int):
            return found[int(key)] if 0 <= int(key) < len(found) else None
        return [look(x, key) for x in found]
    return None


def truthy(value: Any) -> bool:
    return value not in (None, False, 0, "")


def compare(op: str, left: Any, right: Any) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        left, right = left.lower(), right.lower()
    elif type(left) is not type(right):
        left, right = number(left), number(right)
    if op in ("==", "!="):
        return bool(left == right) == (op == "==")
    try:
        return bool({"<": left < right, "<=": left <= right, ">": left > right,
                     ">=": left >= right}[op])  # fmt: skip
    except TypeError:
        return False


def number(value: Any) -> float:
    try:
        return float(value or 0)
    except (TypeError, ValueError):
        return float("nan")


def shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value) if isinstance(value, dict | list) else str(value)


def _contains(where: Any, what: Any) -> bool:
    if isinstance(where, list):
        return any(compare("==", x, what) for x in where)
    return shown(what).lower() in shown(where).lower()


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "contains": _contains,
    "startswith": lambda a, b: shown(a).lower().startswith(shown(b).lower()),
    "endswith": lambda a, b: shown(a).lower().endswith(shown(b).lower()),
    "format": lambda text, *given: re.sub(r"\{(\d+)\}", lambda m: shown(given[int(m[1])]), text),
    "join": lambda what, by=",": by.join(
        shown(x) for x in (what if isinstance(what, list) else [what])
    ),
    "tojson": lambda value: json.dumps(value, indent=2),
    "fromjson": lambda text: json.loads(text),
}
STATES: dict[str, Callable[[Context], bool]] = {
    "always": lambda c: True,
    "success": lambda c: bool(c["success"]),
    "failure": lambda c: bool(c["failure"]),
    "cancelled": lambda c: bool(c["cancelled"]),
}
