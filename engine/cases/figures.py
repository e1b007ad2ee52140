"""Figures that a case file puts in place of a table's or a counter's own, so that it tries a rule whatever they say."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, replace
from typing import Any

from engine.cases.case_file import USAGES, Said, words_of
from engine.cases.deal import Names, mark_value
from engine.cases.failures import Misspelt
from engine.game import Game

_changes: dict[tuple[int, tuple[str, ...]], tuple[Game, Game]] = {}  # what was asked for before, with the game it was
_PRINTED = re.compile(r"\d+(-\d+)*")  # the values of a step as a counter shows them: 7-5-8


def with_figures(game: Game, said: Sequence[Said]) -> Game:
    """The same game with other figures in its tables and on its counters. Raises Misspelt."""
    if not said:
        return game
    key = (id(game), tuple(f"{statement.word} {statement.rest}" for statement in said))
    if key not in _changes:
        _changes[key] = (game, _reprinted(_refigured(game, said), said))
    return _changes[key][1]


def _refigured(game: Game, said: Sequence[Said]) -> Game:
    """The game with the tables that its `figure` statements ask for."""
    tables: Mapping[str, Any] = game.data.tables
    for words in (words_of(statement.rest) for statement in said if statement.word == "figure"):
        if len(words) != 2:
            raise Misspelt(f"write: {USAGES['figure']}")
        tables = _changed(tables, words[0].split("."), words[1], words[0])
    # Whatever the data worked out before rests on the old figures.
    fresh = {f.name: f.default_factory() for f in fields(game.data) if f.default_factory is not MISSING}
    return replace(game, data=replace(game.data, **{**fresh, "tables": tables}))


def _changed(branch: Any, path: Sequence[str], value: str, named: str) -> Any:
    if not path:
        return _filled(branch, value)
    if isinstance(branch, list) and path[0].isdigit() and 0 < int(path[0]) <= len(branch):  # one row, such as a turn
        own = int(path[0])
        return [_changed(row, path[1:], value, named) if n == own else row for n, row in enumerate(branch, 1)]
    if isinstance(branch, list):  # every row of a list, such as a turn track
        return [_changed(row, path, value, named) for row in branch]
    if not isinstance(branch, Mapping) or path[0] not in branch:
        known = f"; there is {', '.join(map(str, branch))}" if isinstance(branch, Mapping) else ""
        raise Misspelt(f"there is no figure {named}: {path[0]!r} is not in the tables{known}")
    return {**branch, path[0]: _changed(branch[path[0]], path[1:], value, named)}


def _filled(branch: Any, value: str) -> Any:
    """Every cell of a row or a table becomes the value; a cell that is text stays text. As many values as a row has
    cells, between commas, go to one cell each."""
    if isinstance(branch, Mapping):
        return {key: _filled(part, value) for key, part in branch.items()}
    if isinstance(branch, list | tuple):
        values = value.split(",")
        each = values if len(values) == len(branch) > 1 else [value] * len(branch)
        return type(branch)(_filled(part, said) for part, said in zip(branch, each, strict=True))
    return value if isinstance(branch, str) else mark_value(value)


def _reprinted(game: Game, said: Sequence[Said]) -> Game:
    """The game with the counters that its `counter` statements ask for."""
    names, roster = Names(game), game.setting.roster
    steps: dict[str, list[dict[str, int]]] = {}
    for statement in (statement for statement in said if statement.word == "counter"):
        words = statement.rest.split()
        first = next((n for n, word in enumerate(words) if n and _PRINTED.fullmatch(word)), len(words))
        for name in " ".join(words[:first]).split(","):
            unit, rest = names.unit(name.split())
            keys = list(roster.get(unit).steps[0])
            if rest or not words[first:] or any(len(word.split("-")) != len(keys) for word in words[first:]):
                raise Misspelt(f"write: counter {unit} {'-'.join(keys)}, once for each of its steps")
            steps[unit] = [dict(zip(keys, map(int, word.split("-")), strict=True)) for word in words[first:]]
    return replace(game, setting=replace(game.setting, roster=roster.reprinted(steps)))
