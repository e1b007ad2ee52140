"""Before play (18.1, 18.2): where everything stands, and the two units that the German places freely."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine import folder, hexset
from engine.asks import Ask, Option, Step
from engine.facts import Fact, Placed, StageBegan, TookHex
from engine.game import Game
from engine.hexset import HexSet
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import numbers, place
from engine.table import Table
from games.korsun_vv.data import FOLDER
from games.korsun_vv.orders import Place
from games.korsun_vv.rules.ground import GERMAN, enemy_zoc, full_hexes
from games.korsun_vv.rules.pocket import RESERVE
from games.korsun_vv.rules.ranges import in_range
from games.korsun_vv.rules.reinforcements import boxes

FREE, ALARM = "free", "alarm"  # boxes of units that their owner places


def opening(game: Game) -> list[Fact]:
    """18.1, 18.2: where every counter is before anybody has said anything."""
    tables = game.data.tables
    rows = folder.read_toml(FOLDER, game.data.scenario["setup"])
    where = {unit: spot for side in game.sides for spot, units in rows[side].items() for unit in units}
    where |= {row["unit"]: FREE for row in tables["at_start"]["free"]}
    where |= dict.fromkeys(tables["at_start"]["alarm"]["units"], ALARM)
    where |= {tables["pocket"]["headquarters"]["unit"]: RESERVE}
    where |= boxes(game)
    reduced = {u for row in tables["at_start"]["reduced"].values() if isinstance(row, dict) for u in row["units"]}
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
    return in_range(table, row["hq"]) & ~enemy_zoc(table, GERMAN) & ~full_hexes(table, GERMAN, unit)


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
                              alternatives=numbers(seen, room(seen, unit)))  # fmt: skip

    def options(so_far: str) -> list[Option]:
        if so_far:
            unit = so_far.removeprefix("place ").removesuffix(" at")
            return [Option(f"place {unit} at {spot}") for spot in numbers(seen, room(seen, unit))]
        return [Option(f"place {unit} at", complete=False, more=True) for unit in waiting]

    return Ask(
        side=GERMAN,
        name="set-up",
        subject=GERMAN,
        prompt=f"place {', '.join(waiting)}: in command range of the HQ, not in an enemy zone of control",
        verbs=(Place,),
        check=check,
        options=options,
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
