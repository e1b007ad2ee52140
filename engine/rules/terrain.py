"""Terrain: what a rulebook's chart says of the hexes and hexsides of a board."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from engine import hexset
from engine.board import Board
from engine.hexset import HexSet

Row = TypeVar("Row")  # what a chart says of one terrain
Six = tuple[HexSet, ...]


def hexes_where(board: Board, chart: Mapping[str, Row], says: Callable[[Row], object]) -> HexSet:
    """The hexes of every terrain of which the chart says so."""
    return hexset.union(hexes for kind, hexes in board.terrain.items() if says(chart[kind]))


def sides_where(board: Board, chart: Mapping[str, Row], says: Callable[[Row], object]) -> Six:
    """The hexsides of every feature of which the chart says so, by direction."""
    found = [hexsides(board, feature) for feature, row in chart.items() if says(row)]
    return tuple(hexset.union(masks[d] for masks in found) for d in range(6))


def hexsides(board: Board, feature: str) -> Six:
    """The hexsides with a feature, by direction; none if the board has none."""
    return board.sides.get(feature, (0,) * 6)
