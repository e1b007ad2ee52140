"""Before play (18.1, 18.2): where everything stands, and the two units that the German places freely."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Any

from engine import hexset
from engine.asks import Ask, Step
from engine.facts import Fact, Placed, StageBegan, TookHex
from engine.game import Game
from engine.hexset import HexSet
from engine.orders.choice import pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rulebook import read_tables
from engine.rules.ground import numbers, place
from games.korsun_vv.data import FOLDER, Data, Table
from games.korsun_vv.orders import Place
from games.korsun_vv.rules.ground import GERMAN, enemy_zoc, full_hexes
from games.korsun_vv.rules.pocket import RESERVE
from games.korsun_vv.rules.ranges import in_range
from games.korsun_vv.rules.reinforcements import boxes

SetUp = dict[str, dict[str, list[str]]]  # side, hex, units
FREE, ALARM = "free", "alarm"  # boxes of units that their owner places


def opening(game: Game[Data]) -> list[Fact]:
    """18.1, 18.2: where every counter is before anybody has said anything."""
    tables = game.data.tables
    rows: SetUp = read_tables(FOLDER, game.data.scenario["setup"], SetUp)
    where = {unit: spot for side in rows.values() for spot, units in side.items() for unit in units}
    where |= {row["unit"]: FREE for row in tables["at_start"]["free"]}
    where |= dict.fromkeys(tables["at_start"]["alarm"]["units"], ALARM)
    where |= {tables["pocket"]["headquarters"]["unit"]: RESERVE}
    where |= boxes(game.data)
    reduced = {unit for row in tables["at_start"]["reduced"].values() for unit in row["units"]}
    found: list[Fact] = [
        Placed(unit=unit.id, at=where[unit.id], lost=1 if unit.id in reduced else None, because="18.1-e")
        for unit in game.setting.roster
    ]
    airfield = game.board.grid.number_of(game.data.airfield)
    found.append(TookHex(hex=airfield, side=GERMAN, because="18.4-c"))
    found.append(StageBegan(stage="setup", turn=1, side=GERMAN))
    return found


def set_up(table: Table) -> Generator[Step, Any, None]:
    """18.1-b, -c: the German's free units, before the Russian allots his markers."""
    while table.position.in_box(FREE):
        order = yield _ask(table)
        for unit in order.units:
            yield Placed(unit=unit, at=order.at, because="18.1-e")


def room(table: Table, unit: str) -> HexSet:
    """In command range of its HQ, not in an enemy zone of control."""
    row = next(row for row in table.data.tables["at_start"]["free"] if row["unit"] == unit)
    return in_range(table, row["hq"]) & ~enemy_zoc(table, GERMAN) & ~full_hexes(table, GERMAN, [unit])


def _open(table: Table, unit: str) -> list[str]:
    return numbers(table, room(table, unit))


def _ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    waiting = table.position.in_box(FREE)

    def check(order: Order) -> None:
        assert isinstance(order, Place)
        for unit in order.units:
            if unit not in waiting:
                raise Illegal("18.1-e", f"{unit} is not yours to place", unit=unit, instead="Free units",
                              alternatives=waiting)  # fmt: skip
            if not room(seen, unit) >> table.grid.hex(order.at) & 1:
                problem = f"{unit} stands in range of its HQ and out of enemy zones of control, not in {order.at}"
                raise Illegal("18.1-b", problem, unit=unit, at=order.at, instead="Hexes for it",
                              alternatives=_open(seen, unit))  # fmt: skip

    return Ask(
        side=GERMAN,
        name="set-up",
        subject=GERMAN,
        prompt=f"place {', '.join(waiting)}: in command range of the HQ, not in an enemy zone of control",
        verbs=(Place,),
        check=check,
        offers=lambda: [pick(Place, "at", partial(_open, seen, unit), units=(unit,)) for unit in waiting],
        default=lambda: _default(seen, waiting[0]),
        case="18.1-e",
        top=True,
        units=tuple(waiting),
    )


def _default(table: Table, unit: str) -> Order:
    """With the HQ."""
    row = next(row for row in table.data.tables["at_start"]["free"] if row["unit"] == unit)
    spots = room(table, unit)
    home = place(table, row["hq"])
    best = min(hexset.members(spots), key=lambda h: (table.grid.distance(h, home), h))
    return Place(units=(unit,), at=table.grid.number_of(best))
