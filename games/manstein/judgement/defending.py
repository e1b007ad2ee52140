"""The Axis keep a line, hold what they were ordered to hold, and go home over the Dnieper."""

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import held, units_at
from engine.table import kept, kept_while_side_still
from games.manstein.data import Table
from games.manstein.judgement.outlook import bound, breach, distances, rear
from games.manstein.judgement.post import Post, contact
from games.manstein.judgement.worth import weights
from games.manstein.rules.crossings import under_order
from games.manstein.rules.ground import AXIS, SOVIET
from games.manstein.rules.odds import over_river, strength

RIVER = 1.5  # columns that a river on all sides of the enemy is worth


def axis(table: Table, post: Post, h: Hex, friends: list[str]) -> float:
    w = post.weights
    far = post.far[h]
    value = contact(table, post, h) - w["near"] * max(0, w["reserve"] - far) - w["crowd"] * len(friends)
    if friends or not under_order(table, h):
        value -= w["idle"] * max(0, far - w["reserve"])
    value += w["line"] * _hole(table, post, h)
    if far <= w["reserve"]:
        value += w["shelter"] * _shelter(table, SOVIET, h)
    if post.here is None or not bound(table) >> post.here & 1:
        value -= w["home"] * post.aim[h]
    return value + _place(table, post, h, friends, far)


def _place(table: Table, post: Post, h: Hex, friends: list[str], far: int) -> float:
    """Cities and crossing points must not be left open when the enemy is near; the strongest hold them best."""
    p = weights("place")
    near = max(0.0, 1.0 - (far - 1) / p["alarm"])
    if table.data.cities >> h & 1:
        enough = max(1.0, post.threat[h] / p["odds"])
        before = sum(strength(table, other, "defence") for other in friends)
        more = min(1.0, (before + post.defence) / enough) - min(1.0, before / enough)
        if not under_order(table, h):
            return near * more * p["city"]
        return near * (more * p["ordered"] - p["slot"]) + (0.0 if friends else p["guard"] + p["remote"] * far)
    return near * p["crossing"] if h in table.data.crossings and not friends else 0.0


def _hole(table: Table, post: Post, h: Hex) -> float:
    """How well the unit would bar the shortest way past the line that is open without it."""
    cuts = _cuts(table, post)
    if not cuts:
        return 0.0
    cover = hexset.spread(table.grid, 1 << h)
    return max((cover & cut).bit_count() / cut.bit_count() for cut in cuts)


@kept
def _cuts(table: Table, post: Post) -> tuple[HexSet, ...]:
    friends = held(table, AXIS)
    if post.here is not None and len(units_at(table, post.here, AXIS)) == 1:
        friends &= ~(1 << post.here)
    return breach(table.data, post.enemy, friends, rear(table, SOVIET))


@kept_while_side_still()
def _shelter(table: Table, enemy: str, h: Hex) -> float:
    """Terrain, and rivers between the hex and the enemy's ground."""
    ahead = distances(table.data, held(table, enemy))
    facing = [near for near in table.grid.neighbours(h) if ahead[near] < ahead[h]]
    rivers = sum(1 for near in facing if over_river(table, near, h))
    return float(table.data.shifts[h]) + (RIVER * rivers / len(facing) if facing else 0.0)
