"""Mail that has been through our hands before, or goes round in circles, is not touched."""

from pbem.gate.arrival import Arrival, TurnedAway
from pbem.house import House
from pbem.inbox.incoming import Incoming
from pbem.letters.envelope import LOOP
from pbem.store import mail_address, without_tag

MOST_HOPS = 30  # honest mail stays under twenty
LISTS = ("List-Id", "List-Post", "List-Help", "List-Owner")


def judge(arrival: Arrival) -> TurnedAway | None:
    """Never answered: an answer is what keeps a loop going."""
    why = _sign_of_a_loop(arrival.mail, arrival.house)
    return TurnedAway("loop", "silent", why) if why else None


def _sign_of_a_loop(mail: Incoming, house: House) -> str:
    if is_ours(mail.sender, house.settings.address):
        return "it bears our own address as its sender"
    message = mail.message
    if message is None:
        return ""
    if LOOP in message:
        return f"it has the mark of a service like this one ({LOOP})"
    if any(is_ours(mail_address(str(value)), house.settings.address) for value in message.get_all("X-Loop", [])):
        return "it was passed on by us before (X-Loop)"
    for name in LISTS:
        if name in message:
            return f"it came through a mailing list ({name})"
    if len(message.get_all("Received", [])) > MOST_HOPS:
        return f"it was passed on more than {MOST_HOPS} times"
    return ""


def is_ours(address: str, own: str) -> bool:
    """Our address, with a tag or without."""
    return without_tag(address) == mail_address(own)
