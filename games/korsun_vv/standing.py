"""Where the campaign stands, for the head of every report; and what may be asked in the other side's play."""

from engine.rulebook import read_questions
from engine.rules.ground import held
from games.korsun_vv.data import FOLDER, Table
from games.korsun_vv.names import GERMAN, HELD, RUSSIAN
from games.korsun_vv.orders import ORDERS
from games.korsun_vv.rules.pocket import formed
from games.korsun_vv.rules.victory import breakdown, points

QUESTIONS = read_questions(FOLDER, ORDERS)


def standing(table: Table) -> list[tuple[str, str]]:
    """Label and value, as a player reads them."""
    position = table.position
    found = [("Turn", f"{position.turn} of {table.data.turns}")]
    date = table.data.date(position.turn)
    if date:
        found.append(("Date", date))
    found.append(("Weather", table.data.weather(position.turn)))
    parts = ", ".join(f"{what} {number:+}" for what, number in breakdown(table) if number)
    found.append(("Russian victory points", f"{points(table)}" + (f" ({parts})" if parts else "")))
    if formed(table):
        found.append(("Pocket", f"formed with {position.tracks.get(HELD, 0)} units"))
    spot = table.data.airfield
    holder = next((s for s in (GERMAN, RUSSIAN) if held(table, s) >> spot & 1), "")
    owner = position.owners.get(table.grid.number_of(spot), "")
    found.append(("Korsun airfield", holder or f"{owner}, nobody there"))
    for side in (RUSSIAN, GERMAN):
        pool = position.pools.get(f"{side} pool", ())
        if pool:
            found.append((f"{side.capitalize()} supports in the pool", ", ".join(pool)))
    return found
