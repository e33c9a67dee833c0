"""What is wrong with a sheet, where, and the line that would be right."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """`column` counts from 1 in the line as it was typed; `tries`: whole lines that can be read."""

    line: int
    column: int
    word: str
    message: str
    typed: str
    tries: tuple[str, ...] = ()
    example: str = ""
    """What such a statement looks like, where nothing closer is known."""

    def __str__(self) -> str:
        """For a terminal or a code block: the message, the line, a mark below the word."""
        shown = [f"line {self.line}, column {self.column}: {self.message}", f"    {self.typed}"]
        shown.append("    " + " " * (self.column - 1) + "^" * max(1, len(self.word)))
        shown += [f"    Try: {line}" for line in self.tries[:2]]
        shown += [f"    For example: {self.example}"] if self.example else []
        return "\n".join(shown)


@dataclass(frozen=True, slots=True)
class Hole:
    """A `???`: something that a person still has to say. A sheet with one is never approved."""

    line: int
    column: int
    typed: str


@dataclass(frozen=True, slots=True)
class Assumed:
    """What the sheet left out, and how it was read. `line` 0: no statement says it."""

    line: int
    topic: str
    text: str


class Fault(Exception):
    """One statement cannot be read. Columns count from 0, in the text of the statement.

    `tries`: what could stand there instead, from `column` to `until` (or the end of the word), or
    whole lines. `later`: it is understood, and not built yet.
    """

    def __init__(
        self,
        message: str,
        column: int = 0,
        word: str = "",
        tries: tuple[str, ...] = (),
        until: int = 0,
    ) -> None:
        super().__init__(message)
        self.message, self.column, self.word, self.tries = message, column, word, tries
        self.until = until
        self.later = "not built yet" in message


class Unbound(Fault):
    """`a and b for 3 bars`: the last one, or both? `start` and `end` are of the last one."""

    def __init__(self, word: str, start: int, end: int) -> None:
        told = f"does `{word} …` belong to the last condition or to all? Put that in brackets"
        super().__init__(told, start)
        self.start, self.end = start, end


class HoleFound(Exception):
    """The statement is not finished: it holds a `???`."""

    def __init__(self, column: int) -> None:
        super().__init__(column)
        self.column = column
