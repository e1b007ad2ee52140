"""A visit to the desk: one admitted mail, who sent it, and the letter that will answer it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from engine.campaign import Campaign
from engine.referee import Reply
from engine.table import Table
from pbem.desk.composing import finish, letter_to
from pbem.house import Room
from pbem.inbox.incoming import Incoming
from pbem.letters import Letter
from pbem.outbox.outgoing import queue
from pbem.store import Player, Seat
from pbem.wording.naming import side_title


class NotDone(Exception):
    """Why a verb does not do what was asked, for the answer; by itself under the verb's own name."""

    def __init__(self, *lines: str, heading: str = "") -> None:
        super().__init__(*lines)
        self.lines, self.heading = lines, heading


@dataclass
class Visit:
    """What a verb is given. It reads, it speaks through `letter`, and it writes rows through `session` alone."""

    room: Room
    mail: Incoming
    seat: Seat
    player: Player
    letter: Letter
    cause: str  # the mail's id, which its line carries
    others: list[Letter] = field(default_factory=list)  # to the moderator, onlookers
    notices: dict[int | None, Letter] = field(default_factory=dict)  # to the other chairs, one letter each
    act: Callable[[], Reply] | None = None  # a line that a verb wants written, once all verbs have been heard
    tried: list[str] = field(default_factory=list)  # the order lines, if they are only tried out
    above: int = 0  # how many order lines stand before the command that is heard

    def __post_init__(self) -> None:
        self.house, self.session, self.game = self.room.house, self.room.session, self.room.game

    @property
    def side(self) -> str:
        return self.seat.side

    @property
    def campaign(self) -> Campaign:
        return self.room.campaign

    @property
    def table(self) -> Table:
        """The table as the visitor's side sees it."""
        return self.campaign.referee.table.seen_by(self.side)

    @property
    def skips(self) -> bool:
        """Whether a faulty line is left out, and the others are carried out."""
        return bool(self.game.settings.get("errors") == "skip")

    def rehearse(self, above: int | None = None) -> Reply:
        """A dry run of the order lines: of all, or of those above a place in the mail."""
        return self.campaign.rehearse(self.side, "\n".join(self.tried[:above]), skip=self.skips)

    def opponents(self) -> list[tuple[Seat, Player]]:
        return [(seat, player) for seat, player in self.room.people() if seat.id != self.seat.id]

    def write_to(self, seat: Seat, player: Player, heading: str, *lines: str) -> None:
        """Words to somebody else at the table: all of a mail in one letter."""
        letter = self.notices.setdefault(seat.id, letter_to(self.room, "press", seat, player))
        letter.writer = self.player.name or side_title(self.side)
        letter.about = letter.about or " ".join(lines[:1]) or heading
        letter.say(heading, *lines)

    def write_to_all(self, heading: str, *lines: str) -> None:
        """Words to everybody else at the table."""
        for seat, player in self.opponents():
            self.write_to(seat, player, heading, *lines)

    def post(self, cause: str) -> None:
        """What it says to the other chairs, where no report has taken it along, and to others."""
        for seat, player in self.opponents():
            if (letter := self.notices.get(seat.id)) is not None:
                finish(self.room, letter, seat, player)
                queue(self.house, self.session, letter, f"notice/{cause}/{seat.side}")
        for number, letter in enumerate(self.others):
            queue(self.house, self.session, letter, f"other/{cause}/{number}")
