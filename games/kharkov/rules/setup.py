"""Before play (3.0): units, markers and cards, and one of the five set-up adjustments."""

from collections.abc import Generator, Iterator
from typing import Any

from engine.asks import Ask, Procedure, Roll, Step
from engine.facts import Counted, Eliminated, Fact, Marked, Placed, Pooled, StageBegan, StepLost, Told, TookHex
from engine.game import Game
from engine.orders.choice import pick
from games.kharkov.data import GERMAN, SOVIET, Data, Table
from games.kharkov.orders import Adjust
from games.kharkov.rules import cards
from games.kharkov.rules.combat.chits import all_back
from games.kharkov.rules.ground import CALENDAR, DISPERSED, LOST, RESERVE

DIE = 10


def opening(game: Game[Data]) -> list[Fact]:
    """3.0-b, 3.0-c: where every counter is before anything is drawn."""
    data, start = game.data, game.data.tables["start"]
    found: list[Fact] = []
    for unit in game.setting.roster:
        at = unit.setup if unit.setup.isdigit() else RESERVE[unit.side] if unit.setup == "GT1" else CALENDAR
        found.append(Placed(unit=unit.id, at=at, because="3.0-b"))
    for place in game.board.places.values():
        if place.size in ("town", "city"):
            number = game.board.grid.number_of(place.hex)
            owner = SOVIET if number in start["owners"] else GERMAN
            found.append(TookHex(hex=number, side=owner, because="14.1"))
    found.append(Counted(track="vp", value=start["points"], because="3.0-c"))
    found += [Pooled(pool=pool, items=(), because="3.0-d") for pool in cards.EMPTY_POOLS]
    found.append(Pooled(pool=cards.AVAILABLE, items=cards.initial(data), because="3.0-d"))
    found.append(StageBegan(stage="setup", turn=0, side=GERMAN))
    return found


def set_up(table: Table) -> Procedure:
    """3.0-d to 3.0-g: the adjustment stands for the first Soviet impulse; then both sides' cards."""
    name = yield from _adjustment(table)
    row = table.data.adjustments[name]
    yield Told(text=f"Set-up adjustment: {row['title']}.", because=row["case"])
    yield from adjusted(table, name)
    yield from all_back(table, "3.0-c", 1)
    yield from cards.first_cards(table, row["discards"])


def _adjustment(table: Table) -> Generator[Step, Any, str]:
    """3.0-f: by the die, by choice, or as the game was set up."""
    chosen = table.data.switch["adjustment"]
    names = table.data.adjustments
    if chosen in names:
        return chosen
    if chosen == "choose":
        order = yield Ask(
            GERMAN, "adjustment", "setup", "which set-up adjustment", (Adjust,),
            default=lambda: Adjust(adjustment="bloody izyum"),
            offers=lambda: [pick(Adjust, "adjustment", lambda: list(names))],
            case="3.0-f", top=True,
        )  # fmt: skip
        return str(order.adjustment)
    die: int = yield Roll("the set-up adjustment", sides=DIE, stream="setup")
    return next(name for name, row in names.items() if row["die"][0] <= die <= row["die"][1])


def adjusted(table: Table, name: str) -> Iterator[Fact]:
    """SUA-1 to SUA-5: all that a diagram shows."""
    row = table.data.adjustments[name]
    case = row["case"]
    for unit in row["eliminated"]:
        yield Eliminated(unit=unit, at=table.position.where[unit], because=case)
        if len(table.unit(unit).steps) > 1:  # they lie in the Eliminated box, and may come back
            yield Placed(unit=unit, at=LOST[GERMAN], lost=len(table.unit(unit).steps) - 1, because="12.62")
    for unit, spot in (*row["moved"].items(), *row["placed"].items()):
        yield Placed(unit=unit, at=spot, because=case)
        side = table.unit(unit).side
        if table.position.owners.get(spot, side) != side:
            yield TookHex(hex=spot, side=side, because="14.1")
    for unit in row["reduced"]:
        yield StepLost(unit=unit, because=case)
    for unit in row["dispersed"]:
        yield Marked(subject=unit, mark=DISPERSED, because=case)
    for of, objective in row["objectives"].items():
        yield Marked(subject="game", mark=f"{of} objective", value=objective, because=case)
    if table.position.tracks["vp"] != row["points"]:
        yield Counted(track="vp", value=row["points"], because=case)
