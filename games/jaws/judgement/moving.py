"""Where a unit stands well: forward together, or in a line that nobody gets behind."""

from collections.abc import Sequence

from engine import hexset
from engine.hexes import Hex
from engine.rules.ground import is_a
from engine.table import kept
from games.jaws.data import Table
from games.jaws.judgement.goals import is_prize, presses, way_left
from games.jaws.judgement.outlook import (
    beside,
    covered,
    defence_at,
    over_water,
    power,
    provided,
    shelter,
    threat,
    to_enemy,
)
from games.jaws.judgement.weights import weights
from games.jaws.rules.combat.odds import defence_strength
from games.jaws.rules.stacking import breach
from games.jaws.rules.units import attack_capable, going, standing, units_in
from games.jaws.rules.zones import controlled

CROWD = -50.0  # nobody pushes another out of a hex
EXPOSED = 0.3  # each hex nearer than three, for who cannot fight
RING = 3  # neighbours that the enemy may have before a hex is a trap


class Post:
    """A unit that looks for a hex, with all that its choice depends on looked up once."""

    def __init__(self, table: Table, unit: str) -> None:
        self.unit, self.side = unit, table.unit(unit).side
        self.here = table.position.hex_of(unit)
        self.drives = presses(table, unit)
        self.weights = weights("drive" if self.drives else "hold")
        self.attack, self.defence = power(table, unit), defence_strength(table, unit)
        self.fights = attack_capable(table, unit)
        self.gun = is_a(table, unit, "artillery")
        enemy = table.enemy(self.side)
        self.enemy = standing(table, enemy)
        self.controlled = controlled(table, enemy)
        self.touching = hexset.spread(table.grid, self.enemy)
        self.far = to_enemy(table, self.side)
        self.aim = way_left(table, unit)
        self.pull = self.weights["march" if going(table, unit) == "foot" else "aim"]
        self.threat = threat(table, self.side)
        self.fed = provided(table, self.side, table.unit(unit).formation)
        alone = self.here is not None and len(units_in(table, self.here, self.side)) == 1
        self.covered = covered(table, self.side, 1 << self.here if alone and self.here is not None else 0)
        self.found: dict[Hex, float] = {}


look_out = kept(Post)


def moved(table: Table, side: str, units: Sequence[str], to: Hex) -> float:
    """How much better units stand in a hex together than where they are."""
    there = [unit for unit in units_in(table, to, side) if unit not in units]
    if breach(table, side, [*there, *units], to) is not None:
        return CROWD
    return sum(better(table, unit, to) for unit in units) - weights("place")["effort"]


def better(table: Table, unit: str, to: Hex) -> float:
    here = table.position.hex_of(unit)
    return stand(table, unit, to) - (stand(table, unit, here) if here is not None else 0.0)


def stand(table: Table, unit: str, h: Hex) -> float:
    post = look_out(table, unit)
    if h not in post.found:
        post.found[h] = _stand(table, post, h)
    return post.found[h]


def _stand(table: Table, post: Post, h: Hex) -> float:
    w, place, far = post.weights, weights("place"), post.far[h]
    friends = [unit for unit in units_in(table, h, post.side) if unit != post.unit]
    value = -post.pull * post.aim[h] - place["crowd"] * len(friends)
    if not post.fed >> h & 1:
        value -= w["hunger"]
    if not post.fights:
        return value + _behind(table, post, h, far, friends)
    value += _contact(table, post, h) - _risk(table, post, h, friends)
    value -= place["idle"] * max(0.0, far - place["reserve"])
    if far <= place["reserve"]:
        value += w["shelter"] * shelter(table, h)
        if w["spread"]:
            fresh = hexset.spread(table.grid, 1 << h) & post.touching & ~post.covered & ~post.enemy
            value += w["spread"] * fresh.bit_count()
    if is_prize(table, h) and not friends and (post.drives or far <= 2 * place["reserve"]):
        value += w["prize"]
    return value


def _behind(table: Table, post: Post, h: Hex, far: int, friends: list[str]) -> float:
    """Guns and bracketed troops: with enemies in range, and never in front."""
    place = weights("place")
    value = -EXPOSED * max(0, 3 - far) if not any(attack_capable(table, unit) for unit in friends) else 0.0
    if far <= 1 and not friends:
        return value - 3.0
    if post.gun:
        near = table.unit(post.unit).value("range")
        value += place["guns"] if far <= near else 0.0
        return value - place["idle"] * max(0, far - near)
    return value - place["idle"] * max(0.0, far - place["reserve"])


def _contact(table: Table, post: Post, h: Hex) -> float:
    """What a unit adds to the best attack that it could make or join from a hex."""
    if not post.touching >> h & 1:
        return 0.0
    w, enemy, best = post.weights, table.enemy(post.side), 0.0
    for near in table.grid.neighbours(h):
        if not post.enemy >> near & 1:
            continue
        own = post.attack / 2 if over_water(table, h, near) else post.attack
        others = beside(table, post.side, near)
        if post.here is not None and table.grid.direction(post.here, near) is not None:
            others -= post.attack / 2 if over_water(table, post.here, near) else post.attack
        strong = defence_at(table, enemy, near)
        more = min(w["most"], (others + own) / strong) - min(w["most"], others / strong)
        way = min(4.0, max(0.0, post.aim[h] - post.aim[near])) / 4
        best = max(best, w["contact"] * more * (1 + w["ahead"] * way))
    return best + w["touch"]


def _risk(table: Table, post: Post, h: Hex, friends: list[str]) -> float:
    """What may be lost: the enemy's strength near by against all that would stand here, and a ring that closes."""
    danger, value = post.threat[h], 0.0
    if not danger:
        return 0.0
    stack = post.defence + sum(defence_strength(table, unit) for unit in friends) + shelter(table, h)
    odds = danger / max(1.0, stack)
    if post.far[h] <= 2 and odds > post.weights["bear"]:
        value += post.weights["risk"] * min(6.0, odds - post.weights["bear"])
    if post.far[h] == 1:
        lost = post.enemy | post.controlled & ~post.covered
        ring = (hexset.spread(table.grid, 1 << h) & lost).bit_count()
        value += post.weights["trapped"] * max(0, ring - RING)
    return value
