"""Whose chair it is: the addresses that may write for it, and the people who are known here."""

from collections.abc import Sequence

from sqlalchemy import String, bindparam, union
from sqlmodel import Session, and_, col, or_, select

from pbem.store.tables import (
    AddressRequest,
    Due,
    GameRow,
    Invitation,
    Player,
    Seat,
    SecondAddress,
    Spectator,
    mail_address,
)

OVER = ("finished", "abandoned", "lapsed")
Chair = tuple[Seat, GameRow, Player]
HIS = bindparam("address", type_=String)
KNOWN = select(
    or_(
        select(Player.id).where(col(Player.address) == HIS).exists(),
        select(GameRow.id).where(col(GameRow.moderator) == HIS).exists(),
        select(SecondAddress.id).where(col(SecondAddress.address) == HIS).exists(),
        select(Spectator.id).where(col(Spectator.address) == HIS).exists(),
    )
)


def may_write(session: Session, seat: Seat, player: Player, address: str) -> bool:
    """Whether an address speaks for a chair: its player's own, or his second one."""
    return mail_address(player.address) == address or address in second_addresses(session, seat)


def second_addresses(session: Session, seat: Seat) -> Sequence[str]:
    kept = select(SecondAddress.address).where(SecondAddress.seat_id == seat.id)
    return session.exec(kept.where(SecondAddress.player_id == seat.player_id)).all()


def chairs_of(session: Session, address: str) -> Sequence[Chair]:
    """The chairs in games that are not over for which an address may write, in the order of their games."""
    second = and_(col(SecondAddress.seat_id) == col(Seat.id), col(SecondAddress.player_id) == col(Seat.player_id))
    chairs = (
        select(Seat, GameRow, Player)
        .join(GameRow, col(GameRow.id) == col(Seat.game_id))
        .join(Player, col(Player.id) == col(Seat.player_id))
        .join(SecondAddress, second, isouter=True)
        .where(or_(Player.address == address, SecondAddress.address == address))
        .where(Seat.bot == "", col(GameRow.state).not_in(OVER))
        .order_by(col(GameRow.id), col(Seat.id))
    )
    return list({seat.id: (seat, game, player) for seat, game, player in session.exec(chairs).all()}.values())


def is_asked(session: Session, seat: Seat, game: GameRow) -> bool:
    """Whether the game waits for that chair: for an answer, or for its player to join."""
    if game.state in ("invited", "joined"):
        return not seat.joined
    owed = select(Due.id).where(Due.game_id == game.id, Due.side == seat.side)
    return game.state == "playing" and session.exec(owed).first() is not None


def lane_of(session: Session, tags: Sequence[str]) -> str:
    """The game that the tokens in a mail's addresses belong to, whoever wrote it; none if they name none or several."""
    if not tags:
        return ""
    tokens = col(GameRow.moderator_token), col(Seat.token), col(Invitation.token), col(Spectator.token)
    games = col(GameRow.id), col(Seat.game_id), col(Invitation.game_id), col(Spectator.game_id)
    named = [select(game).where(token.in_(tags)) for game, token in zip(games, tokens, strict=True)]
    found = session.exec(union(*named)).all()  # type: ignore[call-overload]
    return str(found[0][0]) if len(found) == 1 else ""


def is_known(session: Session, address: str, moderator: str) -> bool:
    """Whether somebody plays, moderates or looks on here; one question, since strangers come in floods."""
    return address == mail_address(moderator) or bool(session.exec(KNOWN, params={"address": address}).one())


def gets_letters(session: Session, address: str, moderator: str) -> bool:
    """Whether letters go to that address of our own accord: to whoever is known, or is asked to confirm."""
    asked_for = select(AddressRequest.id).where(AddressRequest.address == address).limit(1)
    return is_known(session, address, moderator) or session.exec(asked_for).first() is not None
