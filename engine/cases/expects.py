"""What a case file may expect: one small function for each form."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from engine.asks import Ask
from engine.cases.deal import Names, number
from engine.cases.failures import Misspelt, Unmet
from engine.dice import ForcedDice
from engine.log import Item
from engine.orders.order import Order
from engine.referee import Referee, not_asked
from engine.refusals import Illegal, Refusal
from engine.view import view

ABOUT_UNITS = "UNIT at HEX|BOX, UNIT lost N, UNIT dead|alive, UNIT|@HEX|@HEX/HEX|SIDE|game [no] mark NAME [VALUE]"


@dataclass
class Scene:
    """A case being played: the referee, the dice, and all that happened so far."""

    referee: Referee
    dice: ForcedDice
    names: Names
    happened: list[Item] = field(default_factory=list)
    rolled: int = 0

    def facts(self, *kinds: str) -> list[dict[str, Any]]:
        return [i.body for i in self.happened if i.kind == "fact" and i.body["fact"] in kinds]

    def ask_of(self, side: str) -> Ask:
        """What that side is asked now. Raises Unmet."""
        for ask in self.referee.asks:
            if ask.side == side:
                return ask
        raise Unmet(f"nothing is asked of {side}: {self.asked()}")

    def asked(self) -> str:
        """What is asked now, in words."""
        asks = [f"{ask.side} is asked for {ask.name} {ask.subject}".strip() for ask in self.referee.asks]
        return "; ".join(asks) or "nobody is asked anything"

    def read(self, side: str, line: str) -> Order:
        return self.referee.game.book.read(line, self.referee.table.reading(side))


def meet(scene: Scene, words: list[str]) -> None:
    """Whether what is expected is so. Raises Unmet, or Misspelt."""
    first = words[0]
    about = f"no {words[1]}" if first in ("no", "not") and len(words) > 1 else first
    form = _FORMS.get(about)
    if form is None:
        _about_subject(scene, words)
        return
    try:
        form(scene, words[len(about.split()) :])
    except IndexError:
        raise Misspelt(f"`expect {about}` wants more than that") from None


def same(what: str, expected: object, found: object) -> None:
    """Raises Unmet unless both are the same."""
    if expected != found:
        raise Unmet(f"{what} should be {expected}, and is {found}")


def _about_subject(scene: Scene, words: list[str]) -> None:
    """Where a unit is, what it has lost, and the marks on anything that bears marks."""
    position = scene.referee.position
    subject, rest = scene.names.subject(words)
    match rest:
        case ["no", "mark", name]:
            same(f"{subject}'s mark {name!r}", None, position.mark(subject, name))
        case ["mark", name]:
            if position.mark(subject, name) is None:
                raise Unmet(f"{subject} should have the mark {name!r}, and has {position.marks.get(subject, {})}")
        case ["mark", name, value]:
            same(f"{subject}'s mark {name!r}", value, str(position.mark(subject, name)))
        case ["lost", steps]:
            same(f"{subject}'s lost steps", number(steps), position.lost.get(subject, 0))
        case ["dead" | "alive" as state]:
            same(subject, state, "alive" if position.alive(subject) else "dead")
        case ["at" | "in", *place] if place:
            wanted = _place(scene, place)
            same(f"{subject}'s place", wanted, position.where.get(subject))
        case _:
            raise Misspelt(f"write: expect {ABOUT_UNITS}")


def _place(scene: Scene, words: list[str]) -> str:
    """A hex by number or name; otherwise a box."""
    try:
        return scene.names.hex(words)[0]
    except Misspelt:
        if words[0].isdigit():
            raise
        return " ".join(words)


def _count(scene: Scene, words: list[str]) -> None:
    track, value = words[0], words[1]
    same(f"the track {track}", number(value), scene.referee.position.tracks.get(track, 0))


def _turn(scene: Scene, words: list[str]) -> None:
    same("the turn", number(words[0]), scene.referee.position.turn)


def _stage(scene: Scene, words: list[str]) -> None:
    same("the stage", ".".join(words), scene.referee.position.stage)


def _owner(scene: Scene, words: list[str]) -> None:
    place, rest = scene.names.hex(words)
    same(f"the owner of {place}", scene.names.side(rest[0]), scene.referee.position.owners.get(place))


def _pool(scene: Scene, words: list[str]) -> None:
    found = scene.referee.position.pools.get(words[0], ())
    same(f"the pool {words[0]}", sorted(words[1:]), sorted(found))


def _ask(scene: Scene, words: list[str]) -> None:
    ask = scene.ask_of(scene.names.side(words[0]))
    same(f"what {ask.side} is asked", words[1], ask.name)
    for part in words[2:]:
        if part not in ask.subject.split():
            raise Unmet(f"the question should be about {part}, and is about {ask.subject}")


def _no_ask(scene: Scene, words: list[str]) -> None:
    asks = [ask for ask in scene.referee.asks if not words or ask.side == scene.names.side(words[0])]
    if any(len(words) < 2 or ask.name == words[1] for ask in asks):
        raise Unmet(f"nothing of that should be asked: {scene.asked()}")


def _ended(scene: Scene, words: list[str]) -> None:
    same("the game's result", " ".join(words), scene.referee.position.ended or "not there: it goes on")


def _not_ended(scene: Scene, words: list[str]) -> None:
    same("the game's result", "", scene.referee.position.ended)


def _winner(scene: Scene, words: list[str]) -> None:
    same("the winner", words[0], scene.referee.position.winner or "nobody")


def _dice(scene: Scene, words: list[str]) -> None:
    if words[0] != "used":
        raise Misspelt("write: expect dice used N")
    same("the number of dice cast", number(words[1]), scene.rolled - len(scene.dice.left))


def _told(scene: Scene, words: list[str]) -> None:
    if not _is_told(scene, words[0]):
        said = [_prose(body) for body in scene.facts("Told", "Halted", "Fought")]
        raise Unmet(f"{words[0]!r} should have been told; told was: {' | '.join(said) or 'nothing'}")


def _not_told(scene: Scene, words: list[str]) -> None:
    if _is_told(scene, words[0]):
        raise Unmet(f"{words[0]!r} should not have been told")


def _is_told(scene: Scene, text: str) -> bool:
    return any(text.casefold() in _prose(b).casefold() for b in scene.facts("Told", "Halted", "Fought"))


def _chose(scene: Scene, words: list[str]) -> None:
    chosen = _choices(scene, words)
    if not any(words[-1].casefold() in said.casefold() for said in chosen):
        raise Unmet(f"{words[-1]!r} should have been chosen; chosen was: {' | '.join(chosen) or 'nothing'}")


def _not_chose(scene: Scene, words: list[str]) -> None:
    for said in _choices(scene, words):
        if words[-1].casefold() in said.casefold():
            raise Unmet(f"{words[-1]!r} should not have been chosen, and was: {said}")


def _choices(scene: Scene, words: list[str]) -> list[str]:
    """What a unit that the rules play chose, each with what decided for it."""
    unit, rest = scene.names.unit(words)
    if len(rest) != 1:
        raise Misspelt('write: expect [no] chose UNIT "words"')
    return [f"{body['what']} by {body['by']}" for body in scene.facts("Chose") if body["who"] == unit]


def _prose(body: Any) -> str:
    """Everything a fact says, as one text."""
    if isinstance(body, dict):
        return " ".join(_prose(value) for key, value in body.items() if key != "fact")
    return " ".join(_prose(part) for part in body) if isinstance(body, list | tuple) else str(body)


def _fought(key: str) -> Callable[[Scene, list[str]], None]:
    def form(scene: Scene, words: list[str]) -> None:
        fought = scene.facts("Fought")
        if not fought:
            raise Unmet(f"nobody fought, so there is no {key}")
        same(f"the last fight's {key}", " ".join(words), str(fought[-1][key]))

    return form


def _forecast(scene: Scene, words: list[str]) -> None:
    side, line, *rest = words
    table = scene.referee.table.seen_by(scene.names.side(side))
    try:
        forecast = scene.referee.game.forecast(table, side, scene.read(side, line))
    except Refusal as refusal:
        if len(rest) == 2 and rest[0] == "refused" and isinstance(refusal, Illegal):
            same("the case it is refused by", rest[1], refusal.case)
            return
        raise Unmet(f"it cannot be forecast: {refusal.sentence()}") from None
    match rest:
        case ["column", column]:
            working = "; ".join(f"{w.what} {w.amount} ({w.case})" for w in forecast.working)
            if forecast.column != column:
                raise Unmet(f"the column should be {column}, and is {forecast.column}: {working}")
        case ["chance", result, chance]:
            found = dict(forecast.chances).get(result, Fraction(0))
            same(f"the chance of {result}", Fraction(chance), found)
        case ["working", text]:
            working = " | ".join(f"{w.what} {w.amount} {w.case}" for w in forecast.working)
            if text.casefold() not in working.casefold():
                raise Unmet(f"the working should say {text!r}, and says {working}")
        case _:
            raise Misspelt('write: expect forecast SIDE "ORDER" column X | chance RESULT N/M | working "words"')


def _view(scene: Scene, words: list[str]) -> None:
    """What a side knows of a unit: where it is, how many steps it has lost, and how sure that is."""
    position = view(scene.referee.position, scene.names.side(words[0]))
    unit, rest = scene.names.unit(words[1:])
    match rest:
        case ["at" | "in", *place] if place:
            wanted = _place(scene, place)
            same(f"where {words[0]} has {unit}", wanted, position.where.get(unit))
        case ["lost", steps]:
            same(f"the lost steps that {words[0]} knows of {unit}", number(steps), position.lost.get(unit, 0))
        case ["strength", *how] if how:
            same(f"how well {words[0]} knows {unit}'s strength", " ".join(how), position.unsure.get(unit, "known"))
        case ["no", "mark", name]:
            same(f"the mark {name!r} that {words[0]} sees on {unit}", None, position.mark(unit, name))
        case ["mark", name, value]:
            same(f"the mark {name!r} that {words[0]} sees on {unit}", value, str(position.mark(unit, name)))
        case _:
            raise Misspelt("write: expect view SIDE UNIT at HEX|unseen | lost N | strength known|unknown|last seen"
                           " | [no] mark NAME [VALUE]")  # fmt: skip


def _can(scene: Scene, words: list[str]) -> None:
    refusal = _check(scene, words[0], words[1])
    if refusal is not None:
        raise Unmet(f"{words[1]!r} should be legal, and is refused: {refusal.sentence()}")


def _cannot(scene: Scene, words: list[str]) -> None:
    refusal = _check(scene, words[0], words[1])
    if refusal is None:
        raise Unmet(f"{words[1]!r} should be refused, and is legal")
    if len(words) > 2:
        found = refusal.case if isinstance(refusal, Illegal) else refusal.family
        if found != words[2]:
            raise Unmet(f"it should be refused by {words[2]}, and is by {found}: {refusal.sentence()}")


def _check(scene: Scene, side: str, line: str) -> Refusal | None:
    ask = scene.ask_of(scene.names.side(side))
    try:
        order = ask.meant(scene.read(side, line))
        if not isinstance(order, ask.verbs):
            raise not_asked(order, ask)
        ask.check(order)
    except Refusal as refusal:
        return refusal
    return None


def _options(scene: Scene, words: list[str]) -> None:
    side, how, line = words[0], words[1], words[2]
    if how not in ("includes", "excludes"):
        raise Misspelt('write: expect options SIDE includes|excludes "ORDER"')
    ask = scene.ask_of(scene.names.side(side))
    if (ask.begun_as(line) is not None) != (how == "includes"):
        first = ", ".join(choice.line() for choice in ask.choices()[:12])
        raise Unmet(f"the options should {how[:-1]} {line!r}; they begin: {first}")


_FORMS: Mapping[str, Callable[[Scene, list[str]], None]] = {
    "count": _count,
    "turn": _turn,
    "stage": _stage,
    "owner": _owner,
    "pool": _pool,
    "ask": _ask,
    "no ask": _no_ask,
    "ended": _ended,
    "no ended": _not_ended,
    "winner": _winner,
    "dice": _dice,
    "told": _told,
    "no told": _not_told,
    "chose": _chose,
    "no chose": _not_chose,
    "column": _fought("column"),
    "result": _fought("result"),
    "forecast": _forecast,
    "view": _view,
    "can": _can,
    "cannot": _cannot,
    "options": _options,
}
