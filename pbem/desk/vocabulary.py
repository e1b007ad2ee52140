"""The words of a mail: the service's own verbs, what an order begins with, and what else is known before it is read."""

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from rapidfuzz.distance import OSA

from engine.game import Game
from pbem.desk.verbs import VERBS
from pbem.house import Room
from pbem.reading import Known
from pbem.reading.known import post_of
from pbem.store import Player

_PRESS_ENDS = re.compile(r"end press|end of press", re.I)


@dataclass(frozen=True)
class Command:
    """One thing said to the service."""

    verb: str
    rest: str
    above: int  # how many order lines stand before it


def split_lines(lines: Sequence[str]) -> tuple[list[Command], str]:
    """The commands in a mail, and its order lines, those to be tried out too; press runs to an empty line."""
    commands: list[Command] = []
    orders: list[str] = []
    left = deque(line.rstrip() for line in lines)
    while left:
        line = left.popleft().strip()
        verb, _, rest = line.partition(" ")
        verb, rest = verb.casefold().rstrip(":,."), rest.strip()
        if verb not in VERBS:
            orders += [line] if line else []
            continue
        if verb == "press":
            said = [rest] if rest else []
            while left and left[0] and not _PRESS_ENDS.fullmatch(left[0].strip()):
                said.append(left.popleft())
            if left and left[0]:
                left.popleft()
            rest = "\n".join(said)
        commands.append(Command(verb, rest, len(orders)))
        orders += [rest] if verb == "check" and rest else []
    return commands, "\n".join(orders)


SHORT = 4  # letters: of so many, one wrong one mostly makes another word
_CONDITIONS = ("if", "else", "end if", "endif", "fi")
_LINKS = frozenset(("to", "at", "with", "via", "by", "from", "->"))
_LEADING = ("to", "with", "via", "->")  # to a hex, and to no hour or house
_WORD = re.compile(r"->|[^\s,;:+&()\[\]]+")


class GameWords:
    """The words of one game and of the service."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def _verbs(self) -> frozenset[str]:
        return frozenset((*self.game.book.by_verb, *VERBS, *_CONDITIONS))

    def begins(self, line: str) -> bool:
        """See pbem.reading.known.Vocabulary."""
        words = _words(line)
        return any(" ".join(words[:many]).rstrip(".!") in self._verbs for many in range(1, 4))

    def nearly(self, line: str) -> bool:
        """See pbem.reading.known.Vocabulary. Numbers say little: streets and telephones have them too."""
        words = _words(line)
        if not words:
            return False
        named = [word for word in words if self._names(word)]
        if any(not word.isdigit() for word in named) or (named and any(word in self._verbs for word in words)):
            return True
        linked = bool(named) and not _LINKS.isdisjoint(words)
        led = any(word in _LEADING and there in named for word, there in pairwise(words))
        if led or (linked and (len(named) > 1 or words[0] in named)):
            return True
        return any(_slip(words, verb, named=bool(named)) for verb in self._verbs)

    def _names(self, word: str) -> bool:
        """Whether it names a unit or a hex."""
        setting = self.game.setting
        numbers = [piece for piece in re.split(r"[-/>]", word) if piece]
        if numbers and all(piece.isdigit() and len(piece) == 4 and setting.grid.has(piece) for piece in numbers):
            return True
        return any(letter.isdigit() for letter in word) and bool(setting.roster.find(word))


def _words(line: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(line)]


def _slip(words: list[str], verb: str, *, named: bool) -> bool:
    """Whether a slip of the pen makes a verb of the first words; a short one needs more than that to be one."""
    many = verb.count(" ") + 1
    said = " ".join(words[:many])
    wrong = OSA.distance(said, verb, score_cutoff=2)
    if len(verb) <= SHORT:
        mixed_up = sorted(said) == sorted(verb) or (len(words) == many and len(said) != len(verb))
        return len(verb) > 2 and wrong == 1 and (named or mixed_up)
    return wrong == 1 or (wrong == 2 and len(verb) > SHORT + 1 and said[:1] == verb[:1])


def known_of(room: Room, player: Player) -> Known:
    """What the reader is given for a mail of one player in one game."""
    post = post_of(room.session, room.game.id, player.address)
    return Known(room.house.settings.address, GameWords(room.rules), post)
