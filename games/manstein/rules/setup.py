"""Before play (4.0, 18.1): bids for the sides, and the reserves that their owner places in cities."""

from collections.abc import Iterator
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure, Roll, Together
from engine.facts import Counted, Fact, Marked, Placed, Pooled, SeatTaken, StageBegan, Told, TookHex
from engine.game import Game
from engine.hexes import Hex
from engine.orders.choice import pick
from engine.refusals import Illegal
from engine.rulebook import read_tables
from engine.rules.ground import number
from games.manstein.data import FOLDER, Data, Table
from games.manstein.orders import Bid, Place
from games.manstein.rules.crossings import ORDER
from games.manstein.rules.ground import AXIS, SOVIET, has_room
from games.manstein.rules.lines import cities_of
from games.manstein.shapes import Setup

RESERVE = "reserve"
MOST_BID = 200


def opening(game: Game[Data]) -> list[Fact]:
    """4.0: where every counter is before anybody has said anything."""
    data = game.data
    rows = read_tables(FOLDER, data.scenario["setup"], Setup)
    placed = {unit: spot for side in (rows["soviet"], rows["axis"]) for spot, units in side.items() for unit in units}
    found: list[Fact] = []
    for unit in game.setting.roster:
        at = placed.get(unit.id) or _box(game, unit.setup)
        found.append(Placed(unit=unit.id, at=at, because="4.0-a"))
    grid = game.board.grid
    for h in hexset.members(data.cities):
        owner = AXIS if data.axis_ground >> h & 1 else SOVIET
        found.append(TookHex(hex=grid.number_of(h), side=owner, because="3.4(1)"))
    for h in data.crossings:
        if not data.cities >> h & 1:
            found.append(TookHex(hex=grid.number_of(h), side=AXIS, because="16.3(1)"))
    for spot in data.tables["absolute_order"]["cities"]["hexes"]:
        found.append(Marked(subject=f"@{spot}", mark=ORDER, value=1, because="4.0-e"))
    found += [Counted(track=track, value=0, because="4.0-c") for track in ("groups", "air", "cup", "hand")]
    found.append(Pooled(pool="played", items=(), because="4.0-c"))
    found.append(StageBegan(stage="bid" if data.switch["bid"] else "setup", turn=1, side=AXIS))
    return found


def _box(game: Game[Data], setup: str) -> str:
    """Where a unit waits: the reserve, a pool, a reinforcement group, the back of another counter."""
    if setup == game.data.scenario["reserve"]["axis"]["code"]:
        return RESERVE
    if setup.strip("()") in game.data.tables["reinforcements"]["groups"]:
        return f"group {setup}"
    return setup


# 18.1: bids


def bid(table: Table) -> Procedure:
    """The higher bid plays the Soviets and is what they must reach; after two ties a die decides."""
    while True:
        soviet, axis = yield Together((_bid_ask(table, SOVIET), _bid_ask(table, AXIS)))
        ties = table.position.tracks.get("equal bids", 0)
        swap = axis.points > soviet.points
        if soviet.points == axis.points:
            yield Counted(track="equal bids", value=ties + 1, because="18.1(2)")
            if ties == 0:
                continue
            die = yield Roll("equal bids: 1 to 3 keeps the sides")
            swap = die > 3
        yield from _sides(soviet.points, axis.points, swap=swap)
        return


def _sides(soviet: int, axis: int, *, swap: bool) -> Iterator[Fact]:
    yield Told(text=f"The bids: {soviet} by the Soviet chair, {axis} by the Axis chair.", because="18.1(1)")
    if swap:
        yield Told(text="The chairs change: the higher bid plays the Soviets.", because="18.1(2)")
        yield SeatTaken(seat=AXIS, side=SOVIET, because="18.1(2)")
        yield SeatTaken(seat=SOVIET, side=AXIS, because="18.1(2)")
    yield Counted(track="bid", value=max(soviet, axis), because="18.1(3)")


def _bid_ask(table: Table, side: str) -> Ask:
    victory = table.data.tables["victory"]
    points = (victory["race"]["win"] if table.data.race else victory["win"])["points"]

    def check(order: Bid) -> None:
        if not 0 <= order.points <= MOST_BID:
            raise Illegal("18.1(1)", f"a bid lies between 0 and {MOST_BID}")

    return Ask(
        side=side,
        name="bid",
        subject=side,
        prompt=f"the victory points that you would reach as the Soviets (as printed: {points})",
        verbs=(Bid,),
        check=check,
        offers=lambda: [pick(Bid, "points", lambda: range(points - 8, points + 9, 2))],
        default=lambda: Bid(points=points),
        case="18.1(1)",
        top=True,
        hidden=True,
    )


# 4.0-b: reserves


def set_up(table: Table) -> Procedure:
    while table.position.in_box(RESERVE):
        order = yield _ask(table)
        for unit in order.units:
            yield Placed(unit=unit, at=order.at, because="4.0-b")


def _room(table: Table, *units: str) -> list[Hex]:
    return [h for h in hexset.members(cities_of(table, AXIS)) if has_room(table, AXIS, h, units)]


def _check(table: Table, order: Place) -> None:
    h = table.grid.hex(order.at)
    for unit in order.units:
        if unit not in table.position.in_box(RESERVE):
            raise Illegal("4.0-b", f"{unit} is not in reserve", unit=unit, instead="In reserve",
                          alternatives=table.position.in_box(RESERVE))  # fmt: skip
    if h not in _room(table, *order.units):
        named = ", ".join(order.units)
        spots = [number(table, city) for city in _room(table, *order.units)] or ["none: place fewer at once"]
        raise Illegal("4.0-b", f"reserves go to major cities of yours with room: {named} may not go to {order.at}",
                      at=order.at, instead="Cities with room for them", alternatives=spots)  # fmt: skip


def _default(table: Table) -> Place:
    """Behind the front first: the cities nearest to Kharkov that nobody holds yet."""
    unit = table.position.in_box(RESERVE)[0]
    room = _room(table, unit)
    empty = [h for h in room if not table.position.at(h)] or room
    east = max(empty, key=lambda h: table.grid.centre(h)[0])
    return Place(units=(unit,), at=number(table, east))


def _ask(table: Table) -> Ask:
    seen = table.seen_by(AXIS)
    waiting = table.position.in_box(RESERVE)

    def cities(unit: str) -> list[str]:
        return [number(seen, h) for h in _room(seen, unit)]

    return Ask(
        side=AXIS,
        name="set-up",
        subject=AXIS,
        prompt=f"place the reserves {', '.join(waiting)} in major cities",
        verbs=(Place,),
        check=partial(_check, seen),
        offers=lambda: [pick(Place, "at", partial(cities, unit), units=(unit,)) for unit in waiting],
        default=partial(_default, seen),
        case="4.0-b",
        top=True,
        units=tuple(waiting),
    )
