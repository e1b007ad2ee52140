"""Where SDMs lie that nobody named (13.2.1), and how they are laid."""

from collections.abc import Iterator, Mapping, Sequence

from engine import hexset
from engine.facts import Fact, Noted, Placed, Told
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules.ground import number, place
from engine.table import kept
from games.jaws.data import GERMAN, Table
from games.jaws.orders.supply import Sdm
from games.jaws.rules.depots import (
    BOX,
    DRAWS,
    available,
    command_of,
    distance,
    distances,
    far_along,
    farthest,
    fed,
    legal_hexes,
    received,
    serves,
    supply_range,
)
from games.jaws.rules.ground import open_to, river_steps, supply_sides
from games.jaws.rules.korsun import TRACK
from games.jaws.rules.stores import stores
from games.jaws.rules.units import is_sdm


@kept
def default_places(table: Table, side: str, named: tuple[str, ...] = (), anew: bool = False) -> dict[str, str]:
    """Where SDMs go that nobody names: where they lie; else the nearest legal hex; new ones where they feed most.

    With `anew` all are laid as new ones are.
    """
    found: dict[str, str] = {}
    hungry = frozenset(u for u in table.position.on_map(side) if not is_sdm(table, u))
    new: dict[str, list[str]] = {}
    for sdm in available(table, side):
        here, legal = table.position.hex_of(sdm), legal_hexes(table, sdm)
        if sdm in named:
            continue
        if not legal:
            found[sdm] = BOX
        elif here is None or anew:
            new.setdefault(command_of(table, sdm), []).append(sdm)
        else:
            found[sdm] = number(table, here if legal >> here & 1 else _nearest(table, sdm, here, legal))
            hungry -= _fed_from(table, sdm, table.grid.hex(found[sdm]), hungry)
    for group in new.values():
        for sdm, h in zip(group, _best(table, group, hungry), strict=True):
            found[sdm] = number(table, h)
            hungry -= _fed_from(table, sdm, h, hungry)
    return found


def _feeders(table: Table, side: str, h: Hex) -> HexSet:
    """13.3: the hexes from which units in a hex would be fed: `fed` from the other end."""
    far, open_, sides = supply_range(table, side), open_to(table, side), supply_sides(table, side)
    banks = hexset.across(table.grid, 1 << h, river_steps(table, side))
    own = hexset.distance_layers(table.grid, 1 << h, open_, limit=far, sides=sides)
    over = hexset.distance_layers(table.grid, banks, open_, limit=far - 1, sides=sides)
    return hexset.union(own) | hexset.union(over)


def _fed_from(table: Table, sdm: str, h: Hex, hungry: frozenset[str]) -> frozenset[str]:
    """Who of these an SDM would feed from a hex."""
    side = table.unit(sdm).side
    covered = fed(table, side, 1 << h, supply_range(table, side))
    return frozenset(u for u in hungry if covered >> (table.position.hex_of(u) or 0) & 1 and serves(table, sdm, u))


def _nearest(table: Table, sdm: str, here: Hex, legal: HexSet) -> Hex:
    return min(hexset.members(legal), key=lambda h: (table.grid.distance(here, h), distance(table, sdm, h) or 0, h))


def _best(table: Table, group: Sequence[str], hungry: frozenset[str]) -> list[Hex]:
    """The hexes from which the one or two SDMs of a command feed most of its hungry units, then with the most SPs."""
    sdm = group[0]
    order = sorted(unit for unit in hungry if serves(table, sdm, unit))
    feeders = {h: _feeders(table, table.unit(sdm).side, h) for h in {place(table, unit) for unit in order}}
    near = [feeders[place(table, unit)] for unit in order]
    worth: dict[int, tuple[int, int, Hex]] = {}  # by who is fed, the best hex for it
    far = distances(table, sdm)
    points = {length: received(table, sdm, length) for length in {0, *far.values()}}
    for bits, hexes in _by_fed(legal_hexes(table, sdm), near):
        worth[bits] = max((points[far.get(h, 0)], -h, h) for h in hexset.members(hexes))

    def value(*chosen: int) -> tuple[int, ...]:
        return hexset.union(chosen).bit_count(), sum(worth[bits][0] for bits in chosen), *(worth[b][1] for b in chosen)

    if len(group) == 1:
        return [worth[max(worth, key=value)][2]]
    best = [one for one in worth if not any(one | two == two and worth[one] < worth[two] for two in worth)]
    pairs = ((one, two) for one in best for two in best)
    return [worth[bits][2] for bits in max(pairs, key=lambda pair: value(*pair))]


def _by_fed(legal: HexSet, near: Sequence[HexSet]) -> list[tuple[int, HexSet]]:
    """The hexes that feed the same units, by who these are (by number)."""
    found = [(0, legal)]
    for n, hexes in enumerate(near):
        fed = [(bits | 1 << n, part) for bits, whole in found if (part := whole & hexes)]
        found = [(bits, rest) for bits, whole in found if (rest := whole & ~hexes)] + fed
    return found


def lay(table: Table, places: Mapping[str, str]) -> Iterator[Fact]:
    """13.2.1: the SDMs are placed."""
    for sdm, spot in places.items():
        if table.position.where[sdm] != spot:
            yield Placed(unit=sdm, at=spot, because="13.2.1")


def check_korsun(table: Table, side: str, order: Sdm) -> None:
    """14.5.1-b: who is to draw on Korsun is laid within its reach. Raises Illegal."""
    places, town = {sdm: spot for sdm, (spot,) in order.places}, stores(table).get(TRACK, 0)
    for sdm in order.draws:
        if sdm not in places or table.unit(sdm).side != GERMAN:
            raise Illegal("14.5.1-b", f"say where {sdm} lies", unit=sdm, instead=f"`sdm {sdm} HEX draws {sdm}`")
        spot = places[sdm]
        far = far_along(table, side, town).get(table.grid.hex(spot)) if town else None
        if far is None or far > farthest(table, sdm):
            raise Illegal("14.5.1-b", f"Korsun's depot does not feed {sdm} in {spot}", unit=sdm, at=spot)


def drawn(table: Table, order: Sdm | None) -> Iterator[Fact]:
    """14.5.1-b: of the SDMs that were named, those that draw on Korsun; all others do as before."""
    for sdm, _ in order.places if order is not None else ():
        said = 1 if order is not None and sdm in order.draws else None
        if table.position.mark(sdm, DRAWS) != said:
            yield Noted(subject=sdm, mark=DRAWS, value=said, because="14.5.1-b")


def laid_by_default(table: Table, places: Mapping[str, str]) -> Iterator[Fact]:
    """13.2.1: those that nobody named; whoever could not stay where he lay is told of."""
    for sdm, spot in places.items():
        here = table.position.where[sdm]
        yield from lay(table, {sdm: spot})
        if here in (spot, BOX) and spot != BOX:
            continue
        if spot == BOX and here != BOX:
            yield Told(text=f"{sdm} has no road to its source from {here}, and none elsewhere: it is off the map.",
                       because="13.2.1-b")  # fmt: skip
        elif spot != here:
            yield Told(text=f"{sdm} could not stay in {here}, and lies in {spot} now.", because="13.2.1-b")
