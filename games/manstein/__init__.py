"""Game Journal's Manstein's Last Battle."""

from games.manstein.game import RULEBOOK

__all__ = ["RULEBOOK"]
