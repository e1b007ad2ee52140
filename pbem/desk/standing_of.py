"""How it stands between a side and the game: what is asked, what waits, and one word for it."""

from datetime import datetime

from engine.asks import Ask
from engine.campaign import Campaign
from pbem.clock.time_zones import in_zone
from pbem.house.room import Room
from pbem.store import Due, Player, Seat


def ask_of(campaign: Campaign, side: str) -> Ask | None:
    """What the side must answer now."""
    return next((a for a in campaign.asks if a.side == side and campaign.drawer.sealed(a.key) is None), None)


def state_word(campaign: Campaign, side: str) -> str:
    """missing: asked and silent; draft: lines wait in the drawer; accepted: nothing is owed; final: it is over."""
    if campaign.over:
        return "final"
    if campaign.drawer.waiting.get(side):
        return "draft"
    return "missing" if ask_of(campaign, side) is not None else "accepted"


def name_of(room: Room, seat: Seat) -> str:
    """Who sits on a chair."""
    player = room.player(seat)
    return (player.name or player.address.partition("@")[0]) if player is not None else f"the {seat.bot} bot"


def due_of(room: Room, side: str) -> Due | None:
    """What a side owes, and by when."""
    return next((due for due in room.dues() if due.side == side), None)


def in_his_time(moment: datetime, player: Player) -> str:
    """A time as the reader's own clock shows it."""
    local = in_zone(moment, player.zone)
    return f"{local:%A} {local.day} {local:%B %Y, %H:%M} ({local.tzinfo})"
