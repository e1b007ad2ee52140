"""What a side may say to an ask, as tables for the page: lines, places, sets of units, and what each would come to.

The page does no sums and knows no rule: whatever it shows was worked out here, by the game, from the side's own view.
For who has no board: the lines of one hex to edit, and where they lead.
"""

import base64
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from engine import hexset
from engine.asks import Ask
from engine.hexes import Grid, Hex
from engine.orders.choice import Choice
from engine.orders.fields import Field
from engine.orders.order import Order
from engine.refusals import passes
from engine.table import Table
from pbem.wording.rulings import chance_words, outlook_phrase, outlook_sentence

MOST_SETS = 1023  # of the values that one line may gather: all sets of ten
FEW = 12  # places for which each line is worked out by itself, where a game can say what it would come to
MOST_LINES = 2000  # that a tree of choices is followed for; the rest is by hand
PLACES, UNITS = ("hex", "hexes"), ("unit", "units")

Said = dict[str, str | list[str]]  # by field: what is said, as it is written; a list where it is several things


class OrderTables:
    """The tables, as the page has them, of a table as the side sees it."""

    def __init__(self, table: Table, ask: Ask) -> None:
        self.table, self.ask = table, ask
        self.sets: dict[str, int] = {}  # sets of hexes, each once, by its bits
        self.results: dict[Hashable, tuple[int, list[Any]]] = {}  # what lines come to, each once
        self.begun, self.gather, self.whole = list[list[Any]](), list[list[Any]](), list[list[Any]]()
        self.cut = False  # there is more than is told
        self._bit = _bits_of(self.table.grid)
        self.places = list(self._bit)
        self.kinds = {kind: number for number, kind in enumerate(dict.fromkeys(self.ask.offered))}
        for choice in self.ask.choices():
            self._add(choice)

    def data(self) -> dict[str, Any]:
        return {
            "verbs": [_verb(kind) for kind in self.kinds],
            "sets": list(self.sets),
            "begun": self.begun,
            "gather": self.gather,
            "whole": self.whole,
            "results": [found for _, found in self.results.values()],
            "cut": self.cut,
        }

    # A choice is a line as it stands, a line that wants one thing more, or one that gathers several.

    def _add(self, choice: Choice) -> None:
        if len(self.begun) + len(self.whole) + len(self.gather) >= MOST_LINES:
            self.cut = True
            return
        kind, name = choice.kind, choice.field
        gathers = bool(name) and choice.onward is not None and kind.shape.fields[name].plural
        if choice.complete and not gathers:
            self.whole.append([self._verb(kind), said(choice), self._result(choice.order())])
        if gathers:
            self._gather(choice)
        elif name and choice.onward is None:
            self._begin(choice)
        elif name:
            for value in choice.values:
                self._add(choice.saying(value))

    def _begin(self, choice: Choice) -> None:
        kind, values = choice.kind, choice.values
        if kind.forecastable and len(values) <= FEW:
            for longer in map(choice.saying, values):
                self.whole.append([self._verb(kind), said(longer), self._result(longer.order())])
            return
        of = kind.shape.fields[choice.field]
        places = self._set(values) if of.kind in PLACES else [_written(of, value) for value in values]
        if values:
            self.begun.append([self._verb(kind), said(choice), choice.field, places])

    def _gather(self, choice: Choice) -> None:
        """Every legal set of values as far as their number allows, by size; `known` is the largest size told whole."""
        kind, values = choice.kind, choice.values
        found: dict[str, int | None] = {"": self._result(choice.order())} if choice.complete else {}
        known, tried = 0, 1
        for size in range(1, len(values) + 1):
            sets = list(combinations(range(len(values)), size))
            if tried + len(sets) > MOST_SETS + 1:
                break
            known, tried = size, tried + len(sets)
            for members in sets:
                order = kind(**{**choice.given, choice.field: tuple(values[n] for n in members)})
                if passes(self.ask.check, order):
                    found[".".join(map(str, members))] = self._result(order)
        if not values and not found:
            return
        of = kind.shape.fields[choice.field]
        written = [_written(of, value) for value in values]
        every = len(found) == tried - (not choice.complete) and not kind.forecastable
        table = 1 if every and choice.complete else 0 if every else found
        complete = known if known < len(values) else -1
        # The set that most can join; of equals the first.
        fullest = max(found, key=lambda members: members.count(".") + bool(members), default="")
        self.gather.append([self._verb(kind), said(choice), choice.field, written, table, complete, fullest])

    # What it would come to.

    def _result(self, order: Order) -> int | None:
        if not order.forecastable:
            return None
        found = self.table.game.forecast(self.table, self.ask.side, order)
        key = found.column, found.chances, found.outlook
        if key not in self.results:
            # The column; what it means, short and as a sentence; each result with its chance, for reading and as a bar.
            chances = [[name, chance_words(chance), round(float(chance), 4)] for name, chance in found.chances]
            told = [found.column, outlook_phrase(found), outlook_sentence(found), chances]
            self.results[key] = len(self.results), told
        return self.results[key][0]

    def _verb(self, kind: type[Order]) -> int:
        return self.kinds.setdefault(kind, len(self.kinds))

    def _set(self, places: Sequence[str]) -> int:
        """Which set of hexes it is: a bit for each hex of the map, in the order of their numbers."""
        number = sum(map(self._bit.__getitem__, places))
        bits = base64.b64encode(number.to_bytes((number.bit_length() + 7) // 8, "little")).decode()
        return self.sets.setdefault(bits, len(self.sets))


@lru_cache(maxsize=32)
def _bits_of(grid: Grid) -> dict[str, int]:
    """Every hex of the map by its number, and its bit."""
    return {place: 1 << n for n, place in enumerate(sorted(map(grid.number_of, hexset.members(grid.everything))))}


def _verb(kind: type[Order]) -> list[Any]:
    """How a line of this verb is written: its fields in the order of the line, each with the word that opens it."""
    shape = kind.shape
    places = [*((("", name)) for name in shape.positional), *shape.groups.items()]
    fields = [[name, shape.fields[name].kind, opener, int(name in shape.required)] for opener, name in places]
    return [kind.verb, shape.printed(kind.usage), kind.about, fields]


def said(choice: Choice) -> Said:
    """What a choice has said already, as it is written."""
    fields = choice.kind.shape.fields
    return {
        name: [_written(fields[name], one) for one in value] if fields[name].plural else fields[name].write(value)
        for name, value in choice.given.items()
    }


def _written(of: Field, value: Any) -> str:
    return of.write((value,) if of.plural else value)


def line_of(verb: Sequence[Any], given: Said) -> str:
    """A line as `Order.line` has it; the page's script does the same."""
    word, _, _, fields = verb
    named = [(opener, given[name]) for name, _, opener, _ in fields if name in given]
    parts = [
        part for opener, value in named for part in (opener, value if isinstance(value, str) else ", ".join(value))
    ]
    return " ".join(filter(None, [word, *parts]))


def members(bits: str, numbers: Sequence[str]) -> list[str]:
    """The hexes of a set."""
    number = int.from_bytes(base64.b64decode(bits), "little")
    return [place for n, place in enumerate(numbers) if number >> n & 1]


MOST = 9  # places told by name; more are told by their number


def stack_lines(table: Table, ask: Ask, spot: Hex) -> tuple[list[str], list[Hex]]:
    """Every line that begins with a unit in this hex, or is about it, as a template, all behind a #; and the hexes they
    lead to. The table is as the side sees it."""
    tables = OrderTables(table, ask)
    data, found, places = tables.data(), list[str](), dict[str, None]()
    verbs, sets, here, units = data["verbs"], data["sets"], table.grid.number_of(spot), {*table.position.at(spot)}

    def concerns(verb: int, given: Said) -> bool:
        """Whether a line speaks of the hex, or of units of which all stand in it."""
        kinds = {name: kind for name, kind, _, _ in verbs[verb][3]}
        said = [(kinds[name], [value] if isinstance(value, str) else value) for name, value in given.items()]
        named = {one for kind, values in said if kind in UNITS for one in values}
        return any(kind in PLACES and here in values for kind, values in said) or (bool(named) and named <= units)

    def odds(result: int | None) -> Iterator[str]:
        if result is not None:
            column, phrase, _, chances = data["results"][result]
            yield f"#    {column}: {phrase or ', '.join(f'{name} {words}' for name, words, _ in chances)}"

    for verb, given, name, led_to in data["begun"]:
        if concerns(verb, given):
            on_map = isinstance(led_to, int)
            open_ = members(sets[led_to], tables.places) if on_map else led_to
            places |= dict.fromkeys(open_ if on_map else ())
            some = f"{len(open_)} places, among them {', '.join(open_[:3])}"
            told = ", ".join(open_) if len(open_) <= MOST else some
            opener = next(opener for field, _, opener, _ in verbs[verb][3] if field == name)
            found += [f"#{line_of(verbs[verb], given)} {opener}".rstrip(), f"#    {told}"]
    for verb, given, result in data["whole"]:
        if concerns(verb, given):
            found += [f"#{line_of(verbs[verb], given)}", *odds(result)]
    for verb, given, name, values, table_, _, fullest in data["gather"]:
        if concerns(verb, given) or units & set(values):
            chosen = [values[int(n)] for n in fullest.split(".") if n] or values[:1]
            result = table_.get(fullest) if isinstance(table_, dict) else None
            found += [f"#{line_of(verbs[verb], {**given, name: chosen})}", *odds(result)]
    return found, [table.grid.hex(place) for place in places]
