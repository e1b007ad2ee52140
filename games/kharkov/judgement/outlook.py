"""Where a German is of use: towns that score, a screen before them, a blow at weak Soviets, and no pocket."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import number, place
from engine.table import kept
from games.kharkov.data import GERMAN, SOVIET, Data, Table
from games.kharkov.judgement.danger import enemy_distance, risk
from games.kharkov.rules import cards
from games.kharkov.rules.fields import field, zone
from games.kharkov.rules.ground import fits, germans, is_dispersed, is_mech, is_supplied, soviets, strength
from games.kharkov.rules.soviet.terms import FARTHEST, around, distance, distances, ring_of, surrounded
from games.kharkov.rules.supply import supported, traced_past
from games.kharkov.rules.victory import holds_kharkov

EFFORT = 0.05  # a move must better a stand by more than this
FAR = 12  # hexes over which a goal draws
COVER = {"city": 0.3, "town": 0.3, "woods": 0.2, "marsh": 0.1, "broken": 0.1, "clear": 0.0}
LOST = 0.87  # of a town's worth is still in danger for each point of strength that holds it
URGENT = (1.0, 1.0, 1.0, 1.0, 0.95, 0.9, 0.8, 0.7, 0.55, 0.4, 0.25, 0.12, 0.06, 0.02)  # by the hexes to the next enemy
POCKET, OVERSTACKED = 3.0, 20.0
DRAW, SCREEN, BAND = 0.6, 0.03, 3  # of a goal: to come nearer, to cover an approach; how far out it is screened
EDGE, KEY = 0.4, 3.0  # of an edge hex's points; of Kharkov's
NARROW, EXIT = 3, 0.25  # free hexes beside a town that are few; to stand in one of them, of the town's worth
LINE, LONG = 0.7, 14  # a line that cannot be walked around; hexes that are as good as none
LOOKED_AT = 7  # hexes that are looked at closely for a unit
ZEAL = 2.5  # of the counterstroke
CITY, FAR_FADING = 8.0, 0.87  # the same for Kharkov, without which nothing is won (18.35)
LURE, FADING = 3.0, 0.72  # of a lost town's points, and what is left of it one hex away
FRAGILE, NEARER, PILE = 0.8, 2, 10  # supply that could be cut; hexes from Soviets that count as theirs; a full pile
STRIKE, LAST = 9, 4  # the turn of the counterstroke; turns before the end in which less and less is spared
BOLD = 3.0  # what may happen to who goes forward counts for so much
COMPANY = 0.12  # friends beside a unit, up to three
BLOW, HOLD, AT_LEAST = 1.2, 1.6, 1.7  # to stand next to Soviets who can be beaten; to hold a town; odds of a blow


def need(table: Table, h: Hex) -> float:
    """How pressing a town of ours is: by its points and how near the enemy is."""
    edge = EDGE if table.data.edge_vp >> h & 1 else 1.0  # it scores only for Soviets in supply
    if number(table, h) == table.data.tables["start"]["kharkov"]:
        edge = KEY
    return edge * table.data.points[h] * URGENT[min(enemy_distance(table, h), len(URGENT) - 1)]


@kept
def goals(table: Table) -> dict[Hex, float]:
    """What hexes are worth: towns of ours that are threatened, and those of the enemy that can be had."""
    now, data, found = field(table), table.data, dict[Hex, float]()
    for h, value in data.points.items():
        if data.edge_vp >> h & 1 or not now.soviet_towns >> h & 1:
            found[h] = need(table, h) * zeal(table)
        else:
            guard = strength(table, soviets(table, h))
            found[h] = value * zeal(table) * (1.2 if not guard else 0.6 if guard < 5 else 0.3)
    return found


@kept
def wanted(table: Table) -> dict[Hex, float]:
    """What is still lacking at each goal."""
    now = field(table)
    return {
        h: value * (1.0 if now.soviet_towns >> h & 1 else 1.0 - held(strength(table, germans(table, h))))
        for h, value in goals(table).items()
    }


def held(strength_there: int) -> float:
    """How much of a town's worth is safe."""
    return 1.0 - float(LOST**strength_there)


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


@kept
def worth(table: Table, unit: str, h: Hex) -> float:
    """What it is worth that a unit stands there, the others being where they are."""
    return use(table, unit, h) + LINE * line(table, unit, h) / zeal(table) ** 2 - peril(table, unit, h)


@kept
def _covered(table: Table) -> dict[str, HexSet]:
    """What was asked for."""
    return {}


def covered(table: Table, unit: str) -> HexSet:
    """The hexes that other Germans hold or control."""
    known = _covered(table)
    if unit not in known:
        here, others = table.position.hex_of(unit), field(table).german_control
        if here is not None and all(u == unit for u in germans(table, here)):
            others &= ~(1 << here)
        known[unit] = zone(table.grid, others) | others
    return known[unit]


def line(table: Table, unit: str, h: Hex) -> float:
    """How far the Soviets would have to go to our towns, around zones of control: by what the towns are worth."""
    grid, now, values = table.grid, field(table), table.data.points
    free = table.board.land & ~(covered(table, unit) | ring_of(table.data, h) | 1 << h)
    seen = reached = now.soviet
    left, found = now.german_towns, 0.0
    for far in range(1, LONG + 1):
        beside = hexset.spread(grid, reached)
        come = beside & left
        left &= ~come
        found += sum(values[goal] for goal in hexset.members(come)) * far / LONG
        reached = beside & free & ~seen
        seen |= reached
        if not reached or not left:
            break
    return found + sum(values[goal] for goal in hexset.members(left))


def use(table: Table, unit: str, h: Hex) -> float:
    """What is gained, less what the Soviets could do there."""
    data = table.data
    others = [u for u in germans(table, h) if u != unit]
    found = (
        COVER[data.terrain(h)] + _pull(table, h, is_mech(table, unit)) + _screen(table, unit, h) + _blow(table, unit, h)
    )
    found += _exit(table, unit, h)
    if data.vp_hexes >> h & 1:
        there, own = strength(table, others), strength(table, [unit])
        found += goals(table)[h] * HOLD * (held(there + own) - held(there))
    return found - risk(table, [unit, *others], h) + (risk(table, others, h) if others else 0.0)


def peril(table: Table, unit: str, h: Hex) -> float:
    """Pockets, and stacks for which there is no room unless others go, who need not."""
    others = [u for u in germans(table, h) if u != unit]
    found = POCKET if surrounded(table.data, field(table), h, GERMAN) else 0.0
    return found if fits(table, GERMAN, h, [*others, unit]) else found + OVERSTACKED


@lru_cache(maxsize=256)
def _lures(data: Data, lost: HexSet) -> dict[Hex, float]:
    """How much each hex is drawn to the towns that are lost: all of them, the near ones most, and Kharkov from afar."""
    kharkov = data.board.grid.hex(data.tables["start"]["kharkov"])
    far = [
        (CITY, FAR_FADING, distances(data, goal))
        if goal == kharkov
        else (data.points[goal], FADING, distances(data, goal))
        for goal in hexset.members(lost)
    ]
    return {
        h: sum(points * fading ** hexes.get(h, FARTHEST) for points, fading, hexes in far)
        for h in hexset.members(data.board.land)
    }


def lure(table: Table, h: Hex) -> float:
    """What lost towns draw, when the time has come for it."""
    if not striking(table):
        return 0.0
    now = field(table)
    return LURE * _lures(table.data, now.soviet_towns | table.data.edge_vp & now.soviet).get(h, 0.0)


@kept
def safely_supplied(table: Table) -> HexSet:
    """The hexes from which supply could be traced even if every Soviet came a hex nearer."""
    now = field(table)
    return traced_past(table.data, now, hexset.within(table.grid, now.soviet_control, NEARER))


def forward(table: Table, units: Sequence[str], h: Hex) -> float:
    """What it is worth that these stand there together when it is time to strike back."""
    data, now = table.data, field(table)
    there = [unit for unit in germans(table, h) if unit not in units]
    force = [*there, *units]
    found = lure(table, h) + COVER[data.terrain(h)] - BOLD * risk(table, force, h)
    found += BOLD * risk(table, there, h) if there else 0.0
    found += COMPANY * min(3, (ring_of(data, h) & now.german).bit_count())
    if data.vp_hexes >> h & 1:
        found += goals(table)[h] * HOLD * (held(strength(table, force)) - held(strength(table, there)))
    if not safely_supplied(table) >> h & 1:
        found -= FRAGILE * len(units) * hurry(table)
    return found - (POCKET if surrounded(data, now, h, GERMAN) else 0.0)


@kept
def hurry(table: Table) -> float:
    """How much the Soviets can still do before supply is looked at again: by the cards in their pile."""
    left = table.data.turns - table.position.turn
    return min(1.0, cards.pile_left(table) / PILE) * min(1.0, left / LAST)


def best_together(table: Table, units: Sequence[str], hexes: HexSet) -> tuple[Hex | None, float]:
    """The best of these hexes for units that go together, and how much better it is than to stay."""
    here = place(table, units[0])
    stay, chosen, most = forward(table, units, here), None, float("-inf")
    likely = sorted(hexset.members(hexes), key=lambda h: (-_promise(table, h), h))[: 2 * LOOKED_AT]
    for h in likely:
        if fits(table, GERMAN, h, units):
            found = forward(table, units, h)
            if found > most:
                chosen, most = h, found
    return chosen, most - stay


@kept
def _promise(table: Table, h: Hex) -> float:
    goal = HOLD * goals(table).get(h, 0.0)
    return (
        lure(table, h)
        + goal
        + COVER[table.data.terrain(h)]
        - FRAGILE * hurry(table) * (not safely_supplied(table) >> h & 1)
    )


@kept
def _pull(table: Table, h: Hex, mech: bool) -> float:
    """How strongly what is lacking elsewhere draws: the best of it by what it is worth, and how far it is."""
    reach, best = FAR if mech else FAR - 4, 0.0
    for goal, weight in wanted(table).items():
        if weight > best:
            hexes = distance(table.data, h, goal)
            if 0 < hexes < reach:
                best = max(best, weight * (1 - hexes / reach))
    return DRAW * best


def _screen(table: Table, unit: str, h: Hex) -> float:
    """The approaches that it alone would cover by its zone of control."""
    own = (ring_of(table.data, h) | 1 << h) & ~covered(table, unit)
    return SCREEN * sum(value * (own & band).bit_count() for band, value in approaches(table))


@kept
def _exits(table: Table) -> dict[Hex, float]:
    """Hexes beside a town that we hold: it is stronger with friends there, and supplied through them."""
    now, data, found = field(table), table.data, dict[Hex, float]()
    for goal in hexset.members(now.german & data.vp_hexes & ~data.edges[GERMAN]):
        ring = ring_of(data, goal) & ~now.soviet
        narrow = (ring & ~now.soviet_zoc).bit_count() <= NARROW
        for h in hexset.members(ring):
            found[h] = max(found.get(h, 0.0), EXIT * goals(table)[goal] * (1.0 if narrow else 0.5))
    return found


def _exit(table: Table, unit: str, h: Hex) -> float:
    """To keep the way to a town open."""
    return 0.0 if any(u != unit for u in germans(table, h)) else _exits(table).get(h, 0.0)


def _blow(table: Table, unit: str, h: Hex) -> float:
    """Next to Soviets whom those beside them could beat together: by the odds, and the chits they would draw."""
    best = 0.0
    for n in hexset.members(around(table.data, h) & field(table).soviet):
        best = max(best, blow(table, n, {unit, *beside(table, n)}))
    return BLOW * zeal(table) * best


def striking(table: Table) -> bool:
    """Whether it is time to go for Kharkov, if it is lost, with all that there is."""
    return table.position.turn >= STRIKE and holds_kharkov(table, SOVIET)


def zeal(table: Table) -> float:
    """When the Soviets are at their limit (9.8) and Kharkov is theirs, blows count for more, a line for less."""
    return ZEAL if table.data.on("limit", table.position.turn) and holds_kharkov(table, SOVIET) else 1.0


def beside(table: Table, n: Hex) -> list[str]:
    """The Germans next to a hex."""
    near = around(table.data, n) & field(table).german
    return [u for m in hexset.members(near) for u in germans(table, m) if not is_dispersed(table, u)]


def blow(table: Table, n: Hex, units: Iterable[str]) -> float:
    """What an attack by these would be worth, about."""
    ratio = strength(table, units) / max(1, strength(table, soviets(table, n)))
    if ratio < AT_LEAST:
        return 0.0
    chits = sum(2 if table.position.steps_left(u) > 2 else 1 for u in units)
    return prey(table, n) * min(1.0, ratio / 4) * min(1.0, chits / 5)


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
    return 0.4 + 0.12 * strength(table, there) + 0.7 * unready + 0.4 * alone + 0.5 * town


def standing(table: Table, unit: str) -> float:
    """What a unit is worth where it stands."""
    return worth(table, unit, place(table, unit))


def better(table: Table, unit: str, to: Hex) -> float:
    return worth(table, unit, to) - standing(table, unit) - EFFORT


@kept
def prospect(table: Table, h: Hex, mech: bool) -> float:
    """About what a hex promises, whoever comes: enough to choose those that are looked at."""
    goal = HOLD * goals(table).get(h, 0.0)
    return COVER[table.data.terrain(h)] + goal + _pull(table, h, mech) + _exits(table).get(h, 0.0) + _cover(table, h)


def _cover(table: Table, h: Hex) -> float:
    """The approaches that lie in and around a hex."""
    own = ring_of(table.data, h) | 1 << h
    return 0.5 * SCREEN * sum(value * (own & band).bit_count() for band, value in approaches(table))


def best_of(table: Table, unit: str, hexes: HexSet, *, arriving: bool = False) -> tuple[Hex | None, float]:
    """The best of these hexes for a unit, of those that promise most; and how much better it is than to stay."""
    mech = is_mech(table, unit)
    likely = sorted(hexset.members(hexes), key=lambda h: (-prospect(table, h, mech), h))[:LOOKED_AT]
    chosen, most = None, float("-inf")
    for h in likely:
        found = worth(table, unit, h)
        if found > most:
            chosen, most = h, found
    return chosen, most - (0.0 if arriving else standing(table, unit))
