"""What a rulebook tells its readers besides rules: charts for the reference pages, what its marks mean, its cards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

TRACKS = "tracks"  # the part of a table of marks that is about tracks


@dataclass(frozen=True)
class Mark:
    """A mark in words; `heading` is where reports tell it, if they do; one that `lasts` comes off by itself."""

    name: str
    heading: str = ""
    about: str = ""
    lasts: str = ""  # until when, in words
    says: str = ""  # what a report says of who bears it; what stands in [brackets] only if {value} tells something
    values: Mapping[str, str] = field(default_factory=dict)  # and for values that have words of their own; `gone`: none


@dataclass(frozen=True)
class Track:
    """A track in words, or all of them whose name begins alike: under which heading, and how each of them is told."""

    heading: str
    item: str = "{value}"  # {of}: what of its name differs


@dataclass(frozen=True)
class Chart:
    """A table of the rulebook: a header, rows of words, the case it is printed in, notes below it."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    case: str = ""
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class CardFace:
    """What a card tells whoever holds it: title, a word for its sort, the figure in its corner, what it is good for."""

    title: str
    sort: str = ""
    value: str = ""
    rows: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class CardHand:
    """A pool that a side holds as cards, each with its face."""

    side: str
    pool: str
    faces: Mapping[str, CardFace]


def read_marks(table: Mapping[str, Any]) -> dict[str, Mark]:
    """The marks of a game's own TOML table, by name."""
    return {name: Mark(name, **row) for name, row in table.items() if name != TRACKS}


def read_tracks(table: Mapping[str, Any]) -> dict[str, Track]:
    """The tracks of the same table, by name; one that ends in `*` is for all that begin like it."""
    return {name: Track(**row) for name, row in table.get(TRACKS, {}).items()}
