"""Where the campaign stands, for the head of every report; and what may be asked in the other side's play."""

from engine.folder import read_toml
from engine.reference import Mark, read_marks
from engine.rules.ground import held
from engine.standing import Question
from games.korsun_vv.data import FOLDER, Table
from games.korsun_vv.names import GERMAN, HELD, RUSSIAN
from games.korsun_vv.orders import Alarm, Defend, Hold, Lose, Pass, Retreat
from games.korsun_vv.rules.pocket import formed
from games.korsun_vv.rules.victory import breakdown, points

MARKS: dict[str, Mark] = read_marks(read_toml(FOLDER, "marks.toml"))

# What a player may be asked in the other's play, and so answer beforehand.
QUESTIONS = {
    question.name: question
    for question in (
        Question(
            "attacked",
            "a combat result falls on your hex: steps, or hexes of retreat",
            verbs=(Hold, Retreat),
            also=("result", "losses"),
            amounts=("losses", "steps"),
            answers=("hold", "retreat", "retreat if losses are 2 or more, else hold"),
            default="a retreat where it costs nothing, else steps",
        ),
        Question(
            "defence",
            "your hex is attacked: support, and the units that lend quality and armour",
            verbs=(Defend,),
            also=("support", "support in defence"),
            amounts=("column",),
            answers=("defend", "defend support artillery if column is 4 or more, else defend", "default"),
            reaction=True,
            default="the least support that moves a column, where it may help",
        ),
        Question(
            "toll",
            "a retreat leads through enemy zones of control: who of the stack loses the step",
            verbs=(Lose,),
            answers=("ask", "default"),
            default="the one with most steps",
        ),
        Question(
            "alarm",
            "between two actions of the Russian: place an Alarm battalion, or pass",
            verbs=(Alarm, Pass),
            also=("alert",),
            answers=("pass", "alarm Alarm1 at 2214 if 2415 is held, else pass", "ask"),
            of=(GERMAN,),
            reaction=True,
            default="pass",
        ),
        Question(
            "excess",
            "too many units stand in a hex after an activation: who goes",
            verbs=(Lose,),
            answers=("ask", "default"),
            reaction=True,
            default="the weakest",
        ),
    )
}


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
