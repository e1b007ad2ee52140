"""Where an HQ stands well."""

from __future__ import annotations

from engine import hexset
from engine.hexes import Hex
from engine.rules.ground import held
from games.manstein.data import Table
from games.manstein.judgement.outlook import bound, commanded, distances, goal_of
from games.manstein.judgement.post import Post
from games.manstein.judgement.worth import weights
from games.manstein.rules.ground import SOVIET, enemy_zoc
from games.manstein.rules.lines import lines


def headquarters(table: Table, post: Post, h: Hex, friends: list[str]) -> float:
    """Behind the line, out of the enemy's zones, with many in range whom no other HQ commands."""
    side, w = post.side, weights("headquarters")
    near = hexset.within(table.grid, 1 << h, table.position.value(post.unit, "range")) & held(table, side)
    alone = near & ~commanded(table, side, post.unit)
    value = w["alone"] * alone.bit_count() + w["shared"] * (near & ~alone).bit_count()
    if enemy_zoc(table, side) >> h & 1:
        value -= w["exposed"]
    if not lines(table, side) >> h & 1:
        value -= w["hunger"]
    value -= w["off"] * abs(distances(table.data, post.enemy)[h] - post.weights["behind"])
    if side == SOVIET:
        value -= w["drive"] * distances(table.data, goal_of(table, post.unit))[h]
    elif not bound(table) >> h & 1:
        value -= post.weights["home"] * distances(table.data, table.data.west_bank)[h]
    return value + (w["escort"] if friends else 0.0)
