"""Rulings: orders for a player, going back, corrections in words. Each is a line in the log, told to all."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated

import typer

from engine import facts as f
from engine import log
from engine.cases.case_file import USAGES, words_of
from engine.cases.deal import Names, stated
from engine.cases.failures import Misspelt
from engine.game import Game
from engine.position import Position
from engine.referee import Reply
from engine.table import Table
from engine.view import view
from pbem.desk.composing import finish, letter_to
from pbem.desk.line_made import put_report
from pbem.house import Room
from pbem.moderator.act import UNDER_WAY, Act, Because, CannotModerate, GameId, Side, TextFrom
from pbem.store import Seat
from pbem.wording.rulings import pace_lines, told_lines
from pbem.wording.situation import headline
from pbem.wording.words import fact_sentence

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


MODERATOR = "moderator"


def act_for(act: Act, game: GameId, side: Side, orders: TextFrom = "-") -> None:
    """Give orders for a player, by the game's own rules; he is told.

    Example: echo end | pbem game act ID german
    """
    room = act.room(game, UNDER_WAY, "no orders can be given")
    seat = act.seat(room, side)
    if not orders.strip():
        raise CannotModerate("there are no orders in it")
    skip = room.game.settings.get("errors", "refuse") == "skip"
    reply = room.campaign.submit(seat.side, orders, skip=skip, by=MODERATOR, at=room.at, cause=act.cause)
    to_him = "The moderator gave orders for you", *told_lines(reply.lines)
    to_others = "The moderator gave orders", f"They were given for {seat.side}."
    act.say(*told_lines(reply.lines))
    rule(act, room, reply, lambda other: to_him if other.id == seat.id else to_others)
    if reply.line is None:
        act.say("No line was written.")
        player = room.player(seat)
        if player is not None and any(line.state in ("kept", "sealed") for line in reply.lines):
            act.send(act.write(room, seat, player, *to_him), seat.side)
    act.refused = bool(reply.refused)


def rewind(
    act: Act,
    game: GameId,
    to: Annotated[int, typer.Argument(metavar="LINE", help="The game stands again as after this line.", min=0)],
) -> None:
    """Go back to the end of a line, past dice too; nothing is deleted, and all are told.

    Example: pbem game rewind ID 12
    """
    room = act.room(game, UNDER_WAY, "there is nothing to go back in")
    campaign = room.campaign
    if not 0 <= to < campaign.count - 1:
        raise CannotModerate(f"line {to} is not before the last line, which is {campaign.count - 1}")
    waiting = {
        seat.id: [line.text for _, lines in campaign.drawer.waiting.get(seat.side, []) for line in lines]
        for seat in room.seats()
    }
    pace = room.pace

    def told(seat: Seat) -> list[str]:
        stands = f"The game stands again as it stood after line {to}; what came later no longer counts."
        terms = pace_lines(room.pace) if room.pace != pace else []
        back = waiting.get(seat.id, [])
        handed = ["What waited in your drawer is handed back to you:", *back] if back else []
        return ["The moderator went back", stands, *terms, *handed]

    rule(act, room, campaign.rewind(to, at=room.at, cause=act.cause), told)


def correct(act: Act, game: GameId, statements: TextFrom = "-", because: Because = "") -> None:
    """Put a position right by hand: place, box, mark, unmark, count, took, pool, eliminate, one thing a line.

    All are told that it was done, and each is shown what he may see.

    Example: echo "place GTC3 2719" | pbem game correct ID --because "a slip of the pen"
    """
    room = act.room(game, UNDER_WAY, "there is no position to correct")
    campaign = room.campaign
    facts = read_facts(campaign.game, campaign.position, statements, because or "the moderator's correction")
    check_facts(campaign.game, campaign.position, facts)

    def told(seat: Seat) -> list[str]:
        seen = [fact_sentence(campaign.game, fact) for fact in facts if fact.seen_by(seat.side)]
        why = [f"Why: {because}."] if because else []
        nothing = ["Nothing that your side can see has changed."]
        return ["The moderator corrected the position", *(seen or nothing), *why]

    reply = campaign.correct(facts, at=room.at, cause=act.cause)
    act.say(*(fact_sentence(campaign.game, fact) + _whose(fact) for fact in facts))
    rule(act, room, reply, told)


def _whose(fact: f.Fact) -> str:
    return "" if fact.only is None else f" (shown to {', '.join(fact.only) or 'nobody'})"


def rule(act: Act, room: Room, reply: Reply, told: Callable[[Seat], Sequence[str]]) -> None:
    """A line by the moderator's word: he hears of it, and everybody gets a report, first a heading and words to him."""

    def tell(line: log.Line) -> None:
        act.say(f"Line {line['n']} is written: {headline(room.campaign.game, room.campaign.position)}.")
        for seat, player in room.people():
            letter = letter_to(room, "report", seat, player, *told(seat))
            put_report(room, letter, seat, player, line)
            finish(room, letter, seat, player)
            act.send(letter, seat.side)

    act.line(room, reply, tell)
