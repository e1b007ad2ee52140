"""Text on paper of 78 columns: paragraphs filled, rows set in columns."""

import textwrap
from collections.abc import Sequence

COLUMNS = 78
GAP = 2


def fill(text: str, first: int = 0, rest: int = 0, width: int = COLUMNS) -> str:
    """A paragraph within the columns; words longer than a line are left whole."""
    words = " ".join(text.split())
    if 0 < len(words) <= width - first:
        return " " * first + words
    lines, line, empty = list[str](), " " * first, True
    for word in words.split():
        if not empty and len(line) + 1 + len(word) > width:
            lines.append(line)
            line, empty = " " * rest, True
        line += word if empty else f" {word}"
        empty = False
    return "\n".join([*lines, line]) if words else ""


def columns(rows: Sequence[Sequence[str]], indent: int = 0, width: int = COLUMNS) -> str:
    """Rows in columns; the last one runs on within its own."""
    if not rows:
        return ""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    margin = indent + sum(wide + GAP for wide in widths)
    return "\n".join(_row(row, widths, indent, margin, width) for row in rows)


def _row(row: Sequence[str], widths: Sequence[int], indent: int, margin: int, width: int) -> str:
    head = " " * indent + "".join(f"{cell:<{wide + GAP}}" for cell, wide in zip(row, widths, strict=False))
    room = max(20, width - margin)
    last, fits = row[-1], len(row[-1]) <= room and row[-1].isprintable()
    lines = [last] if fits else textwrap.wrap(last, room, break_on_hyphens=False, break_long_words=False) or [""]
    return ("\n" + " " * margin).join([(head + lines[0]).rstrip(), *lines[1:]])
