"""The house: the service's home folder, its settings, its journal, and who may write there."""

from pbem.house.house import GAME_NAME, House, now
from pbem.house.room import Room

__all__ = ["GAME_NAME", "House", "Room", "now"]
