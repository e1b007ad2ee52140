"""The Supply and Command Phase's choices: replacements (14) and destroyed HQs that return (1.5-f)."""

from collections.abc import Generator, Iterator
from typing import Any

from engine import hexset
from engine.asks import Ask, Step
from engine.facts import Counted, Fact, Placed, StepGained
from engine.hexset import HexSet
from engine.orders.choice import Choice, Given, gather
from engine.orders.order import Order
from engine.position import ELIMINATED
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, number
from games.korsun_vv.data import Table
from games.korsun_vv.names import COMMAND, GERMAN, OUT, RUSSIAN, SUPPLY
from games.korsun_vv.orders import End, Replace
from games.korsun_vv.rules.formations import chief
from games.korsun_vv.rules.ground import count, enemy_zoc, is_hq, is_mech, members
from games.korsun_vv.rules.movement import took
from games.korsun_vv.rules.placing import place_ask
from games.korsun_vv.rules.supply import fed_by_air, fed_by_ground

POOLS = {True: "armour steps", False: "infantry steps"}  # by whether the unit is armoured or mechanized


# Replacements (14)


def begin_replacements(table: Table) -> Iterator[Fact]:
    """14-a: fresh steps every turn; what was left over is lost."""
    row = table.data.tables["replacements"]
    if table.position.turn >= row["first_turn"]:
        for track, steps in (("armour steps", row["armour"]), ("infantry steps", row["infantry"])):
            yield Counted(track=track, value=steps, because="14-a")


def replaceable(table: Table) -> list[str]:
    """14-b, 14-c: reduced units in supply and command for which there is still a step."""
    return [u for u in table.position.on_map(RUSSIAN) if _bar(table, u) is None]


def _bar(table: Table, unit: str) -> tuple[str, str] | None:
    """Why a unit can be given no step: the case, and the reason in words."""
    position = table.position
    if table.unit(unit).side != RUSSIAN or position.hex_of(unit) is None or is_hq(table, unit):
        return "14-b", "is no Russian unit on the map"
    if not (is_mech(table, unit) or is_a(table, unit, "infantry")):
        return "14-b", "is neither infantry nor armour"
    if not position.lost.get(unit, 0):
        return "14-b", "has lost no steps"
    if position.mark(unit, SUPPLY) is not None:
        return "10.3-c", f"is {position.mark(unit, SUPPLY)}"
    if position.mark(unit, COMMAND) == OUT:
        return "8.2-c", "is out of command"
    if position.tracks.get(POOLS[is_mech(table, unit)], 0) < 1:
        return "14-a", f"finds no {POOLS[is_mech(table, unit)]}"
    return None


def replacements(table: Table) -> Generator[Step, Any, None]:
    """14-a: all in one order; what is not used is lost."""
    order: Order = (yield _replace_ask(table)) if replaceable(table) else End()
    if isinstance(order, Replace):
        for unit in order.units:
            yield StepGained(unit=unit, because="14-b")
    for track in POOLS.values():
        yield from count(table, track, 0, "14-a")


def _check_replace(table: Table, order: Order) -> None:
    if not isinstance(order, Replace):
        return
    for unit in order.units:
        bar = _bar(table, unit)
        if bar is not None:
            raise Illegal(bar[0], f"{unit} {bar[1]}", unit=unit, instead="Units that can be given a step",
                          alternatives=replaceable(table))  # fmt: skip
    for mech, track in POOLS.items():
        wanted = sum(1 for unit in order.units if is_mech(table, unit) == mech)
        if wanted > table.position.tracks.get(track, 0):
            problem = f"{wanted} {track} are asked for, and there are {table.position.tracks[track]}"
            raise Illegal("14-a", problem, instead="Leave out some of", alternatives=list(order.units))


def _replace_ask(table: Table) -> Ask:
    seen = table.seen_by(RUSSIAN)
    tracks = table.position.tracks
    have = ", ".join(f"{tracks.get(track, 0)} {track}" for track in POOLS.values())

    def candidates(given: Given) -> Iterator[str]:
        named = given.get("units", ())
        able = (unit for unit in replaceable(seen) if unit not in named)
        return (unit for unit in able if passes(_check_replace, seen, Replace(units=(*named, unit))))

    def default() -> Order:
        chosen: tuple[str, ...] = ()
        for unit in replaceable(seen):
            if passes(_check_replace, seen, Replace(units=(*chosen, unit))):
                chosen = (*chosen, unit)
        return Replace(units=chosen)

    return Ask(
        side=RUSSIAN,
        name="replacements",
        subject=RUSSIAN,
        prompt=f"replacements: {have}, one for a unit, all in one order; `end` uses none",
        verbs=(Replace, End),
        check=lambda order: _check_replace(seen, order),
        offers=lambda: [Choice(End), gather(Replace, "units", candidates)],
        default=default,
        case="14-a",
        top=True,
    )


# Destroyed HQs (1.5-f)


def destroyed(table: Table) -> list[str]:
    """HQs that may come back now, the Russian's first."""
    units = [*table.roster.by_side(RUSSIAN), *table.roster.by_side(GERMAN)]
    return [u.id for u in units if "hq" in u.classes and table.position.where.get(u.id) == ELIMINATED]


def refuges(table: Table, hq: str) -> HexSet:
    """1.5-f: supplied hexes out of the enemy's zones; for HQ Stemmermann, where units of its own are (13.2-a)."""
    side = table.unit(hq).side
    fed = fed_by_ground(table, side)
    if hq == chief(table):
        spots = [table.position.hex_of(unit) for unit in members(table, hq)]
        fed = (fed | fed_by_air(table)) & hexset.of(h for h in spots if h is not None)
    return fed & ~enemy_zoc(table, side)


def returns(table: Table) -> Generator[Step, Any, None]:
    """Each destroyed HQ goes where its owner likes; without a hex for it, it waits for the next turn."""
    for hq in destroyed(table):
        side = table.unit(hq).side
        if refuges(table, hq):
            order = yield place_ask(
                table,
                side,
                "return",
                (hq,),
                f"{hq} was destroyed and returns: place it in a supplied hex out of enemy zones of control",
                room=refuges,
                spots=spots,
                rule="returns to a supplied hex out of enemy zones of control",
                case="1.5-f",
            )
            yield Placed(unit=hq, at=order.at, lost=0, because="1.5-f")
            yield from took(table, side, [table.grid.hex(order.at)])


def spots(table: Table, hq: str) -> list[str]:
    """Refuges, those nearest to the formation's units first."""
    units = [h for unit in members(table, hq) if (h := table.position.hex_of(unit)) is not None]

    def far(h: int) -> int:
        return sum(table.grid.distance(h, other) for other in units)

    found = sorted(hexset.members(refuges(table, hq)), key=lambda h: (far(h), h))
    return [number(table, h) for h in found[:24]]
