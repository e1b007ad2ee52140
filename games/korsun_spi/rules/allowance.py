"""Movement Points (5.1): what a unit has, what it has spent, and whether it may still move."""

from collections.abc import Sequence

from engine.hexes import Hex
from engine.refusals import Illegal
from engine.rules.ground import number, place
from games.korsun_spi.data import HALF, Table
from games.korsun_spi.rules.ground import disrupted, gait, is_hq

CLOSED = 999  # more than any allowance: the unit may spend nothing more in this phase


def spent(table: Table, unit: str) -> int:
    """Half points spent in this phase."""
    value = table.position.mark(unit, "spent")
    return int(value) if value is not None else 0


def has_moved(table: Table, unit: str) -> bool:
    """5.0: whether a unit has begun its move of this phase; a reinforcement that was only placed has not (4.2-a)."""
    return table.position.mark(unit, "spent") not in (None, table.position.mark(unit, "placed"))


def moving(table: Table) -> list[str]:
    """5.0: the units whose move is still open, because nobody else has moved since."""
    return str(table.position.mark("game", "moving") or "").split()


def left_behind(table: Table) -> list[str]:
    """6.24: the units that overran and wait in the hex while others of their stack go on first."""
    return str(table.position.mark("game", "together") or "").split()


def moved_as_one(table: Table, units: Sequence[str]) -> bool:
    """5.0, 6.13: whether the move of all these is still open, and nobody among them has moved by himself."""
    return set(units) <= set(moving(table)) or set(units) <= set(left_behind(table))


def allowance(table: Table, unit: str) -> int:
    """Half points a unit has for a phase: printed, mud (20.12), supply when the phase began (5.25)."""
    points = table.position.value(unit, "move")
    weather = table.data.tables["weather"][weather_at(table, unit)]
    if "allowance" in weather and table.unit(unit).classes & set(weather["allowance_classes"]):
        points = min(points, weather["allowance"]) if table.data.switch["weather"] == "rostov" else weather["allowance"]
    if table.position.mark(unit, "unsupplied") is not None:
        points //= 2
    return points * HALF


def weather_at(table: Table, unit: str) -> str:
    """The weather of the turn; on the proving ground it may differ between north and south."""
    position = table.position
    h = position.hex_of(unit)
    if table.data.switch["weather"] == "rostov" and h is not None:
        zone = "north" if table.board.areas["north"] >> h & 1 else "south"
        return str(position.mark("game", f"weather {zone}") or "moderate")
    return str(position.mark("game", "weather") or "snow")


def left(table: Table, unit: str) -> int:
    return max(0, allowance(table, unit) - spent(table, unit))


def moves_second(table: Table, unit: str) -> bool:
    """4.2-c: mechanised units, cavalry and HQs."""
    return gait(table, unit) in ("mech", "hq")


def check_may_move(table: Table, side: str, units: Sequence[str]) -> Hex:
    """5.0: these units stand together and may still move in this phase. Gives their hex; raises Illegal."""
    if not units:
        raise Illegal("5.0", "no unit was named")
    for unit in units:
        _check_one(table, side, unit)
    spots = {place(table, unit) for unit in units}
    if len(spots) > 1:
        where = ", ".join(f"{unit} in {number(table, place(table, unit))}" for unit in units)
        raise Illegal("5.0-a", f"only units in one hex move together: {where}")
    started = [unit for unit in units if has_moved(table, unit)]
    if started and not moved_as_one(table, units):
        raise Illegal("5.0", f"{started[0]} has moved in this phase already", unit=started[0])
    return spots.pop()


def _check_one(table: Table, side: str, unit: str) -> None:
    position = table.position
    if table.unit(unit).side != side:
        raise Illegal("5.21", f"{unit} is not yours to move", unit=unit)
    if position.hex_of(unit) is None:
        raise Illegal("5.0", f"{unit} is not on the map", unit=unit)
    if disrupted(table, unit):
        raise Illegal("6.32", f"{unit} is disrupted and may not move", unit=unit)
    if position.mark(unit, "covering") is not None:
        raise Illegal("22.11", f"{unit} covers a delay and may not leave in this phase", unit=unit)
    if position.mark(unit, "stopped") is not None:
        raise Illegal("22.12", f"{unit} delayed into an enemy zone of control and moves no further", unit=unit)
    if position.stage.endswith("mechanised"):
        check_second_move(table, unit)


def check_second_move(table: Table, unit: str) -> None:
    """4.2-c, 23.13, 23.14: who may move in the Mechanised Movement Phase."""
    if not moves_second(table, unit):
        raise Illegal("4.2-c", f"{unit} moves only in the Initial Movement Phase", unit=unit)
    if table.unit(unit).side != "soviet" or table.data.switch["headquarters"] != "scheduled":
        return
    if is_hq(table, unit):
        if table.position.mark(unit, "active") is None:
            raise Illegal("23.13", f"{unit} is inactive and may not move in this phase", unit=unit)
    elif not table.position.mark(unit, "command"):
        excused = table.data.switch["no_hq"] == "half move" or table.position.mark(unit, "entered") is not None
        if excused and table.position.mark(unit, "no hq") is not None:
            return
        raise Illegal("23.14", f"{unit} had no line to an active HQ when the phase began", unit=unit)
