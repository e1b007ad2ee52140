"""Who may take replacements, and where (8.2, 8.4): kinds of unit, supply, distance, and what each side bars."""

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.position import ELIMINATED
from engine.refusals import Illegal
from engine.rules.ground import is_a, place
from engine.table import kept, kept_for_good
from games.jaws.data import RAIL, SOVIET, Table
from games.jaws.rules.allowance import REPLACED
from games.jaws.rules.depots import KORSUN, clients, command_of, fed, patrons, sdms, supply_range
from games.jaws.rules.extension import halves, is_marker
from games.jaws.rules.ground import open_to
from games.jaws.rules.parts import in_play, parent
from games.jaws.rules.stacking import breach
from games.jaws.rules.stores import stores
from games.jaws.rules.supply import sources, traces
from games.jaws.rules.units import OOS, front, going, levels, standing, units_in, upset

TANKS = ("stug", "pz4", "pz5", "pz6")  # 8.2.2: every German armor unit but Marders and Pz IIIs


def given(table: Table, unit: str) -> int:
    """The steps that a unit has taken this turn."""
    return int(table.position.mark(unit, REPLACED) or 0)


@kept_for_good
def is_regiment(table: Table, unit: str) -> bool:
    """8.2.2: a German infantry regiment, regiment group or division group, or a part or the cadre of one."""
    return table.unit(unit).side != SOVIET and (is_a(table, unit, "breaks") or is_a(table, unit, "part"))


@kept_for_good
def is_eligible(table: Table, unit: str) -> bool:
    """8.2.1 to 8.2.3: the kinds that take replacements."""
    if table.unit(unit).side == SOVIET:
        rifles = is_a(table, unit, "division") and not is_a(table, unit, "cavalry") and not is_marker(table, unit)
        return rifles or (is_a(table, unit, "brigade") and is_a(table, unit, "armor"))
    return is_regiment(table, unit) or any(is_a(table, unit, kind) for kind in TANKS)


def is_gone(table: Table, unit: str) -> bool:
    return table.position.where.get(unit) == ELIMINATED


def steps(table: Table, unit: str) -> int:
    """How many steps it has left; none if it is in the Eliminated box."""
    return 0 if is_gone(table, unit) else table.position.steps_left(unit)


def most(table: Table, unit: str) -> int:
    """8.4-c3: armor may be whole again, a division or a regiment never, nor all its parts together."""
    if is_a(table, unit, "part"):
        whole = parent(table, unit)
        left = sum(steps(table, part) for part in in_play(table, whole))
        return min(len(table.unit(unit).steps), steps(table, unit) + len(table.unit(whole).steps) - 1 - left)
    return len(table.unit(unit).steps) - (0 if is_a(table, unit, "armor") else 1)


def check_kind(table: Table, side: str, unit: str) -> None:
    """8.2: whether a unit is of a kind that takes replacements, and is one's own to fill up. Raises Illegal."""
    if table.unit(unit).side != side:
        raise Illegal("8.2", f"{unit} is not yours", unit=unit)
    if not is_eligible(table, unit):
        case = "8.2.1" if side == SOVIET else "8.2.2"
        kinds = "rifle divisions and tank brigades" if side == SOVIET else "regiments, regiment groups and tanks"
        raise Illegal("8.2.3" if _barred(table, unit) else case, f"{unit} takes no replacements: only {kinds} do",
                      unit=unit)  # fmt: skip
    if table.position.hex_of(unit) is None and not is_gone(table, unit):
        raise Illegal("8.2.4", f"{unit} is neither on the map nor eliminated", unit=unit)


def _barred(table: Table, unit: str) -> bool:
    """8.2.3: the kinds that the case names."""
    kinds = ("cavalry", "recon", "fusilier", "antiair", "antiarmor", "engineer", "artillery", "alarm")
    return any(is_a(table, unit, kind) for kind in kinds)


def check_room(table: Table, unit: str, number_: int) -> None:
    """8.4-c3. Raises Illegal."""
    if steps(table, unit) + number_ > most(table, unit):
        what = "is at full strength" if is_a(table, unit, "armor") else "may never be at full strength again"
        raise Illegal("8.4-c3", f"{unit} has {steps(table, unit)} of {len(table.unit(unit).steps)} steps, and {what}",
                      unit=unit)  # fmt: skip


def check_order(table: Table, unit: str) -> None:
    """12.17.2-8: neither Disorganized nor in Regroup. Raises Illegal."""
    if not is_gone(table, unit) and any(upset(table, half) for half in halves(table, (unit,))):
        raise Illegal("12.17.2-8", f"{unit} is Disorganized or in Regroup", unit=unit)


def in_range(table: Table, unit: str) -> bool:
    """8.4-c1: a supply path within the range from its SDM or its source, as they are now; 14.5.1-b: Korsun is one;
    13.4.3-3: so is that of whom it was transferred to; 4.7.4: to either half of an extended division."""
    side, here = table.unit(unit).side, hexset.of(place(table, half) for half in halves(table, (unit,)))
    far, at = supply_range(table, side), table.position.hex_of
    starts = hexset.of(there for sdm in patrons(table, unit) if (there := at(sdm)) is not None and traces(table, sdm))
    depots = hexset.union(stores(table).values()) if side != SOVIET else 0
    from_source = fed(table, side, (sources(table, unit) | depots) & open_to(table, side), far, banks=False)  # 13.3
    return bool((fed(table, side, starts, far) | from_source) & here)


def check_supply(table: Table, unit: str) -> None:
    """8.4-c1. Raises Illegal."""
    if table.position.mark(unit, OOS) is not None:
        raise Illegal("8.4-c1", f"{unit} is out of supply", unit=unit)
    if not in_range(table, unit):
        raise Illegal("8.4-c1", f"{unit} is within the supply range of neither its source nor its SDM", unit=unit)


# 8.4-c4a


@kept
def _near_germans(table: Table) -> HexSet:
    far = table.data.tables["replacements"]["soviet"]["distance"]
    return hexset.within(table.grid, standing(table, table.enemy(SOVIET)), far - 1)


def check_soviet(table: Table, unit: str, at: HexSet, number_: int) -> None:
    """8.4-c4a: far from every German, with few steps left, and not too many at once. Raises Illegal."""
    row = table.data.tables["replacements"]["soviet"]
    before = given(table, unit)
    if steps(table, unit) - before > row["left"]:
        raise Illegal("8.4-c4a", f"{unit} has more than {row['left']} steps left", unit=unit)
    if before + number_ > row["steps"]:
        raise Illegal("8.4-c4a", f"{unit} may take {row['steps']} steps in a turn, and has {before}", unit=unit)
    if at & _near_germans(table):
        raise Illegal("8.4-c4a", f"{unit} is less than {row['distance']} hexes from a German unit", unit=unit)


# 8.2.4: where a unit comes back


def _homes(table: Table, unit: str) -> list[str]:
    """8.2.4, 8.5.1-2: its SDMs; for a tank brigade those of its Front too; 8.5.2-c4: never Korsun's, which bears no
    division's name and no korps'."""
    row = table.unit(unit)
    if row.side == SOVIET and is_a(table, unit, "armor"):
        here = front(table, row)
        return [sdm for sdm in sdms(table, SOVIET) if _front_of(table, sdm) == here]
    return [sdm for sdm in patrons(table, unit) if sdm != KORSUN]


def _front_of(table: Table, sdm: str) -> str:
    someone = next(iter(sorted(clients(table, sdm))), "")
    return front(table, table.unit(someone)) if someone else levels(table, command_of(table, sdm))[-1].id


@kept
def homecoming(table: Table, unit: str) -> HexSet:
    """8.2.4: on or next to its SDM; 8.5.1-2: a Soviet tank brigade next to one; 8.4-c4a: far from every German."""
    side, data = table.unit(unit).side, table.data
    at = table.position.hex_of
    on = hexset.of(h for sdm in _homes(table, unit) if (h := at(sdm)) is not None and traces(table, sdm))
    beside = hexset.across(table.grid, on, data.everywhere)
    found = beside if side == SOVIET and is_a(table, unit, "armor") else on | beside
    found &= data.land & ~standing(table, table.enemy(side))
    if going(table, unit) != "foot":
        found &= ~data.forest | data.road_hexes | hexset.union(data.ways[RAIL])
    return found & ~_near_germans(table) if side == SOVIET else found


def usual_home(table: Table, unit: str) -> Hex:
    """Where a unit comes back that nobody places: where it may stand with those who are there, on its SDM if it can."""
    side, laid = table.unit(unit).side, {table.position.hex_of(sdm) for sdm in _homes(table, unit)}

    def worth(h: Hex) -> tuple[bool, bool, Hex]:
        return breach(table, side, (*units_in(table, h, side), unit), h) is None, h in laid, -h

    return max(hexset.members(homecoming(table, unit)), key=worth)
