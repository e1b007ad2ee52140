"""A deed with fighting in it: each battle with its arithmetic, its die and all that came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from engine import facts as f
from engine.game import Game
from pbem.report.report import Battle, Note, Sum
from pbem.report.seen import Seen
from pbem.wording.words import capital, fact_sentence


def battles(game: Game, deed: Sequence[Seen]) -> Iterator[Battle]:
    """The battles of a deed, one for each time dice decided; what led to the first belongs to it."""
    fights = [i for i, item in enumerate(deed) if isinstance(item.fact, f.Fought)]
    start = 0
    for fight, following in zip(fights, [*fights[1:], len(deed)], strict=True):
        end = following if following == len(deed) else _prepared(deed, fight, following)
        yield _battle(game, deed[start:end], fight - start)
        start = end


def continued(game: Game, fought: f.Fought, deed: Sequence[Seen]) -> Iterator[Battle]:
    """The rest of a battle that an earlier report began, and whatever else the deed holds."""
    following = next((i for i, item in enumerate(deed) if isinstance(item.fact, f.Fought)), len(deed))
    end = following if following == len(deed) else _prepared(deed, -1, following)
    after = tuple(notes(game, deed[:end]))
    if after:
        yield Battle(
            title=f"{_title(game, fought)}, continued",
            attackers=", ".join(fought.attackers),
            defenders=", ".join(fought.defenders) or "nobody",
            before=(),
            working=(),
            column=fought.column,
            die=str(fought.die),
            result=fought.result,
            case=fought.because,
            after=after,
            told=(),
        )
    if end < len(deed):
        yield from battles(game, deed[end:])


def _title(game: Game, fought: f.Fought) -> str:
    where = ", ".join(place(game, spot) for spot in fought.targets)
    return f"{fought.kind[:1].upper()}{fought.kind[1:]} on {where}"


def _prepared(deed: Sequence[Seen], fight: int, following: int) -> int:
    """Where the next battle of the same deed begins: at its die."""
    rolls = [i for i in range(fight + 1, following) if deed[i].kind == "roll"]
    return rolls[-1] if rolls else following


def _battle(game: Game, part: Sequence[Seen], fight: int) -> Battle:
    fought = part[fight].fact
    assert isinstance(fought, f.Fought)
    die = next((i for i in range(fight - 1, -1, -1) if part[i].kind == "roll"), None)
    told = (part[fight].id,) if die is None else (part[die].id, part[fight].id)
    return Battle(
        title=_title(game, fought),
        attackers=", ".join(fought.attackers),
        defenders=", ".join(fought.defenders) or "nobody",
        before=tuple(notes(game, (item for i, item in enumerate(part[:fight]) if i != die))),
        working=tuple(_sum(what, case) for what, case in fought.working),
        column=fought.column,
        die=_die(fought.die, part[die] if die is not None else None),
        result=fought.result,
        case=fought.because,
        after=tuple(notes(game, part[fight + 1 :])),
        told=told,
    )


def _sum(what: str, case: str) -> Sum:
    name, colon, amount = what.rpartition(": ")
    return Sum(name, amount, case) if colon else Sum(what, "", case)


def _die(counted: int, roll: Seen | None) -> str:
    """The number that counted, and which die of the stream it was, so that it can be proved."""
    if roll is None:
        return str(counted)
    thrown = roll.body["value"]
    return f"{counted} ({'' if thrown == counted else f'{thrown} thrown, '}{die_name(roll)})"


def die_name(roll: Seen) -> str:
    """The place of a die in its stream."""
    stream = roll.body.get("stream", "dice")
    return f"no. {roll.body['k']}" + ("" if stream == "dice" else f" of {stream}")


def place(game: Game, number: str) -> str:
    """A hex by its number and the name of what lies there."""
    found = game.board.grid.find(number)
    there = game.board.places.get(found) if found is not None else None
    return f"{number} {there.name}" if there is not None else number


def notes(game: Game, items: Iterable[Seen]) -> Iterator[Note]:
    """A sentence for every fact and roll, one for hexes taken together; answers are told by what came of them."""
    for taken, run in groupby(items, key=_taken):
        same = list(run)
        if taken is not None:
            side, case = taken
            hexes = ", ".join(place(game, item.fact.hex) for item in same if isinstance(item.fact, f.TookHex))
            yield Note(capital(f"{side} took {hexes}."), case, tuple(item.id for item in same))
            continue
        for item in same:
            if item.fact is not None:
                yield Note(capital(fact_sentence(item.fact)), item.fact.because, (item.id,))
            elif item.kind == "roll":
                body = item.body
                said = f"Die for {body['purpose']}: {body['value']} of {body['sides']} ({die_name(item)})."
                yield Note(said, "", (item.id,))


def _taken(item: Seen) -> tuple[str, str] | None:
    """Whoever took a hex, and by which case: what is told together."""
    return (item.fact.side, item.fact.because) if isinstance(item.fact, f.TookHex) else None
