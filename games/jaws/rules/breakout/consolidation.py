"""Consolidation (16.5.1): what is left of a division becomes infantry regiments before the Breakout."""

from collections.abc import Iterator, Sequence

from engine.facts import Counted, Eliminated, Fact, Placed, StepGained
from engine.orders.choice import Choice, Given, gather, whole
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, number, place
from games.jaws.data import GERMAN, Table
from games.jaws.orders.breakout import Consolidate
from games.jaws.rules.allowance import ALARM_UP
from games.jaws.rules.ammunition import FIRED
from games.jaws.rules.breakout.room import crush
from games.jaws.rules.depots import clients, sdms
from games.jaws.rules.korsun import POCKET, joins_pocket
from games.jaws.rules.losses import lose
from games.jaws.rules.parts import UNUSED, bearing, in_play, is_broken, parent, taken_off, worst
from games.jaws.rules.pocket import gruppe
from games.jaws.rules.recovery import SILENT
from games.jaws.rules.replacements.eligible import is_gone
from games.jaws.rules.replacements.special import ABANDONED, worth
from games.jaws.rules.spending import sp_track
from games.jaws.rules.strength import DRAWN
from games.jaws.rules.units import division, is_sdm, units_in

NOT_THEIRS = (ALARM_UP, DRAWN, FIRED, SILENT)  # what an Alarm unit or a gun bore is nothing to the infantry they become


def steps_given(table: Table, unit: str) -> int:
    """16.5.1-c1: a gun as in 8.6.2, an SDM as in 8.6.5, everybody else what it has."""
    if is_sdm(table, unit):
        return table.data.tables["replacements"]["special"]["sdm"]
    return worth(table, unit) if is_a(table, unit, "artillery") else table.position.steps_left(unit)


def most(table: Table, regiment: str) -> int:
    """16.5.1-c2: five steps, if its counter has as many."""
    return min(table.data.tables["breakout"]["steps"], len(table.unit(regiment).steps))


def total(table: Table, regiment: str, units: Sequence[str]) -> int:
    own = table.position.steps_left(regiment) if table.position.hex_of(regiment) is not None else 0
    return own + sum(steps_given(table, unit) for unit in units)


# What is legal


def _check_giver(table: Table, unit: str, regiment: str, spot: str) -> None:
    """16.5.1-c1, -c4. Raises Illegal."""
    if table.unit(unit).side != GERMAN or table.position.hex_of(unit) is None:
        raise Illegal("16.5.1-c1", f"{unit} is not yours on the map", unit=unit)
    if is_a(table, unit, "armor"):
        raise Illegal("16.5.1-c4", f"{unit} is armor, which merges with nobody", unit=unit)
    if number(table, place(table, unit)) != spot:
        raise Illegal("16.5.1-c1", f"{unit} is not in {spot}: only units of one hex merge", unit=unit, at=spot)
    if is_a(table, unit, "alarm"):  # the men of Korsun's evacuation, of no division
        return
    if is_sdm(table, unit):
        if regiment not in clients(table, unit):
            raise Illegal("8.6.5-p3", f"{regiment} is not of the command of {unit}", unit=unit)
        return
    if table.position.mark(unit, POCKET) is None:
        raise Illegal("16.5", f"{unit} is not of Gruppe Stemmermann", unit=unit)
    if division(table, table.unit(unit)) != division(table, table.unit(regiment)):
        raise Illegal("16.5.1-c1", f"{unit} is not of the {division(table, table.unit(regiment))}", unit=unit)


def check(table: Table, order: Consolidate) -> None:
    """Raises Illegal."""
    regiment, units = order.unit, order.units
    home = division(table, table.unit(regiment))
    if table.unit(regiment).side != GERMAN or not is_a(table, regiment, "breaks") or not home:
        raise Illegal("16.5.1-c1", f"{regiment} is no infantry regiment of a division of yours", unit=regiment)
    if regiment in units or len(set(units)) < len(units):
        raise Illegal("16.5.1-c1", f"name those that merge into {regiment}, each once", unit=regiment)
    here = table.position.hex_of(regiment)
    first = table.position.hex_of(units[0])
    if first is None:
        raise Illegal("16.5.1-c1", f"{units[0]} is not yours on the map", unit=units[0])
    spot = number(table, first if here is None else here)
    for unit in units:
        _check_giver(table, unit, regiment, spot)
    _check_regiment(table, order)
    if (found := total(table, regiment, units)) > most(table, regiment):
        raise Illegal("16.5.1-c2", f"{regiment} would have {found} steps, and {most(table, regiment)} is the most",
                      unit=regiment, instead="Leave out some of", alternatives=units)  # fmt: skip


def _check_regiment(table: Table, order: Consolidate) -> None:
    """16.5.1-c1: there, eliminated, or in parts that all merge into it again. Raises Illegal."""
    regiment = order.unit
    if table.position.hex_of(regiment) is not None:
        if table.position.mark(regiment, POCKET) is None:
            raise Illegal("16.5", f"{regiment} is not of Gruppe Stemmermann", unit=regiment)
        return
    if is_broken(table, regiment):
        left = [part for part in in_play(table, regiment) if part not in order.units]
        if left:
            raise Illegal("16.5.1-c1", f"{regiment} is in parts, and {left[0]} is not among them", unit=regiment,
                          instead="Name too", alternatives=left)  # fmt: skip
    elif not is_gone(table, regiment):
        raise Illegal("16.5.1-c1", f"{regiment} is neither there nor eliminated", unit=regiment)
    if all(is_sdm(table, unit) for unit in order.units):
        raise Illegal("16.5.1-c1", "no regiment is formed of supply markers alone", unit=regiment)
    h = place(table, order.units[0])
    stay = [unit for unit in units_in(table, h, GERMAN) if unit not in order.units]
    if (broken := crush(table, [*stay, regiment], h)) is not None:
        raise Illegal(broken.case, f"{number(table, h)} would be too full: {broken.problem}", at=number(table, h))


# What happens


def consolidate(table: Table, order: Consolidate) -> Iterator[Fact]:
    """16.5.1-c1, -c2: the steps go to the regiment, the units to the Eliminated box."""
    regiment, units = order.unit, order.units
    there = table.position.hex_of(regiment) is not None
    steps, spot = total(table, regiment, units), number(table, place(table, units[0]))
    fighters = [unit for unit in units if not is_sdm(table, unit)]
    marks = worst(table, [*fighters, regiment] if there else fighters)
    marks = {mark: value for mark, value in marks.items() if mark not in NOT_THEIRS}
    if there:
        gained = steps - table.position.steps_left(regiment)
        yield StepGained(unit=regiment, steps=gained, because="16.5.1-c2")
    else:
        yield Placed(unit=regiment, at=spot, lost=len(table.unit(regiment).steps) - steps, because="16.5.1-c1")
    for unit in units:
        yield from _merged(table, unit, regiment)
    yield from bearing(table, regiment, marks, "4.6-5")
    yield from joins_pocket(table, regiment, "16.5.1-c1")


def _merged(table: Table, unit: str, regiment: str) -> Iterator[Fact]:
    if is_sdm(table, unit):
        if table.position.tracks.get(sp_track(unit), 0):
            yield Counted(track=sp_track(unit), value=0, because="8.6.5-p2")
        yield from taken_off(table, unit, ABANDONED, "16.5.1-c1")
    elif parent(table, unit) == regiment:
        yield from taken_off(table, unit, UNUSED, "4.6-p2")
    elif parent(table, unit):
        yield from lose(table, unit, table.position.steps_left(unit), "16.5.1-c1")
    else:
        yield Eliminated(unit=unit, at=number(table, place(table, unit)), because="16.5.1-c1")


# What can be done


def givers(table: Table, regiment: str, spot: str) -> list[str]:
    """Who in a hex may merge into a regiment, one by one."""
    h = table.grid.hex(spot)
    markers = [sdm for sdm in sdms(table, GERMAN) if table.position.hex_of(sdm) == h]
    here = [unit for unit in [*units_in(table, h, GERMAN), *markers] if unit != regiment]
    return [unit for unit in here if passes(_check_giver, table, unit, regiment, spot)]


def regiments(table: Table) -> list[tuple[str, str]]:
    """The regiments that others may merge into, and the hexes where they may."""
    found: list[tuple[str, str]] = []
    own = [u.id for u in table.roster.by_side(GERMAN) if "breaks" in u.classes and division(table, u)]
    bodies: dict[str, set[str]] = {}
    for unit in gruppe(table):
        bodies.setdefault(division(table, table.unit(unit)), set()).add(number(table, place(table, unit)))
    for regiment in own:
        h = table.position.hex_of(regiment)
        if h is not None:
            found += [(regiment, number(table, h))] if table.position.mark(regiment, POCKET) is not None else []
        elif is_gone(table, regiment) or is_broken(table, regiment):
            found += [(regiment, spot) for spot in sorted(bodies.get(division(table, table.unit(regiment)), ()))]
    return found


def choices(table: Table) -> list[Choice]:
    """Regiment by regiment, one unit after another, as far as it has room."""
    found = []
    for regiment, spot in regiments(table):
        able = givers(table, regiment, spot)
        again = Consolidate(units=tuple(in_play(table, regiment)), unit=regiment)
        if again.units and passes(check, table, again):
            found.append(whole(again))

        def more(given: Given, regiment: str = regiment, able: Sequence[str] = tuple(able)) -> list[str]:
            named = given.get("units", ())
            room = most(table, regiment) - total(table, regiment, named)
            later = [unit for unit in able if not named or able.index(unit) > able.index(named[-1])]
            return [unit for unit in later if steps_given(table, unit) <= room]

        if any(passes(check, table, Consolidate(units=(unit,), unit=regiment)) for unit in able):
            found.append(gather(Consolidate, "units", more, lambda order: check(table, order), unit=regiment))
    return found
