"""What is known before a player's mail is read: the words of his game, and the letters that he was sent."""

from pbem.desk.vocabulary import GameWords
from pbem.house.room import Room
from pbem.reading import Known
from pbem.reading.post import post_of
from pbem.store import Player


def known_of(room: Room, player: Player) -> Known:
    """What the reader is given for a mail of one player in one game."""
    post = post_of(room.session, room.game.id, player.address)
    return Known(room.house.settings.address, GameWords(room.rules), post)
