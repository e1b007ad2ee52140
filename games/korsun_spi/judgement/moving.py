"""Where a unit stands well: against the enemy, under command, in supply, not too exposed."""

from collections.abc import Sequence

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import held, is_a, units_at
from engine.table import kept, kept_while_side_still, kept_while_still
from games.korsun_spi.data import Table
from games.korsun_spi.judgement.lines import distance_to, pocket, relief, starving, without
from games.korsun_spi.judgement.worth import FIGURES, price, prices, strength, weights
from games.korsun_spi.rules.ground import GERMAN, SOVIET, gait, is_hq, overstacked
from games.korsun_spi.rules.strength import defence_strength, defenders_at
from games.korsun_spi.rules.supply import active, lines, sources

CROWD = -50.0  # nobody goes where the stack would be too large


def better(table: Table, units: Sequence[str], to: Hex) -> float:
    """How much better units that go together stand in a hex than where they are."""
    gain = 0.0
    for unit in units:
        mates = tuple(mate for mate in units if mate != unit)
        here = table.position.hex_of(unit)
        gain += standing(table, unit, to, mates)
        gain -= standing(table, unit, here, ()) if here is not None else 0.0
    return gain


@kept
def standing(table: Table, unit: str, h: Hex, mates: tuple[str, ...]) -> float:
    """How well a unit would stand in a hex, with those that go there with it."""
    side = table.unit(unit).side
    friends = [u for u in units_at(table, h, side) if u != unit and u not in mates]
    friends += mates
    if overstacked(table, [*friends, unit]):
        return CROWD
    if is_hq(table, unit):
        return _headquarters(table, unit, h, friends)
    of_side = _soviet(table, unit, h) if side == SOVIET else _german(table, unit, h, friends)
    whole = 2 if _whole(table, unit, friends) else 1
    return of_side + _contact(table, unit, h, whole) - _risk(table, unit, h, friends, whole)


def _whole(table: Table, unit: str, friends: Sequence[str]) -> bool:
    """19.51: all three regiments of a panzer division together, and nobody else."""
    formation = table.roster.formation(table.unit(unit).formation)
    if formation is None or formation.kind != "panzer":
        return False
    return sum(1 for friend in friends if table.unit(friend).formation == table.unit(unit).formation) == 2


# Soviet


def _soviet(table: Table, unit: str, h: Hex) -> float:
    w = weights(SOVIET)
    value = w["cut"] * starving(table, unit, h)
    fed, commanded = _radii(table)
    value += w["supply"] * (fed >> h & 1) + w["command"] * (commanded >> h & 1)
    if gait(table, unit) == "mech":
        return value - w["pull"] * distance_to(table, h, _objective(table, unit))
    goal = pocket(table) or held(table, GERMAN)
    return value - w["follow"] * distance_to(table, h, goal)


@kept_while_still("active")
def _radii(table: Table) -> tuple[HexSet, HexSet]:
    """What any HQ reaches, and what an active one does."""
    radius = lines(table, SOVIET).radius
    return hexset.union(radius.values()), hexset.union(r for hq, r in radius.items() if active(table, hq))


def _objective(table: Table, unit: str) -> HexSet:
    """Where a mobile unit makes for: the flank's town, the meeting place, or simply the enemy."""
    row = FIGURES["objectives"].get(table.game.scenario)
    if row is None:
        return held(table, GERMAN)
    if pocket(table).bit_count() > 3:
        return pocket(table)
    town = table.grid.hex(row["west"] if _column(table, unit) < row["parted_at"] else row["east"])
    if hexset.within(table.grid, 1 << town, 1) & held(table, SOVIET):
        return 1 << table.grid.hex(row["meeting"])
    return 1 << town


def _column(table: Table, unit: str) -> int:
    where = table.position.where.get(unit, "")
    return int(where[:2]) if table.grid.has(where) else 99


def _headquarters(table: Table, unit: str, h: Hex, friends: list[str]) -> float:
    """An HQ reaches many fighters near the enemy that no other HQ does, from behind them."""
    near = hexset.within(table.grid, 1 << h, table.position.value(unit, "rating"))
    front = hexset.within(table.grid, held(table, GERMAN), 2)
    others = 0
    for hq, reach in lines(table, SOVIET).radius.items():
        others |= reach if hq != unit else 0
    value = 0.0
    for spot in hexset.members(near & held(table, SOVIET)):
        weight = (0.06 if front >> spot & 1 else 0.03) if others >> spot & 1 else 0.25
        value += weight * min(_attack_at(table, SOVIET).get(spot, 0), 18)
    danger = distance_to(table, h, held(table, GERMAN))
    if danger <= 1 and not friends:
        value -= 6.0
    elif danger <= 2:
        value -= 1.0
    return value + bool(lines(table, SOVIET).ground >> h & 1) - 0.1 * danger


# German


def _german(table: Table, unit: str, h: Hex, friends: list[str]) -> float:
    w = weights(GERMAN)
    value = -w["cut"] * starving(table, unit, h)
    if sources(table, GERMAN) >> h & 1 and not friends:
        value += w["guard"]
    network = lines(table, GERMAN)
    value += w["supply"] * bool(network.ground >> h & 1)
    value += _wholeness(table, unit, friends)
    value += w["screen"] * _screened(table, unit, h)
    value += 0.4 * (table.data.shelter[h] - 1)
    if pocket(table) and network.ground >> h & 1 and gait(table, unit) == "mech":
        return value - w["pull"] * distance_to(table, h, pocket(table))
    if not network.ground >> h & 1:
        rescue = held(table, GERMAN) & network.ground
        return value - w["pull"] * distance_to(table, h, rescue)
    return value - w["follow"] * distance_to(table, h, _intruders(table))


def _screened(table: Table, unit: str, h: Hex) -> int:
    """How many hexes before the enemy only this unit would hold or control."""
    return (_bare(table, without(table, unit)) & hexset.spread(table.grid, 1 << h)).bit_count()


@kept_while_still()
def _bare(table: Table, german: HexSet) -> HexSet:
    return hexset.within(table.grid, held(table, SOVIET), 2) & ~hexset.spread(table.grid, german)


def _intruders(table: Table) -> HexSet:
    """Soviet units behind the old front; any Soviet unit if there are none."""
    soviet = held(table, SOVIET)
    if "A" not in table.board.lines:
        return soviet
    return soviet & table.data.german_side or soviet


def _wholeness(table: Table, unit: str, friends: list[str]) -> float:
    """19.51: a panzer division in one hex fights at double strength; strangers spoil it (19.53)."""
    formation = table.unit(unit).formation
    found = table.roster.formation(formation) if formation else None
    if found is None:
        return 0.0
    comrades = sum(1 for friend in friends if table.unit(friend).formation == formation)
    strangers = sum(1 for f in friends if table.unit(f).formation != formation and "stug" not in table.unit(f).classes)
    return weights(GERMAN)["whole"] * (0.5 * comrades - 0.4 * bool(strangers))


# Both


def _attack(table: Table, unit: str) -> int:
    """24.21: a supported corps counts double."""
    return strength(table, unit, "attack") * (1 if table.position.mark(unit, "supported") is None else 2)


@kept_while_side_still("supported")
def _attack_at(table: Table, side: str) -> dict[Hex, int]:
    """By hex, the attack strength a side has there."""
    spots = hexset.members(held(table, side))
    return {h: sum(_attack(table, unit) for unit in units_at(table, h, side)) for h in spots}


def _defence_at(table: Table, h: Hex) -> float:
    """What a stack defends with, as the rules count it."""
    side = table.unit(table.position.at(h)[0]).side
    factor = table.data.shelter[h]

    def of(unit: str) -> int:
        if is_a(table, unit, "untried"):
            return strength(table, unit, "defence") * factor
        return defence_strength(table, unit, factor)[0]

    return max(1, sum(of(unit) for unit in defenders_at(table, h, side)))


def _contact(table: Table, unit: str, h: Hex, whole: int) -> float:
    """The best target beside a hex, by how far the unit's strength brings four to one in sight."""
    side = table.unit(unit).side
    enemy = table.enemy(side)
    own = _attack(table, unit) * whole
    best = 0.0
    for target in hexset.members(hexset.spread(table.grid, 1 << h) & held(table, enemy)):
        need, prize = _prize(table, side, target)
        best = max(best, max(0.0, min(own, need - _ready(table, side, target, unit))) / need * prize)
    return weights(side)["contact"] * best


@kept
def _prize(table: Table, side: str, target: Hex) -> tuple[float, float]:
    """The strength that makes four to one against a target, and how dear it is."""
    worth = prices(table, table.enemy(side))[target] + weights(side)["cut"] * relief(table, target)
    return 4 * _defence_at(table, target), worth**0.5 * (1.5 if pocket(table) >> target & 1 else 1.0)


def _ready(table: Table, side: str, target: Hex, unit: str) -> int:
    """Attack strength beside a target already, but for the unit itself."""
    here = table.position.hex_of(unit)
    beside = here is not None and table.grid.direction(here, target) is not None
    return _all_beside(table, side, target) - (_attack(table, unit) if beside else 0)


@kept_while_side_still("supported")
def _all_beside(table: Table, side: str, target: Hex) -> int:
    at = _attack_at(table, side)
    return sum(at.get(n, 0) for n in table.grid.neighbours(target))


def _risk(table: Table, unit: str, h: Hex, friends: Sequence[str], whole: int) -> float:
    """What the enemy could do to the stack next turn, as a share of the unit's worth."""
    side = table.unit(unit).side
    enemy = table.enemy(side)
    defence = sum(strength(table, u, "defence") for u in [unit, *friends])
    defence = max(1, defence) * whole * table.data.shelter[h]
    odds = _threat(table, enemy, h) / defence
    return weights(side)["risk"] * price(table, unit) * min(1.0, max(0.0, (odds - 1.5) / 5))


@kept_while_side_still("supported")
def _threat(table: Table, enemy: str, h: Hex) -> float:
    """Strength the enemy could bring against a hex: all that stands beside it, half of what is near."""
    at = _attack_at(table, enemy)
    near = hexset.within(table.grid, 1 << h, 1)
    far = hexset.within(table.grid, near, 2) & ~near
    beside = sum(at[n] for n in hexset.members(near & held(table, enemy)))
    return beside + 0.4 * sum(at[n] for n in hexset.members(far & held(table, enemy)))


def headquarters_weight(table: Table, hq: str) -> float:
    """How much fighting an HQ could run: strength within its radius beside the enemy, and how soft the enemy is."""
    reach = lines(table, SOVIET).radius[hq]
    front = hexset.within(table.grid, held(table, GERMAN), 1)
    close = hexset.within(table.grid, held(table, GERMAN), 4)
    at = _attack_at(table, SOVIET)
    value = 0.0
    for h in hexset.members(reach & held(table, SOVIET)):
        value += at[h] * (1.0 if front >> h & 1 else 0.5 if close >> h & 1 else 0.0)
    prey = sum(prices(table, GERMAN)[h] for h in hexset.members(hexset.spread(table.grid, reach) & pocket(table)))
    return value + prey
