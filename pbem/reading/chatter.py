"""What is no order: signatures cut off, politeness passed over, and said so. No language is listed."""

import re
from collections.abc import Sequence

from pbem.reading.known import Vocabulary
from pbem.reading.quotes import end_mark

MOST_TOLD = 3
MOST_OF_A_LINE = 40
WRAPPED = range(60, 101)  # how wide a line may be that a mail program ended
MARGIN = 70  # the line below was begun because its first word did not fit within this

BULLET = re.compile(r"^\s*(?:[-*\u2022\u00b7\u25cf\u25aa\u2023+]|\d{1,2}[.)])\s+(?=\S)")
_PRESS = re.compile(r"\s*press\b", re.I)
_PRESS_ENDS = re.compile(r"\s*end (?:of )?press\s*", re.I)
_PICTURE = re.compile(r"\s*\[[^\[\]]{1,160}\]\s*")  # where one stood in the text


def pass_over(
    lines: Sequence[str], vocabulary: Vocabulary | None, *, wraps: bool = True
) -> tuple[list[str], list[str]]:
    """The lines without what is no order and was meant for none, and what that was; plain text may be wrapped."""
    if vocabulary is None:
        return list(lines), []
    kept: list[str] = []
    passed: list[str] = []
    last: bool | None = None  # whether the line above was kept; None if there is none
    for number, (line, press) in enumerate(zip(lines, in_press(lines), strict=True)):
        if not line.strip():
            kept.append(line)
            last = None
            continue
        above = lines[number - 1] if number and last is not None else ""
        if press or line.lstrip().startswith("#"):
            last = True
        elif wraps and last is not None and _wrapped(above, line):
            pass  # the rest of a line is what its beginning was
        else:
            said = BULLET.sub("", line)
            last = end_mark(said) or vocabulary.begins(said) or vocabulary.nearly(said)
        if last:
            kept.append(line)
        elif any(letter.isalnum() for letter in line) and not _PICTURE.fullmatch(line):
            passed.append(line.strip())
    return kept, passed


def told(passed: Sequence[str]) -> list[str]:
    """The note about it."""
    if not passed:
        return []
    some = [f"`{line[:MOST_OF_A_LINE].strip()}{'...' if len(line) > MOST_OF_A_LINE else ''}`" for line in passed]
    more = f" and {len(some) - MOST_TOLD} more" if len(some) > MOST_TOLD else ""
    return [f"not read as orders: {', '.join(some[:MOST_TOLD])}{more}; what is to be passed on goes behind `press`"]


def in_press(lines: Sequence[str]) -> list[bool]:
    """Which lines stand in a message to the opponent, which runs to an empty line or to its end mark."""
    found: list[bool] = []
    inside = False
    for line in lines:
        inside = bool(line.strip()) and (inside or bool(_PRESS.match(line)))
        found.append(inside)
        inside = inside and not _PRESS_ENDS.fullmatch(line)
    return found


def _wrapped(above: str, line: str) -> bool:
    """Whether a mail program may have broken the line above here."""
    return len(above) in WRAPPED and len(above) + 1 + len(line.split()[0]) > MARGIN


CUT = "your signature was cut"

_MARK = re.compile(r"\s*--?\s*")  # telephones make one long dash of the two
_ARMOUR = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----|Hash: [\w, -]+|NotDashEscaped: .*")
_ARMOUR_END = "-----BEGIN PGP SIGNATURE-----"


def cut_armour(lines: Sequence[str]) -> list[str]:
    """An inline PGP signature taken off, and the dashes it put before lines that begin with one."""
    if not any(line.startswith("-----BEGIN PGP SIGNED MESSAGE") for line in lines):
        return list(lines)
    end = next((n for n, line in enumerate(lines) if line.startswith(_ARMOUR_END)), len(lines))
    kept = [line for line in lines[:end] if not _ARMOUR.fullmatch(line)]
    return [line[2:] if line.startswith("- -") else line for line in kept]


def cut_mark(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """All below the signature mark, `-- ` alone on a line, which every mail program knows."""
    for number, line in enumerate(lines):
        if _MARK.fullmatch(line):
            return list(lines[:number]), [CUT] if any(rest.strip() for rest in lines[number + 1 :]) else []
    return list(lines), []
