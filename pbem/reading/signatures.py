"""Signatures that bear a mark: cut off."""

import re
from collections.abc import Sequence

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
