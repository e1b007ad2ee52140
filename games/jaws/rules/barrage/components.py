"""The components of a Barrage unit (17.1.1, 22.3) while they lie in its Holding Box."""

from engine.rules.ground import is_a
from games.jaws.data import Table

HOLDING = "barrage box"  # 17.1.1-5: the Artillery Holding Box of components, and of a Barrage unit that may be formed


def components(table: Table, barrage: str) -> list[str]:
    """22.3: the five artillery units that a Barrage unit stands for."""
    return table.data.tables["barrage"]["components"][barrage]


def held(table: Table, barrage: str) -> list[str]:
    """Those of them that are in the Holding Box."""
    return [part for part in components(table, barrage) if table.position.where.get(part) == HOLDING]


def scattered(table: Table, unit: str) -> list[str]:
    """17.1.2-d: the components that are on the map in the stead of a Barrage unit; none of anybody else."""
    parts = components(table, unit) if is_barrage(table, unit) else []
    return [part for part in parts if table.position.hex_of(part) is not None]


def barrage_of(table: Table, gun: str) -> str:
    """The Barrage unit on the map that a gun in the Holding Box is part of; empty if it is none."""
    for barrage, parts in table.data.tables["barrage"]["components"].items():
        if gun in parts and table.position.where.get(gun) == HOLDING and table.position.hex_of(barrage) is not None:
            return barrage
    return ""


def best_parts(table: Table, barrage: str) -> list[str]:
    """17.1.2-c: the components with the most barrage points, one of which is lost first."""
    most = max((table.unit(gun).value("obs") for gun in held(table, barrage)), default=0)
    return [gun for gun in held(table, barrage) if table.unit(gun).value("obs") == most]


def parts_lost(table: Table, barrage: str, steps: int) -> list[str]:
    """17.1.2-c: the first from the component with the most barrage points, any other from those with the fewest."""
    by_worth = sorted(held(table, barrage), key=lambda gun: (-table.unit(gun).value("obs"), gun))
    return [*by_worth[:1], *reversed(by_worth[1:])][:steps]


def barrage_strength(table: Table, barrage: str) -> int:
    """17.1.2-a3: as much as its components have, and no more than the counter shows."""
    most = table.data.tables["barrage"]["strength"]
    return min(most, sum(table.unit(gun).value("strength") for gun in held(table, barrage)))


def is_barrage(table: Table, unit: str) -> bool:
    return is_a(table, unit, "barrage")
