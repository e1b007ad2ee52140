"""HTML into lines as they are seen; those of a quoted mail have a `>` before them."""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pbem.reading.characters import PROGRAMS

DEEPEST = 200  # elements inside each other
MOST_ELEMENTS = 20_000

_UNSEEN, _BLOCKS = (set(PROGRAMS["elements"][name]) for name in ("unseen", "blocks"))
_SIGNATURES, _QUOTES, _ATTRIBUTIONS, _REST = (
    set(PROGRAMS["names"][name]) for name in ("signatures", "quotes", "attributions", "rest")
)
_HIDDEN = re.compile(r"display:none|visibility:hidden|mso-hide:all|font-size:0(px|pt|em|%|;|$)|opacity:0(;|$)")
_KEEPS_SPACES = re.compile(r"white-space:(pre|break-spaces)")
_OPENED = re.compile(r"<(/?)(?:div|blockquote|span|table|section|font|center|ul|ol|b|i|u|a|p)\b", re.I)
_TIGHT = re.compile(r"margin(-top)?:0")


class Deep(Exception):
    """HTML nested or strewn beyond what anybody writes."""


def markup_text(markup: str, *, hidden: bool = False) -> str:
    """The text a reader sees, line by line, or with what is hidden from him. Raises Deep."""
    # The parser takes the square of the depth, so what is never closed is counted before it is asked.
    open_, closed = (sum(match[1] == slash for match in _OPENED.finditer(markup)) for slash in ("", "/"))
    if open_ - closed > 10 * DEEPEST:
        raise Deep
    body = LexborHTMLParser(markup).body
    return "" if body is None else _Writer(hidden=hidden).text(body)


def _style(node: LexborNode) -> str:
    return re.sub(r"\s+", "", node.attributes.get("style") or "").casefold()


def _names(node: LexborNode) -> set[str]:
    """An element's classes and its id; the copy of a mail in another mail has its ids with an `x_` before them."""
    return {*(node.attributes.get("class") or "").split(), node.attributes.get("id") or ""}


def _is_quote(node: LexborNode, names: set[str]) -> bool:
    if node.tag == "blockquote":
        # Gmail and Word write an indented paragraph as a blockquote without a border: it is the writer's own.
        own = "border:none" in _style(node) and node.attributes.get("type") != "cite"
        return not own or "gmail_quote" in names
    if "gmail_quote" in names:
        # Gmail keeps answers between quotes inside its quote; without a quote inside, it is all quote.
        return node.css_first("blockquote") is None
    # Yahoo puts a prefix of its own making before its class.
    yahoo = any(name.endswith("yahoo_quoted") for name in names)
    return yahoo or bool(names & _QUOTES) or node.attributes.get("name") == "quote"


def _only_box(cell: LexborNode) -> LexborNode:
    """The paragraph that is all there is in a table's cell; the cell itself if there is more."""
    inner = list(cell.iter(include_text=False))
    return inner[0] if len(inner) == 1 and inner[0].tag in ("p", "div") else cell


class _Writer:
    """Walks the elements in order and writes what is seen."""

    def __init__(self, *, hidden: bool) -> None:
        self.lines: list[str] = [""]
        self.depths: list[int] = [0]  # how many quotations each line stands in
        self.count = 0
        self.quotations = 0  # that are open here
        self.hidden = hidden

    def text(self, body: LexborNode) -> str:
        self._inside(body, 0, keep=False)
        lines = zip(self.depths, self.lines, strict=True)
        return "\n".join(f"{'> ' * depth}{line.strip(' ')}".rstrip(" ") for depth, line in lines)

    def _inside(self, node: LexborNode, depth: int, *, keep: bool) -> None:
        if depth > DEEPEST:
            raise Deep
        child = node.first_child
        while child is not None:
            self.count += 1
            if self.count > MOST_ELEMENTS:
                raise Deep
            if child.tag == "-text":
                self._write(child.text_content or "", keep=keep)
            elif child.is_element_node:
                self._element(child, depth, keep=keep)
            child = child.next

    def _element(self, node: LexborNode, depth: int, *, keep: bool) -> None:
        names, style = _names(node), _style(node)
        if node.tag in _UNSEEN or (_HIDDEN.search(style) and not self.hidden) or names & _SIGNATURES:
            return
        keep = keep or node.tag == "pre" or bool(_KEEPS_SPACES.search(style))
        if names & _REST and not self.quotations:
            self._break(apart=False)
            self.quotations = self.depths[-1] = 1  # and it is not closed again
        if names & _ATTRIBUTIONS or _is_quote(node, names):
            self._quotation(node, depth, keep=keep)
        elif node.tag == "br":
            self._new("")
        elif node.tag in _BLOCKS:
            self._boxed(node, depth, keep=keep)
        else:
            if node.tag in ("td", "th"):
                self._write(" ", keep=False)
                node = _only_box(node)  # the cells of a row are one line, even if Word boxed their text
            self._inside(node, depth + 1, keep=keep)

    def _quotation(self, node: LexborNode, depth: int, *, keep: bool) -> None:
        """Everything in it is somebody else's, unless it was typed there."""
        self._break(apart=False)
        self.quotations += 1
        self.depths[-1] = self.quotations
        self._inside(node, depth + 1, keep=keep)
        self._break(apart=False)
        self.quotations -= 1
        self.depths[-1] = self.quotations

    def _boxed(self, node: LexborNode, depth: int, *, keep: bool) -> None:
        """A block begins and ends a line; a paragraph stands apart unless its margin is nought."""
        apart = (
            node.tag == "p"
            and not any(name.startswith("Mso") for name in _names(node))
            and not _TIGHT.search(_style(node))
        )
        self._break(apart=apart)
        self._inside(node, depth + 1, keep=keep)
        self._break(apart=apart)

    def _break(self, *, apart: bool) -> None:
        if self.lines[-1]:
            self._new("")
        if apart and len(self.lines) > 1 and self.lines[-2]:
            self._new("")

    def _new(self, line: str) -> None:
        self.lines.append(line)
        self.depths.append(self.quotations)

    def _write(self, text: str, *, keep: bool) -> None:
        if keep:
            first, *rest = text.split("\n")
            self.lines[-1] += first
            for line in rest:
                self._new(line)
            return
        text = re.sub(r"[ \t\r\n\f]+", " ", text)
        if not self.lines[-1] or self.lines[-1].endswith(" "):
            text = text.lstrip(" ")
        self.lines[-1] += text
