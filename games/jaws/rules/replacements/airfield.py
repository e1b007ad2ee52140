"""Korsun airfield abandoned (8.6.4): its men become Alarm units, its stock goes to the SDMs of the pocket."""

from collections import Counter
from collections.abc import Generator, Iterator
from functools import partial
from typing import Any

from engine.asks import Ask, Roll, Step
from engine.facts import Counted, Fact, Marked, Noted, Placed, Told
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.position import ELIMINATED
from engine.refusals import Illegal
from engine.rules.ground import is_a, number, place
from engine.rules.marks import set_game
from engine.rules.pools import in_pool
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.optional import Carry
from games.jaws.orders.supply import Stock
from games.jaws.orders.turn import End
from games.jaws.rules.allowance import ALARM_UP
from games.jaws.rules.depots import fed, sdms
from games.jaws.rules.isolation import markers
from games.jaws.rules.korsun import ABANDONED, AIRFIELD, LIFT, POCKET_KORPS, stock, stocked, town
from games.jaws.rules.spending import DROPPED, STORED, sp_track
from games.jaws.rules.stores import BUILDING, DEPOT, FIELD, held, put, site
from games.jaws.rules.strength import DRAWN, STRENGTHS
from games.jaws.rules.units import standing

PLACES = {"airfield": FIELD, "depot": DEPOT}  # 18.8, 18.9: what `carry` calls them


def abandoned(table: Table) -> Generator[Step, Any, None]:
    """8.6.4: the declaration and all that it brings."""
    yield from set_game(table, ABANDONED, str(table.position.turn), "8.6.4-p1")
    yield from set_game(table, AIRFIELD, None, "8.6.4-p4")
    if table.position.tracks.get(LIFT, 0):
        yield Counted(track=LIFT, value=0, because="8.6.4-p4")
    yield from _called_up(table)
    yield from _emptied(table)
    while takers(table) or shelters(table):
        order = yield _ask(table)
        if isinstance(order, End):
            break
        yield from _carried(table, order) if isinstance(order, Carry) else _stored(table, order)
    if stock(table):
        yield Told(text=f"{stock(table)} SPs of Korsun are lost.", because="8.6.4-p3")
        yield from stocked(table, 0, "8.6.4-p3")


def _called_up(table: Table) -> Generator[Step, Any, None]:
    """8.6.4-p2: three Alarm units out of the Eliminated box; which of the counters there come is drawn by their
    strengths, for these alone tell them apart."""
    if standing(table, SOVIET) >> town(table) & 1:
        return
    own = table.roster.by_side(GERMAN)
    left = [u.id for u in own if is_a(table, u.id, "alarm") and table.position.where.get(u.id) == ELIMINATED]
    for unit in left[: table.data.tables["replacements"]["special"]["alarms"]]:
        strengths = _in_the_box(table)
        yield Placed(unit=unit, at=number(table, town(table)), lost=0, because="8.6.4-p2")
        yield Marked(subject=unit, mark=ALARM_UP, because="8.6.4-p2")
        die: int = yield Roll("Alarm unit", sides=len(strengths), stream="alarm", only=(GERMAN,))
        yield Noted(subject=unit, mark=DRAWN, value=strengths[die - 1], because="4.8.1", only=(GERMAN,))


def _in_the_box(table: Table) -> list[int]:
    """4.8.1: the strengths of the Alarm counters that are neither on the map nor still in the cup."""
    out = [int(n) for n in in_pool(table, STRENGTHS)]
    out += [int(table.position.mark(unit, DRAWN) or 0) for unit in table.position.on_map(GERMAN)]
    return sorted((Counter(table.data.tables["alarm"]["strengths"]) - Counter(out)).elements())


def _pocket_sdms(table: Table) -> list[str]:
    """8.6.4-p3: the SDMs of Gruppe Stemmermann on the map."""
    own = {sdm for name in POCKET_KORPS for sdm in markers(table, name)}
    return [sdm for sdm in sdms(table, GERMAN) if sdm in own and table.position.hex_of(sdm) is not None]


def _emptied(table: Table) -> Iterator[Fact]:
    """8.6.4-p3: all of them lie on their front side."""
    for sdm in _pocket_sdms(table):
        if table.position.tracks.get(sp_track(sdm), 0):
            yield Counted(track=sp_track(sdm), value=0, because="8.6.4-p3")
        if table.position.mark(sdm, DROPPED) is not None:
            yield Noted(subject=sdm, mark=DROPPED, value=None, because="8.6.4-p3")


def takers(table: Table) -> dict[str, int]:
    """8.6.4-p3: the SDMs with a path of eight hexes or less to Korsun, and how many SPs each can still take."""
    far = table.data.tables["replacements"]["special"]["transfer"]
    near = fed(table, GERMAN, 1 << town(table), far) | 1 << town(table)
    found = {}
    for sdm in _pocket_sdms(table):
        room = table.unit(sdm).value("capacity") - table.position.tracks.get(sp_track(sdm), 0)
        if near >> place(table, sdm) & 1 and min(room, stock(table)) > 0:
            found[sdm] = min(room, stock(table))
    return found


def shelters(table: Table) -> dict[str, int]:
    """8.6.4-p3: the options' airfield and depot, if they are done, and how many SPs each can still take."""
    most = table.data.tables["supply"]["korsun"]["most"]
    done = {name: mark for name, mark in PLACES.items() if (found := site(table, mark)) and found[1] != BUILDING}
    rooms = {name: min(stock(table), most - held(table, mark)) for name, mark in done.items()}
    return {name: room for name, room in rooms.items() if room > 0}


def _carried(table: Table, order: Carry) -> Iterator[Fact]:
    yield from stocked(table, stock(table) - order.points, "8.6.4-p3")
    yield from put(table, PLACES[order.place], held(table, PLACES[order.place]) + order.points, "8.6.4-p3")


def _stored(table: Table, order: Stock) -> Iterator[Fact]:
    """8.6.4-p3: they stay in the SDM until they are spent, whatever 14.2 says."""
    now = table.position.tracks.get(sp_track(order.sdm), 0)
    yield from stocked(table, stock(table) - order.points, "8.6.4-p3")
    yield Counted(track=sp_track(order.sdm), value=now + order.points, because="8.6.4-p3")
    before = int(table.position.mark(order.sdm, STORED) or 0)
    yield Noted(subject=order.sdm, mark=STORED, value=before + order.points, because="8.6.4-p3")


def _check(table: Table, order: Order) -> None:
    """Raises Illegal."""
    if isinstance(order, Stock) and not 0 < order.points <= takers(table).get(order.sdm, 0):
        able = [f"{sdm} {most}" for sdm, most in takers(table).items()]
        raise Illegal("8.6.4-p3", f"{order.points} SPs cannot go from Korsun to {order.sdm}", unit=order.sdm,
                      instead="As many as this can", alternatives=able)  # fmt: skip
    if isinstance(order, Carry) and not 0 < order.points <= shelters(table).get(order.place, 0):
        able = [f"{place} {most}" for place, most in shelters(table).items()]
        raise Illegal("8.6.4-p3", f"{order.points} SPs cannot go from Korsun to the second {order.place}",
                      instead="As many as this can", alternatives=able)  # fmt: skip


def _all_to_one(table: Table) -> Order:
    """As many as one of them can take, an SDM first."""
    orders: list[Order] = [Stock(sdm=sdm, points=most) for sdm, most in _by_room(takers(table))]
    orders += [Carry(place=place, points=most) for place, most in _by_room(shelters(table))]
    return orders[0]


def _by_room(rooms: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(rooms.items(), key=lambda row: -row[1])


def _ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    return Ask(
        side=GERMAN,
        name="stock",
        subject="Korsun",
        prompt=f"{stock(seen)} SPs of Korsun for the SDMs of the pocket; `end` gives up the rest",
        verbs=(Stock, Carry, End) if shelters(seen) else (Stock, End),
        check=partial(_check, seen),
        offers=lambda: [Choice(End), *(pick(Stock, "points", partial(range, 1, n + 1), sdm=s)
                                       for s, n in takers(seen).items()),
                        *(pick(Carry, "points", partial(range, 1, n + 1), place=p)
                          for p, n in shelters(seen).items())],
        default=partial(_all_to_one, seen),
        case="8.6.4-p3",
        passable=True,
    )  # fmt: skip
