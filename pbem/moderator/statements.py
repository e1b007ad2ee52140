"""A correction in words, as case files say it, and a few words more: `unmark`, `eliminate`."""

import re
from collections.abc import Iterator, Sequence

from engine import facts as f
from engine.cases.case_file import USAGES, words_of
from engine.cases.deal import Names, stated
from engine.cases.failures import Misspelt
from engine.game import Game
from engine.position import Position
from engine.table import Table
from engine.view import view
from pbem.moderator.cannot_moderate import CannotModerate

STATED = ("place", "box", "mark", "count", "took", "pool")
USAGE = {
    **{word: USAGES[word] for word in STATED},
    "unmark": "unmark UNIT|@HEX|SIDE|game NAME",
    "eliminate": "eliminate UNIT",
}
_ONLY = re.compile(r"(?P<sides>[\w, -]+?) only:\s*(?P<rest>.+)")


class BadStatement(CannotModerate):
    """A line of a correction that says nothing the game knows."""

    def __init__(self, line: int, text: str, why: str) -> None:
        super().__init__(f"line {line} of the correction ({text}): {why}")
        self.line, self.text = line, text


def read_facts(game: Game, position: Position, text: str, because: str) -> list[f.Fact]:
    """What a correction says, as facts; who may not see a thing is not shown it. Raises BadStatement."""
    names, found = Names(game), list[f.Fact]()
    for number, raw in enumerate(text.splitlines(), 1):
        line = re.sub(r"(^|\s)#.*", "", raw).strip()
        if not line:
            continue
        try:
            only, line = _readers(names, line)
            for fact in _facts(names, position, line):
                readers = only if only is not None else seen_by(position, fact)
                found.append(fact.model_copy(update={"because": because, "only": readers}))
        except Misspelt as why:
            raise BadStatement(number, raw.strip(), str(why)) from None
    if not found:
        raise CannotModerate(f"the correction says nothing; write one of {', '.join(USAGE)}, one thing a line")
    return found


def check_facts(game: Game, position: Position, facts: Sequence[f.Fact]) -> None:
    """A position that the rules could not stand is refused. Raises CannotModerate."""
    before = set(game.faults(Table(game, position)))
    wrong = [fault for fault in game.faults(Table(game, position).suppose(facts)) if fault not in before]
    if wrong:
        raise CannotModerate(f"the position would be impossible: {'; '.join(wrong)}")


def seen_by(position: Position, fact: f.Fact) -> tuple[str, ...] | None:
    """Who may know a fact about a thing: whoever sees that thing as it is now. None: everybody."""
    sides = position.setting.chairs
    seeing = tuple(side for side in sides if _told(view(position, side), fact) == _told(position, fact))
    return None if len(seeing) == len(sides) else seeing


def _told(position: Position, fact: f.Fact) -> object:
    """All that a position says of what a fact is about."""
    if isinstance(fact, f.Placed | f.Eliminated):
        return position.where.get(fact.unit), position.lost.get(fact.unit), position.marks.get(fact.unit)
    if isinstance(fact, f.Marked):
        return position.where.get(fact.subject), position.marks.get(fact.subject)
    if isinstance(fact, f.Counted):
        return position.tracks.get(fact.track)
    if isinstance(fact, f.Pooled):
        return position.pools.get(fact.pool)
    return None


def _readers(names: Names, line: str) -> tuple[tuple[str, ...] | None, str]:
    """`german only: ...` names who may know."""
    named = _ONLY.fullmatch(line)
    if not named:
        return None, line
    return tuple(names.side(side) for side in re.split(r"[,\s]+", named["sides"]) if side), named["rest"]


def _facts(names: Names, position: Position, line: str) -> Iterator[f.Fact]:
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    if word not in USAGE:
        raise Misspelt(f"{word!r} is no statement; there is {', '.join(USAGE)}")
    if not rest:
        raise Misspelt(f"write: {USAGE[word]}")
    if word == "unmark":
        subject, left = names.subject(words_of(rest))
        if len(left) != 1:
            raise Misspelt(f"write: {USAGE[word]}")
        yield f.Marked(subject=subject, mark=left[0], value=None)
    elif word == "eliminate":
        unit, left = names.unit(words_of(rest))
        if left:
            raise Misspelt(f"write: {USAGE[word]}")
        yield f.Eliminated(unit=unit, at=position.where.get(unit, ""))
    else:
        yield from stated(names, word, rest)
