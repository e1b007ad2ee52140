"""Printing a letter: the plain text and its HTML twin, from the same letter and on the same paper as reports."""

import re
from functools import cache

from css_inline import CSSInliner
from jinja2 import Environment

from pbem.letters.letter import Letter
from pbem.report.printing import paper
from pbem.wording.columns import fill


@cache
def _stationery(kind: str) -> Environment:
    found = paper(kind).overlay()
    found.filters = {**found.filters, "said": said}
    return found


def said(line: str) -> str:
    """A line of a section, set in as far as its writer set it in."""
    indent = 2 + len(line) - len(line.lstrip(" "))
    return fill(line, indent, indent + 2)


def print_text(letter: Letter) -> str:
    printed = _stationery("txt").get_template("mail/letter.txt").render(letter=letter)
    return re.sub(r"\n{3,}", "\n\n", printed).strip("\n") + "\n"


def print_html(letter: Letter) -> str:
    return _inliner().inline(_stationery("html").get_template("mail/letter.html").render(letter=letter).lstrip())


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(minify_css=True, load_remote_stylesheets=False)
