"""The two twins printed, for paper of 78 columns and for any mail reader, and reference pages: templates filled."""

import textwrap
from collections.abc import Sequence
from functools import cache
from itertools import zip_longest

from css_inline import CSSInliner
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from engine.game import Game, Rulebook
from pbem import TEMPLATES
from pbem.report.report import MarchRow, Report, Sum
from pbem.wording.columns import COLUMNS, GAP, columns, fill


def as_html(report: Report) -> str:
    """The report as a mail reader shows it; styles stand in the elements, for some readers drop all others."""
    return _inliner().inline(paper("html").get_template("report.html").render(report=report))


def as_text(report: Report, echo: Sequence[str] = ()) -> str:
    """The report as plain text that stands alone, with the reader's orders line by line."""
    return paper("txt").get_template("report.txt").render(report=report, echo=echo)


@cache
def _inliner() -> CSSInliner:
    # What a media query says (dark, narrow) cannot stand in an element: its sheet is marked to be left alone.
    return CSSInliner(minify_css=True, load_remote_stylesheets=False)


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
    found.filters |= {
        "fill": fill, "columns": columns, "rule": rule, "sums": sums, "way": way, "longest": longest, "margin": margin,
    }  # fmt: skip
    return found


def longest(text: str) -> int:
    return max(map(len, text.splitlines()), default=0)


def margin(text: str) -> int:
    """How far a line is set in."""
    return len(text) - len(text.lstrip(" "))


def rule(heading: str, line: str) -> str:
    """A heading with a line under it."""
    return f"{heading}\n{line * len(heading)}"


def sums(working: Sequence[Sum], indent: int) -> str:
    """The arithmetic of a battle: what, how much, by which case."""
    wide = max(len(line.what) for line in working)
    amounts = max(len(line.amount) for line in working)
    rows = []
    for line in working:
        case = f"[{line.case}]" if line.case else ""
        rows.append(f"{' ' * indent}{line.what:<{wide}}  {line.amount:>{amounts}}  {case}".rstrip())
    return "\n".join(rows if max(map(len, rows)) <= COLUMNS else [fill(row, indent, indent + 2) for row in rows])


def way(march: MarchRow) -> str:
    """A march in a line: who, from where to where, how far, by which hexes."""
    hexes = f"{march.hexes} hex{'' if march.hexes == 1 else 'es'}"
    how = f", {march.how}" if march.how else ""
    via = f" via {march.way}" if march.way else ""
    return f"{march.units}: {march.start} to {march.end}, {hexes}{how}{via}"


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
