"""Names in letters: sides with capitals, what is asked in a few words, hashes in groups that wrap everywhere."""

import re
import tomllib
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TypeVar

from engine.asks import Ask
from engine.hexes import Grid

MOST_DETAIL = 48  # letters of a question told in a subject
EIGHT = 8
# What letters call the engine's own words.
WORDS: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
K = TypeVar("K")
V = TypeVar("V")


def side_title(side: str) -> str:
    """A side as people write it."""
    return " ".join(f"{word[:1].upper()}{word[1:]}" for word in side.replace("_", " ").split())


def titled(text: str, sides: Sequence[str]) -> str:
    """A sentence with the names of sides in capitals; what stands in a key, a path or an address stays as it is."""
    if not sides:
        return text
    names = _names(tuple(sides))
    parts = text.split("`")  # what is to be written stays as it is written
    return "`".join(names.sub(lambda found: side_title(found[0]), p) if n % 2 == 0 else p for n, p in enumerate(parts))


@lru_cache(maxsize=32)
def _names(sides: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w./@+:-])(?:{'|'.join(map(re.escape, sides))})(?![\w/@]|\.\w)")


def in_groups(digest: str) -> str:
    """A hash in groups of eight, which every mail reader can break; whoever reads one takes it with blanks."""
    return " ".join(digest[start : start + EIGHT] for start in range(0, len(digest), EIGHT))


def gathered(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """What is alike told together: all of each sort, in the order of the first."""
    found: dict[K, list[V]] = {}
    for sort, one in pairs:
        found.setdefault(sort, []).append(one)
    return found


def some(names: Collection[str], most: int) -> str:
    """Names in a row, and how many more there are than it bears."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(islice(names, most)) + more


def ask_title(ask: Ask, grid: Grid) -> str:
    """What is asked in a word or two: the phase, or the hex that a question is about."""
    spot = ask.subject.partition("/")[0]
    if not ask.top and grid.has(spot):
        return ask.subject
    return f"{ask.name[:1].upper()}{ask.name[1:]}"


def ask_detail(ask: Ask) -> str:
    """A question in a few words: what there is to choose, or what it is called in standing orders."""
    _, colon, choice = ask.prompt.rpartition(": ")
    said = " ".join(choice.replace("`", "").replace(", or ", " or ").split())
    if not colon or len(said) > MOST_DETAIL:
        return ask.name
    return said


def prompt_sentence(ask: Ask) -> str:
    """The question as a sentence of its own."""
    said = ask.prompt.strip()
    return f"{said[:1].upper()}{said[1:].rstrip('.?')}{'?' if said.endswith('?') else '.'}"


def short(text: str, most: int) -> str:
    """As many whole words as fit, and a sign that there were more."""
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    cut = text[: most - 3].rsplit(" ", 1)[0] if " " in text[: most - 3] else text[: most - 3]
    return f"{cut.rstrip(' ,;:')}..."
