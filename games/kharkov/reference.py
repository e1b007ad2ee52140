"""The charts of the reference pages, all read from the game's own tables."""

from engine.game import Game
from engine.reference import Chart
from games.kharkov.data import Data


def charts(game: Game[Data]) -> list[Chart]:
    return []
