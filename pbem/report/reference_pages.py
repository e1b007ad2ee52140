"""Rules reference pages: orders, charts and marks of a game from its own tables, for docs/ and for help mails."""

import textwrap
from collections.abc import Sequence
from itertools import zip_longest

from engine.game import Game, Rulebook
from pbem.report.printing import paper
from pbem.wording.columns import COLUMNS, GAP

INDENT = 2
BAR = r"\|"  # within a cell
LEAST = 8  # a folded column is no narrower


def as_markdown(rulebook: Rulebook, game: Game) -> str:
    """For docs/."""
    return _printed("md", rulebook, game)


def as_plain(rulebook: Rulebook, game: Game) -> str:
    """For help mails."""
    return _printed("txt", rulebook, game)


def _printed(kind: str, rulebook: Rulebook, game: Game) -> str:
    found = paper(kind)
    found.filters |= {"table": markdown_table, "row": markdown_row, "grid": text_table}
    marks = sorted(game.marks.values(), key=lambda mark: (not mark.heading, mark.heading, mark.name))
    charts = rulebook.charts(game)
    return found.get_template(f"reference.{kind}").render(rulebook=rulebook, game=game, charts=charts, marks=marks)


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as Markdown writes it."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(map(markdown_row, lines))


def markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |"


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in columns; where it is too wide, its widest columns are folded."""
    widths = [max(len(line[i]) for line in (header, *rows)) for i in range(len(header))]
    while INDENT + sum(widths) + GAP * (len(widths) - 1) > COLUMNS and max(widths) > LEAST:
        widths[widths.index(max(widths))] -= 1
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
