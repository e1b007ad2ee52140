"""The player's word about his order boards: with his letters, under a link, or not at all."""

from pbem.desk.boards import WISHES, set_wish, why_no_link, wish_of
from pbem.desk.visit import Visit

_SAID = {
    "on": "Order boards come with the letters that ask for your orders.",
    "off": "No order board comes with your letters from now on; `board on` brings them back.",
    "link": "Your letters have a link to the order board from now on. Whoever has the link sees your view of the map.",
}


def board(visit: Visit, rest: str) -> None:
    """`board on`, `board off`, `board link`."""
    wanted = rest.strip().casefold()
    found = next((wish for wish in WISHES if wish == wanted), None)
    if found is None:
        now = wish_of(visit.room, visit.seat)
        visit.letter.say("Board", f"Write `board on`, `board off` or `board link`; now it is `{now}`.")
        return
    set_wish(visit.room, visit.seat, found)
    why = why_no_link(visit.room, visit.seat) if found == "link" else ""
    visit.letter.say("Board", f"Kept, but there is no link yet: {why}." if why else _SAID[found])
