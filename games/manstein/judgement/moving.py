"""Where a unit stands well: what every unit cares for, and each side's own view on top."""

from __future__ import annotations

from engine.hexes import Hex
from engine.rules.ground import units_at
from games.manstein.data import Table
from games.manstein.judgement import defending, driving, leading
from games.manstein.judgement.post import Post, look_out
from games.manstein.judgement.worth import price
from games.manstein.rules.crossings import under_order
from games.manstein.rules.ground import AXIS, SOVIET, excess, is_hq
from games.manstein.rules.odds import strength

CROWD = -50.0  # nobody pushes another out of a hex
EVEN = 2.0  # odds up to which nothing is to be feared


def better(table: Table, unit: str, to: Hex) -> float:
    """How much better a unit stands in a hex than where it is."""
    here = table.position.hex_of(unit)
    return stand(table, unit, to) - (stand(table, unit, here) if here is not None else 0.0)


def stand(table: Table, unit: str, h: Hex) -> float:
    post = look_out(table, unit)
    if h not in post.found:
        post.found[h] = _stand(table, post, h)
    return post.found[h]


def _stand(table: Table, post: Post, h: Hex) -> float:
    unit, w = post.unit, post.weights
    friends = [other for other in units_at(table, h, post.side) if other != unit]
    if friends and excess(table, [*friends, unit]):
        return CROWD
    if is_hq(table, unit):
        return leading.headquarters(table, post, h, friends)
    own = driving.soviet(table, post, h) if post.side == SOVIET else defending.axis(table, post, h, friends)
    if not post.fed >> h & 1:
        own -= w["hunger"]
    if post.heard >> h & 1:
        own += w["command"]
    return own - _risk(table, post, h, friends)


def _risk(table: Table, post: Post, h: Hex, friends: list[str]) -> float:
    """What may be lost: the enemy's strength near by against all that would stand here."""
    danger = post.threat[h]
    if not danger:
        return 0.0
    stack = post.defence + sum(strength(table, other, "defence") for other in friends)
    odds = danger / max(1, stack)
    if odds <= EVEN:
        return 0.0
    odds -= table.data.shifts[h]
    if odds <= EVEN:
        return 0.0
    if post.side == AXIS and under_order(table, h):
        odds *= 0.5  # it will be held whatever comes
    return post.weights["risk"] * (odds - EVEN) * (1 + price(table, post.unit) / 4)
