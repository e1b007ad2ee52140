"""The last rule: whoever came this far is let in."""

from __future__ import annotations

from sqlmodel import Session, select

from pbem.gate.verdict import MODERATOR, Admitted, TurnedAway
from pbem.house import House
from pbem.inbox.incoming import Incoming
from pbem.store import GameRow, Player, Seat, mail_address

MOST_TAGS = 8  # addresses of ours that one mail is looked up under


def judge(mail: Incoming, house: House) -> Admitted | TurnedAway:
    """Lets the mail in; without exactly one chair, which `token` has seen to, it is set aside."""
    chairs = chairs_of(mail, house)
    if len(chairs) != 1:
        return TurnedAway("admitted", "shunt", "its chair was given away while the mail was at the gate")
    return chairs[0]


def chairs_of(mail: Incoming, house: House) -> list[Admitted]:
    """Everything the mail's tokens open to its sender: a token in anybody else's hand opens nothing."""
    with house.database.begin() as session:
        found = [_chair(session, tag, mail.sender) or _office(session, tag, mail.sender, house) for tag in _tags(mail)]
    return [chair for chair in found if chair is not None]


def _tags(mail: Incoming) -> tuple[str, ...]:
    return mail.tags[:MOST_TAGS]


def _chair(session: Session, tag: str, sender: str) -> Admitted | None:
    seat = session.exec(select(Seat).where(Seat.token == tag)).first()
    if seat is None or seat.player_id is None or seat.bot:
        return None
    player, game = session.get(Player, seat.player_id), session.get(GameRow, seat.game_id)
    if player is None or game is None or mail_address(player.address) != sender:
        return None
    return Admitted(game, seat.side, seat, player)


def _office(session: Session, tag: str, sender: str, house: House) -> Admitted | None:
    game = session.exec(select(GameRow).where(GameRow.moderator_token == tag)).first()
    if game is None or sender not in (mail_address(game.moderator), mail_address(house.settings.moderator)):
        return None
    player = session.exec(select(Player).where(Player.address == sender)).first()
    return Admitted(game, MODERATOR, None, player)
