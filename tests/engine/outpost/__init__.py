"""A small game that the rules play against one player: a garrison behind a river, and raiders who come over it."""

from tests.engine.outpost.game import BRIDGES, OUTPOST, TURNS, outpost

__all__ = ["BRIDGES", "OUTPOST", "TURNS", "outpost"]
