"""The course of a duel, seen to after every line of either game: turns compared, an end told, the secret shown."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from engine.campaign import CannotResume, NoSecret
from engine.facts import StageBegan
from engine.log import DamagedLog, items_in_force
from engine.log.lines import readable_by
from engine.position import Position
from engine.table import Table
from pbem.clock.dues import set_dues
from pbem.desk.composing import finish, letter_to
from pbem.desk.enclosing import NONE, pictures_for, put_rivals_map
from pbem.desk.last_letters import final_files, log_of, send_last_letters
from pbem.desk.standing_of import name_of
from pbem.house import Room
from pbem.letters import Section
from pbem.outbox.outgoing import queue
from pbem.replay.steps import happen
from pbem.store import Duel
from pbem.wording.columns import columns
from pbem.wording.naming import side_title

AT_THE_END = sys.maxsize  # later than any turn


@dataclass(frozen=True)
class HowItStood:
    """A game as its player knew it when a turn was over: whose it is, the table, what it had cost each side."""

    name: str
    side: str
    table: Table
    lost: Mapping[str, int]

    @property
    def score(self) -> Mapping[str, int]:
        position = self.table.position
        return dict(position.points) or self.table.game.score(self.table)

    @property
    def margin(self) -> int:
        """The points of who plays it, less those of his enemies."""
        return sum(points if side == self.side else -points for side, points in self.score.items())

    @property
    def merit(self) -> tuple[int, int, int]:
        """What a duel is settled by: level, then turn (soon to win, late to lose), then points."""
        level, turn = self.table.game.level(self.table), self.table.position.turn
        return level, -turn if level > 0 else turn, self.margin


def turns_ended(room: Room) -> int:
    """The last turn that is over in a game; all of them, if the game is."""
    return AT_THE_END if room.campaign.over else max(0, room.campaign.position.turn - 1)


def after_turn(room: Room, turn: int = AT_THE_END) -> HowItStood:
    """The game at the end of a turn, or where it ended before."""
    campaign, seat = room.campaign, room.seats()[0]
    position = Position(campaign.game.setting, seat.side)
    lost = dict.fromkeys(campaign.game.sides, 0)
    for _, item in items_in_force(campaign.lines()):
        if item.kind != "fact" or not readable_by(item.audience, seat.side):
            continue
        if isinstance(item.fact, StageBegan) and item.fact.turn > turn:
            break
        happen(position, lost, item.fact)
    return HowItStood(name_of(room, seat), seat.side, Table(campaign.game, position), lost)


def side_by_side(own: HowItStood, other: HowItStood) -> list[str]:
    """A small table: points, level, losses."""
    points = [(f"{side_title(side)} points", str(own.score[side]), str(other.score.get(side, 0))) for side in own.score]
    lost = [(f"{side_title(side)} steps lost", str(own.lost[side]), str(other.lost[side])) for side in own.lost]
    return columns([("", own.name, other.name), *points, ("Level", _level(own), _level(other)), *lost]).splitlines()


def _level(standing: HowItStood) -> str:
    position = standing.table.position
    return f"{position.ended}, turn {position.turn}" if position.ended else "goes on"


UNDER_WAY, OVER = ("playing", "paused"), ("finished", "abandoned")
BY = ("the level of victory", "the turn on which it ended", "the points")
GOES_ON = "Your game goes on by itself, for as long as you like: it has no deadline any more."
KEPT = "The secret of the dice and both logs come when both games are over."


def see_to_duel(room: Room) -> None:
    """A line of this game is written: whatever it means for the duel is done and told."""
    duel, rival = room.duel, room.rival
    if duel is None or rival is None or duel.closed or not (_sound(room) and _sound(rival)):
        return
    for see_to in (_end_by_last_line, _compare, _settle):
        if not duel.ended:
            see_to(duel, room)
    close_duel(room)


def close_duel(room: Room) -> None:
    """When neither game goes on the secret is shown, and both get all that there is of both."""
    duel, pair = room.duel, room.pair()
    if duel is None or duel.closed or not all(one.game.state in OVER for one in pair):
        return
    duel.closed = True
    logs = [one for one in pair if _sound(one) and one.campaign.over]
    for one in logs:
        one.campaign.reveal(one.at)
    told = [duel.ended] if duel.ended else []
    for one in logs:
        others = [other for other in logs if other is not one]
        tables = [side_by_side(after_turn(one), after_turn(other)) for other in others]
        both = (Section("Both games", tuple(table), exact=True) for table in tables)
        files = [*final_files(one), *map(log_of, others)]
        send_last_letters(one, files, Section("The duel", tuple(told)), *both)


def _sound(room: Room) -> bool:
    """Whether it has a log that can be read: one that cannot holds up its own game, and not the other."""
    try:
        return room.begun and bool(room.campaign)
    except (CannotResume, NoSecret, DamagedLog, FileNotFoundError):
        return False


# How it ends before its time.


def _end_by_last_line(duel: Duel, room: Room) -> None:
    campaign, rival, own = room.campaign, room.rival, _name(room)
    assert rival is not None
    act, by, turn = campaign.last.get("act"), campaign.last.get("by"), campaign.position.turn
    if act == "rewind" or (act == "correct" and (by == "moderator" or not campaign.over)):
        did = "went back in" if act == "rewind" else "closed" if campaign.over else "corrected"
        end_duel(room, f"The moderator {did} {own}'s game. That ends the duel, and nobody has won it.")
    elif act == "correct":
        why = f"did not end turn {turn} in time" if by == "clock" else f"gave up on turn {turn}"
        end_duel(room, f"{_name(rival)} has won the duel: {own} {why}.", rival)


def end_duel(room: Room, sentence: str, winner: Room | None = None) -> None:
    """It is decided, or off; both are told, and what is not over goes on by itself."""
    duel, pair = room.duel, room.pair()
    assert duel is not None
    duel.ended, duel.winner = sentence, winner.game.id if winner is not None else ""
    _wind(room)
    done = all(one.game.state in OVER for one in pair)
    for one in pair:
        for seat, player in one.people():
            letter = letter_to(one, "notice", seat, player)
            goes_on = [GOES_ON] if one.game.state in UNDER_WAY else []
            letter.say("The duel is over", sentence, *goes_on, *([] if done else [KEPT]))
            if _sound(one):
                finish(one, letter, seat, player)
            queue(one.house, one.session, letter, f"duel/{duel.id}/ended/{one.game.id}")


def _wind(room: Room) -> None:
    """The clocks of both, by how the duel stands now."""
    for one in room.pair():
        if one.game.state in UNDER_WAY and _sound(one):
            set_dues(one)


# Turn by turn, and at the end.


def _compare(duel: Duel, room: Room) -> None:
    """The turns that both have ended since, told to both."""
    pair = room.pair()
    last = max(one.campaign.position.turn for one in pair)
    ended = min(last, *(turns_ended(one) for one in pair))
    if ended <= duel.compared:
        return
    turns = range(duel.compared + 1, ended + 1)
    duel.compared, duel.since = ended, room.now
    _wind(room)
    stood = {one.game.id: [after_turn(one, turn) for turn in turns] for one in pair}
    for one in pair:
        other = next(other for other in pair if other is not one)
        _tell_turns(duel, one, list(turns), stood[one.game.id], stood[other.game.id])


def _tell_turns(duel: Duel, room: Room, turns: list[int], own: list[HowItStood], other: list[HowItStood]) -> None:
    for seat, player in room.people():
        letter = letter_to(room, "report", seat, player)
        letter.about = f"the duel after turn {turns[-1]}"
        for turn, mine, his in zip(turns, own, other, strict=True):
            letter.say(f"The duel after turn {turn}", *side_by_side(mine, his), exact=True)
        if own[-1].score:
            letter.say("How it stands", _ahead(own[-1], other[-1]))
        if pictures_for(room, player) != NONE:
            caption = f"{other[-1].name}'s map at the end of turn {turns[-1]}"
            assert room.rival is not None
            put_rivals_map(letter, room, room.rival, seat.side, turns[-1], caption)
        finish(room, letter, seat, player)
        queue(room.house, room.session, letter, f"duel/{duel.id}/turn/{turns[-1]}/{room.game.id}")


def _ahead(own: HowItStood, other: HowItStood) -> str:
    if own.margin == other.margin:
        return "By points you are level."
    better = own if own.margin > other.margin else other
    return f"By points {better.name} is ahead."


def _settle(duel: Duel, room: Room) -> None:
    """Both were played to their end: level, then turn, then points."""
    one, two = room.pair()
    if not (one.campaign.over and two.campaign.over):
        return
    merits = [after_turn(one).merit, after_turn(two).merit]
    if merits[0] == merits[1]:
        duel.ended = "The duel is drawn: level, turn and points are the same."
        return
    winner = one if merits[0] > merits[1] else two
    why = next(by for by, first, second in zip(BY, *merits, strict=True) if first != second)
    duel.ended, duel.winner = f"{_name(winner)} has won the duel, by {why}.", winner.game.id


def _name(room: Room) -> str:
    return name_of(room, room.seats()[0])
