"""An extended division comes together again (4.7): in movement, in retreat, and when it must."""

from collections.abc import Iterator

from engine.facts import Fact, Placed
from engine.hexes import Hex
from engine.rules.ground import number
from games.jaws.data import Table
from games.jaws.rules.escorts import escort
from games.jaws.rules.extension import markers
from games.jaws.rules.parts import UNUSED, bearing, taken_off, worst


def rejoined(table: Table, division: str, h: Hex, case: str) -> Iterator[Fact]:
    """Both halves are one unit in a hex again, with the worse of their states, and its Shermans with it (4.5.4)."""
    marker, tanks, spot = markers(table)[division], escort(table, division), number(table, h)
    marks = worst(table, (division, marker))
    yield from taken_off(table, marker, UNUSED, case)
    for unit in (division, tanks):
        if unit and table.position.hex_of(unit) != h:
            yield Placed(unit=unit, at=spot, because=case)
    yield from bearing(table, division, marks, case)
