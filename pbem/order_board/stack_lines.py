"""What may be ordered in one hex, for who has no board: its lines to edit, and where they lead."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.asks import Ask
from engine.hexes import Hex
from engine.table import Table
from pbem.order_board.order_tables import OrderTables, Said, line_of, members

UNITS = ("unit", "units")
MOST = 9  # places told by name; more are told by their number


@dataclass(frozen=True)
class StackLines:
    """Lines as a template, all behind a #, and the hexes they lead to."""

    lines: tuple[str, ...]
    places: tuple[Hex, ...]


def stack_lines(table: Table, ask: Ask, spot: Hex) -> StackLines:
    """Every line that begins with a unit in this hex, or is about it; `table` is as the side sees it."""
    data = OrderTables(table, ask)
    found = _Finder(data, table.grid.number_of(spot), {*table.position.at(spot)})
    return StackLines(tuple(found.lines()), tuple(table.grid.hex(place) for place in found.places))


class _Finder:
    def __init__(self, tables: OrderTables, spot: str, units: set[str]) -> None:
        self.tables, self.spot, self.units = tables, spot, units
        self.data = tables.data()
        self.places: dict[str, None] = {}

    def lines(self) -> Iterator[str]:
        verbs, sets = self.data["verbs"], self.data["sets"]
        for verb, given, name, places in self.data["begun"]:
            if self._concerns(verb, given):
                on_map = isinstance(places, int)
                open_ = members(sets[places], self.tables.places) if on_map else places
                self.places |= dict.fromkeys(open_ if on_map else ())
                yield f"#{_begun(verbs[verb], given, name)}"
                yield f"#    {_listed(open_)}"
        for verb, given, result in self.data["whole"]:
            if self._concerns(verb, given):
                yield f"#{line_of(verbs[verb], given)}"
                yield from self._odds(result)
        for verb, given, name, values, table, _, fullest in self.data["gather"]:
            if self._concerns(verb, given) or self.units & set(values):
                chosen = [values[int(n)] for n in fullest.split(".") if n] or values[:1]
                yield f"#{line_of(verbs[verb], {**given, name: chosen})}"
                yield from self._odds(table.get(fullest) if isinstance(table, dict) else None)

    def _concerns(self, verb: int, given: Said) -> bool:
        """Whether a line speaks of the hex, or of units of which all stand in it."""
        kinds = {name: kind for name, kind, _, _ in self.data["verbs"][verb][3]}
        said = {name: [value] if isinstance(value, str) else value for name, value in given.items()}
        named = [one for name, values in said.items() if kinds[name] in UNITS for one in values]
        about = [one for name, values in said.items() if kinds[name] in ("hex", "hexes") for one in values]
        return self.spot in about or (bool(named) and set(named) <= self.units)

    def _odds(self, result: int | None) -> Iterator[str]:
        if result is not None:
            column, phrase, _, chances = self.data["results"][result]
            yield f"#    {column}: {phrase or ', '.join(f'{name} {words}' for name, words, _ in chances)}"


def _begun(verb: Sequence[Any], given: Said, following: str) -> str:
    opener = next(opener for name, _, opener, _ in verb[3] if name == following)
    return f"{line_of(verb, given)} {opener}".rstrip()


def _listed(places: Sequence[str]) -> str:
    return ", ".join(places) if len(places) <= MOST else f"{len(places)} places, among them {', '.join(places[:3])}"
