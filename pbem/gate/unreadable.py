"""A mail that cannot be taken apart, or that does not say plainly who sent it."""

import re
from email.message import Message
from email.utils import getaddresses
from functools import partial

from pbem.gate.arrival import Arrival, TurnedAway
from pbem.inbox.incoming import MOST_DEPTH, MOST_PARTS, danger, too_many_parts

MOST_HEADERS = 300
ADDRESS = re.compile(r"[^\s\x00-\x1f\x7f()<>,;:\\\"\[\]@]{1,64}@[^\s\x00-\x1f\x7f()<>,;:\\\"\[\]@/]{1,189}")
_told = partial(TurnedAway.told, "unreadable", "answer")


def judge(arrival: Arrival) -> TurnedAway | None:
    """Without one honest address in From there is nobody to answer: the mail is set aside."""
    mail = arrival.mail
    if not ADDRESS.fullmatch(mail.sender):
        return TurnedAway("unreadable", "shunt", "its From holds no address that could be answered")
    if trouble := danger(mail.raw):
        return _told(trouble=trouble)
    if mail.message is None or not _headers_can_be_read(mail.message):
        mail.message = None  # no other rule is to stumble over it
        return _told(trouble="it could not be taken apart")
    if len(mail.message) > MOST_HEADERS:
        return _told(trouble=f"it has more than {MOST_HEADERS} headers")
    if len(senders(mail.message)) != 1:
        return TurnedAway("unreadable", "shunt", "its From names more than one sender")
    if too_many_parts(mail.message):
        return _told(trouble=f"it has more than {MOST_PARTS} parts, or parts within parts more than {MOST_DEPTH} deep")
    return None


def _headers_can_be_read(message: Message) -> bool:
    """Each is read once here, before other rules rely on it."""
    try:
        message.get_content_type()
        return all(isinstance(str(value), str) for value in message.values())
    except Exception:  # the library's reader of headers fails in many ways
        return False


def senders(message: Message) -> list[str]:
    """Every address in every From: two of them would let a signature speak for the wrong one."""
    values = [str(value) for name, value in message.items() if name.lower() == "from"]
    return [address for _, address in getaddresses(values) if address] if len(values) == 1 else values
