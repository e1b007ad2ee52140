"""Where the campaign stands, for the head of every report: turn, date, weather, score, air."""

from engine.rulebook import read_questions
from games.korsun_spi.data import FOLDER, Table
from games.korsun_spi.orders import ORDERS
from games.korsun_spi.rules.ground import GERMAN, SOVIET
from games.korsun_spi.rules.losses import points
from games.korsun_spi.rules.victory import level

QUESTIONS = read_questions(FOLDER, ORDERS)


def standing(table: Table) -> list[tuple[str, str]]:
    """Label and value, as a player reads them."""
    position, tables = table.position, table.data.tables
    turns = table.data.turns
    found = [("Turn", f"{position.turn} of {turns}")]
    date = next((row["date"] for row in tables["turn_track"]["turns"] if row["turn"] == position.turn), "")
    if date and table.data.switch["weather"] in ("track", "variable"):
        found.append(("Date", date))
    weather = [str(value) for mark, value in position.marks.get("game", {}).items() if mark.startswith("weather")]
    if weather:
        found.append(("Weather", ", ".join(dict.fromkeys(weather))))
    found.append(("Score", _score(table)))
    air = [f"{side} {position.tracks[f'air_{side}']}" for side in table.game.sides if f"air_{side}" in position.tracks]
    if any(not left.endswith(" 0") for left in air):
        found.append(("Air Points left", ", ".join(air)))
    return found


def _score(table: Table) -> str:
    """27.3: the level that the difference would give if the game ended now, without what is counted at the end."""
    soviet, german = points(table, SOVIET), points(table, GERMAN)
    said = f"Soviet {soviet}, German {german}"
    if table.position.ended:
        return f"{said}: {table.position.ended}"
    return f"{said} (as it is, a {level(table, soviet - german)[0]})"
