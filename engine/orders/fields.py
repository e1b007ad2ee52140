"""The kinds of field an order may have: how each is read from words a person typed, and written again."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Protocol

from rapidfuzz import process
from rapidfuzz.distance import OSA

from engine.position import Position, Setting
from engine.refusals import Ambiguous, Unclear

_LINKS = frozenset({",", "+", "&", "and", "(", ")", "]", ":", ">", "->", "then"})
SEPARATORS = _LINKS | {"["}
NOISE = frozenset({"to", "at", "in", "into", "hex", "the", "from", "via", "by", "units", "unit", "step", "steps"})


MARKER = "marker"  # the class of a counter that is named by its own name alone, never as part of a stack


class NobodyThere(Unclear):
    """A hex was named for the stack in it, and the writer has none there: perhaps not yet."""


@dataclass
class Reading:
    """What a line is read against: who wrote it and what he sees."""

    side: str
    position: Position
    names: dict[str, str]  # places by their casefolded name: the hex number
    known: frozenset[str] = frozenset()  # what else a condition may name: marks, and what questions put in numbers
    amounts: Mapping[str, int] = field(default_factory=dict)  # those numbers, where a question is at hand
    looked: bool = False  # what was read since this was cleared depends on where things are now

    @property
    def seen(self) -> Position:
        self.looked = True
        return self.position

    @property
    def setting(self) -> Setting:
        return self.position.setting


class Field(Protocol):
    """A kind of field. `read` takes words from the front and says how many it used.

    `kind` is the public word for what it takes: units unit hex hexes hexside paths losses count flag word.
    """

    label: str

    @property
    def kind(self) -> str: ...

    @property
    def plural(self) -> bool:
        """Whether it takes several things, named one after another."""

    def read(self, words: Sequence[str], reading: Reading) -> tuple[Any, int]: ...

    def write(self, value: Any) -> str: ...


def unit_at(words: Sequence[str], reading: Reading) -> tuple[str, int] | None:
    """The unit that the first words name. Raises Ambiguous; None if they name no unit."""
    found, used = reading.setting.roster.longest(words)
    if not used:
        return None
    if len(found) > 1:
        own = [unit for unit in found if unit.side == reading.side]
        alive = [unit for unit in (own or found) if reading.seen.alive(unit.id)]
        found = alive or own or found
    if len(found) > 1:
        raise Ambiguous(" ".join(words[:used]), [unit.id for unit in found])
    return found[0].id, used


def body_at(words: Sequence[str], reading: Reading) -> tuple[list[str], int]:
    """One's own units of the division, corps or army that the first words name, unless they name a unit as well.

    Those on the map; if there are none, those still to come, which are never parts of others.
    """
    roster = reading.setting.roster
    for used in range(min(len(words), roster.longest_body), roster.longest(words)[1], -1):
        if units := [unit for unit in roster.body(" ".join(words[:used])) if unit.side == reading.side]:
            on_map = [unit.id for unit in units if reading.seen.hex_of(unit.id) is not None]
            if found := on_map or [unit.id for unit in units if reading.seen.alive(unit.id) and not unit.of]:
                return found, used
    return [], 0


def units_at(words: Sequence[str], reading: Reading) -> tuple[list[str], int]:
    """The units that the first words name: a body of units, one unit, or the stack in a `[HEX]`."""
    found, used = body_at(words, reading)
    if not found and (named := unit_at(words, reading)) is not None:
        return [named[0]], named[1]
    if not found and words[0] == "[" and len(words) > 1:
        places, used = hexes_at(words[1:], reading)
        return (stack_at(places, reading), used + 1 + ("]" in words[used + 1 : used + 2])) if places else ([], 0)
    return found, used


def stack_at(places: Sequence[str], reading: Reading) -> list[str]:
    """A hex in place of a unit means one's own stack in it, without the markers that lie there. Raises NobodyThere."""
    seen = reading.seen
    there = [seen.setting.roster.get(unit) for place in places for unit in seen.at(seen.setting.grid.hex(place))]
    stack = [unit.id for unit in there if unit.side == reading.side and MARKER not in unit.classes]
    if not stack:
        raise NobodyThere(f"none of your units stand in {', '.join(places)}")
    return stack


def nearest(word: str, words: Iterable[str]) -> list[str]:
    """The words that one may have been meant to be: those that the fewest slips of the pen lead to."""
    near = process.extract(word.casefold(), list(words), scorer=OSA.normalized_similarity, limit=3, score_cutoff=0.6)
    return [found for found, *_ in near]


def hexes_at(words: Sequence[str], reading: Reading) -> tuple[list[str], int]:
    """The hexes that the first word names: a number, numbers joined by hyphens, a straight run, a place."""
    grid = reading.setting.grid
    word = words[0]
    pieces = [piece for piece in re.split(r"-+|\.\.+|>|/", word) if piece]
    if pieces and all(piece.isdigit() for piece in pieces):
        numbers: list[str] = []
        for piece in pieces:
            if not grid.has(piece):
                if grid.has(piece.zfill(4)):
                    piece = piece.zfill(4)
                else:
                    return [], 0
            if numbers and grid.straight(grid.hex(numbers[-1]), grid.hex(piece)):
                run = grid.line(grid.hex(numbers[-1]), grid.hex(piece))
                numbers += [grid.number_of(h) for h in run[1:]]
            else:
                numbers.append(piece)
        return numbers, 1
    for used in range(min(3, len(words)), 0, -1):
        place = reading.names.get(" ".join(words[:used]).casefold())
        if place is not None:
            return [place], used
    return [], 0


def hexside_at(words: Sequence[str], reading: Reading) -> str:
    """The hexside that the first word names, lower number first; empty if it names none."""
    try:
        return _hexside(words, reading)[0]
    except Unclear:
        return ""


def unknown_unit(words: Sequence[str], reading: Reading) -> Unclear:
    """What to say to words that name no unit."""
    idle = [n for n, word in enumerate(words) if n and word.casefold() in SEPARATORS | NOISE]
    said = " ".join(words[: idle[0] if idle else None]) if words else ""
    near = reading.setting.roster.suggest(said) or reading.setting.roster.suggest(words[0]) if words else []
    return Unclear(f"there is no unit called {words[0]!r}" if words else "a unit is missing", suggestions=near[:4])


def _unknown_hex(words: Sequence[str], reading: Reading) -> Unclear:
    if not words:
        return Unclear("a hex is missing")
    near = nearest(" ".join(words[:2]), reading.names) or nearest(words[0], reading.names)
    problem = f"there is no hex or place called {words[0]!r} on this map"
    return Unclear(problem, suggestions=[f"{name.title()} ({reading.names[name]})" for name in near])


@dataclass(frozen=True)
class _Units:
    kind: ClassVar[str] = "units"
    plural: ClassVar[bool] = True
    label: str = "UNIT, UNIT..."

    def read(self, words: Sequence[str], reading: Reading) -> tuple[tuple[str, ...], int]:
        units: list[str] = []
        used = 0
        while used < len(words):
            if words[used].casefold() in SEPARATORS:
                used += 1
                continue
            found, more = units_at(words[used:], reading)
            if not found:
                places, more = hexes_at(words[used:], reading)
                if not places:
                    break
                found = stack_at(places, reading)
            units += found
            used += more
        if not units:
            raise unknown_unit(words, reading)
        return tuple(dict.fromkeys(units)), used

    def write(self, value: tuple[str, ...]) -> str:
        return ", ".join(value)


@dataclass(frozen=True)
class _One:
    """One thing by its name, behind words that only link."""

    kind: str
    label: str
    find: Callable[[Sequence[str], Reading], tuple[str, int]]  # what the first words name. Raises Unclear
    idle: frozenset[str] = SEPARATORS | NOISE
    plural: ClassVar[bool] = False

    def read(self, words: Sequence[str], reading: Reading) -> tuple[str, int]:
        skipped = _skip(words, self.idle)
        if skipped == len(words):
            raise Unclear(f"a {self.kind} is missing")
        found, used = self.find(words[skipped:], reading)
        return found, used + skipped

    def write(self, value: str) -> str:
        return value


def _unit(words: Sequence[str], reading: Reading) -> tuple[str, int]:
    """By its name, by that of the body whose headquarters it is, or as the only one in its hex."""
    roster = reading.setting.roster
    for used in range(min(len(words), roster.longest_body), roster.longest(words)[1], -1):
        for formation in roster.formations_named(" ".join(words[:used])):
            if formation.id in roster:
                return formation.id, used
    named = unit_at(words, reading)
    if named is not None:
        return named
    places, used = hexes_at(words, reading)
    found = stack_at(places, reading) if places else body_at(words, reading)[0]
    if len(found) > 1:
        raise Ambiguous(" ".join(words[:used]) or words[0], found)
    if not found:
        raise unknown_unit(words, reading)
    return found[0], used or body_at(words, reading)[1]


def _hex(words: Sequence[str], reading: Reading) -> tuple[str, int]:
    found, used = hexes_at(words, reading)
    if len(found) != 1:
        raise _unknown_hex(words, reading)
    return found[0], used


def _hexside(words: Sequence[str], reading: Reading) -> tuple[str, int]:
    try:
        return reading.setting.grid.hexside_named(words[0]), 1
    except ValueError as problem:
        raise Unclear(f"{words[0]!r} is no hexside: {problem}", usage="two hexes that touch, as 0101/0102") from None


@dataclass(frozen=True)
class _Hexes:
    kind: ClassVar[str] = "hexes"
    plural: ClassVar[bool] = True
    label: str = "HEX, HEX..."

    def read(self, words: Sequence[str], reading: Reading) -> tuple[tuple[str, ...], int]:
        numbers: list[str] = []
        used = 0
        while used < len(words):
            if is_idle(words[used:], reading):
                used += 1
                continue
            found, more = hexes_at(words[used:], reading)
            if not found:
                break
            numbers += found[1:] if numbers[-1:] == found[:1] else found
            used += more
        if not numbers:
            raise _unknown_hex(words, reading)
        return tuple(numbers), used

    def write(self, value: tuple[str, ...]) -> str:
        return ", ".join(value)


@dataclass(frozen=True)
class _Paths:
    """Units and where each goes: `RD6 2711, [2710] 2810 2811`; a way alone is everybody's, whose name is empty."""

    kind: ClassVar[str] = "paths"
    plural: ClassVar[bool] = True
    label: str = "UNIT HEX..., UNIT HEX..."

    def read(self, words: Sequence[str], reading: Reading) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], int]:
        paths: list[tuple[str, tuple[str, ...]]] = []
        used = _skip(words, _LINKS)
        while used < len(words):
            group: list[str] = []
            while used < len(words) and (named := units_at(words[used:], reading))[0]:
                group += named[0]
                used += named[1]
                used += _skip(words[used:], _LINKS)
            if not group and paths:
                break
            hexes: tuple[str, ...] = ()
            rest = words[used : next((n for n, word in enumerate(words) if n > used and word == "["), None)]
            start = next((n for n in range(len(rest)) if not is_idle(rest[n:], reading)), None)
            if start is not None and hexes_at(rest[start:], reading)[0]:
                hexes, more = _Hexes().read(rest, reading)
                used += more
            if not group and not hexes:
                break
            paths += [(unit, hexes) for unit in group or [""]]
        if not paths:
            raise unknown_unit(words, reading)
        return tuple(paths), used

    def write(self, value: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
        return ", ".join(" ".join((unit, *hexes)).strip() for unit, hexes in value)


@dataclass(frozen=True)
class _Count:
    kind: ClassVar[str] = "count"
    plural: ClassVar[bool] = False
    label: str = "NUMBER"

    def read(self, words: Sequence[str], reading: Reading) -> tuple[int, int]:
        if not words or not words[0].isdigit():
            raise Unclear(f"a number is wanted, not {words[0]!r}" if words else "a number is missing")
        return int(words[0]), 1

    def write(self, value: int) -> str:
        return str(value)


@dataclass(frozen=True)
class _Flag:
    """A word that stands alone: it was said or it was not."""

    kind: ClassVar[str] = "flag"
    plural: ClassVar[bool] = False
    label: str = ""

    def read(self, words: Sequence[str], reading: Reading) -> tuple[bool, int]:
        return True, 0

    def write(self, value: bool) -> str:
        return ""


@dataclass(frozen=True)
class OneOf:
    """One word out of a few."""

    kind: ClassVar[str] = "word"
    plural: ClassVar[bool] = False
    choices: tuple[str, ...]

    @property
    def label(self) -> str:
        return "|".join(self.choices)

    def read(self, words: Sequence[str], reading: Reading) -> tuple[str, int]:
        said = words[0].casefold() if words else ""
        for choice in self.choices:
            if said == choice.casefold():
                return choice, 1
        raise Unclear(f"{said!r} is not one of {', '.join(self.choices)}" if said else f"say {self.label}")

    def write(self, value: str) -> str:
        return value


def is_idle(words: Sequence[str], reading: Reading) -> bool:
    """Whether the first word only links or fills; a unit may be called as such a word is (Step)."""
    word = words[0].casefold()
    return word in SEPARATORS or (word in NOISE and unit_at(words, reading) is None)


def _skip(words: Sequence[str], what: frozenset[str]) -> int:
    skipped = 0
    while skipped < len(words) and words[skipped].casefold() in what:
        skipped += 1
    return skipped


Units = Annotated[tuple[str, ...], _Units()]
UnitName = Annotated[str, _One("unit", "UNIT", _unit, SEPARATORS)]
Hexes = Annotated[tuple[str, ...], _Hexes()]
HexNumber = Annotated[str, _One("hex", "HEX", _hex)]
HexsideName = Annotated[str, _One("hexside", "HEX/HEX", _hexside)]
Paths = Annotated[tuple[tuple[str, tuple[str, ...]], ...], _Paths()]
Count = Annotated[int, _Count()]
Flag = Annotated[bool, _Flag()]
