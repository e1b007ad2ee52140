"""Where a German is of use: towns that score, a line in front of them, and no pocket."""

from engine import hexset
from engine.hexes import Hex
from engine.rules.ground import place
from engine.table import kept
from games.kharkov.data import Table
from games.kharkov.rules.fields import field, supposed
from games.kharkov.rules.ground import germans, is_mech, soviets, steps, strength
from games.kharkov.rules.soviet.terms import distance, surrounded

EFFORT = 0.05  # a move must better a stand by more than this
FAR = 9  # hexes over which a goal draws
COVER = {"city": 0.9, "town": 0.6, "woods": 0.3, "marsh": 0.3, "broken": 0.15, "clear": 0.0}
ENOUGH = 4  # steps that hold a town
POCKET, SQUEEZED, CONTACT = 4.0, 1.2, 0.35


@kept
def goals(table: Table) -> dict[Hex, float]:
    """The hexes that are worth something, and how much: threatened towns of ours, and theirs within reach."""
    now, data, found = field(table), table.data, {}
    for h, value in data.points.items():
        near = hexset.within(table.grid, 1 << h, 4) & now.soviet
        close = hexset.within(table.grid, 1 << h, 2) & now.soviet
        if now.soviet_towns >> h & 1:
            guard = strength(table, soviets(table, h))
            found[h] = value * (1.3 if not guard else 0.5 if guard < 5 else 0.25)
        elif close or near:
            found[h] = value * (1.4 if close else 1.0)
        else:
            found[h] = value * 0.3
    return found


def worth(table: Table, unit: str, h: Hex) -> float:
    """What it is worth that a unit stands there, the others being where they are."""
    now, data = supposed(table, unit, h), table.data
    others = [u for u in germans(table, h) if u != unit]
    found = _drawn(table, unit, h) + COVER[data.terrain(h)]
    if data.vp_hexes >> h & 1:
        there = steps(table, others)
        found += data.points[h] * (1.5 if not there else 0.5 if there < ENOUGH else 0.0)
    if surrounded(data, now, h, "german"):
        found -= POCKET
    if now.soviet_zoc >> h & 1:
        pressed = sum(strength(table, soviets(table, n)) for n in table.grid.neighbours(h))
        own = strength(table, [unit, *others])
        found += CONTACT - SQUEEZED * max(0.0, pressed / max(1, own) - 2.5)
    elif others:
        found -= 0.1 * len(others)
    return found


def _drawn(table: Table, unit: str, h: Hex) -> float:
    """How strongly the goals draw: the best of them by what it is worth, and how far it is."""
    reach = FAR if is_mech(table, unit) else FAR - 3
    data = table.data
    return max(
        (weight * (1 - distance(data, h, goal) / reach) for goal, weight in goals(table).items()
         if distance(data, h, goal) < reach),
        default=0.0,
    )  # fmt: skip


def better(table: Table, unit: str, to: Hex) -> float:
    return worth(table, unit, to) - worth(table, unit, place(table, unit)) - EFFORT
