"""The two twins printed, for paper of 78 columns and for any mail reader, and reference pages: templates filled."""

import textwrap
from collections.abc import Sequence
from functools import cache
from itertools import zip_longest

from css_inline import CSSInliner
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from engine.game import Game, Rulebook
from pbem import TEMPLATES
from pbem.report.report import Report, Sum
from pbem.wording.columns import COLUMNS, GAP, columns, fill

# What a media query says (dark, narrow) cannot stand in an element: its sheet is marked to be left alone.
INLINER = CSSInliner(minify_css=True, load_remote_stylesheets=False)
INDENT = 2
LEAST = 8  # a folded column is no narrower


def as_html(report: Report) -> str:
    """The report as a mail reader shows it; styles stand in the elements, for some readers drop all others."""
    return INLINER.inline(paper("html").get_template("report.html").render(report=report))


def as_text(report: Report, echo: Sequence[str] = ()) -> str:
    """The report as plain text that stands alone, with the reader's orders line by line."""
    return paper("txt").get_template("report.txt").render(report=report, echo=echo)


@cache
def paper(kind: str) -> Environment:
    """The templates of one kind; in HTML everything that is filled in is escaped."""
    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=kind == "html",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters |= {"fill": fill, "columns": columns, "sums": sums, "grid": grid}
    return found


def sums(working: Sequence[Sum], indent: int) -> str:
    """The arithmetic of a battle: what, how much, by which case."""
    wide, amounts = (max(len(line[i]) for line in working) for i in (0, 1))
    rows = [
        f"{' ' * indent}{what:<{wide}}  {amount:>{amounts}}  {f'[{case}]' if case else ''}".rstrip()
        for what, amount, case in working
    ]
    return "\n".join(rows if max(map(len, rows)) <= COLUMNS else [fill(row, indent, indent + 2) for row in rows])


def reference_page(kind: str, rulebook: Rulebook, game: Game) -> str:
    """Orders, charts and marks: `md` for docs/, `txt` for help mails."""
    marks = sorted(game.marks.values(), key=lambda mark: (not mark.heading, mark.heading, mark.name))
    page = paper(kind).get_template(f"reference.{kind}")
    return page.render(rulebook=rulebook, game=game, charts=rulebook.charts(game), marks=marks)


def grid(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
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
