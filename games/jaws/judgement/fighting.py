"""What a combat is worth before the dice, in steps: by the column that it would be fought on."""

from collections.abc import Iterable, Sequence

from engine import hexset
from engine.hexes import Hex
from engine.rules.ground import number
from engine.table import kept, kept_for_good
from games.jaws.data import Table
from games.jaws.judgement.goals import away, is_prize, wanted
from games.jaws.judgement.weights import weights
from games.jaws.orders.combat import Attack, Cas, Declare, NoCas
from games.jaws.orders.events import Barrage
from games.jaws.rules.boundary import EAST, WEST
from games.jaws.rules.combat.air import fronts_at, missions
from games.jaws.rules.combat.artillery import able_to_attack, columns, offensive
from games.jaws.rules.combat.battle import SEGMENT, Battle
from games.jaws.rules.combat.declaration import able, attackable, declared, origins, ready
from games.jaws.rules.combat.forecast import battle_meant
from games.jaws.rules.combat.odds import defenders_of, odds
from games.jaws.rules.combat.result import read_part
from games.jaws.rules.combat.support import payers, supported
from games.jaws.rules.units import front, shared, standing

FACES = range(1, 7)
WAY = 4.0  # Movement Points beyond which a hex is no better for lying nearer to an objective
FLOWN = 1  # columns that a mission brings in the mean


@kept_for_good
def _column(table: Table, column: int) -> tuple[float, float, float]:
    """Over the dice: what is lost and won in steps, how often the defender goes, how often he is broken through."""
    w, rows = weights("fight"), table.data.tables["combat_results"]["dice"]
    worth = goes = through = 0.0
    for red in FACES:
        for black in FACES:
            ours, theirs = (read_part(part) for part in rows[str(red + black)][column].split("/"))
            worth += w["step"] * theirs.steps + w["shaken"] * theirs.disorganized
            worth -= w["own"] * ours.steps + w["shaken"] * ours.disorganized + w["beaten"] * bool(ours.retreat)
            goes += bool(theirs.retreat)
            through += theirs.breakthrough
    return worth / 36, goes / 36, through / 36


def _mean(table: Table, side: str, column: int, targets: Iterable[Hex], by: Sequence[int]) -> float:
    """What a combat brings on a column, over the shifts that its guns may bring."""
    w, last = weights("fight"), len(table.data.tables["combat_results"]["columns"]) - 1
    ground = sum(taken(table, side, h) for h in targets)
    total = 0.0
    for shift in by:
        worth, goes, through = _column(table, min(last, max(0, column + shift)))
        total += worth + goes * ground + w["through"] * through
    return total / len(by)


@kept
def taken(table: Table, side: str, h: Hex) -> float:
    """What an emptied hex is worth to whoever comes: the ground, the way to an objective, the objective."""
    w = weights("fight")
    way = away(table, "motor", wanted(table))
    nearest = max(way[near] for near in table.grid.neighbours(h))
    found = w["ground"] + w["way"] * min(WAY, max(0.0, nearest - way[h]))
    return found + (w["prize"] if is_prize(table, h) else 0.0)


def shifts_of(table: Table, side: str, guns: Sequence[str], flown: bool) -> list[int]:
    points, more = sum(offensive(table, gun) for gun in guns), FLOWN if flown else 0
    return [columns(table, side, points, die) + more for die in FACES] if points else [more]


# Before: which hexes (12.1.1)


@kept
def _prospect(table: Table, side: str, target: Hex, from_: tuple[Hex, ...]) -> float:
    """The mean worth of an attack from some hexes, with a gun if there is one."""
    units = tuple(unit for h in from_ for unit in ready(table, side, h))
    if not units:
        return 0.0
    paid = supported(table, units, tuple(payers(table, units)))
    battle = Battle(side, units, (target,), defenders_of(table, side, (target,)), paid)
    guns = able_to_attack(table, battle)[:1]
    column = odds(table, battle).column
    return _mean(table, side, column, (target,), shifts_of(table, side, guns, flown=False))


def allotted(table: Table, side: str, targets: Sequence[Hex]) -> dict[Hex, tuple[Hex, ...]]:
    """Which hexes attack which: the best attack first, with all who can; the others with whom it leaves."""
    left = {target: tuple(origins(table, side, target)) for target in targets}
    found: dict[Hex, tuple[Hex, ...]] = {}
    while left:
        best = max(left, key=lambda target: (_prospect(table, side, target, left[target]), -target))
        used = found[best] = left.pop(best)
        left = {target: tuple(h for h in hexes if h not in used) for target, hexes in left.items()}
    return found


@kept
def promising(table: Table, side: str) -> list[Hex]:
    """12.1.1: every hex whose attack promises enough when each attacker is counted once."""
    targets, enough = attackable(table, side), weights("fight")["enough"]
    while True:
        plan = allotted(table, side, targets)
        good = [target for target in targets if _prospect(table, side, target, plan[target]) > enough]
        if len(good) == len(targets):
            return good
        worst = min(targets, key=lambda target: (_prospect(table, side, target, plan[target]), target))
        targets = [target for target in targets if target != worst]


def declared_worth(table: Table, side: str, order: Declare) -> float:
    """Every hex that promises enough, each attacker counted once."""
    plan = allotted(table, side, [table.grid.hex(spot) for spot in order.hexes])
    return sum(_prospect(table, side, target, hexes) - weights("fight")["enough"] for target, hexes in plan.items())


def barrage_worth(table: Table, side: str, order: Barrage) -> float:
    """17.1: on hexes that own units could attack, the way forward first."""
    near = standing(table, side)
    hexes = [table.grid.hex(spot) for spot in order.hexes]
    return sum(taken(table, side, h) for h in hexes if hexset.spread(table.grid, 1 << h) & near)


def cas_worth(table: Table, side: str, order: Cas) -> float:
    """In defence a mission for every hex, where it helps most; who attacks plans it (`flown`)."""
    return sum(1.0 + taken(table, side, table.grid.hex(spot)) / 10 for spot in order.hexes)


def flown(table: Table, side: str) -> Cas | NoCas:
    """12.1.1-2: a mission for every attack that is meant, where it helps most, by a Front of which somebody will attack
    there with support: any other is lost (6.2-5)."""
    left, found = {fleet: missions(table, fleet) for fleet in (WEST, EAST)}, dict[Hex, str]()
    meant = {h: from_ for h, from_ in _plan(table, side).items() if not shared(table) >> h & 1}  # 16.5.4-4
    for h in sorted(meant, key=lambda h: (-taken(table, side, h), h)):
        units = tuple(unit for origin in meant[h] for unit in able(table, side, origin, h))
        paid = supported(table, units, tuple(payers(table, units)))
        fleets = [fleet for fleet in left if left[fleet] and any(front(table, table.unit(u)) == fleet for u in paid)]
        if fleets:
            found[h] = max(fleets, key=lambda fleet: left[fleet])
            left[found[h]] -= 1
    said = {number(table, h): fleet for h, fleet in found.items() if len(fronts_at(table, side, h)) > 1}
    west, east = (tuple(spot for spot, by in said.items() if by == fleet) for fleet in (WEST, EAST))
    return Cas(hexes=tuple(number(table, h) for h in found), first=west, second=east) if found else NoCas()


# In the segment (12.1.3)


@kept
def _plan(table: Table, side: str) -> dict[Hex, tuple[Hex, ...]]:
    return allotted(table, side, declared(table))


def attack_worth(table: Table, side: str, order: Attack) -> float:
    """The mean over the dice, less what is spent; nobody is taken from a better attack."""
    w, grid = weights("fight"), table.grid
    again = table.position.stage.endswith(SEGMENT)
    battle = battle_meant(table, side, order)
    value = _mean(
        table, side, odds(table, battle).column, battle.targets, shifts_of(table, side, order.guns, order.air)
    )
    value -= w["gun"] * len(order.guns) + w["air"] * order.air + w["engineer"] * bool(order.engineer)
    if again:
        return value
    plan, from_ = _plan(table, side), [grid.hex(spot) for spot in order.origins]
    for target, hexes in plan.items():
        if target not in battle.targets:
            value -= sum(2.0 for h in from_ if h in hexes and _prospect(table, side, target, hexes) > w["enough"])
    return value - w["enough"]
