"""SDMs that an enemy comes next to (13.2.4): one or two hexes back along the road, or off the map."""

from collections.abc import Iterator, Mapping
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Counted, Fact, Placed, Told
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, numbers
from engine.table import kept_while_side_still
from games.jaws.data import GERMAN, Table
from games.jaws.orders.supply import Displace
from games.jaws.rules.depots import BOX, KORSUN, RELAYED, command_of, printed_sources, relocated, sdms, sources_of
from games.jaws.rules.ground import way_sides
from games.jaws.rules.parts import taken_off
from games.jaws.rules.spending import FROM_KORSUN, sp_track
from games.jaws.rules.stores import stores
from games.jaws.rules.units import levels, standing

FARTHEST = 2  # hexes; a careful player goes as far as he may


def exposed(table: Table, side: str, h: Hex) -> list[str]:
    """The SDMs of a side in a hex or next to it, with none of its combat units in theirs."""
    near = hexset.within(table.grid, 1 << h, 1) & _markers(table, side)
    if not near:
        return []
    alone = near & ~standing(table, side)
    return [s for s in sdms(table, side) if (at := table.position.hex_of(s)) is not None and alone >> at & 1]


@kept_while_side_still()
def _markers(table: Table, side: str) -> HexSet:
    """The hexes with an SDM of a side."""
    return hexset.of(h for sdm in sdms(table, side) if (h := table.position.hex_of(sdm)) is not None)


def _toward(table: Table, sdm: str) -> HexSet:
    """The sources that an SDM goes back to, cut off or not; 16.2-p2: one of an isolated korps has none; 18.14-p2: one
    with a relay goes back to that."""
    side, command = table.unit(sdm).side, command_of(table, sdm)
    if relocated(table, sdm):
        return 0
    relay = table.position.hex_of(str(table.position.mark(sdm, RELAYED) or ""))
    if relay is not None:
        return 1 << relay
    special = hexset.union(stores(table).values()) if side == GERMAN else 0
    if sdm == KORSUN or table.position.mark(sdm, FROM_KORSUN) is not None:
        return special
    bodies = [body.id for body in levels(table, command) if body.kind in ("army", "armee")]
    return sources_of(table, side, command) | hexset.union(printed_sources(table, side, name) for name in bodies)


def refuges(table: Table, sdm: str) -> dict[str, int]:
    """13.2.4: the road hexes one or two hexes nearer to its source, through zones but through no enemy unit; where he
    stands on every road farther back, nearer as if he did not."""
    side, here = table.unit(sdm).side, table.position.hex_of(sdm)
    assert here is not None
    ways, free = way_sides(table, side), table.data.land & ~standing(table, table.enemy(side))
    for open_ in (free | 1 << here, table.data.land):
        layers = hexset.distance_layers(table.grid, _toward(table, sdm), open_, sides=ways)
        away = next((d for d, layer in enumerate(layers) if layer >> here & 1), 0)
        if away:
            break
    found, at = dict[str, int](), 1 << here
    for far in range(1, min(FARTHEST, away) + 1):
        at = hexset.across(table.grid, at, ways) & layers[away - far] & free
        found |= dict.fromkeys(numbers(table, at & table.data.road_hexes), far)
    return found


def displaced(table: Table, side: str, h: Hex) -> Procedure:
    """13.2.4: an enemy of that side came next to its SDMs: its owner says how far each goes back."""
    for sdm in exposed(table, side, h):
        spots = refuges(table, sdm)
        order = (yield _ask(table, side, sdm, spots)) if len(spots) > 1 else None
        spot = _meant(table, sdm, order or Displace())
        yield from _gone(table, sdm) if spot == BOX else _set_back(sdm, spot)


def _set_back(sdm: str, spot: str) -> Iterator[Fact]:
    yield Placed(unit=sdm, at=spot, because="13.2.4")
    yield Told(text=f"{sdm} is displaced to {spot}.", because="13.2.4")


def _gone(table: Table, sdm: str) -> Iterator[Fact]:
    """It can be placed again next turn; until then it pays for nothing."""
    if table.position.tracks.get(sp_track(sdm), 0):
        yield Counted(track=sp_track(sdm), value=0, because="13.2.4")
    yield from taken_off(table, sdm, BOX, "13.2.4")
    yield Told(text=f"{sdm} is displaced off the map until next turn.", because="13.2.4")


def _meant(table: Table, sdm: str, order: Displace) -> str:
    """Where an order sends an SDM: as far as it says, or as far as it can. Raises Illegal."""
    spots = refuges(table, sdm)
    if not spots:
        return BOX
    if order.to:
        if order.to not in spots:
            raise Illegal("13.2.4", f"{order.to} is not one or two hexes of road nearer to the source of {sdm}",
                          unit=sdm, at=order.to, instead="These are", alternatives=list(spots))  # fmt: skip
        return order.to
    far = order.hexes or FARTHEST
    if far > FARTHEST:
        raise Illegal("13.2.4", f"{sdm} goes back one or two hexes", unit=sdm, alternatives=list(spots))
    reach = [spot for spot, hops in spots.items() if hops == far] or list(spots)
    return reach[0]


def _ask(table: Table, side: str, sdm: str, spots: Mapping[str, int]) -> Ask:
    """Where enemies stand is everybody's knowledge; but its owner sees who came only when the stack has come down."""
    here = table.position.hex_of(sdm)
    assert here is not None

    def check(order: Order) -> None:
        assert isinstance(order, Displace)
        _meant(table.seen_by(side), sdm, order)

    return Ask(
        side=side,
        name="displace",
        subject=number(table, here),
        prompt=f"an enemy is next to {sdm}: it goes back to {', '.join(spots)}",
        verbs=(Displace,),
        check=check,
        offers=lambda: [whole(Displace(to=spot)) for spot in spots],
        default=partial(Displace, hexes=FARTHEST),
        case="13.2.4",
        reaction=True,
        passable=True,
        units=(sdm,),
    )
