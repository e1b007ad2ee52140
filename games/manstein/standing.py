"""Where the campaign stands, for the head of every report; and what may be asked in the other side's play."""

from engine.folder import read_toml
from engine.orders.usual import NoAdvance
from engine.reference import Mark, read_marks
from engine.standing import Question
from games.manstein.data import FOLDER, Table, tables
from games.manstein.orders import CHITS, Advance, Air, EnterChits, Interrupt, Lose, NoAir, Pass, Relocate, Retreat
from games.manstein.rules.crossings import counted_points
from games.manstein.rules.ground import AXIS
from games.manstein.rules.negotiation import ordered_cities
from games.manstein.rules.victory import breakdown, points, target

MARKS: dict[str, Mark] = read_marks(read_toml(FOLDER, "marks.toml"))

# What a player may be asked in the other's play, and so answer beforehand.
QUESTIONS = {
    question.name: question
    for question in (
        Question(
            "drawn",
            "a chit was drawn while you hold chits: enter some, interrupt with Manstein, or pass",
            verbs=(EnterChits, Interrupt, Pass),
            also=("interrupt", "draw"),
            amounts=("cup", "hand"),
            answers=("ask", "pass", "interrupt if cup is 3 or less, else pass"),
            of=(AXIS,),
            reaction=True,
            default="pass; after the last draw the HQ chits you hold go in",
            subjects={**CHITS, **{name.casefold(): name for name in tables()["chits"]["common"]}},
        ),
        Question(
            "holding",
            "before a draw while you hold chits: enter some, or pass",
            verbs=(EnterChits, Pass),
            also=("before a draw",),
            amounts=("cup", "hand"),
            answers=("pass", "enter 6A if cup is 4 or less, else pass"),
            of=(AXIS,),
            reaction=True,
            default="pass; before the last draw the HQ chits you hold go in, where the option allows it",
        ),
        Question(
            "cup empty",
            "the cup is empty and you still hold chits: play Manstein, or let them go",
            verbs=(Interrupt, Pass),
            amounts=("manstein", "hand"),
            secret=("manstein",),
            answers=("pass", "interrupt if manstein is 1 or more, else pass"),
            of=(AXIS,),
            reaction=True,
            default="pass",
        ),
        Question(
            "air",
            "your units are attacked: an air marker for their defence",
            verbs=(Air, NoAir),
            also=("attacked",),
            amounts=("odds",),
            answers=("ask", "no air", "air if odds are 5 or more, else no air"),
            of=(AXIS,),
            reaction=True,
            default="an ace against 5-1 or better, for a city under order or armour; else none",
        ),
        Question(
            "loss",
            "a combat result falls on your units: which of them lose the steps",
            verbs=(Lose,),
            also=("losses",),
            amounts=("losses",),
            answers=("ask", "default", "lose 255ID if losses are 1, else default"),
            default="the cheapest, flipped before anybody is removed, HQs last",
        ),
        Question(
            "retreat",
            "units must retreat and have a choice: which way each goes, and who first",
            verbs=(Retreat,),
            answers=("ask", "default", "retreat 255ID 3033 2932, 19Pz"),
            default="each by the safest way",
        ),
        Question(
            "advance",
            "a hex that you attacked is empty: who goes in; of use where the enemy is asked in between",
            verbs=(Advance, NoAdvance),
            answers=("ask", "no advance", "advance"),
            default="it is your own attack, so the game waits for you",
        ),
        Question(
            "relocate",
            "an HQ must be relocated",
            verbs=(Relocate,),
            answers=("ask", "default"),
            default="to the nearest refuge with most friends around",
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
