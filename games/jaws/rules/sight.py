"""Sight (4.4.4, 4.8.1, 11.3): what a side sees of enemy stacks, and what it goes on knowing of them.

Only the top counter of a stack is looked at, and nothing under an improved position or a minefield. Strength chits
and lower counters are seen while the odds of their combat are worked out (12.1.3-B1); after it what was shown is known
as it last was. Where units stand, and whether they have a ZOC or a ZOI, is seen by everybody: who moves pays by it
(10.2).
"""

from collections.abc import Collection, Iterable, Iterator

from engine.facts import Doubted, Fact, LostSight, Noted
from engine.hexes import Hex
from engine.position import UNSEEN, Position
from engine.rules.ground import is_a, number, place
from engine.rules.sight import doubt, glimpsed, sighted
from engine.view import view
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.rules.allowance import ALARM_UP
from games.jaws.rules.extension import body
from games.jaws.rules.strength import DRAWN
from games.jaws.rules.top import TOP, covered, lay, top_of, usual_top
from games.jaws.rules.units import HELD, has_chit, is_cadre, is_sdm, units_in
from games.jaws.rules.zones import TOLD, zone_of


def shows_strength(table: Table, unit: str) -> bool:
    """4.4.5: whether the counter itself tells how many steps it has: cadres have no chit."""
    return not has_chit(table, unit) or is_cadre(table, unit)


def looked_at(table: Table, h: Hex, side: str) -> list[str]:
    """11.3-5: the units of a side in a hex that the other may look at."""
    return shown_of(table, h, side, units_in(table, h, side))


def shown_of(table: Table, h: Hex, side: str, units: list[str]) -> list[str]:
    """The same of those who stand there."""
    if not units or covered(table, h, side):
        return []
    return units if len(units) == 1 else [top_of(table, h, side)]


# What changes when a hex has come to rest


def settled(table: Table, h: Hex, fighting: Collection[str]) -> Iterator[Fact]:
    """The stack in a hex lies as it should, and the other side has looked; chits lie open of those fighting alone."""
    for side in (SOVIET, GERMAN):
        units, spot = units_in(table, h, side), f"@{number(table, h)}"
        if len(units) > 1 and table.position.mark(spot, TOP) not in units:
            yield from lay(table, h, side, usual_top(table, h, side), "11.3-1")
        by = table.enemy(side)
        shown = shown_of(table, h, side, units)
        for unit in units:
            yield from _seen(table, unit, by) if unit in shown else _unseen(table, unit, by)
            if unit in shown and unit not in fighting and not shows_strength(table, unit):
                yield from doubt(table, (unit,), by, "4.4.4")
        if not units:
            yield from forgotten(table, h, side, ())
        yield from _told(table, h, side)


def _marks(position: Position, unit: str, noted: set[str]) -> dict[str, int | str]:
    return {mark: value for mark, value in position.marks.get(unit, {}).items() if mark not in noted}


def _seen(table: Table, unit: str, by: str) -> Iterator[Fact]:
    """A counter that lies open: where it is, its markers, and its steps if it shows them."""
    position, known = table.position, view(table.position, by)
    if known is position:
        return
    same = known.where.get(unit) == position.where[unit]
    same = same and _marks(known, unit, position.noted) == _marks(position, unit, position.noted)
    sure, lost = unit not in known.unsure, known.lost.get(unit, 0)
    if shows_strength(table, unit):
        if not same or not sure or lost != position.lost.get(unit, 0):
            yield sighted(table, unit, by, "11.3-5")
    elif sure and lost == len(table.unit(unit).steps) - 1:
        yield sighted(table, unit, by, "4.4.5", strength=False)  # it was a cadre
    elif not same:
        yield from glimpsed(table, unit, by, "11.3-5")
    if is_a(table, unit, "alarm") and position.mark(unit, ALARM_UP) is None:
        yield from _drawn(table, unit, by)


def _drawn(table: Table, unit: str, by: str) -> Iterator[Fact]:
    """4.8.1: the strength of an Alarm unit on its unit side."""
    value = table.position.mark(unit, DRAWN)
    if view(table.position, by).mark(unit, DRAWN) != value:
        yield Noted(subject=unit, mark=DRAWN, value=value, because="4.8.2-c", only=(by,))


def _unseen(table: Table, unit: str, by: str) -> Iterator[Fact]:
    """Who comes onto the map unseen is no longer where he waited; who was seen before is remembered where that was."""
    known = view(table.position, by)
    if known is not table.position and known.hex_of(unit) is None and known.where.get(unit) != UNSEEN:
        yield LostSight(unit=unit, by=by, kept=unit in known.where, because="11.3-5", only=(by,))


def forgotten(table: Table, h: Hex, side: str, there: Iterable[str]) -> Iterator[Fact]:
    """Units that a side was believed to have in a hex, and that are seen not to be there."""
    by, here = table.enemy(side), set(there)
    known = view(table.position, by)
    if known is not table.position:
        for unit in known.at(h):
            if table.unit(unit).side == side and not is_sdm(table, unit) and unit not in here:
                yield LostSight(unit=unit, by=by, kept=True, because="11.3-5", only=(by,))


def _told(table: Table, h: Hex, side: str) -> Iterator[Fact]:
    """10.2: the zone of a hex, and that somebody holds it, where what a side sees would make it believe otherwise."""
    by, spot = table.enemy(side), f"@{number(table, h)}"
    seen = table.seen_by(by)
    if seen is table:
        return
    there = units_in(table, h, side)
    wanted: dict[str, int | str | None] = {TOLD[side]: None, HELD[side]: None}
    if there:
        known, truly = units_in(seen, h, side), zone_of(table, there)
        wanted[TOLD[side]] = truly if truly != zone_of(seen, known) else None
        wanted[HELD[side]] = None if known else 1
    for mark, value in wanted.items():
        if seen.position.mark(spot, mark) != value:
            yield Noted(subject=spot, mark=mark, value=value, because="10.2", only=(by,))


# Combat (12.1.3)


def identified(table: Table, units: Iterable[str], by: str) -> Iterator[Fact]:
    """12.1.3: those that attack, and guns that fire, are named; their chits are not shown yet."""
    for unit in units:
        if unit in looked_at(table, place(table, unit), table.unit(unit).side):
            continue
        yield from (
            [sighted(table, unit, by, "12.1.3")] if shows_strength(table, unit) else glimpsed(table, unit, by, "12.1.3")
        )


def shown(table: Table, units: Iterable[str], by: str) -> Iterator[Fact]:
    """12.1.3-B1: strengths as they are; the chit of an extended division lies with its other half (4.7.2-1)."""
    for unit in _with_chits(table, units):
        yield sighted(table, unit, by, "12.1.3-B1")
        if is_a(table, unit, "alarm"):
            yield from _drawn(table, unit, by)


def _with_chits(table: Table, units: Iterable[str]) -> list[str]:
    found = dict.fromkeys(each for unit in units for each in (unit, body(table, unit)))
    return [unit for unit in found if table.position.hex_of(unit) is not None]


def closed(table: Table, units: Iterable[str], by: str) -> Iterator[Doubted]:
    """11.3-5: the chits are covered again, and the counters below the top."""
    left = _with_chits(table, units)
    open_ = {unit for unit in left if unit in looked_at(table, place(table, unit), table.unit(unit).side)}
    yield from doubt(table, (u for u in left if u not in open_ or not shows_strength(table, u)), by, "11.3-5")
