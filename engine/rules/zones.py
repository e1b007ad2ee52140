"""Zones of control: where units make the enemy stop."""

from collections.abc import Sequence

from engine import hexset
from engine.hexes import Grid
from engine.hexset import HexSet


def zone(grid: Grid, held: HexSet, crossing: Sequence[HexSet]) -> HexSet:
    """The hexes around the held ones, over those hexsides that a zone crosses."""
    return hexset.across(grid, held, crossing)


def uncontrolled(land: HexSet, enemy: HexSet, enemy_zone: HexSet, friends: HexSet) -> HexSet:
    """Where one may trace and retreat: no enemy there, nor his zone unless a friend stands in it."""
    return land & ~enemy & (~enemy_zone | friends)
