"""Where a German is of use: towns that score, a screen before them, a blow at weak Soviets, and no pocket."""

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import place
from engine.table import kept
from games.kharkov.data import GERMAN, Table
from games.kharkov.judgement.danger import enemy_distance, risk
from games.kharkov.rules.fields import Field, field, supposed, zone
from games.kharkov.rules.ground import fits, germans, is_dispersed, is_mech, is_supplied, soviets, steps, strength
from games.kharkov.rules.soviet.terms import around, distance, ring_of, surrounded
from games.kharkov.rules.supply import supplied, supported

EFFORT = 0.05  # a move must better a stand by more than this
FAR = 12  # hexes over which a goal draws
COVER = {"city": 0.3, "town": 0.3, "woods": 0.2, "marsh": 0.1, "broken": 0.1, "clear": 0.0}
HELD = (0.0, 0.4, 0.6, 0.75, 0.87, 0.95, 1.0)  # of a town's worth, by the steps that hold it
POCKET, UNSUPPLIED, OVERSTACKED = 3.0, 2.0, 20.0
DRAW, SCREEN, BAND = 0.6, 0.03, 3  # of a goal: to come nearer, to cover an approach; how far out it is screened
LINE, LONG = 0.1, 14  # a line that cannot be walked around; hexes that are as good as none
BLOW, HOLD = 0.5, 1.6  # to stand next to Soviets who can be beaten; to hold a town


def need(table: Table, h: Hex) -> float:
    """How pressing a town of ours is: by its points and how near the enemy is."""
    near = enemy_distance(table, h)
    return table.data.points[h] * max(0.04, min(1.0, 1.35 - near / 8))


@kept
def goals(table: Table) -> dict[Hex, float]:
    """What hexes are worth: towns of ours that are threatened, and those of the enemy that can be had."""
    now, data, found = field(table), table.data, dict[Hex, float]()
    for h, value in data.points.items():
        if data.edge_vp >> h & 1 or not now.soviet_towns >> h & 1:
            found[h] = need(table, h)
        else:
            guard = strength(table, soviets(table, h))
            found[h] = value * (1.2 if not guard else 0.5 if guard < 5 else 0.3)
    return found


@kept
def wanted(table: Table) -> dict[Hex, float]:
    """What is still lacking at each goal."""
    now = field(table)
    return {
        h: value * (1.0 if now.soviet_towns >> h & 1 else 1.0 - held(steps(table, germans(table, h))))
        for h, value in goals(table).items()
    }


def held(steps_there: int) -> float:
    return HELD[min(steps_there, len(HELD) - 1)]


@kept
def approaches(table: Table) -> list[tuple[HexSet, float]]:
    """Before each goal of ours the hexes by which the enemy would come, with the goal's worth."""
    grid, now, found = table.grid, field(table), []
    for goal, value in goals(table).items():
        if value >= 0.3 and not now.soviet_towns >> goal & 1:
            far = enemy_distance(table, goal)
            band = hexset.within(grid, 1 << goal, BAND) & table.board.land & ~now.soviet & ~(1 << goal)
            found.append((hexset.of(h for h in hexset.members(band) if enemy_distance(table, h) < far), value))
    return found


def worth(table: Table, unit: str, h: Hex) -> float:
    """What it is worth that a unit stands there, the others being where they are."""
    then = supposed(table, unit, h)
    return use(table, unit, h) + LINE * line(table, then) - peril(table, unit, h, then)


def line(table: Table, then: Field) -> float:
    """How far the Soviets would have to go to our towns, around zones of control: by what the towns are worth."""
    grid = table.grid
    free = table.board.land & ~then.german & ~then.german_zoc
    seen = reached = then.soviet
    goals_left, found = then.german_towns, 0.0
    values = table.data.points
    for far in range(1, LONG + 1):
        come = hexset.spread(grid, reached) & goals_left
        goals_left &= ~come
        found += sum(values[goal] for goal in hexset.members(come)) * far / LONG
        reached = hexset.spread(grid, reached) & free & ~seen
        seen |= reached
        if not reached or not goals_left:
            break
    return found + sum(values[goal] for goal in hexset.members(goals_left))


def use(table: Table, unit: str, h: Hex) -> float:
    """What is gained, less what the Soviets could do there."""
    data = table.data
    others = [u for u in germans(table, h) if u != unit]
    found = COVER[data.terrain(h)] + _drawn(table, unit, h) + _screen(table, unit, h) + _blow(table, unit, h)
    if data.vp_hexes >> h & 1:
        there = steps(table, others)
        own = table.position.steps_left(unit)
        found += goals(table)[h] * HOLD * (held(there + own) - held(there))
    return found - risk(table, [unit, *others], h) + (risk(table, others, h) if others else 0.0)


def peril(table: Table, unit: str, h: Hex, then: Field) -> float:
    """Pockets, and stacks for which there is no room unless others go, who need not."""
    others = [u for u in germans(table, h) if u != unit]
    found = 0.0
    if surrounded(table.data, then, h, GERMAN):
        found += POCKET
    if not supplied(table.data, then, GERMAN) >> h & 1:
        found += UNSUPPLIED
    return found if fits(table, GERMAN, h, [*others, unit]) else found + OVERSTACKED


@kept
def _draws(table: Table) -> dict[tuple[Hex, int], float]:
    """What was asked for."""
    return {}


def _drawn(table: Table, unit: str, h: Hex) -> float:
    """How strongly what is lacking elsewhere draws: the best of it by what it is worth, and how far it is."""
    reach = FAR if is_mech(table, unit) else FAR - 4
    known = _draws(table)
    if (h, reach) not in known:
        far = ((distance(table.data, h, goal), weight) for goal, weight in wanted(table).items())
        known[h, reach] = max((weight * (1 - hexes / reach) for hexes, weight in far if 0 < hexes < reach), default=0.0)
    return DRAW * known[h, reach]


def _screen(table: Table, unit: str, h: Hex) -> float:
    """The approaches that it alone would cover by its zone of control."""
    here = place(table, unit) if table.position.hex_of(unit) is not None else None
    others = field(table).german_control
    if here is not None and [u for u in germans(table, here) if u != unit] == []:
        others &= ~(1 << here)
    covered = zone(table.grid, others) | others
    own = (ring_of(table.data, h) | 1 << h) & ~covered
    return SCREEN * sum(value * (own & band).bit_count() for band, value in approaches(table))


def _blow(table: Table, unit: str, h: Hex) -> float:
    """Next to Soviets whom those beside them could beat together; the unready and unsupported ones first."""
    best = 0.0
    for n in hexset.members(around(table.data, h) & field(table).soviet):
        own = strength(table, {unit, *(u for m in hexset.members(around(table.data, n)) for u in germans(table, m))})
        ratio = own / max(1, strength(table, soviets(table, n)))
        if ratio >= 1.5:
            best = max(best, prey(table, n) * min(ratio, 4.0) / 4.0)
    return BLOW * best


@kept
def _all_prey(table: Table) -> dict[Hex, float]:
    return {h: _prey(table, h) for h in hexset.members(field(table).soviet)}


def prey(table: Table, h: Hex) -> float:
    """How much a Soviet stack invites a blow."""
    return _all_prey(table)[h]


def _prey(table: Table, h: Hex) -> float:
    there = soviets(table, h)
    unready = all(is_dispersed(table, unit) or not is_supplied(table, unit) for unit in there)
    alone = not supported(table) >> h & 1
    town = table.data.points.get(h, 0)
    return 0.5 + 0.1 * steps(table, there) + 0.7 * unready + 0.4 * alone + 0.5 * town


@kept
def _stands(table: Table) -> dict[str, float]:
    """What was asked for."""
    return {}


def standing(table: Table, unit: str) -> float:
    """What a unit is worth where it stands."""
    known = _stands(table)
    if unit not in known:
        known[unit] = worth(table, unit, place(table, unit))
    return known[unit]


def better(table: Table, unit: str, to: Hex) -> float:
    return worth(table, unit, to) - standing(table, unit) - EFFORT
