"""The position: everything that changes in a game, and the one place that changes it."""

from engine.position.position import ELIMINATED, LAST_SEEN, UNKNOWN, UNSEEN, Position, Setting
from engine.position.writing import apply, suppose

__all__ = ["ELIMINATED", "LAST_SEEN", "UNKNOWN", "UNSEEN", "Position", "Setting", "apply", "suppose"]
