"""Whoever answers to all shows them the address that opens his chair: the mail is heard, and he is warned."""

from email.utils import getaddresses

from pbem.gate.arrival import SENTENCES, Arrival
from pbem.gate.loop import is_ours
from pbem.store import mail_address
from pbem.store.whose import second_addresses

MOST_NAMED = 5


def judge(arrival: Arrival) -> None:
    """Turns nothing away. His own addresses and the moderator's, who could open the chair anyway, do not count."""
    mail, house = arrival.mail, arrival.house
    chair = arrival.chairs[0] if len(arrival.chairs) == 1 else None
    if mail.message is None or chair is None or chair.seat is None:  # the moderator and onlookers have no chair
        return
    headers = [str(value) for name in ("To", "Cc") for value in mail.message.get_all(name, [])]
    seen = [mail_address(address) for _, address in getaddresses(headers) if "@" in address]
    if house.seat_address(chair.seat.token).casefold() not in seen:
        return
    own = {mail.sender, chair.game.moderator, mail_address(house.settings.moderator)}
    own |= {mail_address(chair.player.address)} if chair.player else set()
    ours = house.settings.address
    others = [address for address in dict.fromkeys(seen) if address not in own and not is_ours(address, ours)]
    if others:
        second = second_addresses(arrival.session, chair.seat)
        others = [address for address in others if address not in second]
    if others:
        more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
        mail.notes.append(SENTENCES["reply_all"]["warning"].format(others=", ".join(others[:MOST_NAMED]) + more))
