"""The house: the service's home folder, its settings, its journal, and who may write there."""

from pbem.house.house import GAME_NAME, House, now

__all__ = ["GAME_NAME", "House", "now"]
