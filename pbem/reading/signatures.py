"""Greetings, signatures and legal notices: cut off, and said so."""

import re
from collections.abc import Callable, Sequence

from pbem.reading.phrases import phrase

MOST_OF_A_SIGNATURE = 8  # lines with something in them; more than that is no signature
CUT = "your signature was cut"

_MARK = re.compile(r"\s*--?\s*")  # telephones make one long dash of the two
_RULE = re.compile(r"\s*[_=~*-]{5,}\s*")
_ARMOUR = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----|Hash: [\w, -]+|NotDashEscaped: .*")
_PRESS = re.compile(r"\s*press\b", re.I)
_ARMOUR_END = "-----BEGIN PGP SIGNATURE-----"

Step = Callable[[Sequence[str]], tuple[list[str], list[str]]]


def cut_armour(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """An inline PGP signature taken off, and the dashes it put before lines that begin with one."""
    if not any(line.startswith("-----BEGIN PGP SIGNED MESSAGE") for line in lines):
        return list(lines), []
    end = next((n for n, line in enumerate(lines) if line.startswith(_ARMOUR_END)), len(lines))
    kept = [line for line in lines[:end] if not _ARMOUR.fullmatch(line)]
    return [line[2:] if line.startswith("- -") else line for line in kept], []


def cut_mark(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """All below the signature mark, `-- ` alone on a line, which every mail program knows."""
    for number, line in enumerate(lines):
        if _MARK.fullmatch(line):
            return list(lines[:number]), [CUT] if any(rest.strip() for rest in lines[number + 1 :]) else []
    return list(lines), []


def cut_sent_from(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The line a telephone adds; what stands under it may still be the writer's."""
    kept = [line for line in lines if not phrase("sent_from").fullmatch(line)]
    return kept, [CUT] if len(kept) < len(lines) else []


def cut_disclaimers(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Paragraphs of warning, over the orders or under them."""
    kept: list[str] = []
    inside = found = False
    for number, line in enumerate(lines):
        if not line.strip():
            inside = False
        elif not inside:
            inside = bool(phrase("disclaimer").fullmatch(_paragraph(lines, number)))
            found = found or inside
        if not inside:
            kept.append(line)
    return kept, ["a legal notice was cut"] if found else []


def _paragraph(lines: Sequence[str], number: int) -> str:
    """The beginning of the paragraph here: a notice may be wrapped before it can be known."""
    some: list[str] = []
    for line in lines[number : number + 4]:
        if not line.strip():
            break
        some.append(line.strip())
    return " ".join(some)[:400]


def cut_closing(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """From a polite end or a long rule to the end, if no more follows than a signature holds.

    A polite end inside press belongs to the press, and orders may follow it.
    """
    below = sum(map(bool, lines))
    kept: list[str] = []
    for line, press in zip(lines, in_press(lines), strict=True):
        below -= bool(line)
        if press or not line or not (phrase("closing").fullmatch(line) or _RULE.fullmatch(line)):
            kept.append(line)
        elif below <= MOST_OF_A_SIGNATURE:
            return kept, [CUT]
    return kept, []


def in_press(lines: Sequence[str]) -> list[bool]:
    """Which lines stand in a message to the opponent, which runs to the next empty line."""
    found: list[bool] = []
    for line in lines:
        found.append(bool(line) and (bool(_PRESS.match(line)) or bool(found and found[-1])))
    return found


def cut_greeting(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """A greeting in the first line is no order."""
    first = next((n for n, line in enumerate(lines) if line.strip()), None)
    if first is None or not phrase("greeting").fullmatch(lines[first]):
        return list(lines), []
    return [*lines[:first], *lines[first + 1 :]], []
