"""Looking: how it stands, the map, the log so far."""

from engine.canonical import canonical
from engine.log import export
from engine.orders.fields import hexes_at
from engine.view import view
from pbem.desk.duels.told import rival_name
from pbem.desk.enclosing import here, put_map, sketched
from pbem.desk.standing_of import due_of, in_his_time
from pbem.desk.visit import Visit
from pbem.letters import Enclosure
from pbem.wording.prospects import pace_lines
from pbem.wording.situation import situation

FULL = "full"
PICTURES = {
    "on": "Your letters have their pictures: up to three of the fighting, and the map when it has changed.",
    "small": "Your letters have up to two small pictures of the fighting, and no map; `map` sends it.",
    "off": "Your letters have no pictures; `map` sends one.",
}


def status(visit: Visit, rest: str) -> None:
    """`status`: the position as the writer sees it, and who owes what."""
    if not visit.begun:
        seats = [f"{seat.side}: {'joined' if seat.joined else 'not yet joined'}" for seat in visit.room.seats()]
        if visit.room.rival is not None:
            here = "joined" if visit.room.rival.seats()[0].joined else "not yet joined"
            seats = [f"you: {'joined' if visit.seat.joined else 'not yet joined'}", f"{rival_name(visit.room)}: {here}"]
        visit.letter.say("How it stands", "The game has not begun.", *seats, *pace_lines(visit.room.pace))
        return
    campaign = visit.campaign
    seen = view(campaign.position, visit.side)
    visit.letter.say("How it stands", *situation(campaign.game, seen).splitlines(), exact=True)
    if visit.game.state != "playing":
        visit.letter.say("The game", f"It is {visit.game.state}.")
    if (duel := visit.room.duel) is not None:
        told = f"Compared so far: turn {duel.compared}." if duel.compared else "No turn has been compared yet."
        visit.letter.say("The duel", f"With {rival_name(visit.room)}. {duel.ended or told}")
    visit.letter.say("The pace", *pace_lines(visit.room.pace))
    owed = []
    for ask in campaign.asks:
        due = due_of(visit.room, ask.side)
        what = ask.prompt if ask.side == visit.side or not ask.hidden else "an answer"
        by = f", by {in_his_time(due.due, visit.player)}" if due is not None and due.due is not None else ""
        owed.append(f"{ask.side}: {what}{by}")
    if owed:
        visit.letter.say("Who owes what", *owed)


def map_(visit: Visit, rest: str) -> None:
    """`map` or `map HEX`: a picture, as the writer sees it; `map full`: all of it at full size, as a file."""
    table = visit.table
    if rest.casefold() == FULL:
        visit.letter.enclosures.append(sketched("map-full.png", "full", here(visit.room, visit.side)))
        visit.letter.say("Map", "The map at full size is attached: map-full.png.")
        return
    places, _ = hexes_at(rest.replace(",", " ").split(), table.reading(visit.side)) if rest else ([], 0)
    if rest and not places:
        visit.letter.say("Map", f"There is no hex or place {rest!r} on this map, so you get all of it.")
    put_map(visit.letter, visit.room, visit.side, [table.grid.hex(place) for place in places])


def pictures(visit: Visit, rest: str) -> None:
    """`pictures off`, `small` or `on`: what the writer's letters hold from now on."""
    wanted = rest.strip().casefold().rstrip(".!")
    if wanted not in PICTURES:
        visit.letter.say("Pictures", "Write `pictures off`, `pictures small` or `pictures on`.")
        return
    visit.player.pictures = wanted
    by_game = visit.game.settings.get("pictures", "all")
    less = {"none": " The moderator has switched them off in this game.", "small": " In this game they are small."}
    visit.letter.say("Pictures", PICTURES[wanted] + (less.get(by_game, "") if wanted == "on" else ""))


def log_(visit: Visit, rest: str) -> None:
    """`log`: the log so far, with what is not the writer's to know still sealed."""
    lines = visit.campaign.lines()
    over = "secret" in lines[-1]
    copy = lines if over else export(lines, visit.side, visit.campaign.secret)
    data = b"".join(canonical(line) + b"\n" for line in copy)
    visit.letter.enclosures.append(Enclosure(f"{visit.game.id}.{visit.side}.jsonl", "application/jsonl", data))
    what = "all of it" if over else "as you may see it; the rest is sealed until the end"
    visit.letter.say("Log", f"Enclosed: {len(copy)} {'line' if len(copy) == 1 else 'lines'}, {what}.")
