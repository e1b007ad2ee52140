"""The last letter of a game, and what is enclosed in it."""

from pbem.desk.book_of import book_of
from pbem.desk.composing import foot
from pbem.desk.enclosing import here, sketched
from pbem.house.room import Room
from pbem.letters import Enclosure, Letter
from pbem.wording.naming import in_groups


def final_files(room: Room) -> list[Enclosure]:
    book = book_of(room)
    replay = sketched(f"{room.game.id}.html", "replay", here(room, ""))
    return [log_of(room), replay, *([book] if book is not None else [])]


def log_of(room: Room) -> Enclosure:
    return sketched(f"{room.game.id}.jsonl", "log", here(room, ""))


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
    letter.say("Enclosed", *(file.name for file in files))
    letter.state, letter.head, letter.commands = "final", campaign.head, foot(room)
    return letter
