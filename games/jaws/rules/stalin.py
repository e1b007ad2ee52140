"""Stalin intervenes (18.13, an option): no boundary between the Fronts, and armies that lend each other units."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Fact, Told
from engine.pieces import Unit
from engine.rules.ground import place
from engine.rules.marks import game_mark, set_game
from games.jaws.data import GERMAN, Table
from games.jaws.rules.depots import ATTACHED
from games.jaws.rules.units import army, front, is_sdm, korps, levels

STALIN = "stalin"  # the game's mark: the turn on which he did


def in_force(table: Table) -> bool:
    return table.data.switch["stalin"] and bool(game_mark(table, STALIN))


def intervenes(table: Table) -> Iterator[Fact]:
    """18.13: whether the pocket and those who come to its relief are near each other now."""
    row = table.data.tables["options"]["stalin"]
    if not table.data.switch["stalin"] or in_force(table) or table.position.turn < row["turn"]:
        return
    units = [unit for unit in table.position.on_map(GERMAN) if not is_sdm(table, unit)]
    pocket, relief = (
        hexset.of(place(table, unit) for unit in units if korps(table, table.unit(unit)) in names)
        for names in (row["pocket"], row["relief"])
    )
    if hexset.within(table.grid, pocket, row["hexes"]) & relief:
        yield from set_game(table, STALIN, str(table.position.turn), "18.13")
        yield Told(text="Stalin intervenes: the boundary between the Fronts is no more.", because="18.13")


def regroups(table: Table, unit: str, command: str) -> bool:
    """18.13-b, -c: whether a unit may be given to an army as Stalin has it."""
    if not in_force(table):
        return False
    own = army(table, table.unit(unit))
    return any(own in group and command in group for group in table.data.tables["options"]["stalin"]["groups"])


def army_now(table: Table, unit: Unit) -> str:
    """The army that a unit belongs to: its own, or that to which it was given."""
    said = table.position.mark(unit.id, ATTACHED) if table.data.switch["stalin"] else None
    return str(said) if said is not None and regroups(table, unit.id, str(said)) else army(table, unit)


def bodies(table: Table, unit: str) -> list[tuple[str, str]]:
    """The kinds and names of the bodies that a unit belongs to now, the nearest first: its army may be another, and its
    Front is an option (13.1-s)."""
    row = table.unit(unit)
    now = {"army": army_now(table, row), "front": front(table, row)}
    return [(body.kind, now.get(body.kind, body.id)) for body in levels(table, row.formation)]


def under(table: Table, unit: str, body: str) -> bool:
    """Whether a unit belongs to a body, at whatever level."""
    return body in [name for _, name in bodies(table, unit)]
