"""The look of a game: colours, terrain, counters and marks, from `look.toml` over what every game has."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import cycle
from pathlib import Path
from typing import Any, TypeVar

import games
from engine import hexset
from engine.board import Board
from engine.game import Game
from engine.hexset import HexSet
from engine.pieces import Roster, Unit

EMBLEMS = ("star", "cross", "disc", "ring", "square", "triangle", "diamond", "bar")
DRAWINGS = ("plain", "trees", "tufts", "hachures", "hills", "blocks", "water", "sand", "marks")
BADGES = ("disc", "square", "diamond", "triangle", "shield")
HEXSIDES = ("tick", "cross", "line", "dots")
AREAS = ("sources", "hidden")
COLOUR = ()  # any
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)

Entry = Mapping[str, Any]
T = TypeVar("T")


class BadLook(ValueError):
    """A look that cannot be painted: which file, where in it, what is wrong."""

    def __init__(self, file: str, where: str, problem: str) -> None:
        super().__init__(f"{file}: {where}: {problem}" if where else f"{file}: {problem}")
        self.file, self.where, self.problem = file, where, problem


@dataclass(frozen=True)
class SideLook:
    """A side by colour and by sign: nobody has to tell two colours apart."""

    name: str
    fill: str
    deep: str
    emblem: str


@dataclass(frozen=True)
class Terrain:
    fill: str = ""
    ink: str = "#8a7a5a"
    drawing: str = "marks"


@dataclass(frozen=True)
class Stripe:
    """A river or a road: its width, its colour, the colour of its edges, and its dashes."""

    width: float = 0.1
    fill: str = "#8dbbd4"
    edge: str = ""
    dash: tuple[float, ...] = ()
    beside: float = 0.0


@dataclass(frozen=True)
class PlaceLook:
    drawing: str = "dot"
    name: float = 0.2
    bold: bool = False
    clear: bool = False  # its name stands beside the hex, where no counter covers it
    near: bool = False  # its name is only read from near: there are too many of them for a small map


@dataclass(frozen=True)
class Outline:
    """Hexes that matter all through the game: ringed, so that a counter does not hide it."""

    colour: str
    about: str
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Badge:
    text: str
    shape: str = "square"
    colour: str = "#f4f0e4"
    about: str = ""
    hexside: str = "tick"  # how it is drawn along a hexside
    size: float = 1.0  # of what a badge on a hex usually has: less where many hexes bear it
    points: bool = False  # a mark of the game whose value begins with a hex: it is drawn there
    values: Mapping[str, str] = field(default_factory=dict, hash=False)  # letters of values that have their own
    hexsides: Mapping[str, str] = field(default_factory=dict, hash=False)  # and how those are drawn

    def showing(self, value: int | str) -> Badge:
        """The badge for a mark of this value."""
        said = str(value)
        text = self.values.get(said, self.text.replace("{value}", said))
        return replace(self, text=text, hexside=self.hexsides.get(said, self.hexside))


@dataclass(frozen=True, eq=False)
class Look:
    """Everything a picture of one game takes its looks from."""

    paper: Mapping[str, str]
    counter: float
    faces: tuple[str, ...]
    sides: Mapping[str, SideLook]
    terrain: Mapping[str, Terrain]
    features: Mapping[str, Stripe]
    ways: Mapping[str, Stripe]
    places: Mapping[str, PlaceLook]
    areas: Mapping[str, str | Outline]
    glyphs: tuple[tuple[str, str], ...]
    class_bands: Mapping[str, str]
    formation_bands: Mapping[str, str]
    marks: Mapping[str, Badge]
    lacking: Mapping[str, tuple[str, Badge]]  # by mark: the class that is badged while it lacks the mark
    hidden: frozenset[str]
    owners: frozenset[str]  # sizes of places whose holder is shown; if none, every hex that has one
    hex_size: float
    hex_unit: str
    north: float  # degrees that north lies clockwise of up

    def glyph(self, unit: Unit) -> str:
        """The unit's glyph, by the first of its classes that has one."""
        return next((glyph for name, glyph in self.glyphs if name in unit.classes or name == unit.kind), "plain")

    def band(self, unit: Unit) -> str:
        """The colour of the strip on top of a counter; empty if nothing gives it one."""
        named = self.formation_bands.get(unit.formation, "")
        return named or next((colour for name, colour in self.class_bands.items() if name in unit.classes), "")

    def owned(self, board: Board) -> HexSet:
        """The hexes of which a map shows who holds them."""
        if not self.owners:
            return board.grid.everything
        return hexset.union(1 << h for h, place in board.places.items() if place.size in self.owners)

    def badge(self, mark: str, value: int | str, noted: Collection[str] = ()) -> Badge | None:
        """The badge of a mark; None if it is not for showing. One nobody described shows its first letters."""
        known = self.marks.get(mark)
        if known is not None:
            return known.showing(value)
        if mark in self.hidden or mark in noted:
            return None
        return Badge(mark[:2].capitalize() + ("" if value == 1 else f"{value}"[:1]))


def look_of(game: Game) -> Look:
    """The look of a game. Raises BadLook."""
    try:
        folder = games.rulebook(game.rulebook).folder
    except games.NoSuchGame:  # a game that is not on the shelf looks as any game does
        folder = None
    return _look(folder, game.sides, game.setting.roster)


@lru_cache(maxsize=64)
def _look(folder: Path | None, sides: tuple[str, ...], roster: Roster) -> Look:
    """The look that the game's file makes, laid over the usual one. Raises BadLook."""
    file = folder / "look.toml" if folder is not None else None
    own = _read(file) if file is not None and file.exists() else {}
    usual = _read(Path(__file__).parent / "look.toml")
    reading = _Reading(f"{folder.name}/look.toml" if folder is not None else "look.toml")
    unknown = own.keys() - usual.keys()
    if unknown:
        known = ", ".join(sorted(usual))
        raise BadLook(reading.file, sorted(unknown)[0], f"there is no such table; there is {known}")
    data = _over(usual, own)
    lacking = {name: entry["without"] for name, entry in data["marks"].items() if "without" in entry}
    return Look(
        paper=data["paper"],
        counter=data["counter"],
        faces=tuple(data["faces"]),
        sides={side: reading.side(side, number, data["sides"]) for number, side in enumerate(sides)},
        terrain=reading.table(Terrain, "terrain", data),
        features=reading.table(Stripe, "features", data),
        ways=reading.table(Stripe, "ways", data),
        places=reading.table(PlaceLook, "places", data),
        areas={name: reading.area(f"areas.{name}", entry) for name, entry in data["areas"].items()},
        glyphs=tuple((row["class"], row["glyph"]) for row in (*own.get("glyphs", ()), *usual["glyphs"])),
        class_bands={name: reading.checked("bands", colour, COLOUR) for name, colour in data["bands"].items()},
        formation_bands={
            formation.id: data["bands"].get(formation.id, next_colour)  # its own, else the next of the list
            for formation, next_colour in zip(roster.formations, cycle(data["formations"]), strict=False)
        },
        marks={name: reading.badge(f"marks.{name}", entry) for name, entry in data["marks"].items()},
        lacking={name: (e["class"], reading.badge(f"marks.{name}.without", e, "class")) for name, e in lacking.items()},
        hidden=frozenset(data["hide"]),
        owners=frozenset(data["owners"]),
        hex_size=float(data["scale"]["hex"]),
        hex_unit=data["scale"]["unit"],
        north=float(data["scale"]["north"]),
    )


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadLook(file.name, "", str(error)) from None


def _over(usual: Entry, own: Entry) -> dict[str, Any]:
    """A table with another laid over it, table by table."""
    merged = dict(usual)
    for key, value in own.items():
        old = merged.get(key)
        merged[key] = _over(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


@dataclass(frozen=True)
class _Reading:
    """Reads the entries of a look and says where one is wrong."""

    file: str

    def made(self, kind: type[T], where: str, entry: Entry) -> T:
        try:
            found = kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()})
        except TypeError as error:
            raise BadLook(self.file, where, str(error).partition(") ")[2] or str(error)) from None
        for name, known in _KNOWN.get(kind, {}).items():
            self.checked(where, getattr(found, name), known)
        return found

    def table(self, kind: type[T], name: str, data: Entry) -> dict[str, T]:
        return {key: self.made(kind, f"{name}.{key}", entry) for key, entry in data[name].items()}

    def checked(self, where: str, word: str, known: Sequence[str]) -> str:
        if known == COLOUR and not _COLOUR.fullmatch(word):
            raise BadLook(self.file, where, f"{word!r} is no colour; write it as #rrggbb")
        if known != COLOUR and word not in known:
            raise BadLook(self.file, where, f"there is no {word!r}; there is {', '.join(known)}")
        return word

    def side(self, side: str, number: int, entries: Entry) -> SideLook:
        entry = {"name": side, **entries[str(number % 4 + 1)], **entries.get(side, {})}
        return self.made(SideLook, f"sides.{side}", entry)

    def area(self, where: str, entry: str | Entry) -> str | Outline:
        return self.checked(where, entry, AREAS) if isinstance(entry, str) else self.made(Outline, where, entry)

    def badge(self, where: str, entry: Entry, *besides: str) -> Badge:
        left_out = {"without", *besides}
        given = {"text" if key == "badge" else key: value for key, value in entry.items() if key not in left_out}
        return self.made(Badge, where, given)


# What a look may say where: a colour, or a word out of a list.
_KNOWN: Mapping[type, Mapping[str, Sequence[str]]] = {
    SideLook: {"fill": COLOUR, "deep": COLOUR, "emblem": EMBLEMS},
    Terrain: {"drawing": DRAWINGS},
    Stripe: {"fill": COLOUR},
    Outline: {"colour": COLOUR},
    Badge: {"colour": COLOUR, "shape": BADGES, "hexside": HEXSIDES},
}
