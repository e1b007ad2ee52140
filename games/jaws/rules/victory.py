"""What wins (23.0): counted when the last turn of the scenario ends."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Fact, GameEnded, Told
from engine.position import ELIMINATED
from engine.rules.ground import is_a, place
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.rules import campaign
from games.jaws.rules.breakout.declaring import breaks_out, declared_on, last_turn
from games.jaws.rules.ground import open_to, owner, supply_sides
from games.jaws.rules.units import OOS, is_cadre
from games.jaws.shapes import Towns

LEVELS = ("Soviet decisive victory", "Soviet marginal victory", "Draw", "German victory")
GIVEN_UP = 1  # 23.2, 23.3: at best for Germans who end it by a Breakout
DECISIVE, MARGINAL = "German decisive victory", "German marginal victory"


def towns_row(table: Table) -> Towns | None:
    """The scenarios that count points."""
    name, rows = table.data.scenario["victory"], table.data.tables["victory"]
    return rows["konev"] if name == "konev" else rows["vatutin"] if name == "vatutin" else None


def points(table: Table) -> dict[str, int]:
    """23.1, 23.2: the points of both sides as they stand."""
    row = towns_row(table)
    if row is None:
        return {}
    position, grid = table.position, table.grid
    soviet = sum(worth for spot, worth in row["hexes"].items() if owner(table, grid.hex(spot)) == SOVIET)
    first, last = row["brigade_columns"]
    for unit in position.on_map(SOVIET):
        column = int(grid.number_of(place(table, unit))[:2])
        if is_a(table, unit, "brigade") and position.mark(unit, OOS) is None and first <= column <= last:
            soviet += row["brigade"]
    hurt = [u.id for u in table.roster.by_side(SOVIET) if len(u.steps) > 2 and "barrage" not in u.classes]
    spent = [
        u
        for u in hurt
        if position.where.get(u) == ELIMINATED or (position.hex_of(u) is not None and is_cadre(table, u))
    ]
    return {SOVIET: soviet, GERMAN: row["cadre"] * len(spent)}


def korsun_linked(table: Table) -> bool:
    """23.3: whether a German supply path of any length leads from Korsun to a map-edge source."""
    sources = table.data.sources("8A") | table.data.sources("1PzA")
    traced = hexset.flood(table.grid, sources, open_to(table, GERMAN), supply_sides(table, GERMAN))
    return bool(traced >> table.board.find("Korsun")[0].hex & 1)


def end_of_turn(table: Table) -> Iterator[Fact]:
    """3.2-GA: the ring is looked at every turn, all else on the last."""
    data, turn = table.data, table.position.turn
    last = last_turn(table) or (turn >= data.turns and not breaks_out(table))  # 16.4-e3
    if data.scenario["victory"] == "ring" and not korsun_linked(table):
        level = LEVELS[0] if turn <= data.tables["victory"]["ring"]["decisive"] else LEVELS[1]
        yield Told(text="No German supply path leads to Korsun any more.", because="23.3")
        yield GameEnded(result=level, winner=SOVIET, because="23.3")
    elif last and data.scenario["victory"] in ("hells_gate", "campaign"):
        yield from campaign.judged(table)
    elif last:
        yield _last(table)
    elif campaign.no_pocket(table):
        yield from campaign.never_shut_in(table)


def _last(table: Table) -> GameEnded:
    row, name = towns_row(table), table.data.scenario["victory"]
    if row is not None:
        score = points(table)
        ahead = score[SOVIET] - score[GERMAN]
        level = next((n for n, least in enumerate(row["levels"]) if ahead >= least), len(row["levels"]))
        level = min(level, GIVEN_UP) if declared_on(table) else level
        winner = SOVIET if level < 2 else "" if level == 2 else GERMAN
        return GameEnded(result=LEVELS[level], winner=winner, points=tuple(score.items()), because=row["case"])
    if name == "ring":
        return _open_ring(table)
    return campaign.relieved(table) if name == "wanda" else _thrust(table)


def _open_ring(table: Table) -> GameEnded:
    """23.3: the ring never closed; a draw if both spearheads have come through; who breaks out of it gives it up."""
    if declared_on(table):
        return GameEnded(result=LEVELS[GIVEN_UP], winner=SOVIET, because="23.3")
    towns = table.data.tables["victory"]["ring"]["towns"]
    if all(owner(table, table.grid.hex(spot)) == SOVIET for spot in towns):
        return GameEnded(result=LEVELS[2], winner="", because="23.3")
    return GameEnded(result=LEVELS[3], winner=GERMAN, because="23.3")


def _thrust(table: Table) -> GameEnded:
    """23.4: a path from one of the panzer divisions to the road east of Olshana; or how far north a unit came."""
    row = table.data.tables["victory"]["vormann"]
    goal = table.grid.hex(row["goal"])
    traced = hexset.flood(table.grid, 1 << goal, open_to(table, GERMAN), supply_sides(table, GERMAN))
    panzers = [u.id for body in row["formations"] for u in table.roster.by_formation(body)]
    if any((h := table.position.hex_of(u)) is not None and traced >> h & 1 for u in panzers):
        return GameEnded(result=DECISIVE, winner=GERMAN, because="23.4")
    korps = [u.id for u in table.roster.by_formation(row["korps"])]
    rows = [int(table.grid.number_of(h)[2:]) for u in korps if (h := table.position.hex_of(u)) is not None]
    north = min(rows, default=row["draw"])
    if north < row["row"]:
        return GameEnded(result=MARGINAL, winner=GERMAN, because="23.4")
    if north < row["draw"]:
        return GameEnded(result=LEVELS[2], winner="", because="23.4")
    return GameEnded(result="Soviet victory", winner=SOVIET, because="23.4")
