"""The German continuous front (22.1): who is bound to the line, what tears it, and how a korps is released."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from engine import hexset
from engine.asks import Ask, Procedure, Roll, Step
from engine.facts import Fact, Marked, Told
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, place
from engine.rules.marks import game_mark
from engine.table import kept, kept_for_good
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.events import NoRelease, Release
from games.jaws.rules.depots import command_of, sdms
from games.jaws.rules.korsun import isolated
from games.jaws.rules.parts import on_map_as, parts_of
from games.jaws.rules.stacking import crowded
from games.jaws.rules.units import makes_zoc, standing, units_in
from games.jaws.rules.zones import projectors

NEAR = 5  # beyond so many hexes of where it stands a unit no longer holds its part of the line
FAR = 8  # so many hexes a ZOC of others may close at the most
TORN = 12  # a line with so many hexes open, and more, is none


def released_mark(korps: str) -> str:
    return f"released {korps}"


@kept
def lines(table: Table) -> dict[str, list[str]]:
    """22.1: by korps that is still bound, its units on the line, whole or in parts, from one end to the other."""
    found = {}
    for korps, units in table.data.tables["front"]["bound"].items():
        if not game_mark(table, released_mark(korps)):
            there = [unit for unit in units if unit in table.data.placed]
            found[korps] = [each for unit in there for each in on_map_as(table, unit)]
    return {korps: units for korps, units in found.items() if units}


@kept
def _holders(table: Table) -> dict[str, str]:
    return {unit: korps for korps, units in lines(table).items() for unit in units}


def bound_to(table: Table, unit: str) -> str:
    """The korps whose line a unit holds; empty if it is free."""
    return _holders(table).get(unit, "")


@kept_for_good
def _bound(table: Table) -> dict[str, str]:
    """The units, and their parts, that ever are on a line, with its korps."""
    rows = table.data.tables["front"]["bound"].items()
    return {each: korps for korps, units in rows for unit in units for each in (unit, *parts_of(table, unit))}


def bound_by(table: Table, units: Sequence[str]) -> list[str]:
    """The korps whose lines these units may hold."""
    korps = _bound(table)
    return [korps[unit] for unit in units if unit in korps]


@kept
def line_state(table: Table, korps: str) -> object:
    """All that where the units of a line may go rests on, but for themselves."""
    spots = [place(table, unit) for unit in lines(table).get(korps, ())]
    if not spots:
        return None
    rows = (unit for unit in table.data.tables["front"]["bound"][korps] if unit in table.data.placed)
    began = [table.grid.hex(table.data.placed[unit]) for unit in rows]
    near = hexset.within(table.grid, hexset.of((*spots, *began)), FAR + 1)
    return spots, projectors(table, GERMAN)[0] & near, standing(table, GERMAN) & near


# What tears it


def _zoc_without(table: Table, movers: Sequence[str]) -> HexSet:
    """The German ZOC, and the hexes Germans stand in, without these units."""
    strong, held = projectors(table, GERMAN)[0], standing(table, GERMAN)
    for h in {place(table, unit) for unit in movers}:
        left = [unit for unit in units_in(table, h, GERMAN) if unit not in movers]
        if not makes_zoc(table, left):
            strong &= ~(1 << h)
        held &= ~0 if left else ~(1 << h)
    return hexset.across(table.grid, strong, table.data.zone_sides) & table.data.land | held


def joined(table: Table, spot: Hex, covered: HexSet) -> HexSet:
    """22.1: what holds the line together with a hex: three hexes around it, and what a German ZOC closes beyond."""
    return _joined(table, spot, covered & _around(table, spot))


@kept_for_good
def _around(table: Table, spot: Hex) -> HexSet:
    """As far as a ZOC can hold the line together with a hex."""
    return hexset.within(table.grid, 1 << spot, FAR)


@kept_for_good
def _joined(table: Table, spot: Hex, covered: HexSet) -> HexSet:
    near = at = 1 << spot
    for _ in range(FAR - 1):
        near = at
        at |= hexset.within(table.grid, near, 1) & covered
        if at == near:
            break
    return hexset.within(table.grid, at, 1) | hexset.within(table.grid, 1 << spot, table.data.tables["front"]["gap"])


def torn(table: Table, a: Hex, b: Hex, reach: HexSet) -> int:
    """By how many hexes two neighbours of the line are too far apart."""
    return 0 if reach >> b & 1 else table.grid.distance(a, b) - table.data.tables["front"]["gap"]


def _torn_to(table: Table, spots: Sequence[Hex], covered: HexSet) -> list[int]:
    """What is torn at the least from the first of these to each of them, if some between are passed over."""
    found, reach = [0], [joined(table, spot, covered) for spot in spots]
    for n in range(1, len(spots)):
        if any(not found[i] and reach[i] >> spots[n] & 1 for i in range(n - 1, -1, -1)):
            found.append(0)  # as most of a line is
        else:
            found.append(min(found[i] + torn(table, spots[i], spots[n], reach[i]) for i in range(n)))
    return found


def _within(table: Table, spots: Sequence[Hex], torn_at: Sequence[int], most: int, covered: HexSet) -> HexSet:
    """The hexes to which no more than so much is torn from the far end of these spots."""
    if not spots:
        return table.data.land
    gap, found = table.data.tables["front"]["gap"], 0
    for spot, lost in zip(spots, torn_at, strict=True):
        if lost <= most:
            found |= joined(table, spot, covered) | hexset.within(table.grid, 1 << spot, gap + most - lost)
    return found


@kept
def anchors(table: Table, korps: str) -> tuple[list[Hex], list[Hex]]:
    """Where the line began and ended, as far as it still reaches there."""
    units = [unit for unit in table.data.tables["front"]["bound"][korps] if unit in table.data.placed]
    line, covered = lines(table)[korps], _zoc_without(table, ())
    found = []
    for start, now in ((units[0], line[0]), (units[-1], line[-1])):
        spot = table.grid.hex(table.data.placed[start])
        found.append([spot] if joined(table, spot, covered) >> place(table, now) & 1 else [])
    return found[0], found[1]


@kept
def torn_now(table: Table, korps: str) -> int:
    """By how many hexes a korps' line is torn already, from where it began to where it ended."""
    first, last = anchors(table, korps)
    spots = [*first, *(place(table, unit) for unit in lines(table)[korps]), *last]
    return _torn_to(table, spots, _zoc_without(table, ()))[-1]


@kept
def holding(table: Table, unit: str, movers: tuple[str, ...]) -> HexSet:
    """22.1: where a bound unit may go, by itself or with others, so that the line is torn no more than it is."""
    land, korps = table.data.land, bound_to(table, unit)
    line, (first, last), now = lines(table)[korps], anchors(table, korps), torn_now(table, korps)
    covered = _zoc_without(table, movers)
    stay = [u for u in line if u == unit or u not in movers]
    n = stay.index(unit)
    before = [*first, *(place(table, u) for u in stay[:n])]
    after = [*(place(table, u) for u in stay[n + 1 :]), *last]
    if now > TORN or not (before or after):
        return land
    if before and after and _torn_to(table, [*before, *after], covered)[-1] <= now:
        return land  # the others hold the line without it
    left, right = _torn_to(table, before, covered), _torn_to(table, after[::-1], covered)[::-1]
    found = 0
    for c in range(now + 1):
        found |= _within(table, before, left, c, covered) & _within(table, after, right, now - c, covered)
    return found & land & hexset.within(table.grid, 1 << place(table, unit), NEAR)


def may_leave(table: Table, side: str, units: Sequence[str]) -> HexSet:
    """22.1: where units may end a move for the line's sake; out of too full a hex, one hex anywhere."""
    found = table.data.land
    if side != GERMAN or not bound_by(table, units):
        return found
    for unit in units:
        if bound_to(table, unit):
            free = holding(table, unit, tuple(units))
            if place(table, unit) in crowded(table, GERMAN):
                free |= hexset.within(table.grid, 1 << place(table, unit), 1)
            found &= free
    return found


def check_line(table: Table, side: str, units: Sequence[str], end: Hex) -> None:
    """Raises Illegal."""
    for unit in units:
        if not may_leave(table, side, (unit,) if len(units) == 1 else units) >> end & 1 and bound_to(table, unit):
            near = hexset.within(table.grid, 1 << place(table, unit), 2) & may_leave(table, side, units)
            raise Illegal("22.1", f"{unit} holds the line of {bound_to(table, unit)}, which would be torn", unit=unit,
                          at=number(table, end), instead="It may go to",
                          alternatives=[number(table, h) for h in hexset.members(near)])  # fmt: skip


# 22.1.4


def rolling(table: Table) -> list[str]:
    """The korps for which a release may be rolled for now."""
    row = table.data.tables["front"]["release"]
    return list(lines(table)) if table.position.turn >= row["turn"] else []


def bonus(table: Table, korps: str) -> Mapping[str, int]:
    """22.1.4: what is added to the die, and why."""
    row = table.data.tables["front"]["release"]
    found = {"turn": table.position.turn - row["turn"]}
    if isolated(table):
        found["Korsun isolated"] = row["isolated"]
    at = table.position.hex_of
    markers = hexset.of(
        h for sdm in sdms(table, GERMAN) if command_of(table, sdm) == korps and (h := at(sdm)) is not None
    )
    if hexset.within(table.grid, markers, row["near_hexes"]) & standing(table, SOVIET):
        found["Soviets near its SDM"] = row["near"]
    return {why: by for why, by in found.items() if by}


def release(table: Table, korps: str) -> Generator[Step, Any, None]:
    """22.1.4: one die; a korps that is released is free for good."""
    die: int = yield Roll(f"release of {korps}")
    more = bonus(table, korps)
    total = die + sum(more.values())
    least = table.data.tables["front"]["release"]["least"]
    said = "".join(f", {why} {by:+}" for why, by in more.items())
    end = "released" if total >= least else "bound"
    yield Told(text=f"Continuous front, {korps}: die {die}{said}: {end}.", because="22.1.4")
    if total >= least:
        yield from let_go(korps)


def let_go(korps: str, case: str = "22.1.4") -> Iterator[Fact]:
    yield Marked(subject="game", mark=released_mark(korps), value="yes", because=case)


def release_segment(table: Table) -> Procedure:
    """3.2-F1A: the German may roll, once for each korps that is bound."""
    if rolling(table):
        order = yield _ask(table)
        named = order.korps if isinstance(order, Release) else None
        for korps in rolling(table) if named is not None else ():
            if named in ("", korps):
                yield from release(table, korps)


def _check(table: Table, order: Order) -> None:
    if isinstance(order, Release) and order.korps and order.korps not in rolling(table):
        raise Illegal("22.1.4", f"{order.korps} is not bound", instead="These are", alternatives=rolling(table))


def _ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    able = rolling(seen)
    return Ask(
        side=GERMAN,
        name="release",
        subject=GERMAN,
        prompt=f"{', '.join(able)} hold the continuous front: roll for their release",
        verbs=(Release, NoRelease),
        check=partial(_check, seen),
        offers=lambda: [Choice(Release), *(whole(Release(korps=korps)) for korps in able), Choice(NoRelease)],
        default=Release,
        case="22.1.4",
        passable=True,
    )
