"""How the two games of a duel stood at the end of a turn, side by side."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from engine.facts import StageBegan
from engine.log import items_in_force
from engine.log.lines import readable_by
from engine.position import Position, apply
from engine.table import Table
from pbem.desk.standing_of import name_of
from pbem.house.room import Room
from pbem.replay.course import count_loss
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
        count_loss(position, lost, item.fact)
        apply(position, item.fact)
    return HowItStood(name_of(room, seat), seat.side, Table(campaign.game, position), lost)


def side_by_side(own: HowItStood, other: HowItStood) -> list[str]:
    """A small table: points, level, losses."""
    rows = [("", own.name, other.name)]
    for side in own.score:
        rows.append((f"{side_title(side)} points", str(own.score[side]), str(other.score.get(side, 0))))
    rows.append(("Level", _level(own), _level(other)))
    for side, steps in own.lost.items():
        rows.append((f"{side_title(side)} steps lost", str(steps), str(other.lost[side])))
    return columns(rows).splitlines()


def _level(standing: HowItStood) -> str:
    position = standing.table.position
    return f"{position.ended}, turn {position.turn}" if position.ended else "goes on"
