"""German armor that breaks down by itself (18.2, an option; 3.2-F1C)."""

from engine.asks import Procedure, Roll
from engine.facts import Told
from engine.rules.ground import is_a
from games.jaws.data import GERMAN, Table
from games.jaws.rules.losses import lose

STREAM = "engines"  # a stream of its own: how many Panthers there are is the Germans' business


def reliability_rolls(table: Table) -> Procedure:
    """18.2: on turns that the track marks, two dice for every Panther and Tiger unit on the map, for its owner."""
    if not table.data.switch["reliability"] or not table.data.turn(table.position.turn).get("engines"):
        return
    row = table.data.tables["options"]["reliability"]
    yield Told(text="The engines of Panthers and Tigers are tried.", because="18.2")
    for unit in table.position.on_map(GERMAN):
        if is_a(table, unit, "pz5") or is_a(table, unit, "pz6"):
            first: int = yield Roll(f"engines of {unit}, first", stream=STREAM, only=(GERMAN,))
            second: int = yield Roll(f"engines of {unit}, second", stream=STREAM, only=(GERMAN,))
            if first + second in (row["pz5"] if is_a(table, unit, "pz5") else row["pz6"]):
                yield from lose(table, unit, 1, "18.2")
