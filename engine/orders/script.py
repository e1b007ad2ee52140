"""A mail's order lines as statements: single orders, and `if ...: ... else: ...` around them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.orders.order import Order
from engine.refusals import Unclear

END_MARK = "end of orders"


@dataclass
class Statement:
    """One order line, or a condition with what to do when it holds and when it does not."""

    number: int
    text: str = ""
    condition: str = ""
    yes: list[Statement] = field(default_factory=list)
    no: list[Statement] = field(default_factory=list)
    order: Order | None = None  # made ready, by who does not write, or read already
    understood: str = ""  # the line of an order that was read already
    doubtful: bool = False  # a line before it came back, so that it closes nothing

    @property
    def said(self) -> str:
        """The line, as it was written or could have been."""
        return self.text or (self.order.line() if self.order is not None else "")

    def lines(self) -> list[Statement]:
        """This statement's order lines, those inside a condition included."""
        if not self.condition:
            return [self]
        return [line for inner in (*self.yes, *self.no) for line in inner.lines()]

    def written(self) -> list[str]:
        """The statement as its writer could send it again, a condition with all that stands in it."""
        if not self.condition:
            return [self.said]
        yes, no = ([text for inner in part for text in inner.written()] for part in (self.yes, self.no))
        return [f"if {self.condition}:", *yes, *(["else:", *no] if no else []), "end if"]

    def dump(self) -> dict[str, Any]:
        """The statement as a drawer keeps it."""
        body: dict[str, Any] = {"number": self.number, "text": self.said}
        if self.condition:
            yes, no = [inner.dump() for inner in self.yes], [inner.dump() for inner in self.no]
            body |= {"if": self.condition, "yes": yes, "no": no}
        return {**body, "doubtful": True} if self.doubtful else body

    def doubt(self) -> None:
        """A line before it came back."""
        for statement in (self, *self.lines()):
            statement.doubtful = True


def load_statement(body: Mapping[str, Any]) -> Statement:
    """The statement that a drawer kept."""
    yes, no = ([load_statement(inner) for inner in body.get(side, ())] for side in ("yes", "no"))
    return Statement(body["number"], body["text"], body.get("if", ""), yes, no, doubtful=body.get("doubtful", False))


_IF = re.compile(r"if\s+(?P<condition>[^:]+):(?P<rest>.*)", re.I)
_ELSE = re.compile(r"else\s*:?(?P<rest>.*)", re.I)
_INLINE_ELSE = re.compile(r"[;,\s]\s*else\s*:", re.I)
_END_IF = re.compile(r"end\s*if|endif|fi", re.I)


def read_script(text: str) -> tuple[list[Statement], list[tuple[int, str, Unclear]]]:
    """The statements of a text, and the lines whose `if` or `else` stands wrongly."""
    reader = _Reader(text)
    return reader.block(inside=False), reader.faults


class _Reader:
    def __init__(self, text: str) -> None:
        self.faults: list[tuple[int, str, Unclear]] = []
        self.lines: list[tuple[int, str]] = []
        for number, raw in enumerate(text.splitlines(), 1):
            line = raw.split("#")[0].strip()
            if line.casefold() == END_MARK:
                break
            if line:
                self.lines.append((number, line))
        self.next = 0

    def block(self, *, inside: bool) -> list[Statement]:
        """Statements up to the end, or up to the `else` or `end if` that closes this block."""
        found: list[Statement] = []
        while self.next < len(self.lines):
            number, line = self.lines[self.next]
            if _ELSE.fullmatch(line) or _END_IF.fullmatch(line):
                if inside:
                    return found
                self.faults.append((number, line, Unclear(f"{line!r} has no `if` before it")))
                self.next += 1
                continue
            self.next += 1
            match = _IF.fullmatch(line)
            found.append(self._if(number, line, match) if match else Statement(number, line))
        return found

    def _if(self, number: int, line: str, match: re.Match[str]) -> Statement:
        statement = Statement(number, line, condition=match["condition"].strip())
        rest = match["rest"].strip()
        if rest:
            yes, _, no = _cut(rest)
            statement.yes = [Statement(number, yes)] if yes else []
            statement.no = [Statement(number, no)] if no else []
            if not no and self._next_is(_ELSE):
                self._else(statement)
            return statement
        statement.yes = self.block(inside=True)
        if self._next_is(_ELSE):
            self._else(statement)
        if self._next_is(_END_IF):
            self.next += 1
        return statement

    def _else(self, statement: Statement) -> None:
        number, line = self.lines[self.next]
        self.next += 1
        match = _ELSE.fullmatch(line)
        assert match
        rest = match["rest"].strip()
        if rest:
            statement.no = [Statement(number, rest)]
        else:
            statement.no = self.block(inside=True)

    def _next_is(self, pattern: re.Pattern[str]) -> bool:
        return self.next < len(self.lines) and bool(pattern.fullmatch(self.lines[self.next][1]))


def _cut(rest: str) -> tuple[str, str, str]:
    """What stands before and after an `else:` on the same line."""
    match = _INLINE_ELSE.search(rest)
    if not match:
        return rest, "", ""
    return rest[: match.start()].strip(" ;,"), "else", rest[match.end() :].strip()
