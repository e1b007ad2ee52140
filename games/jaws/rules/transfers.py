"""Units fed by another army or korps (13.4.3), because no path leads to their own SDMs."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Fact, Marked
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, place
from engine.table import kept_for_good
from games.jaws.data import GERMAN, Table
from games.jaws.orders.supply import Transfer
from games.jaws.rules.depots import ANY_LENGTH, ATTACHED, KORSUN, PENDING, clients, fed, sdms
from games.jaws.rules.extension import halves
from games.jaws.rules.stalin import army_now, regroups
from games.jaws.rules.supply import always_fed
from games.jaws.rules.units import is_sdm, level, levels


def reaches_own_sdm(table: Table, unit: str) -> bool:
    """13.4.3-1: whether a path of any length leads to an SDM of its own command; 4.7.4: from either half."""
    side, here = table.unit(unit).side, table.position.hex_of
    own = (h for sdm in own_sdms(table, unit) if (h := here(sdm)) is not None)
    traced = fed(table, side, hexset.of(own), ANY_LENGTH)
    return any(traced >> place(table, half) & 1 for half in halves(table, (unit,)))


@kept_for_good
def own_sdms(table: Table, unit: str) -> tuple[str, ...]:
    """The SDMs of a unit's own command; Korsun's feeds every German and is nobody's own (13.2.3)."""
    return tuple(s for s in sdms(table, table.unit(unit).side) if s != KORSUN and unit in clients(table, s))


@kept_for_good
def own_command(table: Table, unit: str) -> str:
    """The army or korps that a unit is printed with."""
    return level(table, table.unit(unit), "army", "korps")


@kept_for_good
def commands(table: Table, side: str) -> list[str]:
    """The armies or korps of a side."""
    bodies = (body for sdm in sdms(table, side) for body in levels(table, sdm.removeprefix("SDM-").partition("-")[0]))
    return sorted({body.id for body in bodies if body.kind in ("army", "korps")})


def check_transfer(table: Table, side: str, order: Transfer) -> None:
    """Raises Illegal."""
    able = commands(table, side)
    if order.command not in able:
        raise Illegal("13.4.3-1", f"{order.command} is no {'korps' if side == GERMAN else 'army'} of yours",
                      alternatives=able)  # fmt: skip
    for unit in order.units:
        if unit not in table.roster or table.unit(unit).side != side or table.position.hex_of(unit) is None:
            raise Illegal("13.4.3-1", f"{unit} is not yours on the map", unit=unit)
        if is_sdm(table, unit) or always_fed(table, unit):
            raise Illegal("13.4.3-1", f"{unit} is no combat unit that needs supply", unit=unit)
        if is_a(table, unit, "pz5") or is_a(table, unit, "pz6"):
            raise Illegal("13.4.3-4", f"{unit} is fed by its own division or korps only", unit=unit)
        if regroups(table, unit, order.command) and order.command != army_now(table, table.unit(unit)):
            continue  # 18.13-b, -c
        if order.command == own_command(table, unit):
            raise Illegal("13.4.3-1", f"{unit} belongs to {order.command}", unit=unit)
        if reaches_own_sdm(table, unit):
            raise Illegal("13.4.3-1", f"a path leads from {unit} to an SDM of its own", unit=unit)


def transferable(table: Table, side: str) -> dict[str, list[str]]:
    """The units that may be transferred now and were not, with the commands they may go to."""
    found = {}
    for unit in table.position.on_map(side):
        if table.position.mark(unit, PENDING) is not None or table.position.mark(unit, ATTACHED) is not None:
            continue
        to = [name for name in commands(table, side) if name != own_command(table, unit)]
        lent = [name for name in to if regroups(table, unit, name)]
        settled = is_sdm(table, unit) or always_fed(table, unit) or reaches_own_sdm(table, unit)
        if not to or settled or to[0] in lent:  # as most are: nobody has to be told why
            if lent:
                found[unit] = lent
        elif passes(check_transfer, table, side, Transfer(units=(unit,), command=to[0])):
            found[unit] = to
    return found


def transfer(table: Table, order: Transfer) -> Iterator[Fact]:
    """13.4.3-1: named; the marker for being out of supply stays; 4.7.4: an extended division goes over whole."""
    for unit in halves(table, order.units):
        yield Marked(subject=unit, mark=PENDING, value=order.command, because="13.4.3-1")
