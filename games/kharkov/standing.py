"""Where the campaign stands, for the head of every report; the hand as cards; what may be asked in Soviet play."""

from collections.abc import Iterator

from engine.reference import CardFace, CardHand
from engine.rulebook import read_questions
from engine.rules.ground import number
from engine.rules.marks import game_mark
from engine.rules.pools import in_pool
from games.kharkov.data import FOLDER, FRONTS, GERMAN, SOVIET, Table, tables
from games.kharkov.orders import ORDERS
from games.kharkov.rules import cards
from games.kharkov.rules.combat import chits
from games.kharkov.rules.victory import holds_kharkov, points
from games.kharkov.shapes import GermanCard

QUESTIONS = read_questions(FOLDER, ORDERS)


def standing(table: Table) -> list[tuple[str, str]]:
    """Label and value, as a player reads them."""
    turn = max(1, table.position.turn)
    found = [("Turn", f"{turn} of {table.data.turns}, {table.data.calendar(turn)['dates']}")]
    if ground := game_mark(table, "ground"):
        found.append(("Ground", ground))
    found.append(("Soviet victory points", f"{points(table)}; {_meaning(table, turn)}"))
    found.append(("Kharkov", "Soviet" if holds_kharkov(table, SOVIET) else "German"))
    if table.data.on("support_lines", turn):
        found.append(("Soviet support", f"east of the {game_mark(table, 'support line') or 'West Line'}"))
    if objectives := _objectives(table):
        found.append(("Soviet objectives", objectives))
    found.append(("Cards left", _left(table)))
    if table.position.mark("game", "single used"):
        found.append(("Activation of one unit", "used this turn"))
    if barred := game_mark(table, "last activated"):
        found.append(("Not to be activated now", barred.replace(",", ", ")))
    return found


def _meaning(table: Table, turn: int) -> str:
    """What the points come to in this game."""
    rows = table.data.tables["victory"]
    match table.data.scenario["victory"]:
        case "initial assault":
            return f"{rows['initial_assault']['most']} or fewer after turn {table.data.turns} are a victory"
        case "star and gallop":
            best = max(row["least"] for row in rows["star_and_gallop"]["levels"] if row["won"])
            lost = min(row["least"] for row in rows["star_and_gallop"]["levels"] if not row["won"])
            at_once = rows["star_and_gallop"]["at_once"]
            return (
                f"fewer than {lost} after turn {table.data.turns} are a victory (from {best} a tactical one), "
                f"{at_once} at any time a strategic defeat"
            )
    row = table.data.calendar(turn)
    said = [
        f"more than {loss['above']} at the end of this turn are a {loss['level']} defeat"
        for loss in row.get("loss", ())
    ]
    said += [f"fewer than {win['below']} with Kharkov a {win['level']} victory" for win in row.get("win", ())]
    return "; ".join(said) or "no victory is checked this turn"


def _objectives(table: Table) -> str:
    """The markers of fronts and armies that are in play, with the hex by name."""
    found = []
    for of in (*FRONTS, *table.data.tables["objectives"]["armies"]):
        if spot := game_mark(table, f"{of} objective"):
            hex_number, _, way = spot.partition(" ")
            place = table.board.places.get(table.grid.hex(hex_number))
            name = f"{place.name} {number(table, place.hex)}" if place else hex_number
            found.append(f"{of} {name}" + (f" ({way})" if way else ""))
    return ", ".join(found)


def _left(table: Table) -> str:
    german, soviet = len(in_pool(table, cards.PILE)), cards.pile_left(table)
    return f"{german} in your draw pile, {soviet} in the Soviet one"


# The hand (2.3, 5.0).

SORTS = {"corps": "corps", "kg": "Kampfgruppe", "army": "army", "group": "army group", "manstein": "Von Manstein"}
# Pools of which no letter tells: what comes of them is told where it happens, or shown as cards.
QUIET = frozenset((
    cards.HAND, cards.PILE, cards.AVAILABLE, cards.UNSEEN, cards.USED, cards.SOVIET_PILE, cards.SOVIET_USED,
    cards.COMMAND, cards.AUXILIARY, cards.TACTICS_ONLY, cards.IN_COMBAT, chits.CUP, chits.DRAWN, chits.HERE,
))  # fmt: skip


def face(row: GermanCard) -> CardFace:
    """2.3, 5.0: what a card may be played for."""
    return CardFace(row["title"], SORTS[row["kind"]], str(row["value"]), tuple(_rows(row)))


def _rows(row: GermanCard) -> Iterator[tuple[str, str]]:
    tactics = ", ".join("any" if tactic == "wild" else tactic for tactic in row["tactics"])
    yield "Tactic", tactics
    if event := row.get("event", ""):
        turns = row.get("event_turns", "")
        yield "Event", event + (f", turns {turns}" if turns else "")
    if row["replace"]:
        yield "Rebuilds", "a step" if row["replace"] == 1 else f"{row['replace']} steps"


HANDS = (CardHand(GERMAN, cards.HAND, {card: face(row) for card, row in tables()["german_cards"].items()}),)
