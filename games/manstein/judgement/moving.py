"""Where a unit stands well: what every unit cares for, and each side's own view on top."""

from engine import hexset
from engine.hexes import Hex
from engine.rules.ground import held
from games.manstein.data import Table
from games.manstein.judgement import defending, driving
from games.manstein.judgement.outlook import bound, commanded
from games.manstein.judgement.post import Post, look_out
from games.manstein.judgement.worth import weights
from games.manstein.rules.crossings import under_order
from games.manstein.rules.ground import AXIS, SOVIET, enemy_zoc, excess, is_hq
from games.manstein.rules.lines import lines
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
    friends = [other for other in table.position.at(h) if other != unit]
    if friends and excess(table, [*friends, unit]):
        return CROWD
    if is_hq(table, unit):
        return _headquarters(table, post, h, friends)
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
    return post.weights["risk"] * (odds - EVEN) * (1 + post.price / 4)


def _headquarters(table: Table, post: Post, h: Hex, friends: list[str]) -> float:
    """Behind the line, out of the enemy's zones, with many in range whom no other HQ commands."""
    side, w = post.side, weights("headquarters")
    near = hexset.within(table.grid, 1 << h, table.position.value(post.unit, "range")) & held(table, side)
    alone = near & ~commanded(table, side, post.unit)
    value = w["alone"] * alone.bit_count() + w["shared"] * (near & ~alone).bit_count()
    if enemy_zoc(table, side) >> h & 1:
        value -= w["exposed"]
    if not lines(table, side) >> h & 1:
        value -= w["hunger"]
    value -= w["off"] * abs(post.far[h] - post.weights["behind"])
    if side == SOVIET:
        value -= w["drive"] * post.aim[h]
    elif not bound(table) >> h & 1:
        value -= post.weights["home"] * post.aim[h]
    return value + (w["escort"] if friends else 0.0)
