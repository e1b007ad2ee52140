"""The ways that the rules leave a retreating unit (10.6)."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine import hexset
from engine.hexes import Hex
from engine.rules.ground import crosses, held, number, path_numbers, place
from engine.rules.retreat import Way, best_ways
from engine.rules.terrain import hexsides
from engine.table import kept
from games.manstein.data import Table
from games.manstein.rules.ground import enemy_zoc, has_room, touches
from games.manstein.rules.headquarters import headquarters
from games.manstein.rules.lines import sources


def barred(table: Table, side: str, here: Hex, there: Hex, *, first: bool) -> str:
    """10.6.6, 10.6.8: the case that keeps a retreat from going from one hex into the next; empty if none does."""
    if not touches(table, here, there) or not table.data.passable >> there & 1:
        return "10.6.8"
    if held(table, table.enemy(side)) >> there & 1:
        return "10.6.8"
    if not first and crosses(table, table.data.unbridged_major, here, there):
        return "10.6.6-a"
    zones = enemy_zoc(table, side)
    both = zones >> here & 1 and zones >> there & 1
    return "10.6.6-b" if both and crosses(table, hexsides(table.board, "major"), here, there) else ""


def _onward(table: Table, side: str, way: Way, steps: int) -> Iterator[Way]:
    if steps == 0:
        yield way
        return
    for there in table.grid.neighbours(way[-1]):
        if there not in way and not barred(table, side, way[-1], there, first=len(way) == 1):
            yield from _onward(table, side, (*way, there), steps - 1)


def zones_entered(table: Table, unit: str, way: Way) -> int:
    """10.6.3: how many hexes in enemy zones of control a way enters."""
    zones = enemy_zoc(table, table.unit(unit).side)
    return sum(zones >> h & 1 for h in way[1:])


def homeward(table: Table, unit: str, way: Way) -> bool:
    """10.6.2-b: every hex is closer to one and the same source than the one before."""
    far = table.grid.distance
    ends = hexset.members(sources(table, table.unit(unit).side))
    return any(all(far(b, end) < far(a, end) for a, b in pairwise(way)) for end in ends)


def room_at_the_end(table: Table, unit: str, way: Way) -> bool:
    return has_room(table, table.unit(unit).side, way[-1], [unit])


def ways(table: Table, unit: str, begun: Way, steps: int) -> list[Way]:
    """10.6.2: the ways so many hexes onward that enter the fewest enemy zones, then lead home, then find room."""

    def faults(way: Way) -> tuple[int, ...]:
        new = way[len(begun) - 1 :]
        strays = not homeward(table, unit, new)
        return zones_entered(table, unit, new), int(strays), int(not room_at_the_end(table, unit, way))

    return best_ways(list(_onward(table, table.unit(unit).side, begun, steps)), faults)


@kept
def whole_ways(table: Table, unit: str, length: int) -> list[Way]:
    """10.6.4: the ways to the end of a retreat, a hex further as long as the last one is full; none: 10.6.8."""
    done: list[Way] = []
    going = ways(table, unit, (place(table, unit),), length)
    while going:
        full = [way for way in going if not room_at_the_end(table, unit, way)]
        done += [way for way in going if way not in full]
        going = [longer for way in full for longer in ways(table, unit, way, 1)]
    return best_ways(done, lambda way: (zones_entered(table, unit, way),))


def why_not(table: Table, unit: str, way: Way, length: int, legal: Sequence[Way]) -> tuple[str, str]:
    """The case that a way breaks, and in words what is wrong with it."""
    side = table.unit(unit).side
    for index, (here, there) in enumerate(pairwise(way)):
        spot = number(table, there)
        if here != there and table.grid.direction(here, there) is None:
            return "10.6", f"{spot} is not next to {number(table, here)}, and no legal way ends there"
        case = barred(table, side, here, there, first=index == 0)
        if case:
            said = {"10.6.8": f"nobody retreats into {spot} from there", "10.6.6-a": "the river has no bridge"}
            return case, said.get(case, "both banks lie in enemy zones of control")
        if there in way[: index + 1]:
            return "10.6.2-a", f"it was in {spot} already"
    if len(way) <= length:
        return "10.6", f"it must go {length} hexes"
    if zones_entered(table, unit, way) > zones_entered(table, unit, legal[0]):
        return "10.6.2-a", "another way enters fewer enemy zones of control"
    if not room_at_the_end(table, unit, way):
        return "10.6.4", f"{number(table, way[-1])} is full"
    return ("10.6.4", "it has gone far enough") if len(way) > len(legal[0]) else ("10.6.2-b", "another way leads home")


def safest(table: Table, unit: str, found: Sequence[Way]) -> Way:
    """Away from the enemy, toward the nearest HQ of the side."""
    side = table.unit(unit).side
    enemy = held(table, table.enemy(side))
    hqs = [place(table, hq) for hq in headquarters(table, side)]

    def badness(way: Way) -> tuple[int, int, str]:
        end = way[-1]
        near = (hexset.within(table.grid, 1 << end, 2) & enemy).bit_count()
        return near, min((table.grid.distance(end, hq) for hq in hqs), default=0), said(table, way)

    return min(found, key=badness)


def said(table: Table, way: Way) -> str:
    """A way as its owner writes it."""
    return " ".join(path_numbers(table, way[1:]))
