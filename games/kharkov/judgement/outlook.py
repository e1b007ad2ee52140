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
ENOUGH, WEAK = 4, 5  # steps that hold a town; strength that is soon beaten
POCKET, SQUEEZED, CONTACT = 4.0, 1.2, 0.35


@kept
def goals(table: Table) -> dict[Hex, float]:
    """What hexes are worth: towns of ours by how near the enemy is, and weak ones of his."""
    now, data, found = field(table), table.data, {}
    for h, value in data.points.items():
        if now.soviet_towns >> h & 1:
            guard = strength(table, soviets(table, h))
            found[h] = value * (1.0 if not guard else 0.4 if guard < WEAK else 0.15)
        else:
            near = min((distance(data, h, enemy) for enemy in hexset.members(now.soviet)), default=99)
            found[h] = value * max(0.03, min(1.2, 1.3 - near / FAR))
    return found


def worth(table: Table, unit: str, h: Hex) -> float:
    """What it is worth that a unit stands there, the others being where they are."""
    now, data = supposed(table, unit, h), table.data
    others = [u for u in germans(table, h) if u != unit]
    found = _drawn(table, unit, h) + COVER[data.terrain(h)]
    if data.vp_hexes >> h & 1:
        there = steps(table, others)
        found += goals(table)[h] * (1.5 if not there else 0.7 if there < ENOUGH else 0.1)
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
