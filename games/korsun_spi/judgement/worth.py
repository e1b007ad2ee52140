"""What units are worth to a player, and the figures he goes by."""

from engine.hexset import HexSet, members
from engine.rulebook import read_tables
from engine.rules.ground import held, is_a
from engine.table import kept_while_still
from games.korsun_spi.data import FOLDER, Table
from games.korsun_spi.rules.ground import SOVIET, is_hq
from games.korsun_spi.rules.losses import worth
from games.korsun_spi.rules.supply import isolated
from games.korsun_spi.shapes import Figures

FIGURES: Figures = read_tables(FOLDER, "judgement/weights.toml", Figures)
GUESS = 2  # what an untried unit may turn out to be, more or less


def weights(side: str) -> dict[str, float]:
    return FIGURES["soviet"] if side == SOVIET else FIGURES["german"]


def strength(table: Table, unit: str, kind: str) -> int:
    """Attack or defence as printed; HQs have none, and what an untried unit has is guessed (13.2)."""
    if is_hq(table, unit):
        return 0
    return GUESS if is_a(table, unit, "untried") else table.position.value(unit, kind)


@kept_while_still("air supplied", "entered", "heavy")
def price(table: Table, unit: str) -> float:
    """The points its destruction would give the enemy now."""
    alone = table.position.hex_of(unit) is not None and isolated(table, unit)
    return float(worth(table, unit, isolated=alone)[1])


def step_price(table: Table, unit: str) -> float:
    """What one step of a unit is worth: the last one costs the whole, the others a share."""
    return price(table, unit) / max(1, table.position.steps_left(unit))


@kept_while_still("air supplied", "entered", "heavy")
def prices(table: Table, side: str) -> dict[int, float]:
    """By hex, what a side's stack there is worth."""
    at = table.position.at
    return {h: sum(price(table, unit) for unit in at(h)) for h in members(held(table, side))}


def total(by_hex: dict[int, float], hexes: HexSet) -> float:
    return sum(by_hex[h] for h in members(hexes) if h in by_hex)
