"""Where the campaign stands, for the head of every report; and what may be asked in the other's play."""

from engine.rulebook import read_questions
from engine.rules.marks import game_mark
from games.jaws.data import FOLDER, GERMAN, SOVIET, Table
from games.jaws.orders import ORDERS
from games.jaws.rules.breakout.declaring import declared_on
from games.jaws.rules.fords import tries_left
from games.jaws.rules.ground import ground, visibility
from games.jaws.rules.korsun import DROPS, LIFT, isolated, stock
from games.jaws.rules.pocket import STEPS, out, share
from games.jaws.rules.stores import DEPOT, FIELD, held, site
from games.jaws.rules.victory import points
from games.jaws.rules.wanda import WANDA, running
from games.jaws.rules.weather import FLEETS, missions_track

QUESTIONS = read_questions(FOLDER, ORDERS)


def _pocket(table: Table) -> list[tuple[str, str]]:
    """Wanda, the Breakout; and for those who may know it what of the pocket is out as things stand (23.8)."""
    found = []
    if running(table):
        found.append(("Operation Wanda", f"to turn {game_mark(table, WANDA)}"))
    if declared := declared_on(table):
        found.append(("Breakout", f"declared on turn {declared}; the Soviet turn after it is the last"))
    steps = table.position.tracks.get(STEPS, 0)
    if steps and table.position.reader != SOVIET:
        found.append(("Gruppe Stemmermann", f"{out(table)} of {steps} steps ({share(table)} %) would count as out now"))
    return found


def counted(table: Table, turn: int) -> str:
    """Which turn it is; a Breakout on the last one is followed by one more (16.4)."""
    last = table.data.turns
    return f"{turn} of {last}" if turn <= last else f"{turn}, the Soviet turn after the Breakout"


def standing(table: Table) -> list[tuple[str, str]]:
    """Label and value, as a player reads them."""
    data, position = table.data, table.position
    turn = max(data.first, position.turn)
    date = f", {data.turn(turn)['date']}" if turn <= data.turns else ""
    found = [("Turn", counted(table, turn) + date)]
    found.append(("Weather", f"{ground(table)} ground, {visibility(table)} sky"))
    names = {GERMAN: "German", "1Uk": "1st Ukrainian Front", "2Uk": "2nd Ukrainian Front"}
    air = [f"{names[fleet]} {position.tracks.get(missions_track(fleet), 0)}" for fleet in FLEETS]
    found.append(("Air missions", ", ".join(air)))
    if isolated(table):
        flights = f"missions {position.tracks.get(DROPS, 0)} Air-Drops, {position.tracks.get(LIFT, 0)} to Korsun"
        found.append(("Korsun", f"{stock(table)} SPs; {flights}"))
    found += _pocket(table)
    if fields := position.tracks.get("minefields", 0):
        found.append(("Minefields", f"{fields} at hand"))
    found += _options(table)
    if score := points(table):
        found.append(("Points", f"Soviet {score[SOVIET]}, German {score[GERMAN]}"))
    return found


def _options(table: Table) -> list[tuple[str, str]]:
    """What the options that are played with add."""
    found = []
    if table.data.switch["fords"]:
        found.append(("Ford tries left", f"Soviet {tries_left(table, SOVIET)}, German {tries_left(table, GERMAN)}"))
    for label, mark in (("Second airfield", FIELD), ("Second depot", DEPOT)):
        if site(table, mark) is not None:
            found.append((label, f"{held(table, mark)} SPs"))
    return found
