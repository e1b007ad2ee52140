"""A time zone guessed from the clock of the player's own mail: proposed once, and his only by his word."""

from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

from pbem.clock.time_zones import likely_zones
from pbem.desk.visit import Visit
from pbem.house.wishes import wish, wish_of
from pbem.inbox.incoming import Incoming

ZONE = "zone"
NOBODYS = "UTC"  # whose clock nobody has named
WRONG = timedelta(days=2)  # a clock so far off says nothing about where it stands


def propose_zone(visit: Visit) -> None:
    """Says whose clock the mail seems to have, if his letters tell another's and he was never asked."""
    sent = mail_clock(visit.mail) if visit.player.zone == NOBODYS else None
    offset = sent.utcoffset() if sent is not None else None
    if not offset or sent is None or wish_of(visit.session, visit.player, ZONE):
        return
    near = likely_zones(offset, sent)
    if not near:
        return
    wish(visit.session, visit.player, ZONE, "asked")
    others = f" Others with the same clock now: {', '.join(near[1:])}." if near[1:] else ""
    visit.letter.say(
        "Your clock",
        f"Your mail's clock is {in_words(offset)} UTC; times in your letters are told in UTC."
        f" Write `zone {near[0]}`, or the name of your own zone, and they are told in yours.{others}"
        " You are asked this once.",
    )


def mail_clock(mail: Incoming) -> datetime | None:
    """When it was sent by the sender's own clock; None if that cannot be told, or is wrong."""
    if mail.message is None or not mail.message.get("Date"):
        return None
    try:
        sent = parsedate_to_datetime(str(mail.message["Date"]))
    except (TypeError, ValueError, IndexError):
        return None
    if sent.tzinfo is None or abs(sent - mail.received) > WRONG:  # -0000 says that the zone is not known
        return None
    return sent


def in_words(offset: timedelta) -> str:
    hours, minutes = divmod(abs(round(offset.total_seconds())) // 60, 60)
    length = f"{hours}:{minutes:02d} hours" if minutes else f"{hours} hour{'' if hours == 1 else 's'}"
    return f"{length} {'ahead of' if offset > timedelta(0) else 'behind'}"
