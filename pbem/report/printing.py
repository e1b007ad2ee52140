"""The two twins printed: templates filled from one view, for paper of 78 columns and for any mail reader."""

from collections.abc import Sequence
from functools import cache

from css_inline import CSSInliner
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbem import TEMPLATES
from pbem.report.report import MarchRow, Report, Sum
from pbem.wording.columns import COLUMNS, columns, fill


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
