"""The field: where everybody stands and whose the towns are, as masks. What-ifs work on these, not on positions."""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cached_property

from engine import hexset
from engine.hexes import Grid, Hex
from engine.hexset import HexSet
from engine.rules.ground import units_at
from engine.table import kept_while_still
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.rules.ground import GARRISON, bearing, is_isolated, isolated


@dataclass(frozen=True)
class Field:
    """Equal fields are equal, so that what is worked out of one is worked out once."""

    german: HexSet  # occupied by units
    soviet: HexSet
    german_control: HexSet  # occupied by units that have a zone of control (11.0)
    soviet_control: HexSet
    german_zoc: HexSet
    soviet_zoc: HexSet
    garrisons: HexSet
    german_towns: HexSet
    soviet_towns: HexSet

    @cached_property
    def _hash(self) -> int:
        return hash((self.german, self.soviet, self.german_control, self.soviet_control, self.garrisons,
                     self.german_towns))  # fmt: skip

    def __hash__(self) -> int:
        return self._hash  # asked for with everything that is worked out of it

    def held(self, side: str) -> HexSet:
        return self.german if side == GERMAN else self.soviet

    def zoc(self, side: str) -> HexSet:
        return self.german_zoc if side == GERMAN else self.soviet_zoc

    def towns(self, side: str) -> HexSet:
        return self.german_towns if side == GERMAN else self.soviet_towns


def zone(grid: Grid, controlled: HexSet) -> HexSet:
    """11.0: the neighbours of these hexes, in all terrain and over all hexsides."""
    return hexset.beside(grid, controlled)


@kept_while_still("supply", GARRISON, owners=True)
def field(table: Table) -> Field:
    """As things stand."""
    grid, land = table.grid, table.board.land
    held = {side: table.position.held(side) & land for side in (GERMAN, SOVIET)}
    control = {side: _controlled(table, side, held[side]) for side in held}
    soviet_towns = hexset.of(grid.hex(spot) for spot, side in table.position.owners.items() if side == SOVIET)
    soviet_towns &= table.data.towns
    return Field(
        german=held[GERMAN],
        soviet=held[SOVIET],
        german_control=control[GERMAN],
        soviet_control=control[SOVIET],
        german_zoc=zone(grid, control[GERMAN]) & land,
        soviet_zoc=zone(grid, control[SOVIET]) & land,
        garrisons=bearing(table, GARRISON),
        german_towns=table.data.towns & ~soviet_towns,
        soviet_towns=soviet_towns,
    )


def _controlled(table: Table, side: str, held: HexSet) -> HexSet:
    spots = {table.position.hex_of(unit) for unit in isolated(table, "supply") if table.unit(unit).side == side}
    return held & ~hexset.of(
        h for h in spots if h is not None and all(is_isolated(table, unit) for unit in units_at(table, h, side))
    )


def supposed(table: Table, unit: str, to: Hex | None) -> Field:
    """The field if a unit stood elsewhere, or nowhere: its own hex left, the other entered and, a town, taken."""
    return shifted(table, field(table), unit, to)


def shifted(table: Table, now: Field, unit: str, to: Hex | None, gone: Container[str] | None = ()) -> Field:
    """Another field with a unit moved from where it stands on the table, as those `gone` have; None: it has left."""
    side, here = table.unit(unit).side, table.position.hex_of(unit)
    held, control = now.held(side), now.german_control if side == GERMAN else now.soviet_control
    if here is not None and gone is not None:
        others = [other for other in units_at(table, here, side) if other != unit and other not in gone]
        if not others:
            held &= ~(1 << here)
        if all(is_isolated(table, other) for other in others):
            control &= ~(1 << here)
    own, enemy, garrisons = now.towns(side), now.towns(SOVIET if side == GERMAN else GERMAN), now.garrisons
    if to is not None:
        held |= 1 << to
        control |= 0 if is_isolated(table, unit) else 1 << to
        garrisons &= ~(1 << to)
        taken = 1 << to & table.data.towns
        own, enemy = own | taken, enemy & ~taken
    zoc = zone(table.grid, control) & table.board.land
    if side == GERMAN:
        return Field(held, now.soviet, control, now.soviet_control, zoc, now.soviet_zoc, garrisons, own, enemy)
    return Field(now.german, held, now.german_control, control, now.german_zoc, zoc, garrisons, enemy, own)


def after_moves(table: Table, moves: Mapping[str, Hex | None]) -> Field:
    """The field once several units of a side stand elsewhere, or nowhere: all leave before anybody arrives."""
    now = field(table)
    for unit in moves:
        now = shifted(table, now, unit, None, gone=moves)
    for unit, to in moves.items():
        now = shifted(table, now, unit, to, gone=None)
    return now
