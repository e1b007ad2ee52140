"""A folder for a new rulebook: every file that one needs, whole and playable, to be replaced file by file."""

import keyword
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

import games
from pbem import TEMPLATES

SUFFIX = ".jinja"
PLACES = {"game": "games/{name}", "tests": "tests/games/{name}", "cases": "tests/cases/{name}"}
SOURCE = ("pyproject.toml", "games/__init__.py")  # in a copy of it the rulebook has its tests, too
OTHERS = ("engine", "pbem")  # packages that may name no rulebook


class BadName(ValueError):
    """A name that no rulebook can have: what is wrong with it, and how one looks."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name!r} cannot be the name of a game: {problem}")
        self.name, self.problem = name, problem


def new_game(name: str, root: Path) -> list[Path]:
    """Writes the rulebook into `games` of that folder; all the files written. Raises BadName."""
    source = all((root / mark).exists() for mark in SOURCE)
    places = {part: place.format(name=name) for part, place in PLACES.items() if source or part == "game"}
    _check(name, root, places)
    loader = FileSystemLoader(TEMPLATES / "new_game")
    shelf = Environment(loader=loader, undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    blanks = {"name": name, "title": name.replace("_", " ").title()}
    written = []
    for template in shelf.list_templates():
        part, _, file = template.partition("/")
        if part in places:
            path = root / places[part] / file.removesuffix(SUFFIX)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(shelf.get_template(template).render(blanks), encoding="utf-8")
            written.append(path)
    return written


def _check(name: str, root: Path, places: dict[str, str]) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise BadName(name, "write small letters and digits, with single underscores between words")
    taken = [place for place in places.values() if (root / place).exists()]
    if taken:
        raise BadName(name, f"{taken[0]} is there already; choose another name, or remove that folder first")
    if name in games.titles() or name in games.drafts():
        raise BadName(name, "the library has a game of that name")
    for path in (path for package in OTHERS for path in (root / package).rglob("*.py")):
        if name in path.read_text(encoding="utf-8"):
            found = path.relative_to(root).as_posix()
            raise BadName(name, f"the word stands in {found}, and nothing there may name a game; make it longer")
