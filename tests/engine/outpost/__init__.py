"""A small game that the rules play against one player: a garrison behind a river, and raiders who come over it."""

from pathlib import Path

from engine.folder import Scenario
from engine.game import Rulebook
from tests.engine.outpost.game import BRIDGES, OUTPOST, TURNS, outpost

__all__ = ["BRIDGES", "OUTPOST", "RULEBOOK", "TURNS", "outpost"]

RULEBOOK = Rulebook(
    "outpost", "The outpost", "a game for tests, for one player", Path(__file__).parent, "1",
    (Scenario("river", "The river", "", TURNS),), lambda scenario, options: outpost("outpost", scenario, options),
)  # fmt: skip
