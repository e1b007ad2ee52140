"""Conditions on what the writer can see: `if 2708 is taken`, `if RD6 is not reduced and ground is mud`."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from engine.orders.fields import Reading, hexes_at, hexside_at, unit_at
from engine.position import UNSEEN
from engine.refusals import Unclear

USAGE = (
    "if HEX is taken|empty|held|lost, or if UNIT is alive|dead|reduced|whole|in HEX|next to HEX, "
    "or if UNIT or HEX or HEX/HEX has [NUMBER or more|less] MARK, or if TRACK is NUMBER or more|less; "
    "join them with and, or"
)
_NUMBER = re.compile(
    r"(?P<least>at least\s+)?(?P<number>\d+)(?:\s+or\s+(?P<way>more|less|fewer))?(?:\s+(?P<mark>.+))?", re.I
)
Test = Callable[[Reading], bool | None]  # None: the reader does not know


@dataclass(frozen=True)
class Part:
    """One sentence of a condition, about a unit, or a track, mark or amount that it `compares`, or a hex."""

    text: str
    test: Test
    compares: str = ""
    unit: str = ""

    def told(self, seen: Reading) -> bool | None:
        """Whether it is so for one who may not see the unit at all."""
        return None if self.unit and seen.seen.where.get(self.unit) == UNSEEN else self.test(seen)


@dataclass(frozen=True)
class Condition:
    """Sentences about the position as one side sees it: one of the ways must hold, in all its parts."""

    text: str
    ways: tuple[tuple[Part, ...], ...]

    def holds(self, seen: Reading) -> bool:
        """What is not known does not hold."""
        return any(all(part.test(seen) for part in parts) for parts in self.ways)

    def known(self, seen: Reading) -> bool | None:
        """Whether it holds for this reader; None if he cannot tell."""
        ways = [[part.told(seen) for part in parts] for parts in self.ways]
        return True if any(all(way) for way in ways) else None if any(False not in way for way in ways) else False

    def unknown(self, seen: Reading) -> list[str]:
        """What the reader does not know of it."""
        return [part.text for parts in self.ways for part in parts if part.test(seen) is None]


def read_condition(text: str, reading: Reading) -> Condition:
    """The condition that a text means. Raises Unclear or Ambiguous."""
    ways = tuple(
        tuple(_one(part.strip(), reading) for part in re.split(r"\band\b", way, flags=re.I))
        for way in re.split(r"\bor\b(?!\s+(?:more|less|fewer)\b)", text, flags=re.I)
    )
    return Condition(text.strip(), ways)


def _one(text: str, reading: Reading) -> Part:
    match = re.fullmatch(r"(.+?)\s+(is|has|are|have)\s+(not\s+|no\s+)?(.+)", text.strip(), flags=re.I)
    if not match:
        raise Unclear(f"the condition {text!r} was not understood", usage=USAGE)
    subject, link, negation, state = match.groups()
    words, link, state = subject.split(), link.casefold(), state.strip().casefold()
    named = unit_at(words, reading)
    unit = named[0] if named is not None and named[1] == len(words) else ""
    place = (_about_unit(unit, link, state, reading) if unit else None) or _about_hex(words, link, state, reading)
    test = place or _about_game(subject.casefold(), link, state, reading)
    if test is None:
        raise Unclear(f"the condition {text!r} was not understood", usage=USAGE)
    return Part(text, _denied(test) if negation else test, "" if place else subject.casefold(), unit)


def _denied(test: Test) -> Test:
    return lambda seen: None if (found := test(seen)) is None else not found


def _about_unit(unit: str, link: str, state: str, reading: Reading) -> Test | None:
    if link in ("has", "have"):
        return _about_mark(unit, state)
    if state in ("alive", "dead", "eliminated"):
        return lambda seen: seen.seen.alive(unit) == (state == "alive")
    if state in ("reduced", "whole", "full"):
        return lambda seen: _is_strong(seen, unit, reduced=state == "reduced")
    where = re.fullmatch(r"(?:(in|at)|(?:next|adjacent) to)\s+(.+)", state)
    places = hexes_at(where[2].split(), reading)[0] if where else []
    if where and places:
        return lambda seen: seen.seen.where.get(unit) in places if where[1] else _touches(seen, unit, places)
    return _about_mark(unit, state) if " " not in state else None


def _is_strong(seen: Reading, unit: str, *, reduced: bool) -> bool | None:
    """Whether a unit is reduced, or whole; unknown where what the reader knows allows either."""
    whole = len(seen.seen.setting.roster.get(unit).steps)
    found = {(steps < whole) == reduced for steps in seen.seen.possible_steps(unit)}
    return found.pop() if len(found) == 1 else None


def _about_mark(subject: str, state: str) -> Test:
    """A mark that is there, or one whose number is as high or as low as said."""
    match = _NUMBER.fullmatch(state)
    if match is None or not match["mark"]:
        return lambda seen: seen.seen.mark(subject, state) is not None
    return lambda seen: _compared(match, seen.seen.mark(subject, match["mark"]) or 0)


def _compared(match: re.Match[str], value: int | str | None) -> bool | None:
    if value is None:
        return None
    amount, number = value if isinstance(value, int) else 0, int(match["number"])
    way = "more" if match["least"] else (match["way"] or "").casefold()
    return amount >= number if way == "more" else amount <= number if way else amount == number


def _touches(seen: Reading, unit: str, places: list[str]) -> bool:
    grid, here = seen.seen.setting.grid, seen.seen.hex_of(unit)
    return here is not None and any(grid.direction(here, grid.hex(place)) is not None for place in places)


def _about_hex(words: list[str], link: str, state: str, reading: Reading) -> Test | None:
    side = hexside_at(words, reading) if len(words) == 1 else ""
    if side and " " not in state:
        return _about_mark(f"@{side}", state)
    places, used = hexes_at(words, reading)
    if len(places) != 1 or used != len(words):
        return None
    if link in ("has", "have"):
        return _about_mark(f"@{places[0]}", state)
    bit = 1 << reading.setting.grid.hex(places[0])
    own = reading.side
    enemies = [other for other in reading.setting.sides if other != own]

    def enemy(seen: Reading) -> bool:
        return any(seen.seen.held(other) & bit for other in enemies)

    def ours(seen: Reading) -> bool:
        return bool(seen.seen.held(own) & bit)

    if state in ("taken", "ours"):
        return ours
    if state in ("held", "theirs", "lost"):
        return enemy
    if state in ("empty", "vacant"):
        return lambda seen: not enemy(seen) and not ours(seen)
    return _denied(enemy) if state == "cleared" else None


def _about_game(name: str, link: str, state: str, reading: Reading) -> Test | None:
    """A mark on the game or on a side, a track, or what the question at hand puts in numbers."""
    if link in ("has", "have"):
        return _about_mark(name, state) if name in ("game", *reading.setting.sides) else None
    if name not in reading.known and name not in _told(reading):
        return None
    match = _NUMBER.fullmatch(state)
    if match is not None and not match["mark"]:
        return lambda seen: _compared(match, _told(seen).get(name))
    return lambda seen: str(_told(seen).get(name, "")).casefold() == state


def _told(seen: Reading) -> dict[str, int | str]:
    told = {**seen.seen.marks.get("game", {}), **seen.seen.tracks, **seen.amounts}
    return {name.casefold(): value for name, value in told.items()}
