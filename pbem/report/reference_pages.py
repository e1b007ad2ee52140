"""Rules reference pages: orders, charts and marks of a game from its own tables, for docs/ and for help mails."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from engine.game import Game, Rulebook
from engine.reference import Chart, Mark
from pbem.report.printing import paper
from pbem.wording.columns import COLUMNS, GAP

INDENT = 2
LEAST = 16  # a folded column is no narrower


@dataclass(frozen=True)
class OrderEntry:
    """An order as the pages show it."""

    name: str
    usage: str
    also: tuple[str, ...]
    about: str
    example: str


@dataclass(frozen=True)
class Reference:
    """Everything on the pages of one game."""

    id: str
    title: str
    about: str
    version: str
    verbs: tuple[OrderEntry, ...]
    charts: tuple[Chart, ...]
    marks: tuple[Mark, ...]


def reference(rulebook: Rulebook, game: Game) -> Reference:
    """The pages of a game, whatever it is."""
    return Reference(
        id=rulebook.id,
        title=rulebook.title,
        about=rulebook.about,
        version=game.version,
        verbs=tuple(
            OrderEntry(order.verb, order.shape.printed(order.usage), order.also, order.about, order.example)
            for order in game.book.orders
        ),
        charts=tuple(rulebook.charts(game)),
        marks=tuple(sorted(game.marks.values(), key=lambda m: (not m.heading, m.heading, m.name))),
    )


def as_markdown(pages: Reference) -> str:
    """For docs/."""
    found = paper("md")
    found.filters |= {"table": markdown_table, "rows": mark_rows}
    return found.get_template("reference.md").render(pages=pages)


def as_plain(pages: Reference) -> str:
    """For help mails."""
    found = paper("txt")
    found.filters["grid"] = text_table
    return found.get_template("reference.txt").render(pages=pages)


def mark_rows(marks: Sequence[Mark]) -> list[tuple[str, str, str, str]]:
    """The marks as a table's rows."""
    return [(mark.name, mark.heading, mark.about, mark.lasts) for mark in marks]


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as Markdown writes it."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in columns; where it is too wide, its widest column is folded."""
    widths = [max(len(line[i]) for line in (header, *rows)) for i in range(len(header))]
    over = INDENT + sum(widths) + GAP * (len(widths) - 1) - COLUMNS
    if over > 0:
        widest = widths.index(max(widths))
        widths[widest] = max(LEAST, widths[widest] - over)
    lines = [header, ["-" * width for width in widths], *rows]
    return "\n".join(_folded(line, widths) for line in lines)


def _folded(line: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        textwrap.wrap(cell, width, break_on_hyphens=False) or [""] for cell, width in zip(line, widths, strict=True)
    ]
    rows = zip_longest(*cells, fillvalue="")
    gap = " " * GAP
    return "\n".join(
        (" " * INDENT + gap.join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))).rstrip()
        for row in rows
    )
