"""Where the campaign stands, for the head of every report; and what may be asked in the other side's play."""

from dataclasses import replace

from engine.rulebook import read_questions
from games.manstein.data import FOLDER, Table, tables
from games.manstein.orders import CHITS, ORDERS
from games.manstein.rules.crossings import counted_points
from games.manstein.rules.negotiation import ordered_cities
from games.manstein.rules.victory import breakdown, points, target

QUESTIONS = read_questions(FOLDER, ORDERS)
_SUBJECTS = {**CHITS, **{name.casefold(): name for name in tables()["chits"]["common"]}}
QUESTIONS["drawn"] = replace(QUESTIONS["drawn"], subjects=_SUBJECTS)


def standing(table: Table) -> list[tuple[str, str]]:
    """Label and value, as a player reads them."""
    position = table.position
    found = [("Turn", f"{position.turn} of {table.data.turns}")]
    date = table.data.date(position.turn)
    if date:
        found.append(("Date", date))
    parts = ", ".join(f"{what} {number}" for what, number in breakdown(table) if number)
    found.append(("Soviet victory points", f"{points(table)} of {target(table)}" + (f" ({parts})" if parts else "")))
    orders = [f"{table.board.places[table.grid.hex(spot)].name} {spot}" for spot in ordered_cities(table)]
    death = f"{max(0, target(table) - points(table))} points more at the end of a turn"
    found.append(("Sudden death", death + (", or a city under an Absolute Order" if orders else "")))
    found.append(("Absolute Orders", ", ".join(orders) or "none in force"))
    found.append(("Crossing points in Soviet hands", str(counted_points(table))))
    cup, hand = position.tracks.get("cup", 0), position.tracks.get("hand", 0)
    found.append(("Chits", f"{cup} in the cup, {hand} in the Axis hand"))
    if position.tracks.get("air", 0):
        found.append(("Air markers held", str(position.tracks["air"])))
    return found
