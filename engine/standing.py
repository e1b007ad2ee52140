"""Standing orders: answers given beforehand, for all, a hex, a unit or a formation, with conditions.

`when attacked at 2708: retreat if losses are 2 or more, else hold`
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from engine.asks import Ask
from engine.orders.conditions import read_condition
from engine.orders.fields import Reading, hexes_at, hexside_at, unit_at
from engine.orders.order import Order
from engine.refusals import Refusal, Unclear, either
from engine.view import view

if TYPE_CHECKING:
    from engine.table import Table

STANDING_USAGE = "when QUESTION [at HEX | for UNIT]: ORDER [if CONDITION, else ORDER], or: ask, or: default"
ASK, DEFAULT = "ask", "default"
ANY = "asked"  # the name that every question answers to
ALL = 99  # how closely an order for all names anything
_STANDING = re.compile(
    r"when\s+(?P<name>[\w -]+?)(?:\s+(?P<link>at|for)\s+(?P<subject>[^:]+))?\s*:\s*(?P<answer>.+)", re.I
)
_ELSE = re.compile(r"\s*[,;]?\s*\b(?:else|otherwise)\b\s*:?\s*", re.I)
_IF = re.compile(r"\s+if\s+", re.I)


@dataclass(frozen=True)
class Question:
    """A question that a game may ask in the other side's play: its names, what it is about, what can be compared."""

    name: str
    about: str
    verbs: tuple[type[Order], ...]  # the orders that answer it
    also: tuple[str, ...] = ()
    amounts: tuple[str, ...] = ()  # "losses": what a condition may speak of besides the position
    secret: tuple[str, ...] = ()  # those of them that only this side knows: no pause may hang on them
    answers: tuple[str, ...] = ()  # how an answer may be written
    subjects: Mapping[str, str] = field(default_factory=dict)  # things other than units and hexes it is asked about
    of: tuple[str, ...] = ()  # the sides that may be asked; none named: any
    own: bool = False  # asked in the side's own play alone: whoever lists what is answered in the other's leaves it out
    reaction: bool = False  # as the ask has it: not about one's own units, so that no pace waits for it
    default: str = DEFAULT  # what is answered for who says nothing, in words


@dataclass(frozen=True)
class Standing:
    """An answer given beforehand to a question the other side's play may raise."""

    name: str
    subject: str
    answer: str
    link: str = "at"  # as it was written: at a hex, for a unit

    def line(self) -> str:
        about = f" {self.link} {self.subject}" if self.subject else ""
        return f"when {self.name}{about}: {self.answer}"

    def fits(self, ask: Ask, table: Table) -> bool:
        return self.name in (ask.name, ANY) and (not self.subject or self.rank(ask, table) is not None)

    def rank(self, ask: Ask, table: Table) -> int | None:
        """How closely it names what the ask is about: a unit, a hex or hexside, a formation and those above it, all.

        None: not at all.
        """
        if not self.subject:
            return ALL
        question = table.game.questions.get(ask.name)
        if question is not None and self.subject.casefold() in question.subjects:
            return 0 if question.subjects[self.subject.casefold()] == ask.subject else None
        reading = table.reading(ask.side)
        words = self.subject.split()
        formations = table.roster.formations_named(self.subject)
        named = unit_at(words, reading)
        if named is not None and (named[1] == len(words) or not formations):
            return 0 if named[0] in ask.units else None
        places, _ = hexes_at(words, reading)
        if places:
            return 1 if not {hexside_at(words, reading), *places}.isdisjoint(ask.subject.split()) else None
        levels = [table.roster.levels(table.unit(unit).formation) for unit in ask.units]
        return min((2 + n for above in levels for n, f in enumerate(above) if f in formations), default=None)

    def choices(self) -> Iterator[tuple[str, str]]:
        """Each answer with its condition (empty: always), in the order they are tried."""
        for part in _ELSE.split(self.answer):
            answer, *condition = _IF.split(part.strip(), maxsplit=1)
            yield answer.strip(), condition[0].strip() if condition else ""

    def chosen(self, ask: Ask, table: Table) -> str | None:
        """The first answer whose condition holds. Raises Refusal."""
        reading = table.reading(ask.side, ask.amounts)
        for answer, condition in self.choices():
            if not condition or read_condition(condition, reading).holds(reading):
                return answer
        return None

    def asks(self, ask: Ask, table: Table) -> bool:
        """Whether the side wants to be asked after all, as all others can tell: where they cannot, it is asked."""
        try:
            for answer, condition in self.choices():
                holds = _as_others_know(condition, ask, table) if condition else True
                if holds is not False and answer.casefold() == ASK:
                    return True
                if holds:
                    return False
        except Refusal:
            return False
        return False

    def order(self, ask: Ask, table: Table) -> Order | None:
        """The legal answer it gives, if it gives one."""
        try:
            text = self.chosen(ask, table)
            if text is None or text.casefold() == ASK:
                return None
            if text.casefold() == DEFAULT:
                return ask.default()
            order = _read(text, ask, table)
            if order is not None:
                ask.check(order)
            return order
        except Refusal:
            return None


def _as_others_know(condition: str, ask: Ask, table: Table) -> bool | None:
    """Whether a condition holds for the other sides: a pause that hangs on it tells them nothing. Raises Refusal."""
    own = table.reading(ask.side, ask.amounts)
    sides = [side for side in own.setting.sides if side != ask.side] or [ask.side]
    read = read_condition(condition, own)
    found = {read.known(replace(own, position=view(table.position, side))) for side in sides}
    return found.pop() if len(found) == 1 else None


def read_standing(line: str) -> Standing:
    """A standing order. Raises Unclear."""
    match = _STANDING.fullmatch(line.strip())
    if not match:
        raise Unclear(f"{line.strip()!r} is not a standing order", usage=STANDING_USAGE)
    subject = (match["subject"] or "").strip()
    general = subject.casefold() in ("all", "everybody", "everyone")
    name, link = match["name"].strip().casefold(), (match["link"] or "at").casefold()
    return Standing(name, "" if general else subject, match["answer"].strip(), "at" if general else link)


def checked(standing: Standing, side: str, table: Table) -> Standing:
    """The order under the question's own name, every word of it known to the game. Raises Unclear, Ambiguous."""
    game = table.game
    found = _question(standing.name, game.questions)
    meant = [*game.questions.values()] if found is None else [found]
    reading = table.reading(side)
    if standing.subject and (found is None or standing.subject.casefold() not in found.subjects):
        words = standing.subject.split()
        place = hexside_at(words, reading) if "/" in standing.subject else hexes_at(words, reading)[0]
        if not (unit_at(words, reading) or place or table.roster.formations_named(standing.subject)):
            raise Unclear(f"{standing.subject!r} is no unit, hex, place or formation here", usage=STANDING_USAGE)
    pauses = any(answer.casefold() == ASK for answer, _ in standing.choices())
    for answer, condition in standing.choices():
        if condition:
            _check_condition(condition, meant, game.marks, reading, pauses)
        if answer.casefold() not in (ASK, DEFAULT):
            kind = game.book.by_verb.get(answer.casefold()) or type(game.book.read(answer, reading))
            _check_verb(answer, kind, found)
    return standing if found is None else replace(standing, name=found.name)


def _question(name: str, questions: Mapping[str, Question]) -> Question | None:
    """The question of that name; None for all of them, or if the game has no list."""
    if name == ANY or not questions:
        return None
    for question in questions.values():
        if name in (question.name, *question.also):
            return question
    raise Unclear(f"{name!r} is no question of this game; it asks {either([*questions])}", usage=STANDING_USAGE)


def _check_verb(answer: str, kind: type[Order], question: Question | None) -> None:
    """An order that can answer the question. Raises Unclear."""
    if question is not None and kind not in question.verbs:
        can = [*(verb.shape.printed(verb.usage) for verb in question.verbs), ASK, DEFAULT]
        problem = f"{answer!r} does not answer {question.name!r} ({question.about})"
        raise Unclear(problem, usage=f"when {question.name}: {', or: '.join(can)}")


def _check_condition(
    text: str, questions: Sequence[Question], marks: Iterable[str], reading: Reading, pauses: bool
) -> None:
    """A condition that can be read; where the game may wait on it, on numbers that all players know. Raises Unclear."""
    amounts = [name for question in questions for name in question.amounts]
    secret = {name for question in questions for name in question.secret}
    open_ = [name for name in amounts if name not in secret] if pauses else amounts
    about = f"; {'with `ask` ' if pauses else ''}it may speak of {either([*dict.fromkeys(open_)])}" if open_ else ""
    unclear = Unclear(f"the condition {text!r} was not understood{about}", usage=STANDING_USAGE)
    try:
        condition = read_condition(text, replace(reading, known=frozenset((*marks, *amounts))))
    except Unclear:
        raise unclear from None
    compared = [part.compares for parts in condition.ways for part in parts if part.compares]
    if pauses and any(name not in open_ for name in compared):
        raise unclear


def _read(text: str, ask: Ask, table: Table) -> Order | None:
    """The order that the answer means; a verb alone means the best that can be said with it."""
    reading = table.reading(ask.side)
    kind = table.game.book.by_verb.get(text.casefold())
    try:
        order = ask.meant(table.game.book.read(text, reading), beforehand=True)
        return order if ask.answered_by(order) else None
    except Unclear:
        if kind is None or not issubclass(kind, ask.verbs):
            raise
    default = ask.default()
    if isinstance(default, kind):
        return default
    seen = table.seen_by(ask.side)
    fitting = [choice.order() for choice in ask.choices() if choice.complete and issubclass(choice.kind, kind)]
    return max(fitting, key=lambda order: table.game.appraise(seen, ask, order), default=None)
