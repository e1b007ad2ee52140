"""A report made: one side's view of a span of lines, and of what is asked after it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from engine import facts as f
from engine.asks import Ask
from engine.campaign import Span
from engine.campaign.folding import put_back
from engine.dice import Dice
from engine.drawer import Drawer
from engine.game import Game
from engine.log import Line, items_in_force
from engine.orders.choice import Choice
from engine.position import Position
from engine.referee import Referee
from engine.reference import CardHand
from engine.table import Table
from engine.view import view
from pbem.report.draft import draft
from pbem.report.report import Asked, HeldCard, Note, Report, ShownHand
from pbem.report.telling import bookkeeping, notes, phases
from pbem.tale.entries import facts_of, tale
from pbem.tale.marches import went_on
from pbem.wording.marks_and_tracks import track_name
from pbem.wording.naming import WORDS
from pbem.wording.option_values import shown_terms
from pbem.wording.situation import headline
from pbem.wording.words import capital, how_many, plural, steps

NO_SECRET = b"no die is cast in a report"
MOST_USES = 8  # lines that are told of a card; the order board has all
ELLIPSIS = "\u2026"


class NoSuchLine(LookupError):
    """The log is not that long."""

    def __init__(self, line: int, last: int) -> None:
        super().__init__(f"there is no line {line}; the lines are 0 to {last}")
        self.line, self.last = line, last


class NothingSince(LookupError):
    """No line came after that one."""

    def __init__(self, since: int, last: int) -> None:
        super().__init__(f"nothing came after line {since}; line {last} is the last that is told of")
        self.since, self.last = since, last


@dataclass(frozen=True)
class Moment:
    """Where a game stands after a line: the position as one side sees it, and what is asked."""

    game: Game
    side: str
    seen: Position
    asks: tuple[Ask, ...]

    @cached_property
    def table(self) -> Table:
        return Table(self.game, self.seen)


def moment(lines: Sequence[Line], game: Game, side: str) -> Moment:
    """The moment after the last of the lines; raises NoWayBack, Differs."""
    referee = referee_after(lines, game)
    return Moment(game, side, view(referee.position, side), referee.asks)


def referee_after(lines: Sequence[Line], game: Game) -> Referee:
    """The game as the last of the lines leaves it, to look at; raises NoWayBack, Differs."""
    header = lines[0]
    happened = [item for _, item in items_in_force(lines)]
    return put_back(happened, game, Dice(NO_SECRET, header["game"], header["nonces"]), Drawer())


def upto(lines: Sequence[Line], line: int | None) -> Sequence[Line]:
    """The lines up to one of them; raises NoSuchLine."""
    if line is not None and not 0 <= line < len(lines):
        raise NoSuchLine(line, len(lines) - 1)
    return lines if line is None else lines[: line + 1]


def span_of(lines: Sequence[Line], since: int | None = None) -> Span:
    """The lines after `since` (the last one, unless said); raises NothingSince."""
    last = lines[-1]["n"]
    if since is not None and since >= last:
        raise NothingSince(since, last)
    return Span.of(lines, last - 1 if since is None else max(-1, since))


def make_report(span: Span, now: Moment, *, deadline: str = "") -> Report:
    """What a side is told about some lines."""
    first, last = span.since + 1, span.lines[-1]
    game, side = now.game, now.side
    known = tale(span, side)
    facts = facts_of(known.entries)
    mine = next((ask for ask in now.asks if ask.side == side), None)
    return Report(
        title=game.title,
        side=side,
        headline=capital(headline(game, now.seen)),
        lines=f"line {first}" if first == last["n"] else f"lines {first} to {last['n']}",
        at=_moment(last["at"]),
        short=_short(game, facts),
        standing=tuple(_standing(now)),
        acts=tuple(_acts(span.lines)),
        ended=tuple(notes(game, (e for e in known.entries if isinstance(e.fact, f.GameEnded)), side)),
        phases=phases(game, known),
        bookkeeping=bookkeeping(game, known),
        asks=tuple(_asked(ask, side) for ask in now.asks),
        deadline=deadline if now.asks else "",
        draft=draft(game, now.seen, side, mine) if now.asks and side else "",
        pictures=(),
        line=last["n"],
        head=last["hash"],
        facts=tuple(facts),
        over=bool(now.seen.ended),
        hand=shown_hand(now.table, side, mine),
    )


def _standing(now: Moment) -> Iterator[tuple[str, str]]:
    """As the game says it, or by turn, points and tracks."""
    said = now.game.standing(now.table)
    if said:
        yield from said
        return
    yield "Turn", str(now.seen.turn)
    for side, points in now.seen.points:
        yield f"Points of {side}", str(points)
    for track, value in sorted(now.seen.tracks.items()):
        yield capital(track_name(track)), str(value)


def _acts(lines: Iterable[Line]) -> Iterator[Note]:
    """What was done to the game itself: taken back, corrected, decided by the clock."""
    for line in lines:
        act, back = line.get("act", "orders"), (line.get("back") or {}).get("line", "")
        said = WORDS["acts"].get(act) if act != "correct" or line.get("by") == "moderator" else None
        if said:
            terms, by, secret = shown_terms(line.get("terms", {})), line.get("by", ""), line.get("secret", "")
            yield Note(f"Line {line['n']}: {said.format(by=by, back=back, terms=terms, secret=secret)}.")


def _asked(ask: Ask, side: str) -> Asked:
    yours = ask.side == side
    if not yours and ask.hidden:
        return Asked(ask.side, False, "", "", "", "")
    return Asked(ask.side, yours, ask.prompt, ask.case, ask.key, ask.default().line() if yours else "")


def _moment(at: str) -> str:
    """When a line was written, in words; a time without a zone is somebody's own, and stays as it is."""
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return at
    utc = moment.astimezone(UTC)
    return f"{utc.day} {utc:%B %Y, %H:%M} UTC" if moment.tzinfo else at


def _short(game: Game, facts: Sequence[f.Fact]) -> str:
    """The report in a line: how much was fought, and what it cost whom."""
    said = how_many(fact.kind for fact in facts if isinstance(fact, f.Fought))
    roster = game.setting.roster
    for side in game.sides:
        lost = sum(x.steps for x in facts if isinstance(x, f.StepLost) and roster.get(x.unit).side == side)
        dead = sum(1 for x in facts if isinstance(x, f.Eliminated) and roster.get(x.unit).side == side)
        costs = [steps(lost)] if lost else []
        costs += [f"{dead} {plural('unit', dead)}"] if dead else []
        if costs:
            said.append(f"{side} lost {' and '.join(costs)}")
    placed = {x.unit for x in facts if isinstance(x, f.Placed)}
    moved = {move.unit for move in went_on(facts)}
    for units, what in ((placed, "placed"), (moved, "moved")):
        said += [f"{len(units)} {plural('unit', len(units))} {what}"] if units else []
    return capital(", ".join(said)) + "." if said else "A quiet time."


def held(table: Table, side: str) -> Iterator[tuple[CardHand, str]]:
    """The cards that a side holds, as far as its view goes."""
    for hand in table.game.hands:
        if hand.side == side:
            yield from ((hand, card) for card in table.position.pools.get(hand.pool, ()))


def shown_hand(table: Table, side: str, ask: Ask | None) -> ShownHand | None:
    """The reader's hand while something is asked of him; None if he holds no card."""
    if ask is None:
        return None
    choices = ask.choices()
    cards = [HeldCard(card, hand.faces[card], tuple(_uses(choices, card))) for hand, card in held(table, side)]
    return ShownHand(tuple(cards)) if cards else None


def _uses(choices: list[Choice], card: str) -> Iterator[str]:
    """The lines that name a card; a line that still wants something says how much there is to choose from."""
    found = [_line(choice, card) for choice in choices if _names(choice.given, card)]
    yield from found[:MOST_USES]
    if len(found) > MOST_USES:
        yield f"{len(found) - MOST_USES} more lines"


def _names(given: Any, card: str) -> bool:
    """Whether a card is among what is said, alone, in a list, or with what it stands for."""
    if isinstance(given, dict | tuple):
        return any(_names(value, card) for value in (given.values() if isinstance(given, dict) else given))
    return bool(given == card)


def _line(choice: Choice, card: str) -> str:
    """Without the card itself, which stands beside it."""
    given = {name: value for name, value in choice.given.items() if value != card}
    if choice.complete:
        return choice.kind.shape.begun(given, "")
    return f"{choice.kind.shape.gapped(given, choice.field, ELLIPSIS)} ({len(choice.values)} to choose from)"
