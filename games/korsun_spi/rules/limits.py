"""German movement limits of the first turns (21.0): how far from the line or the set-up hex."""

from collections.abc import Sequence

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules.ground import number, numbers, place
from games.korsun_spi.data import Table
from games.korsun_spi.rules.ground import GERMAN
from games.korsun_spi.shapes import Limit


def limit_row(table: Table, unit: str) -> Limit | None:
    """The limit that holds for a unit this turn."""
    if not table.data.switch["radius_limits"] or table.unit(unit).side != GERMAN:
        return None
    code, turn = table.unit(unit).setup, table.position.turn
    for row in table.data.tables["radius_limits"]["limits"]:
        if code in row["codes"] and row["turns"][0] <= turn <= row["turns"][1]:
            return row
    return None


def home(table: Table, unit: str, row: Limit) -> HexSet:
    """What the distance is measured from: the hexes on either side of the section, or the unit's own set-up hex."""
    if row["from"] == "section":
        line = table.board.lines[table.unit(unit).setup]
        return line.inner | line.outer
    start = table.position.mark(unit, "start")
    return 1 << table.grid.hex(str(start)) if start is not None else 1 << place(table, unit)


def allowed_area(table: Table, unit: str) -> HexSet | None:
    """Every hex in which a unit may end its move; None when nothing limits it."""
    row = limit_row(table, unit)
    if row is None:
        return None
    origin = home(table, unit, row)
    inside = hexset.within(table.grid, origin, row["hexes"])
    here = _began(table, unit)
    if inside >> here & 1:
        return inside
    # 21.15: from outside only closer.
    distance = min(table.grid.distance(here, h) for h in hexset.members(origin))
    return hexset.within(table.grid, origin, distance - 1)


def _began(table: Table, unit: str) -> Hex:
    """Where a unit stood when the phase began."""
    began = table.position.mark(unit, "from")
    return table.grid.hex(str(began)) if began is not None else place(table, unit)


def check_limit(table: Table, units: Sequence[str], to: Hex) -> None:
    """21.15: where a move ends. Raises Illegal."""
    for unit in units:
        area = allowed_area(table, unit)
        if area is None or area >> to & 1:
            continue
        row = limit_row(table, unit)
        assert row is not None
        near = hexset.within(table.grid, 1 << to, 2) & area & table.data.passable
        problem = f"{unit} may not go farther than {row['hexes']} hexes from its {row['from']} this turn"
        inside = hexset.within(table.grid, home(table, unit, row), row["hexes"]) >> _began(table, unit) & 1
        case = row["case"] if inside else "21.15"
        raise Illegal(case, problem, unit=unit, at=number(table, to), instead="Allowed nearby",
                      alternatives=numbers(table, near))  # fmt: skip
