"""What a rulebook tells its readers besides rules: charts for the reference pages, and what its marks mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Mark:
    """A mark in words; `heading` is where reports tell it, if they do; one that `lasts` comes off by itself."""

    name: str
    heading: str = ""
    about: str = ""
    lasts: str = ""  # until when, in words


@dataclass(frozen=True)
class Chart:
    """A table of the rulebook: a header, rows of words, the case it is printed in, notes below it."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    case: str = ""
    notes: Sequence[str] = ()


def read_marks(table: Mapping[str, Any]) -> dict[str, Mark]:
    """The marks of a game's own TOML table, by name."""
    return {name: Mark(name, **row) for name, row in table.items()}
