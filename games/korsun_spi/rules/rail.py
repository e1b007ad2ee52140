"""Rail movement (5.3): not in Korsun (19.21)."""

from collections.abc import Sequence

from engine import hexset
from engine.asks import Procedure
from engine.facts import Counted, Moved, Noted
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules.ground import held, number, numbers, path_numbers, place
from games.korsun_spi.data import Table
from games.korsun_spi.orders import Rail
from games.korsun_spi.rules.allowance import CLOSED, check_may_move, has_moved
from games.korsun_spi.rules.ground import enemy_zoc, is_hq
from games.korsun_spi.rules.movement import open_move


def rail_network(table: Table, side: str) -> tuple[HexSet, tuple[HexSet, ...]]:
    """5.31, 5.33: rail hexes no enemy holds or controls; friends do not cancel his zone here."""
    tracks = table.board.ways.get("railroad", (0,) * 6)
    return hexset.union(tracks) & ~held(table, table.enemy(side)) & ~enemy_zoc(table, side), tracks


def rail_reach(table: Table, side: str, start: Hex) -> HexSet:
    """The rail hexes within the length that a side may use."""
    open_, tracks = rail_network(table, side)
    layers = hexset.distance_layers(table.grid, 1 << start, open_, table.data.tables["rail"]["hexes"], tracks)
    return hexset.union(layers[1:])


def check_rail(table: Table, side: str, order: Rail) -> Hex:
    """5.3: who, where and how many. Gives the start; raises Illegal."""
    start = may_rail(table, side, order.units)
    if not rail_reach(table, side, start) >> table.grid.hex(order.to) & 1:
        raise _no_line(table, side, start, order.to)
    return start


def may_rail(table: Table, side: str, units: Sequence[str]) -> Hex:
    """5.3: units that may ride, from where there is a line to ride on. Raises Illegal."""
    if side not in table.data.switch["rail"]:
        case = "5.3" if table.data.switch["rail"] else "19.21"
        raise Illegal(case, f"{side} units do not move by rail in this game")
    start = check_may_move(table, side, units)
    _check_unmoved(table, units)
    spot = number(table, start)
    open_, _ = rail_network(table, side)
    if not open_ >> start & 1:
        controlled = enemy_zoc(table, side) >> start & 1
        problem = f"{spot} is enemy-controlled" if controlled else f"there is no railroad in {spot}"
        raise Illegal("5.33" if controlled else "5.31", problem, at=spot)
    most = table.data.tables["rail"]["units"]
    loads = [unit for unit in units if not is_hq(table, unit)]  # 11.21: HQs ride free
    if used(table, side) + len(loads) > most:
        raise Illegal("5.32", f"the railroad carries {most} units a turn; {used(table, side)} have gone already")
    return start


def _no_line(table: Table, side: str, start: Hex, to: str) -> Illegal:
    """Too far (5.32), past the enemy (5.33), or not on the line at all (5.31)."""
    open_, tracks = rail_network(table, side)
    spot, there = number(table, start), table.grid.hex(to)
    case, problem = "5.31", f"no railroad leads from {spot} to {to}"
    if hexset.flood(table.grid, 1 << start, open_, tracks) >> there & 1:
        most = table.data.tables["rail"]["hexes"]
        case, problem = "5.32", f"{to} is more than {most} hexes along the railroad from {spot}"
    elif hexset.flood(table.grid, 1 << start, table.data.passable, tracks) >> there & 1:
        case, problem = "5.33", f"the enemy controls the railroad between {spot} and {to}"
    reach = numbers(table, rail_reach(table, side, start))
    return Illegal(case, problem, at=to, instead="By rail one reaches", alternatives=reach)


def _check_unmoved(table: Table, units: Sequence[str]) -> None:
    """5.33: no Movement Points spent, no enemy near when the player-turn began; arrivals go on by rail (15.0-d)."""
    for unit in units:
        if has_moved(table, unit):
            raise Illegal("5.33-a", f"{unit} has moved in this phase and may not use the railroad", unit=unit)
        if table.position.mark(unit, "no rail") is not None:
            spot = number(table, place(table, unit))
            raise Illegal("5.33", f"{unit} began the turn in an enemy zone of control: no rail from {spot}", unit=unit)


def used(table: Table, side: str) -> int:
    return table.position.tracks.get(f"rail_{side}", 0)


def rail(table: Table, side: str, order: Rail) -> Procedure:
    start = check_rail(table, side, order)
    open_, tracks = rail_network(table, side)
    exits = {1: tuple(mask & open_ for mask in tracks)}
    to = table.grid.hex(order.to)
    layers = hexset.reach(table.grid, 1 << start, exits, table.data.tables["rail"]["hexes"])
    path = path_numbers(table, hexset.path(table.grid, layers, exits, to))
    for unit in order.units:
        yield Moved(unit=unit, path=path, how="rail", because="5.31")
        yield Noted(subject=unit, mark="spent", value=CLOSED, because="5.33")
    loads = sum(1 for unit in order.units if not is_hq(table, unit))
    if loads:
        yield Counted(track=f"rail_{side}", value=used(table, side) + loads, because="5.32")
    yield from open_move(table, ())
