"""The house: the service's home folder, its settings, its journal, and who may write there."""

from pbem.house.house import House, now
from pbem.house.in_files import GAME_NAME
from pbem.house.room import Room

__all__ = ["GAME_NAME", "House", "Room", "now"]
