"""What a player wants otherwise: remembered until he says another word."""

from sqlmodel import Session

from pbem.store import Player, Seat, Wish

OFF = "off"


def wish_of(session: Session, player: Player, what: str) -> str:
    """What he wished; empty if nothing."""
    row = session.get(Wish, (player.id, what))
    return row.value if row is not None else ""


def wish(session: Session, player: Player, what: str, value: str) -> None:
    session.merge(Wish(player_id=player.id or 0, what=what, value=value))
    session.flush()  # so that who asks for it in the same mail is told


def reminders(seat: Seat) -> str:
    """The name of the wish about a chair's reminders."""
    return f"reminders/{seat.id}"


def boards(seat: Seat) -> str:
    """The name of the wish about a chair's order boards."""
    return f"board/{seat.id}"
