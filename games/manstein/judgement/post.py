"""A unit that looks for a hex, with all that its choice depends on looked up once."""

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import held
from engine.rules.marks import game_mark
from engine.table import kept
from games.manstein.data import Table
from games.manstein.judgement.outlook import beside, commanded, defence_at, distances, goal_of, threat
from games.manstein.judgement.worth import price, weights
from games.manstein.rules.ground import SOVIET, enemy_zoc
from games.manstein.rules.lines import lines
from games.manstein.rules.odds import over_river, strength

MOST_ODDS, SLOPE = 2.5, 0.6  # beyond such odds an attack gains little; what a column of them is worth


class Post:
    """What a unit is, and what it sees around it."""

    def __init__(self, table: Table, unit: str) -> None:
        self.unit, self.side = unit, table.unit(unit).side
        self.here = table.position.hex_of(unit)
        self.weights = weights(self.side)
        self.attack, self.defence = strength(table, unit, "attack"), strength(table, unit, "defence")
        self.enemy = held(table, table.enemy(self.side))
        self.touching = hexset.spread(table.grid, self.enemy)
        self.far = distances(table.data, self.enemy)  # to the nearest enemy
        wanted = goal_of(table, unit) if self.side == SOVIET else table.data.west_bank
        self.aim = distances(table.data, wanted)  # to where the side wants to be
        self.price = price(table, unit)
        self.threat = threat(table, self.side)
        self.heard = commanded(table, self.side)
        self.fed = _fed(table, self.side)
        self.found: dict[Hex, float] = {}


look_out = kept(Post)


@kept
def _fed(table: Table, side: str) -> HexSet:
    """A hex in the enemy's zone is fed once a friend stands in it, if its neighbours are."""
    network = lines(table, side)
    return network | hexset.spread(table.grid, network) & enemy_zoc(table, side)


def contact(table: Table, post: Post, h: Hex) -> float:
    """What attacks the unit could make or join from a hex."""
    if not post.touching >> h & 1:
        return 0.0
    enemy, best = table.enemy(post.side), 0.0
    for near in table.grid.neighbours(h):
        if post.enemy >> near & 1:
            total = beside(table, post.side, near) + (post.attack // 2 if over_river(table, h, near) else post.attack)
            if post.here is not None and table.grid.direction(post.here, near) is not None:
                total -= post.attack
            odds = total / max(1, defence_at(table, enemy, near)) - 0.7 * table.data.shifts[near]
            best = max(best, min(MOST_ODDS, odds) * SLOPE)
    fought = game_mark(table, "mode") == "CM"
    return post.weights["contact"] * best * (post.weights["later"] if fought else 1.0)
