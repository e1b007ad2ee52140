"""The printed terrain chart (10.4), apart from the code that it tests."""

from engine.game import Game
from engine.hexes import Hex

# Mechanised, infantry.
HEX = {"clear": (1, 1), "woods": (2, 1), "city": (1, 1), "swamp": (3, 2), "rough": (4, 2)}
CHART = {"soviet": {"minor": 1, "major": 2}, "german": {"minor": 2, "major": 3}}
RIVERS = {
    "korsun": {side: {"minor": 1, "major": 2} for side in CHART},  # 19.23, 19.24
    "proving-rail": CHART,
    "proving-star": {**CHART, "german": {"minor": 1, "major": 3}},  # 10.11
}


def printed(scenario: str, side: str, gait: str, game: Game, here: Hex, there: Hex) -> float | None:
    """What one step costs by the printed chart, in Movement Points."""
    board = game.board
    features, terrain = board.feature(here, there), board.terrain_of(there)
    if terrain not in HEX or "sea" in features:
        return None
    road = "road" in board.way(here, there)
    points: float = 0.5 if road and gait != "inf" else HEX[terrain][0 if gait == "mech" else 1]
    if road and scenario == "korsun":  # 19.22
        return points
    return points + sum(RIVERS[scenario][side].get(feature, 0) for feature in features)
