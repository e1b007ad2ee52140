"""Before play (18.1, 18.2): where everything stands, and the two units that the German places freely."""

from collections.abc import Generator
from typing import Any

from engine import hexset
from engine.asks import Step
from engine.facts import Fact, Placed, StageBegan, TookHex
from engine.game import Game
from engine.hexset import HexSet
from engine.rulebook import read_tables
from engine.rules.ground import path_numbers, place
from games.korsun_vv.data import FOLDER, Data, Table
from games.korsun_vv.names import ALARM, FREE, GERMAN, RESERVE
from games.korsun_vv.rules.ground import enemy_zoc, full_hexes, in_range
from games.korsun_vv.rules.placing import place_ask
from games.korsun_vv.rules.reinforcements import boxes

SetUp = dict[str, dict[str, list[str]]]  # side, hex, units


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
    while waiting := table.position.in_box(FREE):
        order = yield place_ask(
            table,
            GERMAN,
            "set-up",
            waiting,
            f"place {', '.join(waiting)}: in command range of the HQ, not in an enemy zone of control",
            room=room,
            spots=_spots,
            rule="stands in range of its HQ and out of enemy zones of control",
            case="18.1-e",
            by="18.1-b",
        )
        for unit in order.units:
            yield Placed(unit=unit, at=order.at, because="18.1-e")


def _home(table: Table, unit: str) -> str:
    return next(row["hq"] for row in table.data.tables["at_start"]["free"] if row["unit"] == unit)


def room(table: Table, unit: str) -> HexSet:
    """In command range of its HQ, not in an enemy zone of control."""
    return in_range(table, _home(table, unit)) & ~enemy_zoc(table, GERMAN) & ~full_hexes(table, GERMAN, [unit])


def _spots(table: Table, unit: str) -> list[str]:
    """The hexes for it, those nearest to its HQ first."""
    home = place(table, _home(table, unit))
    near = sorted(hexset.members(room(table, unit)), key=lambda h: (table.grid.distance(h, home), h))
    return list(path_numbers(table, near))
