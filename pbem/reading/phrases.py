"""The set phrases of mail programs, ready to be matched."""

import re
import tomllib
from functools import cache
from pathlib import Path

TAIL = r"[ ,.!;:\-~\)\u3002\u3001]*"


@cache
def _lists() -> dict[str, list[str]]:
    return tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))


@cache
def phrase(name: str) -> re.Pattern[str]:
    """A whole line that is one of the phrases of a kind."""
    tail = TAIL if name in ("closing", "greeting") else ""
    return re.compile(rf"\s*[*_]{{0,2}}(?:{'|'.join(_lists()[name])}){tail}[*_]{{0,2}}", re.I)


@cache
def header_line() -> re.Pattern[str]:
    """A line of the header over a quoted mail, with its name."""
    return re.compile(rf"\s*\*{{0,2}}(?P<name>{'|'.join(_lists()['header'])}) ?\*{{0,2}} ?:\*{{0,2}}(?!\S*//).*", re.I)
