"""Who is new next to the reader: enemies that moved and now stand beside one of his stacks."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine import facts as f
from engine.game import Game
from engine.position import Position
from pbem.report.fights import went_on
from pbem.tale.marches import marches
from pbem.wording.naming import side_title
from pbem.wording.words import place


@dataclass(frozen=True)
class Newcomers:
    """Enemies in a hex, where they came from, and whom they touch."""

    spot: str
    units: str
    beside: str


def newcomers(game: Game, seen: Position, reader: str, facts: Sequence[f.Fact]) -> tuple[list[Newcomers], str]:
    """By hex, and all other moves in a line; a unit that went on is told where it stands now."""
    roster, grid = game.setting.roster, seen.setting.grid
    origin: dict[str, str] = {}
    for march in marches(facts, roster):
        if march.side != reader and march.how != "retreat":
            for unit in march.units:
                origin.setdefault(unit, march.path[0])
    own = seen.held(reader) if reader in seen.setting.sides else 0
    near: dict[str, list[str]] = {}
    beside: dict[str, dict[str, None]] = {}
    for unit, came in origin.items():
        h = seen.hex_of(unit)
        touched = [n for n in grid.neighbours(h) if own >> n & 1] if h is not None else []
        if h is None or not touched:
            continue
        spot = grid.number_of(h)
        near.setdefault(spot, []).append(f"{unit} from {came}" if grid.has(came) else unit)
        beside.setdefault(spot, {}).update(dict.fromkeys(map(grid.number_of, touched)))
    found = [Newcomers(place(game, spot), ", ".join(near[spot]), ", ".join(beside[spot])) for spot in sorted(near)]
    return found, _others(game, reader, facts, {unit.partition(" ")[0] for units in near.values() for unit in units})


def _others(game: Game, reader: str, facts: Sequence[f.Fact], told: set[str]) -> str:
    """How many moved besides."""
    moved = {move.unit for move in went_on(facts)} - told
    counts: dict[str, int] = {}
    for unit in moved:
        side = game.setting.roster.get(unit).side
        counts[side] = counts.get(side, 0) + 1
    said = [
        f"{number} {'of yours' if side == reader else side_title(side)}"
        for side, number in sorted(counts.items(), key=lambda pair: pair[0] == reader)
    ]
    return " and ".join(said)
