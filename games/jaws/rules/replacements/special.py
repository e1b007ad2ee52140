"""Special German replacements (8.6): cadres, guns and supply markers made into infantry, without points."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from engine import hexset
from engine.facts import Counted, Eliminated, Fact
from engine.hexset import HexSet
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, number, place
from engine.table import kept
from games.jaws.data import GERMAN, Table
from games.jaws.orders.events import Abandon, Absorb, Convert
from games.jaws.rules.depots import clients, fed, sdms, supply_range
from games.jaws.rules.losses import lose
from games.jaws.rules.parts import taken_off
from games.jaws.rules.replacements.eligible import check_kind, check_order, check_room, is_regiment, most, steps
from games.jaws.rules.replacements.filling import gain
from games.jaws.rules.spending import sp_track
from games.jaws.rules.units import division, is_cadre, is_sdm, korps, standing

ABANDONED = "abandoned"  # 8.6.5-p2: the box of what is out of the game for good


def check_receiver(table: Table, unit: str) -> None:
    """8.6: infantry that takes replacements, on the map, neither Disorganized nor in Regroup. Raises Illegal."""
    check_kind(table, GERMAN, unit)
    if not is_regiment(table, unit):
        raise Illegal("8.6", f"{unit} is no infantry: tanks are made of armor points", unit=unit)
    if table.position.hex_of(unit) is None:
        raise Illegal("8.6", f"{unit} is not on the map", unit=unit)
    check_order(table, unit)
    check_room(table, unit, 1)


@kept
def receivers(table: Table) -> tuple[str, ...]:
    """All that can take a step."""
    here = [unit for unit in table.position.on_map(GERMAN) if is_regiment(table, unit)]
    return tuple(unit for unit in here if passes(check_receiver, table, unit))


@kept
def reach(table: Table, unit: str) -> HexSet:
    """8.6.1-c1, 8.6.2-c1: the hexes within three by a path of vacant or friendly ones."""
    far, at = table.data.tables["replacements"]["special"]["within"], 1 << place(table, unit)
    free = table.data.land & ~standing(table, table.enemy(GERMAN))
    for _ in range(far):
        at |= hexset.across(table.grid, at, table.data.everywhere) & free
    return at


def _without(table: Table, giver: str) -> Table:
    """8.4-c3: what is left when a giver has gone: of a regiment in parts a step less."""
    if not is_a(table, giver, "part"):
        return table
    return table.suppose([*lose(table, giver, table.position.steps_left(giver), "8.6.1")])


def _in_reach(table: Table, giver: str) -> list[str]:
    """Who could take steps of a cadre or a gun, division and korps apart."""
    able = receivers(_without(table, giver))
    near = reach(table, giver) if able else 0
    return [unit for unit in able if near >> place(table, unit) & 1 and unit != giver]


def _check_near(table: Table, giver: str, unit: str, able: Sequence[str], case: str) -> None:
    """Raises Illegal."""
    if unit not in able:
        raise Illegal(case, f"{unit} cannot take the men of {giver}", unit=unit, instead="These can", alternatives=able)


# 8.6.1


def absorbing(table: Table, cadre: str) -> list[str]:
    """8.6.1-c2: who may take a cadre: its own division's first, any other's if none of those is in reach."""
    near = _in_reach(table, cadre)
    home = division(table, table.unit(cadre))
    own = [unit for unit in near if home and division(table, table.unit(unit)) == home]
    return own or near


def check_absorb(table: Table, order: Absorb) -> None:
    """Raises Illegal."""
    cadre = order.cadre
    if table.unit(cadre).side != GERMAN or table.position.hex_of(cadre) is None:
        raise Illegal("8.6.1", f"{cadre} is not yours on the map", unit=cadre)
    if not is_cadre(table, cadre):
        raise Illegal("8.6.1", f"{cadre} is no cadre", unit=cadre)
    if order.unit == cadre:
        raise Illegal("8.6.1", f"{cadre} cannot absorb itself", unit=cadre)
    check_receiver(_without(table, cadre), order.unit)
    if not reach(table, cadre) >> place(table, order.unit) & 1:
        raise Illegal("8.6.1-c1", f"no free path of three hexes leads from {cadre} to {order.unit}", unit=order.unit)
    _check_near(table, cadre, order.unit, absorbing(table, cadre), "8.6.1-c2")


def absorb(table: Table, order: Absorb) -> Iterator[Fact]:
    """8.6.1: the cadre goes, a step comes."""
    yield from lose(table, order.cadre, table.position.steps_left(order.cadre), "8.6.1")
    yield from gain(table, order.unit, table.data.tables["replacements"]["special"]["cadre"], "", "8.6.1")


# 8.6.2


def gunners(table: Table, gun: str) -> list[str]:
    """8.6.2-c2, -c3: whose infantry a gun may fill up: its own division's, unless none of it is on the map; a korps
    gun's, anybody's of the korps."""
    row = table.unit(gun)
    home = division(table, row)
    near = _in_reach(table, gun)
    if not home or not near:
        return [unit for unit in near if korps(table, table.unit(unit)) == korps(table, row)]
    if home in _with_regiments(table):
        return [unit for unit in near if division(table, table.unit(unit)) == home]
    return near


def _shares(table: Table, gun: str) -> Iterator[tuple[str, ...]]:
    """8.6.2: who may take its steps: one unit, or a step each of several."""
    able = gunners(table, gun)
    for count in range(1, worth(table, gun) + 1):
        yield from combinations(able, count)


@kept
def _with_regiments(table: Table) -> set[str]:
    """The divisions that have infantry on the map."""
    regiments = (unit for unit in table.position.on_map(GERMAN) if is_regiment(table, unit))
    return {division(table, table.unit(unit)) for unit in regiments}


def worth(table: Table, gun: str) -> int:
    """8.6.2: two steps of a regiment, one of a battalion."""
    row = table.data.tables["replacements"]["special"]
    return row["regiment"] if is_a(table, gun, "regiment") else row["battalion"]


def check_convert(table: Table, order: Convert) -> None:
    """Raises Illegal."""
    gun = order.gun
    if table.unit(gun).side != GERMAN or table.position.hex_of(gun) is None:
        raise Illegal("8.6.2", f"{gun} is not yours on the map", unit=gun)
    if not is_a(table, gun, "artillery"):
        raise Illegal("8.6.2", f"{gun} is no artillery unit", unit=gun)
    if len(set(order.units)) > worth(table, gun):
        raise Illegal("8.6.2", f"{gun} gives {worth(table, gun)} steps, not {len(set(order.units))}", unit=gun)
    for unit in order.units:
        check_receiver(table, unit)
        if not reach(table, gun) >> place(table, unit) & 1:
            raise Illegal("8.6.2-c1", f"no free path of three hexes leads from {gun} to {unit}", unit=unit)
        case = "8.6.2-c2" if division(table, table.unit(gun)) else "8.6.2-c3"
        _check_near(table, gun, unit, gunners(table, gun), case)


def convert(table: Table, order: Convert) -> Iterator[Fact]:
    """8.6.2: the gun goes to the Eliminated box; two steps may go to one unit, if it has room for them."""
    units = tuple(dict.fromkeys(order.units))
    yield Eliminated(unit=order.gun, at=number(table, place(table, order.gun)), because="8.6.2")
    for unit in units:
        share = worth(table, order.gun) // len(units)
        yield from gain(table, unit, min(share, most(table, unit) - steps(table, unit)), "", "8.6.2")


# 8.6.5


def served(table: Table, sdm: str) -> list[str]:
    """8.6.5-p3: the infantry of its command within its range, with a path to it."""
    at = table.position.hex_of(sdm)
    if at is None:
        return []
    near = fed(table, GERMAN, 1 << at, supply_range(table, GERMAN))
    return [u for u in receivers(table) if u in clients(table, sdm) and near >> place(table, u) & 1]


def check_abandon(table: Table, order: Abandon) -> None:
    """Raises Illegal."""
    if order.sdm not in sdms(table, GERMAN) or table.position.hex_of(order.sdm) is None:
        own = [sdm for sdm in sdms(table, GERMAN) if table.position.hex_of(sdm) is not None]
        raise Illegal("8.6.5-p1", f"{order.sdm} is no SDM of yours on the map", unit=order.sdm, instead="These are",
                      alternatives=own)  # fmt: skip
    if is_sdm(table, order.unit):
        raise Illegal("8.6.5-p3", f"{order.unit} is no infantry", unit=order.unit)
    check_receiver(table, order.unit)
    _check_near(table, order.sdm, order.unit, served(table, order.sdm), "8.6.5-p3")


def abandon(table: Table, order: Abandon) -> Iterator[Fact]:
    """8.6.5: the SDM is gone for good, with its SPs; a step comes."""
    if table.position.tracks.get(sp_track(order.sdm), 0):
        yield Counted(track=sp_track(order.sdm), value=0, because="8.6.5-p2")
    yield from taken_off(table, order.sdm, ABANDONED, "8.6.5-p2")
    yield from gain(table, order.unit, table.data.tables["replacements"]["special"]["sdm"], "", "8.6.5-p3")


# What can be done


def specials(table: Table) -> tuple[list[Absorb], list[Convert], list[Abandon]]:
    """Everything that 8.6 offers now; guns to one unit each, or to two."""
    here = list(table.position.on_map(GERMAN))
    cadres = [unit for unit in here if is_cadre(table, unit)]
    guns = [unit for unit in here if is_a(table, unit, "artillery")]
    absorbs = [Absorb(cadre=cadre, unit=unit) for cadre in cadres for unit in absorbing(table, cadre)]
    converts = [Convert(gun=gun, units=units) for gun in guns for units in _shares(table, gun)]
    markers = [Abandon(sdm=sdm, unit=unit) for sdm in sdms(table, GERMAN) for unit in served(table, sdm)]
    return absorbs, converts, markers
