"""Where the campaign stands, for the head of every report: turn, date, weather, score, air."""

from engine.folder import read_toml
from engine.orders.usual import NoAdvance
from engine.reference import Mark, read_marks
from engine.standing import Question
from games.korsun_spi.data import FOLDER, Table
from games.korsun_spi.orders import Advance, Air, Lose, NoAir, Retreat
from games.korsun_spi.rules.ground import GERMAN, SOVIET
from games.korsun_spi.rules.losses import points
from games.korsun_spi.rules.victory import level

MARKS: dict[str, Mark] = read_marks(read_toml(FOLDER, "marks.toml"))

# What a player may be asked in the other's turn, and so answer beforehand.
QUESTIONS = {
    question.name: question
    for question in (
        Question(
            "loss",
            "a combat result falls on your units: they lose steps, or all of them retreat",
            verbs=(Lose, Retreat),
            also=("attacked", "losses"),
            amounts=("losses",),
            answers=("retreat", "hold", "retreat if losses are 2 or more, else hold"),
            default="in good terrain, or where somebody cannot get away, they lose steps; else all retreat",
        ),
        Question(
            "advance",
            "a hex beside your units was emptied in combat: who goes in",
            verbs=(Advance, NoAdvance),
            also=("vacated",),
            answers=("no advance", "advance"),
            default="nobody advances",
        ),
        Question(
            "air",
            "your units are attacked: an Air Point for their defence",
            verbs=(Air, NoAir),
            also=("air defence", "bombed"),
            answers=("air", "no air"),
            reaction=True,
            default="an Air Point against 3-1 or better, if one is to spare",
        ),
        Question(
            "drive back",
            "enemy units that broke away from yours fall back: you say which way",
            verbs=(Retreat,),
            answers=("default",),
            default="by the safest way",
        ),
    )
}


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
