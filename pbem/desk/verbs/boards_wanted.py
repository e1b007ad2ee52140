"""The player's word about his order boards: with his letters, under a link, or not at all."""

from pbem.desk.boards import LINK, ON, board_wish, why_no_link
from pbem.desk.visit import Visit
from pbem.house.wishes import OFF, boards, wish

_SAID = {
    ON: "Order boards come with the letters that ask for your orders.",
    OFF: "No order board comes with your letters from now on; `board on` brings them back.",
    LINK: "Your letters have a link to the order board from now on. Whoever has the link sees your view of the map.",
}


def board(visit: Visit, rest: str) -> None:
    """`board on`, `board off`, `board link`."""
    wanted = rest.strip().casefold()
    if wanted not in _SAID:
        now = board_wish(visit.room, visit.seat)
        visit.letter.say("Board", f"Write `board on`, `board off` or `board link`; now it is `{now}`.")
        return
    wish(visit.session, visit.player, boards(visit.seat), wanted)
    why = why_no_link(visit.room, visit.seat) if wanted == LINK else ""
    visit.letter.say("Board", f"Kept, but there is no link yet: {why}." if why else _SAID[wanted])
