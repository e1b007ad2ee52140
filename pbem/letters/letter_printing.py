"""Printing a letter: the plain text and its HTML twin, the same parts in the same order, from the same letter."""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from pbem.letters.letter import Letter
from pbem.report.printing import INLINER, paper
from pbem.wording.columns import columns, fill
from pbem.wording.naming import titled

WIDE = 72  # columns of the text twin
JOINERS = Markup("&#847;&zwnj;&nbsp;" * 20)  # so that no text of the letter runs into what an inbox shows of it
SHORT = 20  # letters of a word that may be one
JOIN = "\ue000"  # stands for a blank at which no line ends; a letter of nobody's alphabet
BEGIN, END = "\x0e", "\x0f"  # no mail that we read has any: what nobody can see is left out of it
WIDEST = 600  # pixels of a picture in the text
_FRAMED = re.compile(rf"{BEGIN}(.*)\n((?:.*\n)*?){END}\n\n?")  # in text a blank line ends it
_CODE = re.compile(r"`([^`]+)`")


@cache
def _stationery(kind: str) -> Environment:
    found = paper(kind).overlay()
    own = {"told": coded, "exactly": exactly} if kind == "html" else {"told": in_capitals, "said": said, "rows": rows}
    found.filters = {**found.filters, **own, "fill": narrow, "frame": frame}
    return found


def narrow(text: str, first: int = 0, rest: int = 0) -> str:
    """A paragraph as wide as a letter; no line for an `end` alone, which would look like an order."""
    words = text.split()
    if len(words) > 1 and words[-2].endswith((":", ",")) and len(words[-1]) < SHORT:
        words[-2:] = [JOIN.join(words[-2:])]
    return fill(" ".join(words), first, rest, WIDE).replace(JOIN, " ")


def frame(name: str) -> str:
    """A line before and one after what is said of a picture; `settled` takes both away, or all that lies between."""
    return f"{BEGIN}{name}" if name else END


def settled(twin: str, widths: Mapping[str, int] | None = None) -> str:
    """A twin as it is sent: with the pictures that go along, all if none are named, and not a word of the others."""

    def put(found: re.Match[str]) -> str:
        wide = widths.get(found[1]) if widths is not None else WIDEST
        return found[2].replace(' width="0"', f' width="{min(wide, WIDEST)}"', 1) if wide is not None else ""

    return _FRAMED.sub(put, twin)


def said(line: str) -> str:
    """A line of a section, set in as far as its writer set it in."""
    indent = 2 + len(line) - len(line.lstrip(" "))
    return narrow(line, indent, indent + 2)


@pass_context
def rows(context: Context, found: Sequence[Sequence[str]]) -> str:
    """Labels and what stands behind them, in columns."""
    return columns([[titled(cell, context["letter"].sides) for cell in row] for row in found], 2, WIDE)


@pass_context
def in_capitals(context: Context, text: str) -> str:
    """A sentence with the names of sides as people write them."""
    return titled(text, context["letter"].sides)


@pass_context
def coded(context: Context, text: str) -> Markup:
    """The same for a mail reader that shows HTML: what is to be written stands in letters of its own."""
    safe = str(escape(titled(text, context["letter"].sides)))
    return Markup(_CODE.sub(r'<span class="code">\1</span>', safe))


@pass_context
def exactly(context: Context, text: str, names: bool = False) -> Markup:
    """Lines as they are, without the one element for that, which half of all mail readers get wrong."""
    told = titled(text, context["letter"].sides) if names else text
    lines = str(escape(told.rstrip("\n"))).split("\n")
    return Markup("<br>\n".join(re.sub(r"^ | (?= )", "&nbsp;", line) for line in lines))


def printed(letter: Letter) -> tuple[str, str]:
    """A letter's twins: the text and the HTML."""
    text = _stationery("txt").get_template("mail/letter.txt").render(letter=letter)
    page = _stationery("html").get_template("mail/letter.html").render(letter=letter, joiners=JOINERS)
    html = INLINER.inline(re.sub(r"\n{2,}", "\n", page).lstrip())
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n", html
