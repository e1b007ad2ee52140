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
from games.jaws.orders.optional import Lodge
from games.jaws.orders.supply import Stock
from games.jaws.orders.turn import End
from games.jaws.rules.allowance import ALARM_UP
from games.jaws.rules.depots import far_along, sdms
from games.jaws.rules.ground import occupied
from games.jaws.rules.korsun import ABANDONED, AIRFIELD, LIFT, stock, stocked, town
from games.jaws.rules.pocket import linked
from games.jaws.rules.replacements.special import ABANDONED as REMOVED
from games.jaws.rules.spending import DROPPED, FROM_KORSUN, STORED, sp_track
from games.jaws.rules.stores import SITES, at_work, held, put
from games.jaws.rules.strength import DRAWN, STRENGTHS
from games.jaws.rules.units import standing


def abandoned(table: Table) -> Generator[Step, Any, None]:
    """8.6.4: the declaration and all that it brings."""
    yield from set_game(table, ABANDONED, str(table.position.turn), "8.6.4-p1")
    yield from set_game(table, AIRFIELD, None, "8.6.4-p4")
    if table.position.tracks.get(LIFT, 0):
        yield Counted(track=LIFT, value=0, because="8.6.4-p4")
    yield from _called_up(table)
    yield from _emptied(table)
    while takers(table) or sites(table):
        order = yield _ask(table)
        if isinstance(order, End):
            break
        yield from _lodged(table, order) if isinstance(order, Lodge) else _stored(table, order)
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
    if left:
        yield from occupied(table, GERMAN, town(table))
    for unit in left[: table.data.tables["replacements"]["special"]["alarms"]]:
        strengths = _in_the_box(table)
        yield Placed(unit=unit, at=number(table, town(table)), lost=0, because="8.6.4-p2")
        yield Marked(subject=unit, mark=ALARM_UP, because="8.6.4-p2")
        die: int = yield Roll("Alarm unit", sides=len(strengths), stream="alarm", only=(GERMAN,))
        yield Noted(subject=unit, mark=DRAWN, value=strengths[die - 1], because="4.8.1", only=(GERMAN,))


def _in_the_box(table: Table) -> list[int]:
    """4.8.1: the strengths of the Alarm counters that are neither on the map nor still in the cup, nor out of the game
    (8.6.3)."""
    out = [int(n) for n in in_pool(table, STRENGTHS)]
    there = (*table.position.on_map(GERMAN), *table.position.in_box(REMOVED))
    out += [int(table.position.mark(unit, DRAWN) or 0) for unit in there]
    return sorted((Counter(table.data.tables["alarm"]["strengths"]) - Counter(out)).elements())


def _pocket_sdms(table: Table) -> list[str]:
    """8.6.4-p3: the SDMs of Gruppe Stemmermann on the map: of whatever korps (2.8-h), all that draw on Korsun, and all
    that no path leads to from another source."""
    at, marks = table.position.hex_of, table.position.marks
    inside = ~linked(table)
    here = [(sdm, h) for sdm in sdms(table, GERMAN) if (h := at(sdm)) is not None]
    return [sdm for sdm, h in here if inside >> h & 1 or FROM_KORSUN in marks.get(sdm, {})]


def _emptied(table: Table) -> Iterator[Fact]:
    """8.6.4-p3: all of them lie on their front side."""
    for sdm in _pocket_sdms(table):
        if table.position.tracks.get(sp_track(sdm), 0):
            yield Counted(track=sp_track(sdm), value=0, because="8.6.4-p3")
        if table.position.mark(sdm, DROPPED) is not None:
            yield Noted(subject=sdm, mark=DROPPED, value=None, because="8.6.4-p3")


def takers(table: Table) -> dict[str, int]:
    """8.6.4-p3: the SDMs with eight hexes or less of road or railroad to Korsun, as an SDM's path to a source is one
    (13.3), and how many SPs each can still take."""
    far = table.data.tables["replacements"]["special"]["transfer"]
    along = {town(table): 0} | far_along(table, GERMAN, 1 << town(table))
    found = {}
    for sdm in _pocket_sdms(table):
        room = table.unit(sdm).value("capacity") - table.position.tracks.get(sp_track(sdm), 0)
        if along.get(place(table, sdm), far + 1) <= far and min(room, stock(table)) > 0:
            found[sdm] = min(room, stock(table))
    return found


def _stored(table: Table, order: Stock) -> Iterator[Fact]:
    """8.6.4-p3: they stay in the SDM until they are spent, whatever 14.2 says."""
    now = table.position.tracks.get(sp_track(order.sdm), 0)
    yield from stocked(table, stock(table) - order.points, "8.6.4-p3")
    yield Counted(track=sp_track(order.sdm), value=now + order.points, because="8.6.4-p3")
    before = int(table.position.mark(order.sdm, STORED) or 0)
    yield Noted(subject=order.sdm, mark=STORED, value=before + order.points, because="8.6.4-p3")


def sites(table: Table) -> dict[str, int]:
    """8.6.4-p3: how many SPs the second airfield and the second depot (18.8, 18.9) can still take, whatever way leads
    there."""
    most, found = table.data.tables["supply"]["korsun"]["most"], {}
    for name, track in SITES.items():
        room = min(most - held(table, track), stock(table))
        if at_work(table, track) & ~standing(table, SOVIET) and room > 0:
            found[name] = room
    return found


def _lodged(table: Table, order: Lodge) -> Iterator[Fact]:
    """8.6.4-p3: SPs of Korsun to another track."""
    track = SITES[order.site]
    yield from stocked(table, stock(table) - order.points, "8.6.4-p3")
    yield from put(table, track, held(table, track) + order.points, "8.6.4-p3")


def _check(table: Table, order: Order) -> None:
    """Raises Illegal."""
    if isinstance(order, Lodge) and not 0 < order.points <= sites(table).get(order.site, 0):
        able = [f"{name} {most}" for name, most in sites(table).items()]
        raise Illegal("8.6.4-p3", f"{order.points} SPs cannot go from Korsun to the second {order.site}",
                      instead="As many as this can", alternatives=able)  # fmt: skip
    if isinstance(order, Stock) and not 0 < order.points <= takers(table).get(order.sdm, 0):
        able = [f"{sdm} {most}" for sdm, most in takers(table).items()]
        raise Illegal("8.6.4-p3", f"{order.points} SPs cannot go from Korsun to {order.sdm}", unit=order.sdm,
                      instead="As many as this can", alternatives=able)  # fmt: skip


def _ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    stocks = [(most, Stock(sdm=sdm, points=most)) for sdm, most in takers(seen).items()]
    lodged = [(most, Lodge(points=most, site=site)) for site, most in sites(seen).items()]
    _, usual = max(stocks or lodged, key=lambda row: row[0])
    options = table.data.switch["second_airfield"] or table.data.switch["second_depot"]
    return Ask(
        side=GERMAN,
        name="stock",
        subject="Korsun",
        prompt=f"{stock(seen)} SPs of Korsun for the SDMs of the pocket; `end` gives up the rest",
        verbs=(Stock, *((Lodge,) if options else ()), End),
        check=partial(_check, seen),
        offers=lambda: [
            Choice(End),
            *(pick(Stock, "points", partial(range, 1, n + 1), sdm=sdm) for sdm, n in takers(seen).items()),
            *(pick(Lodge, "points", partial(range, 1, n + 1), site=site) for site, n in sites(seen).items()),
        ],
        default=lambda: usual,
        case="8.6.4-p3",
        passable=True,
    )
