"""A gate with two games behind it, for the tests and for the pages in docs/gate."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from sqlmodel import select

from pbem.gate import Admitted, Arrival, TurnedAway, follow_up, judge
from pbem.house import House
from pbem.house.settings import Limits, Settings
from pbem.inbox.incoming import Incoming, content_of, open_mail
from pbem.outbox.unsubscribing import Subscription, unsubscribe_address
from pbem.store import (
    AddressRequest,
    Due,
    FormerToken,
    GameRow,
    Invitation,
    MailIn,
    MailOut,
    Player,
    Seat,
    SecondAddress,
    Spectator,
)
from tests.pbem.houses import database_of

OWN = "fieldpost@table.example"
MODERATOR = "moderator@table.example"
ANNA, BORIS, CLARA = "anna@players.example", "boris@players.example", "clara@players.example"
NOON = datetime(2024, 3, 1, 12, 0, tzinfo=UTC)
CHAIRS = {  # game, side: who sits there, and the token
    ("winter-1", "german"): (ANNA, "a1" * 16),
    ("winter-1", "soviet"): (BORIS, "b1" * 16),
    ("spring-2", "german"): (BORIS, "b2" * 16),
    ("spring-2", "soviet"): (CLARA, "c2" * 16),
}


class Gatehouse:
    """Anna and Boris play winter-1; Boris and Clara play spring-2."""

    def __init__(self, home: Path, **limits: Any) -> None:
        self.now = NOON
        database = database_of(home) or "sqlite://"
        settings = Settings(
            home=home, address=OWN, moderator=MODERATOR, database=database, limits=Limits.model_validate(limits)
        )
        self.house = House(settings, clock=lambda: self.now)
        self.numbers = count(1)
        with self.house.database.begin() as session:
            people = {address: Player(address=address) for address in (ANNA, BORIS, CLARA)}
            session.add_all(people.values())
            for game in ("winter-1", "spring-2"):
                token = game.encode().hex().ljust(32, "0")
                session.add(
                    GameRow(
                        id=game, rulebook="toy", scenario="ford", state="playing", created=NOON, moderator_token=token
                    )
                )
            session.flush()
            for (game, side), (address, token) in CHAIRS.items():
                session.add(Seat(game_id=game, side=side, player_id=people[address].id, token=token))

    def chair(self, game: str, side: str) -> str:
        """The address of a chair, or of the moderator's office."""
        if side == "moderator":
            return self.house.seat_address(game.encode().hex().ljust(32, "0"))
        with self.house.database.begin() as session:
            kept = select(Seat.token).where(Seat.game_id == game, Seat.side == side)
            return self.house.seat_address(session.exec(kept).one())

    def unsubscribe(self, game: str, side: str) -> str:
        """Where the Unsubscribe button of a chair's reminders writes to."""
        with self.house.database.begin() as session:
            seat = session.exec(select(Seat).where(Seat.game_id == game, Seat.side == side)).one()
            row, player = session.get_one(GameRow, game), session.get_one(Player, seat.player_id)
            return unsubscribe_address(self.house, Subscription(row, player, seat))

    def asks(self, game: str, side: str, address: str) -> str:
        """Somebody is asked to take over a chair; gives where his answer goes."""
        with self.house.database.begin() as session:
            seat = session.exec(select(Seat).where(Seat.game_id == game, Seat.side == side)).one()
            player = session.exec(select(Player).where(Player.address == address)).one()
            assert seat.id is not None
            assert player.id is not None
            token = "d1" * 16
            session.add(Invitation(game_id=game, seat_id=seat.id, player_id=player.id, token=token, asked=self.now))
        return self.house.seat_address(token)

    def looks_on(self, game: str, address: str) -> str:
        """Somebody looks on; gives where his answer goes."""
        with self.house.database.begin() as session:
            looker = session.exec(select(Spectator).where(Spectator.address == address)).first()
            looker = looker or Spectator(game_id=game, address=address, token="e1" * 16)
            session.add(looker)
        return self.house.seat_address("e1" * 16)

    def letter(self, text: str = "status", *, sender: str = ANNA, to: str = "", **headers: str | None) -> bytes:
        """A mail's bytes: Anna's, to her chair, unless told otherwise. A header that is None is left out."""
        said: dict[str, str | None] = {
            "From": sender,
            "To": to or self.chair("winter-1", "german"),
            "Subject": "Orders",
            "Message-ID": f"<{next(self.numbers)}@players.example>",
        }
        said |= {name.replace("_", "-"): value for name, value in headers.items()}
        head = "".join(f"{name}: {value}\r\n" for name, value in said.items() if value is not None)
        return f"{head}\r\n{text}\r\n".encode()

    def arrive(self, raw: bytes) -> Incoming:
        """A mail is stored, as the inbox does it."""
        id_ = f"{next(self.numbers):032x}"
        mail = open_mail(id_, raw, self.now, self.house)
        with self.house.database.begin() as session:
            place, digest = self.house.cabinet.keep_raw(session, raw)
            session.add(
                MailIn(
                    id=id_,
                    message_id=mail.message_id,
                    digest=digest,
                    content=content_of(mail),
                    raw=place,
                    sender=mail.sender,
                    subject=mail.subject,
                    received=self.now,
                )
            )
        return mail

    def judge(self, mail: Incoming, rule: Callable[[Arrival], Any] = judge) -> Any:
        """One rule's word about a mail, or that of the whole gate; nothing is written down."""
        with self.house.database.begin() as session:
            return rule(Arrival(mail, self.house, session))

    def mail(self, text: str = "status", **said: Any) -> Incoming:
        return self.arrive(self.letter(text, **said))

    def pass_gate(self, mail: Incoming, *, line: int | None = None) -> TurnedAway | Admitted:
        """The whole gate; what it says is written down as the service does it. `line` is what the desk makes of it."""
        with self.house.database.begin() as session:
            found = judge(Arrival(mail, self.house, session))
            row = session.get_one(MailIn, mail.id)
            if isinstance(found, TurnedAway):
                row.state = {"silent": "silent", "shunt": "shunted"}.get(found.action, "done")
                row.why = found.rule
                follow_up(self.house, session, found)
            else:
                row.state, row.game_id, row.side, row.line = "done", found.game.id, found.side or "", line
            session.add(row)
        return found

    def told(self, text: str = "status", **said: Any) -> str:
        """What becomes of a mail, in a word or two."""
        found = self.pass_gate(self.mail(text, **said))
        if isinstance(found, TurnedAway):
            return f"{found.rule}: {found.action}"
        return f"{found.side} of {found.game.id}"

    def send(self, to: str, *, ago: timedelta = timedelta(), id_: str = "") -> MailOut:
        """A letter of ours that went out."""
        at, id_ = self.now - ago, id_ or f"{next(self.numbers):032x}"
        row = MailOut(
            id=id_,
            key=f"report/{id_}",
            to=to,
            subject="[winter-1] Turn 3",
            message_id=f"<{id_}@table.example>",
            raw=b"",
            state="sent",
            next_try=at,
            queued=at,
            sent=at,
        )
        with self.house.database.begin() as session:
            session.add(row)
        return row

    def letters(self, to: str) -> list[MailOut]:
        with self.house.database.begin() as session:
            return list(session.exec(select(MailOut).where(MailOut.to == to)).all())

    def seat_goes_to(self, game: str, side: str, address: str | None, bot: str = "") -> None:
        """A chair gets another player, or a bot."""
        with self.house.database.begin() as session:
            seat = session.exec(select(Seat).where(Seat.game_id == game, Seat.side == side)).one()
            player = session.exec(select(Player).where(Player.address == address)).first()
            seat.player_id, seat.bot = player.id if player else seat.player_id, bot
            session.add(seat)

    def owes(self, game: str, side: str) -> None:
        """A side owes an answer."""
        with self.house.database.begin() as session:
            session.add(Due(game_id=game, side=side, key="1/movement/1", kind="movement", asked=self.now))

    def second_address(self, game: str, side: str, address: str) -> None:
        """An address that may write for a chair, too."""
        with self.house.database.begin() as session:
            seat = session.exec(select(Seat).where(Seat.game_id == game, Seat.side == side)).one()
            session.add(SecondAddress(seat_id=seat.id, player_id=seat.player_id, address=address))

    def token_renewed(self, game: str, side: str) -> None:
        """A chair gets another token."""
        with self.house.database.begin() as session:
            seat = session.exec(select(Seat).where(Seat.game_id == game, Seat.side == side)).one()
            session.add(FormerToken(token=seat.token, seat_id=seat.id, player_id=seat.player_id))
            seat.token = f"{next(self.numbers):032x}"

    def address_asked(self, game: str, side: str, address: str) -> str:
        """A new address is asked for; gives where it must answer to."""
        with self.house.database.begin() as session:
            seat = session.exec(select(Seat).where(Seat.game_id == game, Seat.side == side)).one()
            request = AddressRequest(seat_id=seat.id, player_id=seat.player_id, address=address, asked=self.now)
            session.add(request)
            return self.house.seat_address(request.token)

    def game_is(self, game: str, state: str) -> None:
        with self.house.database.begin() as session:
            row = session.get_one(GameRow, game)
            row.state = state
            session.add(row)
