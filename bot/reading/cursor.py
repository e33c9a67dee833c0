"""A place in a sentence's tokens, with a way back."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.reading.book import Book
from bot.reading.lexer import Amount, Token

STRETCHES = ("bars", "days", "weeks", "months", "hours", "minutes", "years")
END = Token("end", None, "")


@dataclass
class Cursor:
    tokens: list[Token]
    book: Book
    at: int = 0
    read: set[int] = field(default_factory=set)
    """Positions that some rule was made of; the others were skipped."""
    named: set[int] = field(default_factory=set)
    """Positions that only name a thing: "MACD(12,26,9): ..."."""

    @property
    def meant_it(self) -> bool:
        """ "it closes below 30": it, not the price."""
        return any(t.kind == "it" for t in self.tokens[max(0, self.at - 4) : self.at])

    def peek(self, ahead: int = 0) -> Token:
        place = self.at + ahead
        return self.tokens[place] if 0 <= place < len(self.tokens) else END

    def take(self, *kinds: str) -> Token | None:
        """The next token if it is one of these kinds."""
        token = self.peek()
        if token.kind not in kinds:
            return None
        self.at += 1
        return token

    def take_value(self, kind: str, *values: object) -> Token | None:
        return self.take(kind) if self.peek().kind == kind and self.peek().value in values else None

    def back_to(self, place: int) -> None:
        self.at = place

    def done(self) -> bool:
        return self.at >= len(self.tokens)

    def stretch(self) -> int | None:
        """A number of bars: "20 days", "5 bars", or a bare number."""
        token = self.peek()
        if isinstance(token.value, Amount) and token.value.unit in STRETCHES:
            self.at += 1
            return self.book.bars(token.value.value, token.value.unit)
        if token.kind == "num" and isinstance(token.value, float):
            self.at += 1
            return max(1, round(token.value))
        return None

    def is_stretch(self, ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return token.kind == "num" or (
            token.kind == "amount"
            and isinstance(token.value, Amount)
            and token.value.unit in STRETCHES
        )
