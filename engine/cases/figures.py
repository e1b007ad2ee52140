"""Figures that a case file puts in place of a table's own, so that it tries a rule whatever the table says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, replace
from typing import Any

from engine.cases.deal import mark_value
from engine.cases.failures import Misspelt
from engine.cases.reading import USAGES, Said, words_of
from engine.game import Game

_changes: dict[tuple[int, tuple[str, ...]], tuple[Game, Game]] = {}  # what was asked for before, with the game it was


def with_figures(game: Game, said: Sequence[Said]) -> Game:
    """The same game with other figures in its tables. Raises Misspelt."""
    if not said:
        return game
    key = (id(game), tuple(statement.rest for statement in said))
    if key not in _changes:
        _changes[key] = (game, _refigured(game, said))
    return _changes[key][1]


def _refigured(game: Game, said: Sequence[Said]) -> Game:
    tables: Mapping[str, Any] = game.data.tables
    for statement in said:
        words = words_of(statement.rest)
        if len(words) != 2:
            raise Misspelt(f"write: {USAGES['figure']}")
        tables = _changed(tables, words[0].split("."), words[1], words[0])
    # Whatever the data worked out before rests on the old figures.
    fresh = {f.name: f.default_factory() for f in fields(game.data) if f.default_factory is not MISSING}
    return replace(game, data=replace(game.data, **{**fresh, "tables": tables}))


def _changed(branch: Any, path: Sequence[str], value: str, named: str) -> Any:
    if not path:
        return _filled(branch, value)
    if not isinstance(branch, Mapping) or path[0] not in branch:
        known = f"; there is {', '.join(map(str, branch))}" if isinstance(branch, Mapping) else ""
        raise Misspelt(f"there is no figure {named}: {path[0]!r} is not in the tables{known}")
    return {**branch, path[0]: _changed(branch[path[0]], path[1:], value, named)}


def _filled(branch: Any, value: str) -> Any:
    """Every cell of a row or a table becomes the value; a cell that is text stays text."""
    if isinstance(branch, Mapping):
        return {key: _filled(part, value) for key, part in branch.items()}
    if isinstance(branch, list):
        return [_filled(part, value) for part in branch]
    return value if isinstance(branch, str) else mark_value(value)
