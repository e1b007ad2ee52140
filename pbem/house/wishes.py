"""What a player wants otherwise: remembered until he says another word."""

from sqlmodel import Session

from pbem.store import Player, Seat, Wish

OFF = "off"


def wish_of(session: Session, player: Player, what: str) -> str:
    """What he wished; empty if nothing."""
    row = _row(session, player, what)
    return row.value if row is not None else ""


def wish(session: Session, player: Player, what: str, value: str) -> None:
    row = _row(session, player, what)
    if row is None:
        assert player.id is not None
        session.add(Wish(player_id=player.id, what=what, value=value))
    else:
        row.value = value


def reminders(seat: Seat) -> str:
    """The name of the wish about a chair's reminders."""
    return f"reminders/{seat.id}"


def _row(session: Session, player: Player, what: str) -> Wish | None:
    """Also one that this mail has just brought, and that is not written yet."""
    for row in session.new:
        if isinstance(row, Wish) and (row.player_id, row.what) == (player.id, what):
            return row
    return session.get(Wish, (player.id, what))


def boards(seat: Seat) -> str:
    """The name of the wish about a chair's order boards."""
    return f"board/{seat.id}"
