"""The weights of the sensible player."""

from functools import cache

from engine.rulebook import read_tables
from games.jaws.data import FOLDER


@cache
def weights(name: str) -> dict[str, float]:
    found: dict[str, dict[str, float]] = read_tables(FOLDER, "judgement/weights.toml", dict[str, dict[str, float]])
    return found[name]
