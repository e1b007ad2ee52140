"""The last letter of a game, and what is enclosed in it."""

from engine.canonical import canonical
from pbem.desk.book_of import book_of
from pbem.desk.composing import foot
from pbem.house.room import Room
from pbem.letters import Enclosure, Letter
from pbem.replay.copies import copy_for
from pbem.replay.page import page
from pbem.wording.naming import in_groups


def final_files(room: Room) -> list[Enclosure]:
    campaign = room.campaign
    lines = campaign.lines()
    whole = b"".join(canonical(line) + b"\n" for line in lines)
    replay = page(campaign.game, copy_for(lines, None, campaign.secret))
    book = book_of(room)
    return [
        Enclosure(f"{room.game.id}.jsonl", "application/jsonl", whole),
        Enclosure(f"{room.game.id}.html", "text/html", replay.encode()),
        *([book] if book is not None else []),
    ]


def final_letter(room: Room, to: str, files: list[Enclosure]) -> Letter:
    """The last letter of a game: how it ended, the secret, the whole log."""
    campaign = room.campaign
    position = campaign.position
    letter = Letter("over", to, f"{position.ended}, the whole log", game=room.game.id, enclosures=list(files))
    letter.title, letter.sides = room.game.title, room.rules.sides
    letter.greeting = f"The game is over: {position.ended}."
    won = f"{position.winner} has won." if position.winner else "Nobody has won."
    points = [f"{side}: {number}" for side, number in position.points]
    letter.say("The result", won, *points)
    letter.say(
        "The secret of the dice",
        "This is the number whose hash stood in the invitation. With it every roll can be checked:"
        " `pbem verify` does so with the log enclosed.",
        f"    {in_groups(campaign.secret.hex())}",
    )
    letter.say("Enclosed", *(f"{file.name}, {len(file.data):,} bytes" for file in files))
    letter.state, letter.head, letter.commands = "final", campaign.head, foot(room)
    return letter
