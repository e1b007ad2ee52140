"""A toy game with one of everything the table can do: two sides at a ford for two turns."""

from tests.engine.toy.game import UNITS, opening, play, toy
from tests.engine.toy.orders import BOOK

__all__ = ["BOOK", "UNITS", "opening", "play", "toy"]
