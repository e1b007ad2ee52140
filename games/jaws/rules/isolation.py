"""The German Declaration Segment (3.2-F1B): Korsun (13.1.3, 14.5.1) and korps (16.2) isolated, Wanda, Breakout."""

from collections.abc import Iterator
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Counted, Fact, Noted, Placed, Told
from engine.hexset import HexSet
from engine.orders.choice import Choice, Given, gather, pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, numbers
from engine.rules.marks import game_mark, set_game, wipe
from engine.table import kept
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.breakout import DeclareBreakout, Wanda
from games.jaws.orders.events import AirfieldAbandoned
from games.jaws.orders.optional import Lodge
from games.jaws.orders.supply import FallBack, Isolate, KorsunIsolated, Stock
from games.jaws.orders.turn import End
from games.jaws.rules import campaign, wanda
from games.jaws.rules.breakout import declaring
from games.jaws.rules.depots import (
    BOX,
    KORSUN,
    RELOCATED,
    command_of,
    farthest,
    line_to,
    patrons,
    relocated,
    sdms,
    terminals,
)
from games.jaws.rules.events import SPENDING
from games.jaws.rules.front_line import let_go
from games.jaws.rules.ground import open_to, road_sides, supply_sides
from games.jaws.rules.korsun import (
    ABANDONED,
    AIRFIELD,
    DECLARED,
    ISOLATED,
    POCKET_KORPS,
    airfield_since,
    check_abandoned,
    field_lost,
    isolated,
    joins_pocket,
    may_abandon,
    retaken,
    special_source,
    stock,
    stocked,
    town,
)
from games.jaws.rules.pocket import STEPS, combat_units, counted, cut_off, pathless, sources
from games.jaws.rules.spending import DROPPED, FROM_KORSUN, sp_track, stored
from games.jaws.rules.stores import stores
from games.jaws.rules.units import is_sdm, korps, levels, standing
from games.jaws.rules.withdrawing import FELL, check_fall_back, fall_back, falls_back_to


def isolated_on(table: Table, name: str) -> int:
    """16.2: the turn on which Korps Isolation was declared for a korps; 0 if it was not."""
    return int(game_mark(table, f"isolated {name}") or 0)


# 3.2-F1B


def declarations(table: Table) -> Procedure:
    """3.2-F1B: one after another; 16.3-p4: first what is over is taken off; 23.8: a pocket that could be declared for
    the first time is counted."""
    yield from wanda.ends(table)
    if may_isolate_korsun(table) and STEPS not in table.position.tracks:
        yield from counted(table, "23.8")
    while _open(table):
        order = yield _ask(table)
        if isinstance(order, End):
            break
        if isinstance(order, KorsunIsolated):
            yield from _korsun(table)
        elif isinstance(order, Isolate):
            yield from _isolate(table, order)
        elif isinstance(order, Stock):
            yield from _stock(table, order)
        elif isinstance(order, AirfieldAbandoned):
            yield from set_game(table, ABANDONED, DECLARED, "8.6.4-p1")
        elif isinstance(order, Wanda):
            yield from wanda.declared(table)
        elif isinstance(order, DeclareBreakout):
            yield from declaring.declared(table)
            yield from campaign.breakout_declared(table)
        elif isinstance(order, FallBack):
            yield from fall_back(table, order, lambda unit: havens(table, korps(table, table.unit(unit))))
    yield from wipe(table, (FELL,), "16.2-p4")


def _open(table: Table) -> bool:
    given_up = may_abandon(table) and airfield_since(table) < table.position.turn  # else in the Replacement Segment
    korsun = may_isolate_korsun(table) or retaken(table) or given_up
    more = wanda.may_declare(table) or declaring.may_declare(table)
    return korsun or more or bool(isolable(table)) or bool(_needy(table)) or bool(_falling(table))


# Korsun (13.1.3, 14.5.1)


def may_isolate_korsun(table: Table) -> bool:
    """13.1.3: no uninterrupted line of rail from Korsun to a German map-edge source."""
    here = town(table)
    return bool(table.data.land >> here & 1) and not isolated(table) and not terminals(table) >> here & 1


def _korsun(table: Table) -> Iterator[Fact]:
    """14.5.1-a: 15 SPs, the first time; 14.5.2-1: without them if the airfield is only opened again; not yet opened, if
    Soviets have taken it."""
    turn = str(table.position.turn)
    if retaken(table):
        yield from set_game(table, AIRFIELD, turn, "14.5.2-1")
        return
    yield from set_game(table, ISOLATED, turn, "13.1.3")
    if not field_lost(table):
        yield from set_game(table, AIRFIELD, turn, "14.5.1-a")
    yield from stocked(table, table.data.tables["supply"]["korsun"]["points"], "14.5.1-a")
    yield Placed(unit=KORSUN, at=BOX, because="13.2.3")
    for unit in combat_units(table):
        if cut_off(table, unit):
            yield from joins_pocket(table, unit, "2.8-h")
    yield from counted(table, "23.8")


def trickle(table: Table) -> Iterator[Fact]:
    """14.5.1-e: two SPs while a road of any length leads from Korsun to a rail terminal in use or a source."""
    if not special_source(table):
        return
    led = hexset.flood(table.grid, sources(table), open_to(table, GERMAN), road_sides(table, GERMAN))
    if led >> town(table) & 1:
        yield from stocked(table, stock(table) + table.data.tables["supply"]["korsun"]["trickle"], "14.5.1-e")


# Korps (16.2)


def havens(table: Table, name: str) -> HexSet:
    """16.2-p1: the three hexes of a korps that are in play."""
    return table.data.area(f"{name} relocation") & table.data.land


def _open_havens(table: Table, name: str) -> list[str]:
    """16.2-p1: those of them that an SDM may be put in: none with Soviets."""
    return numbers(table, havens(table, name) & ~standing(table, SOVIET))


@kept
def isolable(table: Table) -> list[str]:
    """16.2: the korps with a unit that has no path of any length to Korsun or a source, not declared yet."""
    home = 1 << town(table) & table.data.land | hexset.union(stores(table).values())  # 18.8-c4, 18.9
    starts = sources(table) | home & open_to(table, GERMAN)
    fed = hexset.flood(table.grid, starts, open_to(table, GERMAN), supply_sides(table, GERMAN))

    def shut_in(unit: str) -> bool:
        return pathless(table, unit, fed, patrons(table, unit))

    return [n for n in POCKET_KORPS if not isolated_on(table, n) and any(map(shut_in, members(table, n)))]


def members(table: Table, name: str) -> list[str]:
    """The units of a korps on the map."""
    units = (u for u in table.position.on_map(GERMAN) if not is_sdm(table, u))
    return [unit for unit in units if korps(table, table.unit(unit)) == name]


def markers(table: Table, name: str) -> list[str]:
    """16.2-p1: the SDMs of a korps and of its divisions that are in play."""
    where = table.position.where
    own = [s for s in sdms(table, GERMAN) if name in [body.id for body in levels(table, command_of(table, s))]]
    return [sdm for sdm in own if where.get(sdm) == BOX or table.position.hex_of(sdm) is not None]


def _isolate(table: Table, order: Isolate) -> Iterator[Fact]:
    """16.2-p1: the SDMs go to the hexes named; if Korsun was never activated each has three SPs, else what is moved to
    it, and what it may keep (8.6.4-p3)."""
    yield from set_game(table, f"isolated {order.command}", str(table.position.turn), "16.2")
    yield from let_go(order.command, "16.2-p5")
    yield Told(text=f"Korps Isolation: the {order.command} is free of the continuous front.", because="16.2-p5")
    points = table.data.tables["supply"]["isolation"]["points"]
    for sdm, (spot,) in order.places:
        value = stored(table, sdm) if isolated(table) else points
        yield Placed(unit=sdm, at=spot, because="16.2-p1")
        yield Noted(subject=sdm, mark=RELOCATED, because="16.2-p2")
        for mark in (FROM_KORSUN, DROPPED):
            if table.position.mark(sdm, mark) is not None:
                yield Noted(subject=sdm, mark=mark, value=None, because="16.2-p2")
        yield Counted(track=sp_track(sdm), value=min(value, table.unit(sdm).value("capacity")), because="16.2-p1")


def restored(table: Table) -> Iterator[Fact]:
    """16.2-p2: an SDM of an isolated korps is an ordinary one again once a road leads to it from a source."""
    for sdm in sdms(table, GERMAN):
        here = table.position.hex_of(sdm)
        if here is None or not relocated(table, sdm):
            continue
        line = line_to(table, sdm, here)
        if line is not None and line[2] <= farthest(table, sdm):
            yield Noted(subject=sdm, mark=RELOCATED, value=None, because="16.2-p2")
            yield Told(text=f"A road leads from a source to {sdm} again.", because="16.2-p2")


def _needy(table: Table) -> dict[str, int]:
    """16.2-p1: the SDMs put down this turn, with the SPs that may be moved to each from the Korsun Supply Track."""
    found = {}
    for name in POCKET_KORPS:
        if isolated_on(table, name) != table.position.turn or not isolated(table):
            continue
        for sdm in markers(table, name):
            room = table.unit(sdm).value("capacity") - table.position.tracks.get(sp_track(sdm), 0)
            if relocated(table, sdm) and min(room, stock(table)) > 0:
                found[sdm] = min(room, stock(table))
    return found


def _stock(table: Table, order: Stock) -> Iterator[Fact]:
    now = table.position.tracks.get(sp_track(order.sdm), 0)
    yield Counted(track=sp_track(order.sdm), value=now + order.points, because="16.2-p1")
    yield from stocked(table, stock(table) - order.points, "16.2-p1")


def _falling(table: Table) -> dict[str, list[str]]:
    """16.2-p4: the units of korps isolated on this turn that may still fall back, and where to."""
    found = {}
    for name in POCKET_KORPS:
        if isolated_on(table, name) == table.position.turn:
            for unit in members(table, name):
                if spots := falls_back_to(table, unit, havens(table, name)):
                    found[unit] = spots
    return found


# The ask


def _check(table: Table, order: Order) -> None:
    """Raises Illegal."""
    if isinstance(order, KorsunIsolated) and not (may_isolate_korsun(table) or retaken(table)):
        problem = "it is declared" if isolated(table) else "a line of rail leads from Korsun to a source"
        raise Illegal("13.1.3", f"Korsun cannot be declared isolated: {problem}", at=number(table, town(table)))
    if isinstance(order, Isolate):
        _check_isolate(table, order)
    elif isinstance(order, Stock):
        able = _needy(table)
        if not 0 < order.points <= able.get(order.sdm, 0):
            most = [f"{sdm} {number}" for sdm, number in able.items()]
            raise Illegal("16.2-p1", f"{order.points} SPs cannot go from Korsun to {order.sdm}", unit=order.sdm,
                          instead="As many as this can", alternatives=most)  # fmt: skip
    elif isinstance(order, AirfieldAbandoned):
        check_abandoned(table)
    elif isinstance(order, Wanda):
        wanda.check_wanda(table)
    elif isinstance(order, DeclareBreakout):
        declaring.check_breakout(table)
    elif isinstance(order, FallBack):
        for unit in order.units:
            name = korps(table, table.unit(unit)) if unit in table.roster else ""
            if name not in POCKET_KORPS or isolated_on(table, name) != table.position.turn:
                raise Illegal("16.2-p4", f"{unit} is of no korps that was declared isolated now", unit=unit)
            check_fall_back(table, unit, order.to, havens(table, name))


def _check_isolate(table: Table, order: Isolate) -> None:
    able = isolable(table)
    if order.command not in able:
        raise Illegal("16.2", f"Korps Isolation cannot be declared for the {order.command}: "
                      "every unit has a path to Korsun or a source, or it was declared", alternatives=able)  # fmt: skip
    spots, own = _open_havens(table, order.command), markers(table, order.command)
    named = [sdm for sdm, _ in order.places]
    for sdm, (spot,) in order.places:
        if named.count(sdm) > 1:
            raise Illegal("16.2-p1", f"{sdm} is put in two hexes", unit=sdm)
        if sdm not in own:
            raise Illegal("16.2-p1", f"{sdm} is no SDM of the {order.command}", unit=sdm, alternatives=own)
        if spot not in spots:
            raise Illegal("16.2-p1", f"{sdm} may not be put in {spot}", unit=sdm, at=spot, instead="It may in",
                          alternatives=spots)  # fmt: skip


def _choices(table: Table) -> list[Choice]:
    found = [Choice(End)]
    if may_isolate_korsun(table) or retaken(table):
        found.append(Choice(KorsunIsolated))
    if may_abandon(table):
        found.append(Choice(AirfieldAbandoned))
    if wanda.may_declare(table):
        found.append(Choice(Wanda))
    if declaring.may_declare(table):
        found.append(Choice(DeclareBreakout))
    for name in isolable(table):

        def places(given: Given, name: str = name) -> Iterator[tuple[str, tuple[str, ...]]]:
            named = {sdm for sdm, _ in given.get("places", ())}
            for sdm in markers(table, name):
                if sdm not in named:
                    yield from ((sdm, (spot,)) for spot in _open_havens(table, name))

        found.append(Choice(Isolate, {"command": name}))
        if _open_havens(table, name) and markers(table, name):  # else it names none
            found.append(gather(Isolate, "places", places, command=name))
    found += [pick(Stock, "points", partial(range, 1, most + 1), sdm=sdm) for sdm, most in _needy(table).items()]
    return found + [pick(FallBack, "to", partial(list, to), units=(unit,)) for unit, to in _falling(table).items()]


def _ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    given_up = game_mark(seen, ABANDONED) == DECLARED  # 8.6.4-p3: its stock goes out in the Replacement Segment
    stock_here = not given_up or bool(_needy(seen))
    return Ask(
        side=GERMAN,
        name="declarations",
        subject=GERMAN,
        prompt="what you declare: isolation, Operation Wanda, the Breakout; `end` declares nothing more",
        verbs=(
            KorsunIsolated,
            AirfieldAbandoned,
            Wanda,
            DeclareBreakout,
            Isolate,
            *((Stock,) if stock_here else ()),
            FallBack,
            End,
        ),
        check=partial(_check, seen),
        offers=partial(_choices, seen),
        default=End,
        case="3.2-F1B",
        top=True,
        onward=(*((Stock, Lodge) if given_up else ()), *SPENDING),
    )
