"""Units on the move (5.0): what a move leaves behind in the phase."""

from collections.abc import Iterator, Sequence

from engine.facts import Fact, Marked, Moved, Noted
from engine.hexes import Hex
from engine.rules.ground import number, path_numbers, place
from engine.rules.marks import set_game
from games.korsun_spi.data import Table
from games.korsun_spi.rules.allowance import CLOSED, left_behind, moving, spent
from games.korsun_spi.rules.ground import enemy_zoc, is_hq
from games.korsun_spi.rules.limits import limit_row
from games.korsun_spi.rules.walking import Walk


def go(table: Table, side: str, units: Sequence[str], result: Walk, how: str, case: str) -> Iterator[Fact]:
    """The units move; their move stays open for the same units until others move (5.0)."""
    path = path_numbers(table, result.path)
    for unit in units:
        yield from began(table, unit)
        yield Moved(unit=unit, path=path, how=how, spent=result.spent[unit] - spent(table, unit), because=case)
        yield Noted(subject=unit, mark="spent", value=result.spent[unit], because="5.12")
        if table.data.switch["untried"] and is_hq(table, unit):
            entered = enemy_zoc(table, side) >> result.path[-1] & 1
            yield Noted(subject=unit, mark="came from", value=" ".join(path[-2:]) if entered else None, because="11.23")
    yield from open_move(table, units)
    yield from passed_towns(table, side, result.path[1:])


def began(table: Table, unit: str) -> Iterator[Fact]:
    """21.15: where a unit began the phase is kept for whom it limits."""
    if table.position.mark(unit, "spent") is None and limit_row(table, unit) is not None:
        yield Noted(subject=unit, mark="from", value=number(table, place(table, unit)), because="21.15")


def open_move(table: Table, units: Sequence[str]) -> Iterator[Fact]:
    """These units have moved: everybody else's move is closed, but for stack-mates who overran with them (6.24)."""
    mates = left_behind(table)
    if mates:
        same = bool(units) and set(units) <= {*mates, *moving(table)}
        waiting = [unit for unit in mates if unit not in units] if same else []
        yield from set_game(table, "together", " ".join(waiting) or None, "6.24", Noted)
    yield from set_game(table, "moving", " ".join(units) or None, "5.0", Noted)


def close_move(table: Table, units: Sequence[str]) -> Iterator[Fact]:
    """These units may not move on in this phase."""
    for unit in units:
        if table.position.hex_of(unit) is not None:
            yield Noted(subject=unit, mark="spent", value=CLOSED, because="6.22")
    yield from set_game(table, "moving", None, "5.0", Noted)


def passed_towns(table: Table, side: str, path: Sequence[Hex]) -> Iterator[Fact]:
    """25.24: a Soviet unit that enters a town removes the air marker there."""
    if side == "soviet":
        for h in path:
            if table.position.mark(f"@{number(table, h)}", "air") is not None:
                yield Marked(subject=f"@{number(table, h)}", mark="air", value=None, because="25.24")
