"""The library of rulebooks: every folder here that has a title, and in `games` of the folder one stands in, is one."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.folder import SCENARIOS, Title, read_title
from engine.refusals import either

if TYPE_CHECKING:  # a title is told without any rules
    from engine.game import Game, Rulebook

HERE = Path(__path__[0]).resolve()
NEEDED = ("__init__.py", "game.py", SCENARIOS)


class NoSuchGame(LookupError):
    """No rulebook has this id."""

    def __init__(self, name: str, suggestions: Sequence[str], known: Sequence[str]) -> None:
        super().__init__(name)
        self.name, self.suggestions, self.known = name, tuple(suggestions), tuple(known)

    def __str__(self) -> str:
        said = f"there is no game called {self.name!r}"
        if self.suggestions:
            return f"{said}; did you mean {either(self.suggestions)}?"
        return f"{said}; there is {', '.join(self.known) or 'none'}"


class BadFolder(Exception):
    """A folder that looks like a rulebook and is none, or not the only one of its name."""

    def __init__(self, folder: Path, problem: str) -> None:
        super().__init__(folder, problem)
        self.folder, self.problem = folder, problem

    def __str__(self) -> str:
        return f"{self.folder} is no game: {self.problem}"


def titles() -> dict[str, Title]:
    """Every rulebook in the library by its id, but for drafts; none of their rules is loaded."""
    return {name: title for name, title in _shelved()[0].items() if not title.draft}


def drafts() -> dict[str, Title]:
    """The rulebooks that are still being written: whoever names one may play it, and nobody is offered it."""
    return {name: title for name, title in _shelved()[0].items() if title.draft}


def left_out() -> list[BadFolder]:
    """The folders that look like rulebooks and cannot be played, each with what is wrong."""
    return _shelved()[1]


def _shelved() -> tuple[dict[str, Title], list[BadFolder]]:
    found: dict[str, Title] = {}
    bad: list[BadFolder] = []
    for shelf in dict.fromkeys((HERE, Path("games").resolve())):
        for folder in sorted(path.parent for path in shelf.glob(f"*/{SCENARIOS}")):
            try:
                title = _title(folder)
                if title.id in found:
                    raise BadFolder(folder, f"there is a {title.id} in {found[title.id].folder.parent} already")
                found[title.id] = title
            except BadFolder as problem:
                bad.append(problem)
    return found, bad


def _title(folder: Path) -> Title:
    """What the folder says of itself. Raises BadFolder."""
    missing = [name for name in NEEDED if not (folder / name).is_file()]
    if missing or not folder.name.isidentifier():
        raise BadFolder(folder, f"it has no {either(missing)}" if missing else "a name has letters, digits and _ only")
    try:
        return read_title(folder)
    except KeyError as problem:
        raise BadFolder(folder, f"{SCENARIOS} does not say its {problem.args[0]}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise BadFolder(folder, f"{SCENARIOS} cannot be read: {problem}") from None


def rulebooks() -> dict[str, Rulebook]:
    """Every rulebook in the library, loaded; for what is done to each of them."""
    return {name: rulebook(name) for name in titles()}


def title(name: str) -> Title:
    """What the rulebook with this id says of itself. Raises NoSuchGame, BadFolder."""
    library = titles()
    if name in library or name in drafts():
        return (library | drafts())[name]
    for bad in left_out():
        if bad.folder.name == name:
            raise bad
    from rapidfuzz import process

    near = process.extract(name.casefold(), list(library), limit=3, score_cutoff=50)
    raise NoSuchGame(name, [found for found, *_ in near], list(library))


@cache
def rulebook(name: str) -> Rulebook:
    """The rulebook with this id, and no other, loaded. Raises NoSuchGame, BadFolder."""
    folder = title(name).folder
    if str(folder.parent) not in __path__:
        __path__.append(str(folder.parent))
    try:
        offered = vars(importlib.import_module(f"{__name__}.{name}"))
    except (ImportError, SyntaxError) as problem:
        raise BadFolder(folder, f"its rules cannot be loaded: {problem}") from problem
    book: Rulebook | None = offered.get("RULEBOOK")
    if book is None or book.id != name:
        raise BadFolder(folder, f"its __init__.py offers {f'the rules of {book.id}' if book else 'no RULEBOOK'}")
    return book


def find_game(name: str, scenario: str = "", options: Mapping[str, Any] | None = None) -> Game:
    """A game of a rulebook's scenario. Raises NoSuchGame, BadFolder, NoSuchScenario, NoSuchOption."""
    return _game(rulebook(name), scenario, tuple(sorted((options or {}).items())))


@lru_cache(maxsize=128)
def _game(book: Rulebook, scenario: str, options: tuple[tuple[str, Any], ...]) -> Game:
    """Nothing in a game changes, so that a thousand campaigns of one kind share what was worked out for it."""
    return book.game(scenario, dict(options))
