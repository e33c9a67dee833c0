"""Compiles the contract's trees to pandas expressions, one for each rule."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.agents.layout import AND, COMPARED, NOT, OR, PLUS, TIMES, Code, assign, is_bracketed
from bot.agents.sheet import Sheet
from bot.agents.spelling import minutes, number, time_of
from bot.agents.tree import COMPARE, SIGNS, TURNED, asks_position, constant
from schemas import contract as c

ARITHMETIC = {"add": ("+", PLUS), "subtract": ("-", PLUS), "multiply": ("*", TIMES),
              "divide": ("/", TIMES)}  # fmt: skip
SCALED = {"add": "plus", "subtract": "minus", "multiply": "times", "minimum": "at_most",
          "maximum": "at_least"}  # fmt: skip
"""How a number is named after what it does to a series. A divisor is a unit, such as 100 or 2."""
PLAIN = (0.0, 1.0, -1.0)
"""Numbers that say more than a name would."""
LONG_PART, LONG_RULE = 42, 62
"""Letters from which a part of an expression, or a part of a rule, gets a line of its own."""


@dataclass
class Writer:
    """Writes expressions for one rule. `wish` is the name that things of this rule begin with.

    A rule that reads the open position is written into a method, and so has `lines` of its own;
    it sees other series only since the fill, through `held`.
    """

    sheet: Sheet
    wish: str
    lines: list[str] | None = None

    def operand(self, node: c.Operand) -> Code:
        if (value := constant(node)) is not None:
            return Code(number(value), scalar=True)
        if self.lines is not None and not asks_position(node):
            return self._seen(node)
        match node:
            case c.Constant():
                return Code(number(node.value), scalar=True)
            case c.Price():
                return self._shifted(self.sheet.column(node.field), node.shift)
            case c.Series():
                return self._shifted(self.sheet.series(node), node.shift)
            case c.Calendar():
                return self._shifted(self.sheet.when(node.field), node.shift)
            case c.Held():
                return Code(f"held.{node.field}")
            case c.Arithmetic():
                return self._arithmetic(node)

    def rule(self, node: c.Condition) -> Code:
        if self.lines is not None and not asks_position(node):
            name = self.sheet.keep(f"{self.wish}_when", Writer(self.sheet, self.wish).rule(node))
            return Code(f'held.of(indicators["{name}"]) > 0.0', COMPARED, rule=True)
        match node:
            case c.Compare():
                return self._compare(node)
            case c.Cross():
                return self._cross(node)
            case c.Every():
                return self._joined([self.rule(x) for x in node.of], "&", AND)
            case c.Either():
                return self._joined([self.rule(x) for x in node.of], "|", OR)
            case c.Never():
                return Code(f"~{self._short(self.rule(node.of)).within(NOT)}", NOT, rule=True)
            case c.InARow() | c.Within():
                return self._counted(node)
            case c.Session():
                return self._session(node)
            case c.OnDays():
                days = ", ".join(map(str, node.weekdays)) + ("," if len(node.weekdays) == 1 else "")
                name = self.sheet.constant(f"{self.wish}_days", f"({days})")
                return Code(f"{self._now('weekday').text}.isin({name})", rule=True)

    def level(self, node: c.Operand) -> Code:
        """An operand as a series, also where it is one number."""
        code = self.operand(node)
        if not code.scalar:
            return code
        name = self.sheet.constant(f"{self.wish}_price", code.text)
        return Code(f"pd.Series({name}, index=df.index)")

    def _seen(self, node: c.Operand) -> Code:
        """A series that does not depend on the position, cut to the bars since its fill."""
        if isinstance(node, c.Price) and not node.shift:
            return Code(f'held.of(df["{node.field.capitalize()}"])')
        if isinstance(node, c.Series) and not node.shift:
            return Code(f'held.of(indicators["{self.sheet.series(node)}"])')
        code = Writer(self.sheet, self.wish).level(node)
        return Code(f'held.of(indicators["{self.sheet.keep(f"{self.wish}_of", code)}"])')

    def _shifted(self, name: str, shift: int) -> Code:
        return Code(f"{name}.shift({shift})" if shift else name)

    def _now(self, name: str) -> Code:
        return self._shifted(self.sheet.when(name), 0)

    def _arithmetic(self, node: c.Arithmetic) -> Code:
        left, right = self._scaled(node.left, node.op), self._scaled(node.right, node.op)
        if self.lines is not None and node.op not in ("add", "subtract", "multiply"):
            known = {"minimum": "np.minimum", "maximum": "np.maximum"}
            piece = known.get(node.op) or self.sheet.piece("ratio")
            return Code(f"{piece}({left.text}, {right.text})")
        if node.op in ("minimum", "maximum"):
            first, second = (right, left) if left.scalar else (left, right)
            piece = self.sheet.piece("lesser" if node.op == "minimum" else "greater")
            return Code(f"{piece}({first.text}, {second.text})")
        sign, binds = ARITHMETIC[node.op]
        text = f"{left.within(binds)} {sign} {right.within(binds + 1)}"
        if len(text) > LONG_RULE:
            left, right = self._hoisted(left), self._hoisted(right)
            text = f"{left.text} {sign} {right.text}"
        return Code(text, binds)

    def _scaled(self, node: c.Operand, op: str) -> Code:
        value = constant(node)
        if value is None or value in PLAIN or op not in SCALED:
            return self._part(self.operand(node))
        name = self.sheet.constant(f"{self.wish}_{SCALED[op]}", number(value))
        return Code(name, scalar=True)

    def _compare(self, node: c.Compare) -> Code:
        one, two = constant(node.left), constant(node.right)
        if one is not None and two is not None:
            always = COMPARE[node.op](one, two)
            return Code(f"pd.Series({always}, index=df.index)", rule=True)
        (left, right), sign = self._sides(node.left, node.right), SIGNS[node.op]
        if left.scalar:
            left, right, sign = right, left, TURNED[sign]
        text = f"{left.within(COMPARED + 1)} {sign} {right.within(COMPARED + 1)}"
        return Code(text, COMPARED, rule=True)

    def _cross(self, node: c.Cross) -> Code:
        left, right = self._sides(node.left, node.right)
        if left.scalar and right.scalar:
            return Code("pd.Series(False, index=df.index)", rule=True)
        if self.lines is not None:
            over, under = (left, right) if node.direction == "above" else (right, left)
            gap = f"{over.within(PLUS)} - {under.within(TIMES)}"
            return Code(f"{self.sheet.piece('crossed')}({gap})", rule=True)
        piece = self.sheet.piece(f"crosses_{node.direction}")
        return Code(f"{piece}({left.text}, {right.text})", rule=True)

    def _sides(self, left: c.Operand, right: c.Operand) -> tuple[Code, Code]:
        one = self._named(left, right) or self._part(self.operand(left))
        two = self._named(right, left) or self._part(self.operand(right))
        if sum(len(x.text) for x in (one, two) if not x.scalar) > LONG_RULE - 16:
            return self._hoisted(one), self._hoisted(two)
        return one, two

    def _named(self, node: c.Operand, other: c.Operand) -> Code | None:
        """A number that something is compared with becomes a constant with a name."""
        value = constant(node)
        if value is None:
            return None
        if isinstance(other, c.Calendar) and other.field == "minute":
            literal = time_of(value)
            return Code(self.sheet.constant(f"{self.wish}_time", literal), scalar=True)
        if value in PLAIN:
            return Code(number(value), scalar=True)
        about = other.indicator if isinstance(other, c.Series) else getattr(other, "field", "level")
        return Code(self.sheet.constant(f"{self.wish}_{about}", number(value)), scalar=True)

    def _counted(self, node: c.InARow | c.Within) -> Code:
        bars = self.sheet.constant(f"{self.wish}_bars", str(node.bars))
        inner = self._short(self.rule(node.of))
        since_fill = {"in_a_row": "lasted", "within": "lately"}
        piece = node.kind if self.lines is None else since_fill[node.kind]
        return Code(f"{self.sheet.piece(piece)}({inner.text}, {bars})", rule=True)

    def _session(self, node: c.Session) -> Code:
        start, end = minutes(node.start), minutes(node.end) + int(node.includes_end)
        spelled = [time_of(start), time_of(end)]
        names = [self.sheet.constant(f"{self.wish}_{w}", x)
                 for w, x in zip(("from", "until"), spelled, strict=True)]  # fmt: skip
        piece = self.sheet.piece("in_session")
        return Code(f"{piece}({self._now('minute').text}, {', '.join(names)})", rule=True)

    def _joined(self, rules: list[Code], joint: str, binds: int) -> Code:
        if len(rules) == 1:
            return rules[0]
        parts = tuple(self._short(r).within(binds + 1) for r in rules)
        text = f" {joint} ".join(parts)
        if len(text) > 110 or (len(parts) == 2 and len(text) > 74):
            parts = tuple(self._hoisted(Code(p, rule=True)).text for p in parts)
            text = f" {joint} ".join(parts)
        return Code(text, binds, rule=True, parts=parts, joint=joint)

    def _part(self, code: Code) -> Code:
        return self._hoisted(code) if len(code.text) > LONG_PART and not code.scalar else code

    def _short(self, code: Code) -> Code:
        return self._hoisted(code) if len(code.text) > LONG_RULE else code

    def _hoisted(self, code: Code) -> Code:
        if code.text.isidentifier() or code.scalar:
            return code
        bare = code.text[1:-1] if is_bracketed(code.text) else code.text
        whole = replace(code, text=bare)
        return Code(self._line(whole), rule=code.rule)

    def _line(self, code: Code) -> str:
        if self.lines is None:
            return self.sheet.local(f"{self.wish}_part", code)
        name = self.sheet.names.take(f"{self.wish}_part")
        self.lines += assign(name, code)
        return name
