"""The position a case file describes, made of facts as any other position is."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from engine import facts as f
from engine.asks import Procedure
from engine.cases.case_file import USAGES, CaseFile, Said, phrases_of, words_of
from engine.cases.failures import Misspelt
from engine.folder import Scenario
from engine.game import Game, Rulebook
from engine.position import Position, apply
from engine.rules.pools import shuffle_track
from engine.table import Table

UNUSED = "unused"


def game_of(case: CaseFile, rulebook: Rulebook) -> Game:
    """The scenario with the options that the case asks for."""
    scenario = rulebook.scenario(case.scenario) if case.scenario else rulebook.scenarios[0]
    options: dict[str, Any] = {}
    for said in case.options:
        name, _, value = said.rest.partition(" ")
        options[name] = _option(scenario, name, value.strip())
    return _game(rulebook, scenario.id, tuple(options.items()))


def _option(scenario: Scenario, name: str, value: str) -> Any:
    """The value a choice has that is written so; left to the rulebook to refuse if there is none."""
    for choice in scenario.choices:
        if choice.name == name:
            for known in choice.values:
                spellings = {True: ("yes", "true", "on"), False: ("no", "false", "off")}
                spelt = spellings[known] if isinstance(known, bool) else (str(known).casefold(),)
                if value.casefold() in spelt:
                    return known
    return value


@lru_cache(maxsize=32)
def _game(rulebook: Rulebook, scenario: str, options: tuple[tuple[str, Any], ...]) -> Game:
    return rulebook.game(scenario, dict(options))


_bare: dict[int, tuple[Game, Position]] = {}


def bare_position(game: Game) -> Position:
    """The scenario's tracks, pools and owners, and every unit in a box: nobody is on the map."""
    if id(game) not in _bare:
        position = game.new_position()
        units = {unit.id for unit in game.setting.roster}
        for fact in game.opening(game):
            about_units = isinstance(fact, f.Marked) and fact.subject in units
            if isinstance(fact, f.Counted | f.TookHex | f.Pooled | f.SeatTaken | f.Marked) and not about_units:
                apply(position, fact)
        for unit in game.setting.roster:
            apply(position, f.Placed(unit=unit.id, at=UNUSED))
        _bare[id(game)] = (game, position)
    return _bare[id(game)][1].copy()


def _opening(game: Game, *, enters: bool) -> Position:
    """The scenario's own set-up; if the case enters a stage of its own, none has begun."""
    position = game.new_position()
    for fact in game.opening(game):
        if not (enters and isinstance(fact, f.StageBegan)):
            apply(position, fact)
    return position


@dataclass(frozen=True)
class Dealt:
    """A game with the position to begin from; its play enters the stage the case names."""

    game: Game
    position: Position


class Dealer:
    """Lays out a case's position, one statement after another."""

    def __init__(self, case: CaseFile, game: Game) -> None:
        said = {statement.word for statement in case.prepared}
        self.game, self.names = game, Names(game)
        self.stage: tuple[str, int] | None = None
        self.position = _opening(game, enters="turn" in said) if "opening" in said else bare_position(game)

    def take(self, said: Said) -> None:
        """One statement comes true. Raises Misspelt."""
        if said.word == "turn":
            self._turn(said.rest)
        elif said.word == "deal":
            self._deal(words_of(said.rest))
        elif said.word != "opening":
            for fact in stated(self.names, said.word, said.rest):
                apply(self.position, self._where_it_is(fact))

    def _where_it_is(self, fact: f.Fact) -> f.Fact:
        """A unit that is sighted stands where it was placed."""
        if not isinstance(fact, f.Sighted):
            return fact
        marks = tuple(sorted(self.position.marks.get(fact.unit, {}).items()))
        return fact.model_copy(update={"at": self.position.where[fact.unit], "marks": marks})

    def _turn(self, rest: str) -> None:
        number, _, stage = rest.replace(",", " ").strip().partition(" ")
        if not number.isdigit() or not stage.strip():
            raise Misspelt(f"write: {USAGES['turn']}")
        self.stage = (".".join(stage.split()), int(number))

    def _deal(self, words: list[str]) -> None:
        """Cards on top of a pile: what is not in it yet is put there, and the pile has been shuffled."""
        pile, *cards = words
        inside = self.position.pools.get(pile, ())
        missing = tuple(card for card in cards if card not in inside)
        apply(self.position, f.Pooled(pool=pile, items=tuple(sorted((*inside, *missing)))))
        track = shuffle_track(pile)
        apply(self.position, f.Counted(track=track, value=self.position.tracks.get(track, 0) or 1))

    def dealt(self) -> Dealt:
        """The game that begins from here."""
        if self.stage is None:
            return Dealt(self.game, self.position)
        stage, turn = self.stage

        def play(table: Table) -> Procedure:
            # Once the stage has begun the position says so, and the game is entered from the position alone.
            if not table.position.stage:
                yield from self.game.enter(table, stage, turn)
            yield from self.game.play(table)

        return Dealt(replace(self.game, play=play), self.position)


class Names:
    """Finds what a case file names: units, hexes, sides."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.roster, self.grid = game.setting.roster, game.board.grid
        self.ids = {unit.id for unit in self.roster}

    def unit(self, words: Sequence[str]) -> tuple[str, list[str]]:
        """The unit that the first words name, and the words after it. Raises Misspelt."""
        if not words:
            raise Misspelt("a unit is missing")
        if words[0] in self.ids:
            return words[0], list(words[1:])
        found, used = self.roster.longest(words)
        if not used:
            near = ", ".join(self.roster.suggest(words[0])[:3])
            raise Misspelt(f"there is no unit called {words[0]!r}" + (f"; near it: {near}" if near else ""))
        if len(found) > 1:
            raise Misspelt(f"{' '.join(words[:used])!r} could be {', '.join(unit.id for unit in found)}")
        return found[0].id, list(words[used:])

    def hex(self, words: Sequence[str]) -> tuple[str, list[str]]:
        """The hex that the first words name, by number or place, and the words after it. Raises Misspelt."""
        if not words:
            raise Misspelt("a hex is missing")
        if self.grid.has(words[0]):
            return words[0], list(words[1:])
        for used in range(min(3, len(words)), 0, -1):
            place = self.game.place_names.get(" ".join(words[:used]).casefold())
            if place is not None:
                return place, list(words[used:])
        raise Misspelt(f"there is no hex or place called {words[0]!r}")

    def side(self, word: str) -> str:
        """The side of that name. Raises Misspelt."""
        if word not in self.game.sides:
            raise Misspelt(f"there is no side called {word!r}; there is {', '.join(self.game.sides)}")
        return word

    def subject(self, words: Sequence[str]) -> tuple[str, list[str]]:
        """What a mark may lie on, and the words after it. Raises Misspelt."""
        if words and (words[0] in self.game.sides or words[0] == "game"):
            return words[0], list(words[1:])
        if words and words[0].startswith("@") and "/" in words[0]:
            try:
                return f"@{self.grid.hexside_named(words[0][1:])}", list(words[1:])
            except ValueError as problem:
                raise Misspelt(str(problem)) from None
        if words and words[0].startswith("@"):
            place, rest = self.hex([words[0][1:], *words[1:]])
            return f"@{place}", rest
        return self.unit(words)


def stated(names: Names, word: str, rest: str) -> Iterator[f.Fact]:
    """What a statement such as `place` says, as facts. Raises Misspelt."""
    for phrase in phrases_of(rest):
        yield from _FACTS[word](names, words_of(phrase))


def number(word: str) -> int:
    """A whole number. Raises Misspelt."""
    try:
        return int(word)
    except ValueError:
        raise Misspelt(f"a number is wanted, not {word!r}") from None


def mark_value(word: str) -> int | str:
    """A mark's value: a number if it looks like one; a hex such as 0311 does not."""
    return int(word) if word.lstrip("-").isdigit() and str(int(word)) == word else word


def _placed(names: Names, words: list[str]) -> Iterator[f.Fact]:
    unit, rest = names.unit(words)
    place, rest = names.hex(rest)
    yield from _put(unit, place, rest)


def _boxed(names: Names, words: list[str]) -> Iterator[f.Fact]:
    unit, rest = names.unit(words)
    if not rest:
        raise Misspelt(f"write: {USAGES['box']}")
    yield from _put(unit, rest[0], rest[1:])


def _put(unit: str, place: str, rest: list[str]) -> Iterator[f.Fact]:
    lost = 0
    marks: list[f.Fact] = []
    while rest:
        word = rest.pop(0)
        if word == "lost":
            lost = number(rest.pop(0) if rest else "")
        else:
            mark, _, value = word.partition("=")
            marks.append(f.Marked(subject=unit, mark=mark, value=mark_value(value) if value else 1))
    yield f.Placed(unit=unit, at=place, lost=lost)
    yield from marks


def _marked(names: Names, words: list[str]) -> Iterator[f.Fact]:
    subject, rest = names.subject(words)
    if len(rest) not in (1, 2):
        raise Misspelt(f"write: {USAGES['mark']}")
    yield f.Marked(subject=subject, mark=rest[0], value=mark_value(rest[1]) if len(rest) == 2 else 1)


def _counted(names: Names, words: list[str]) -> Iterator[f.Fact]:
    if len(words) != 2:
        raise Misspelt(f"write: {USAGES['count']}")
    yield f.Counted(track=words[0], value=number(words[1]))


def _took(names: Names, words: list[str]) -> Iterator[f.Fact]:
    place, rest = names.hex(words)
    if len(rest) != 1:
        raise Misspelt(f"write: {USAGES['took']}")
    yield f.TookHex(hex=place, side=names.side(rest[0]))


def _pooled(names: Names, words: list[str]) -> Iterator[f.Fact]:
    pool, *items = words
    only: tuple[str, ...] | None = None
    if items[-2:-1] == ["only"]:
        items, only = items[:-2], (names.side(items[-1]),)
    yield f.Pooled(pool=pool, items=tuple(items), only=only)


def _unseen(names: Names, words: list[str]) -> Iterator[f.Fact]:
    """A side does not know where a unit is."""
    side = names.side(words[0] if words else "")
    yield f.LostSight(unit=names.unit(words[1:])[0], by=side, only=(side,))


def _unsure(names: Names, words: list[str]) -> Iterator[f.Fact]:
    """A side sees a unit, and not how many steps it has."""
    side = names.side(words[0] if words else "")
    yield f.Sighted(unit=names.unit(words[1:])[0], by=side, at="", lost=None, only=(side,))


_FACTS: Mapping[str, Callable[[Names, list[str]], Iterator[f.Fact]]] = {
    "place": _placed,
    "box": _boxed,
    "mark": _marked,
    "count": _counted,
    "took": _took,
    "pool": _pooled,
    "unseen": _unseen,
    "unsure": _unsure,
}
