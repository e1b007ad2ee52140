"""The service: every stored mail through the gate, the reader and the desk; bots; the clock; and starting again."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime
from random import random

import structlog
from sqlalchemy import update
from sqlmodel import Session, col, select

from engine.bots import BOTS, Stuck
from pbem.desk.attend import attend
from pbem.desk.attending_guests import attend_confirmation, attend_invited, attend_onlooker
from pbem.desk.composing import address
from pbem.desk.line_made import nobody_asked_for
from pbem.desk.trouble import in_each, troubles
from pbem.desk.verbs.own_address import reply_addresses, say_chairs
from pbem.desk.visit import Visit
from pbem.desk.vocabulary import known_of
from pbem.gate import STRANGER, Admitted, Arrival, TurnedAway, follow_up, judge
from pbem.house import House
from pbem.house.game_file import write_all
from pbem.house.room import Room
from pbem.inbox.incoming import Incoming, open_mail
from pbem.letters import Kind, Letter
from pbem.moderator.by_mail import attend_moderator
from pbem.outbox.outgoing import queue
from pbem.reading import Known, Read, read_mail
from pbem.service import ticking
from pbem.store import Due, GameRow, LineDue, MailIn, Player, Seat
from pbem.store.database import utc
from pbem.store.database_troubles import trouble_of
from pbem.store.whose import chairs_of, may_write
from pbem.wording.known_errors import told

MOST_TRIES = 3  # a mail that fails so often is set aside
MOST_BOT_LINES = 200  # bots among themselves stop here, for this time

SORRY = (
    "Something went wrong here, not with you. Nothing in your mail was carried out, and the moderator has been told.",
)

_log = structlog.get_logger()


class Service:
    """One house at work. Single-threaded: one mail, one bot's mail or one deadline at a time."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.stopping: Callable[[], bool] = lambda: False  # what is stored then is dealt with at the next start
        self._in_vain: set[str] = set()  # mails begun when disk or database failed: that try is not theirs to lose

    # Starting again.

    def recover(self) -> None:
        """After a stop at any moment, or trouble: what was decided goes into its files, and bots answer."""
        self.file_lines_due()
        if not self.house.cabinet.shared:
            with self.house.database.reading() as session:
                write_all(session, self.house.games_folder)  # those left behind their rows, or never written
        self.play_bots_asked()

    def file_lines_due(self) -> None:
        """What was decided and could not be written into its log. Raises HouseTrouble, OSError."""
        due = select(LineDue.game_id).distinct()
        in_each(self.house, due, "its log could not be written", lambda room: room.campaign)

    # Mail.

    def deal_with_all(self) -> int:
        """Every mail that is stored, each game's in the order they came; gives how many.

        Who meets another worker takes the games in an order of his own: in the same one each would follow the other.
        """
        dealt, met, more = 0, False, True
        while more:
            more, busy = False, set[str]()
            for id_, lane in self._waiting(own_order=met):
                if self.stopping():
                    return dealt
                if lane in busy:
                    continue
                with self.house.cabinet.claim(f"mail/{lane or id_}") as ours:
                    done = ours and self.deal_with(id_)
                dealt, met, more = dealt + done, met or not done, more or ours
                if ours and not done:
                    break  # another was here, and elsewhere, too: what is left is asked anew
                if lane and not ours:
                    busy.add(lane)
        return dealt  # whatever is left is in others' hands

    def _waiting(self, *, own_order: bool) -> Sequence[tuple[str, str]]:
        """Mails with their games."""
        with self.house.database.reading() as session:
            waiting = select(MailIn.id, MailIn.game_id).where(MailIn.state == "stored")
            found = session.exec(waiting.order_by(col(MailIn.received), col(MailIn.uid))).all()
        rank = defaultdict[str, float](random)
        return sorted(found, key=lambda mail: rank[mail[1] or mail[0]]) if own_order else found

    def deal_with(self, id_: str) -> bool:
        """One mail, if it still waits; what goes wrong is counted, and the third time the mail is set aside.

        Trouble with disk or database is nobody's: it is raised, and the mail waits. Raises HouseTrouble, OSError.
        """
        with self.house.database.begin(single=True) as session:
            # Counted first: a mail that kills the process must not kill it for ever.
            begun = update(MailIn).where(col(MailIn.id) == id_, col(MailIn.state) == "stored")
            begun = begun.values(tries=MailIn.tries + int(id_ not in self._in_vain))
            row = session.scalars(begun.returning(MailIn)).first()
        self._in_vain.discard(id_)
        if row is None:
            return False
        if row.tries > MOST_TRIES:
            self._shunt(id_, "it was begun three times and never finished")
            return True
        cabinet, tries, bots_sit_there = self.house.cabinet, row.tries, False
        try:
            with self.house.transaction() as session:
                session.add(row)
                if row.game_id and cabinet.hold(session, row.game_id) and row.state != "stored":
                    return False
                mail = open_mail(id_, cabinet.raw(session, row.raw), utc(row.received), self.house)
                found = judge(Arrival(mail, self.house, session))
                if isinstance(found, Admitted) and cabinet.hold(session, found.game.id):
                    found = judge(Arrival(mail, self.house, session))
                if isinstance(found, TurnedAway):
                    self._turned_away(session, row, mail, found)
                else:
                    row.game_id, row.side = found.game.id, found.side
                    bots_sit_there = self._let_in(session, row, mail, found)
        except Exception as problem:
            if trouble_of(problem) is not None:
                self._in_vain.add(id_)
                raise
            _log.error("a mail could not be dealt with", mail=id_, tries=tries, problem=told(problem))
            if tries >= MOST_TRIES:
                self._shunt(id_, told(problem))
        if bots_sit_there:
            self.play_bots(row.game_id)
        return True

    def _let_in(self, session: Session, row: MailIn, mail: Incoming, found: Admitted) -> bool:
        """A mail from the gate to its desk; gives whether bots sit in that game, who may be asked now."""
        room = Room(self.house, session, found.game)
        letter = self._answer("answer", mail, room.game.id)
        letter.title, letter.sides = room.game.title, room.rules.sides
        if found.looker is not None:
            attend_onlooker(room, row, mail, self._read(mail), letter, found.looker)
        elif found.confirms is not None and found.seat is not None:
            attend_confirmation(room, row, mail, found.seat, found.confirms, self._read(mail), letter)
        elif found.seat is None or found.player is None:
            attend_moderator(room, row, mail)
        elif found.asked is not None:
            address(room, letter, found.seat)
            letter.reply_to = self.house.seat_address(found.asked.token)
            visit = Visit(room, mail, found.seat, found.player, letter, row.id)
            attend_invited(visit, row, self._read(mail), found.asked)
        else:
            with session.no_autoflush:  # all that a mail brings about is written together
                address(room, letter, found.seat)
                read = read_mail(mail, known_of(room, found.player))
                attend(Visit(room, mail, found.seat, found.player, letter, row.id), row, read)
        return any(seat.bot for seat in room.seats())

    def _read(self, mail: Incoming) -> Read:
        """A mail of somebody who plays no game here: what it quotes is known by our address alone."""
        return read_mail(mail, Known(self.house.settings.address))

    def _answer(self, kind: Kind, mail: Incoming, game: str = "") -> Letter:
        about = _bare(mail.subject) if kind == "turned away" else ""
        letter = Letter(kind, mail.sender, about, game=game, answers=mail.message_id)
        if mail.message is not None:
            letter.thread = tuple(str(mail.message.get("References", "")).split()[-10:])
        return letter

    def _turned_away(self, session: Session, row: MailIn, mail: Incoming, verdict: TurnedAway) -> None:
        row.why, row.game_id = verdict.rule, ""
        row.state = {"silent": "silent", "shunt": "shunted"}.get(verdict.action, "done")
        follow_up(self.house, session, verdict)
        if verdict.action != "answer":
            return
        stranger = verdict.rule == "unknown_sender"  # nothing of a stranger's own goes out again
        letter = Letter("turned away", mail.sender, STRANGER) if stranger else self._answer("turned away", mail)
        letter.reply_to = str(verdict.data.get("reply_to", "")) or self._chair(session, mail)
        letter.to = str(verdict.data.get("to", letter.to))
        if verdict.rule == "bare_address":
            self._show_the_way(session, row, mail, letter, verdict.say)
            return
        letter.say(str(verdict.data.get("heading", "Your mail was not dealt with")), verdict.say)
        queue(self.house, session, letter, f"answer/{row.id}")

    def _show_the_way(self, session: Session, row: MailIn, mail: Incoming, letter: Letter, say: str) -> None:
        """Who wrote to the service itself hears how his games stand, and gets the reply address of each again."""
        chairs = chairs_of(session, mail.sender)
        lines = [line.strip().casefold() for line in self._read(mail).lines if line.strip()]
        if lines != ["games"]:
            letter.say("Your mail was not dealt with", f"{say} Nothing in it was carried out.")
        say_chairs(self.house, session, letter, chairs)
        queue(self.house, session, letter, f"answer/{row.id}")
        if len(chairs) > 1:
            hour = f"{utc(row.received):%Y-%m-%dT%H}"  # whoever is imitated gets no more of them than this
            for again, (seat, game, _) in reply_addresses(self.house, session, mail.sender, chairs):
                queue(self.house, session, again, f"way/{game.id}/{seat.side}/{mail.sender}/{hour}")

    def _chair(self, session: Session, mail: Incoming) -> str:
        """Where the sender's next mail belongs, if this one came from the chair he holds."""
        chairs = select(Seat, Player).join(Player).where(col(Seat.token).in_(mail.tags))
        his = {seat.token for seat, player in session.exec(chairs) if may_write(session, seat, player, mail.sender)}
        return next((self.house.seat_address(tag) for tag in mail.tags if tag in his), "")

    def _shunt(self, id_: str, why: str) -> None:
        """A mail that cannot be dealt with is set aside; the moderator is told once, and the player who wrote it."""
        with self.house.database.begin() as session:
            row = session.get_one(MailIn, id_)
            row.state, row.why = "shunted", why[:500]
            about = f"a mail from {row.sender or 'nobody'}"
            letter = Letter("set aside", self.house.settings.moderator, about, game=row.game_id)
            letter.say("A mail was set aside", f"From {row.sender}: {row.subject}", f"It is kept under {row.raw}.", why)
            queue(self.house, session, letter, f"shunted/{row.id}")
            if any(game.id == row.game_id for _, game, _ in chairs_of(session, row.sender)):
                about = _bare(row.subject)
                sorry = Letter("turned away", row.sender, about, game=row.game_id, answers=row.message_id)
                sorry.say("Your mail could not be dealt with", *SORRY)
                queue(self.house, session, sorry, f"sorry/{row.id}")

    # Bots and the clock.

    def bots_asked(self) -> list[str]:
        """The games under way in which a bot owes an answer: after any act of the moderator one may."""
        asked = (
            select(GameRow.id)
            .join(Due, col(Due.game_id) == col(GameRow.id))
            .join(Seat, (col(Seat.game_id) == col(GameRow.id)) & (col(Seat.side) == col(Due.side)))
            .where(GameRow.state == "playing", col(Due.wake).is_not(None), col(Due.due).is_(None), Seat.bot != "")
            .distinct()
        )
        with self.house.database.reading() as session:
            return sorted(session.exec(asked).all())

    def play_bots_asked(self) -> None:
        for game_id in self.bots_asked():
            self.play_bots(game_id)

    def play_bots(self, game_id: str) -> None:
        """The chairs that bots sit on answer, each time with a line of its own, until a person is asked and told.

        One that cannot is the moderator's business, and holds up no mail.
        """
        with troubles(self.house, game_id, "its bot could not go on"), self.house.transaction() as session:
            room = Room.of(self.house, session, game_id)
            for _ in range(MOST_BOT_LINES):
                if self.stopping() or not self._bot_plays(room):
                    return

    def _bot_plays(self, room: Room) -> bool:
        """One answer of a bot, if one is asked."""
        bots = {seat.side: seat.bot for seat in room.seats() if seat.bot} if room.game.state == "playing" else {}
        campaign = room.campaign if bots else None
        if campaign is None or campaign.over:
            return False
        asked = next((a for a in campaign.asks if a.side in bots and campaign.drawer.sealed(a.key) is None), None)
        if asked is None:
            return False
        bot = BOTS[bots[asked.side]](int.from_bytes(campaign.secret[:4]) + campaign.count)
        reply = campaign.converse(
            asked.side,
            lambda ask: bot.answer(campaign.referee.table, ask),
            at=room.at,
            cause=f"bot/{room.game.id}/{campaign.count}",
        )
        if not nobody_asked_for(room, reply) and campaign.drawer.sealed(asked.key) is None:
            raise Stuck(asked.key, "", None, "nothing came of it")
        return True

    def tick(self, until: datetime | None = None) -> None:
        """What time has brought, up to a moment before which all mail is here: that is dealt with first."""
        self.deal_with_all()
        if self.stopping():
            return  # mail may be left, and the clock must not come before it
        ticking.tick(self.house, until or self.house.clock(), self.play_bots)


def _bare(subject: str) -> str:
    return re.sub(r"^(?:\s*re\s*:)+\s*", "", subject, flags=re.I) or "your mail"
