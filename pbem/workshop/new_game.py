"""A folder for a new rulebook: every file that one needs, whole and playable, to be replaced file by file."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbem import TEMPLATES

SUFFIX = ".jinja"
PLACES = {"game": "games/{name}", "tests": "tests/games/{name}", "cases": "tests/cases/{name}"}
MARKS = ("pyproject.toml", "games/__init__.py")  # of a copy of the source; an installed package has but the second
OTHERS = ("engine", "pbem")  # packages that may name no rulebook


class BadName(ValueError):
    """A name that no rulebook can have: what is wrong with it, and how one looks."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(name, problem)
        self.name, self.problem = name, problem

    def __str__(self) -> str:
        return f"{self.name!r} cannot be the name of a game: {self.problem}"


class NoSource(ValueError):
    """The folder is no copy of the source, so that no rulebook would be found in it."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.root = root

    def __str__(self) -> str:
        return f"{self.root} is no copy of the source, with {' and '.join(MARKS)} in it; name one with --root"


def new_game(name: str, root: Path) -> list[Path]:
    """Writes the folder and its tests; all the files written. Raises BadName, NoSource."""
    if not all((root / mark).exists() for mark in MARKS):
        raise NoSource(root)
    _check(name, root)
    shelf = Environment(
        loader=FileSystemLoader(TEMPLATES / "new_game"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )
    blanks = {"name": name, "title": name.replace("_", " ").title()}
    written = []
    for template in shelf.list_templates():
        part, _, file = template.partition("/")
        path = root / PLACES[part].format(name=name) / file.removesuffix(SUFFIX)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(shelf.get_template(template).render(blanks), encoding="utf-8")
        written.append(path)
    return written


def _check(name: str, root: Path) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise BadName(name, "write small letters and digits, with single underscores between words")
    taken = [folder for folder in (place.format(name=name) for place in PLACES.values()) if (root / folder).exists()]
    if taken:
        raise BadName(name, f"{taken[0]} is there already; choose another name, or remove that folder first")
    for package in OTHERS:
        for path in (root / package).rglob("*.py"):
            if name in path.read_text(encoding="utf-8"):
                found = path.relative_to(root).as_posix()
                raise BadName(name, f"the word stands in {found}, and nothing there may name a game; make it longer")
