"""What an order looks like in a game: the words that one may begin with, and lines that were nearly one."""

import re
from functools import cached_property
from itertools import pairwise

from rapidfuzz.distance import OSA

from engine.game import Game
from pbem.desk.verbs import VERBS

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
