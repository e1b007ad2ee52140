"""Hexsides that bear marks (a bridge blown, a work built), and the ways that open and close with them."""

from engine import hexset
from engine.hexes import Hex
from engine.hexset import Sides
from engine.rules.movement import Exits
from engine.table import Table, kept_while_marked


def mark_of(table: Table, a: Hex, b: Hex, mark: str) -> int | str | None:
    """What a mark on the hexside between two hexes says. Raises NotAdjacent."""
    return table.position.mark(f"@{table.grid.hexside(a, b)}", mark)


@kept_while_marked
def bearing(table: Table, mark: str) -> Sides:
    """The hexsides that bear a mark: `movement.closed_to` shuts them, `opened` opens them."""
    borne = [subject for subject, marks in table.position.marks.items() if mark in marks]
    ends = [subject[1:].split("/") for subject in borne if subject.startswith("@") and "/" in subject]
    return hexset.sides_of(table.grid, [(table.grid.hex(a), table.grid.hex(b)) for a, b in ends])


def opened(exits: Exits, cost: int, sides: Sides) -> Exits:
    """The exits with these hexsides open at that cost, if it was not less."""
    more = tuple(mask | side for mask, side in zip(exits.get(cost, (0,) * 6), sides, strict=True))
    return dict(sorted({**exits, cost: more}.items()))
