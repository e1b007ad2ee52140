"""The Jaws of Victory (New England Simulations): the Korsun pocket, day by day."""

from games.jaws.game import RULEBOOK

__all__ = ["RULEBOOK"]
