"""Where the campaign stands, for the head of every report; and what may be asked in the Soviets' play."""

from engine.rulebook import read_questions
from games.kharkov.data import FOLDER, Table
from games.kharkov.orders import ORDERS

QUESTIONS = read_questions(FOLDER, ORDERS)


def standing(table: Table) -> list[tuple[str, str]]:
    """Label and value, as a player reads them."""
    position = table.position
    return [("Turn", f"{position.turn} of {table.data.turns}"), ("Soviet victory points", str(position.tracks["vp"]))]
