"""What the two of a duel are told of each other."""

from pbem.desk.composing import finish, letter_to
from pbem.desk.standing_of import name_of
from pbem.house import Room
from pbem.letters import Kind, Letter


def rival_name(room: Room) -> str:
    """The other one of a duel, as the reader knows him."""
    rival = room.rival
    assert rival is not None
    return name_of(rival, rival.seats()[0])


def to_rival(room: Room, heading: str, *lines: str, kind: Kind = "notice", writer: str = "") -> list[Letter]:
    """Letters to the other one of a duel, in the thread of his own game; none if there is no duel."""
    rival, letters = room.rival, []
    for seat, player in rival.people() if rival is not None else ():
        assert rival is not None
        letter = letter_to(rival, kind, seat, player)
        letter.writer = writer
        letter.about = " ".join(lines[:1]) if writer else ""
        letter.say(heading, *lines)
        finish(rival, letter, seat, player)
        letters.append(letter)
    return letters
