"""Objective markers of the fronts and of two armies (9.1): where they stand, and what moves or removes them."""

from collections.abc import Iterator

from engine.facts import Fact, Noted
from engine.hexes import Hex
from engine.rules.ground import number
from engine.rules.marks import game_mark, set_game
from games.kharkov.data import SOVIET, Table

THIRD = "third entered"  # fronts whose third objective somebody has entered in this activation (9.12)


def objective(table: Table, of: str) -> Hex | None:
    """The hex of a front's or an army's marker, if it is in play."""
    spot = game_mark(table, f"{of} objective").partition(" ")[0]
    return table.grid.hex(spot) if spot else None


def compass(table: Table, of: str) -> str:
    """The side of a front's marker that is up: W or S; empty if it is not in play."""
    return game_mark(table, f"{of} objective").partition(" ")[2]


def rank(table: Table, of: str) -> int:
    """Whether a front's marker is in its first, second or third hex; 0 if it is not in play."""
    spot = game_mark(table, f"{of} objective").partition(" ")[0]
    rows = table.data.tables["objectives"]
    return 0 if not spot else 1 if spot in rows["first"] else 2 if spot in rows["second"] else 3


def entered(table: Table, unit: str, h: Hex) -> Iterator[Fact]:
    """9.12, 9.13: a Soviet unit has entered a hex in which a marker may stand."""
    if table.unit(unit).side != SOVIET:
        return
    for of in ("VF", "SWF"):
        if not table.position.stage.startswith(SOVIET):
            break  # a retreat in a German activation does not reach it
        if objective(table, of) == h and rank(table, of) == 3 and not table.position.mark("game", f"{of} {THIRD}"):
            yield Noted(subject="game", mark=f"{of} {THIRD}", because="9.12")
    spot = number(table, h)
    for of, hexes in table.data.tables["objectives"]["armies"].items():
        if not game_mark(table, f"{of} objective"):
            continue
        if spot == hexes[-1]:
            yield from set_game(table, f"{of} objective", None, "9.13-b")
        elif objective(table, of) == h:
            yield from set_game(table, f"{of} objective", hexes[hexes.index(spot) + 1], "9.13")


def place_army_marker(table: Table, of: str) -> Iterator[Fact]:
    """9.13: with its first activation an army that has objectives of its own is given the first of them."""
    hexes = table.data.tables["objectives"]["armies"].get(of)
    front_stands = bool(game_mark(table, f"{table.data.parents[of]} objective"))
    if hexes and front_stands and not table.position.mark("game", f"{of} given"):
        yield Noted(subject="game", mark=f"{of} given", because="9.13")
        yield from set_game(table, f"{of} objective", hexes[0], "9.13")
