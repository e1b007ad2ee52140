"""Barrage Effects markers (17.1.3): the hexes that lie under a barrage, by whose army, and for how many columns."""

from collections.abc import Iterable, Iterator

from engine.facts import Fact, Marked
from engine.hexes import Hex
from engine.rules.ground import number
from engine.rules.marks import marked, wipe
from games.jaws.data import GERMAN, Table
from games.jaws.rules.losses import disorganize
from games.jaws.rules.stalin import army_now
from games.jaws.rules.units import units_in

BARRAGE = "barrage"  # a hex's mark: the army that may attack it, and the columns it brings
SHELTERED = "sheltered"  # 17.1.3-9: a unit that retreated into a hex under a barrage


def _read(table: Table, h: Hex) -> tuple[str, int]:
    said = str(table.position.mark(f"@{number(table, h)}", BARRAGE) or "")
    name, _, columns = said.partition(" ")
    return name, int(columns or 0)


def under_fire(table: Table, targets: Iterable[Hex]) -> bool:
    """Whether one of these hexes lies under a barrage."""
    return any(_read(table, h)[0] for h in targets)


def barred(table: Table, unit: str, h: Hex) -> str:
    """17.1.2-b: the army whose units alone may attack a hex, if that unit is of another; empty if it may."""
    name, _ = _read(table, h)
    return name if name and army_now(table, table.unit(unit)) != name else ""


def barrage_columns(table: Table, targets: Iterable[Hex]) -> int:
    """17.1.3-5: the columns that the best of the markers in a combat brings."""
    return max((_read(table, h)[1] for h in targets), default=0)


def lay(table: Table, spot: str, name: str, columns: int) -> Marked:
    return Marked(subject=f"@{spot}", mark=BARRAGE, value=f"{name} {columns}", because="17.1.3-1")


def lifted(table: Table, targets: Iterable[Hex], units: Iterable[str]) -> Iterator[Fact]:
    """17.1.3-6, -7: the marker comes off after the combat against its hex, and Disorganizes who was attacked; 17.1.3-9:
    but for those who retreated there."""
    targets = list(targets)
    for unit in units if under_fire(table, targets) else ():
        if table.position.hex_of(unit) is not None and table.position.mark(unit, SHELTERED) is None:
            yield from disorganize(table, unit, "17.1.3-7")
    for h in targets:
        if _read(table, h)[0]:
            yield Marked(subject=f"@{number(table, h)}", mark=BARRAGE, value=None, because="17.1.3-6")


def end_of_combat(table: Table) -> Iterator[Fact]:
    """17.1.3-8: the markers that are left come off, and Disorganize who was not attacked; 17.1.3-9: but for those who
    retreated there."""
    for spot in marked(table, BARRAGE):
        for unit in units_in(table, table.grid.hex(spot[1:]), GERMAN):
            if table.position.mark(unit, SHELTERED) is None:
                yield from disorganize(table, unit, "17.1.3-8")
        yield Marked(subject=spot, mark=BARRAGE, value=None, because="17.1.3-8")
    yield from wipe(table, (SHELTERED,), "17.1.3-9")
