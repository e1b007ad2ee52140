"""The library of rulebooks: every folder here that offers a RULEBOOK is one; there is no list to edit."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from rapidfuzz import process

from engine.game import Game, Rulebook
from engine.refusals import either


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


@cache
def _scan() -> tuple[Rulebook, ...]:
    found: list[Rulebook] = []
    for module in pkgutil.iter_modules(__path__):
        rulebook = getattr(importlib.import_module(f"{__name__}.{module.name}"), "RULEBOOK", None)
        if rulebook is not None:
            found.append(rulebook)
    return tuple(found)


def rulebooks() -> dict[str, Rulebook]:
    """Every rulebook in the library by its id."""
    return {rulebook.id: rulebook for rulebook in _scan()}


def rulebook(name: str) -> Rulebook:
    """The rulebook with this id. Raises NoSuchGame."""
    library = rulebooks()
    if name not in library:
        near = process.extract(name.casefold(), list(library), limit=3, score_cutoff=50)
        raise NoSuchGame(name, [found for found, *_ in near], list(library))
    return library[name]


def find_game(name: str, scenario: str = "", options: Mapping[str, Any] | None = None) -> Game:
    """A game of a rulebook's scenario. Raises NoSuchGame, NoSuchScenario, NoSuchOption."""
    return _game(rulebook(name), scenario, tuple(sorted((options or {}).items())))


@lru_cache(maxsize=128)
def _game(book: Rulebook, scenario: str, options: tuple[tuple[str, Any], ...]) -> Game:
    """Nothing in a game changes, so that a thousand campaigns of one kind share what was worked out for it."""
    return book.game(scenario, dict(options))
