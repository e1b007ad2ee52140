"""A letter of ours that came back: it is marked as failed, and the moderator is told once."""

from email.message import Message

from flufl.bounce import all_failures
from sqlmodel import Session, select

from pbem.gate.arrival import Arrival, TurnedAway
from pbem.house import House
from pbem.inbox.incoming import Incoming
from pbem.outbox.notice import tell_moderator
from pbem.outbox.verp import bounced_mail
from pbem.store import MailOut

POSTMASTERS = {"mailer-daemon", "postmaster", "mail-daemon", "double-bounce"}
MOST_WORDS = 300  # of what a stranger's server says, as shown to the moderator


def judge(arrival: Arrival) -> TurnedAway | None:
    """Never answered. `data["failed"]` names the letter, for `follow_up`; a delay or a puzzle marks nothing."""
    mail = arrival.mail
    if mail.message is None or not may_be_a_bounce(mail):
        return None
    if len(mail.raw) > arrival.house.settings.limits.mail_bytes:
        return TurnedAway("bounce", "silent", "too large to be looked into")
    gone = _for_good(mail.message)
    letter = _letter(arrival) if gone else None
    if not gone or letter is None:
        return TurnedAway("bounce", "silent", "no letter was given up" if not gone else "not about a letter of ours")
    say = f"The letter to {letter.to} came back: {', '.join(gone)} cannot be reached."
    return TurnedAway("bounce", "silent", say, {"failed": letter.id, "addresses": list(gone)})


def follow_up(house: House, session: Session, verdict: TurnedAway) -> None:
    """The letter that came back is marked; twice does no harm."""
    letter = session.get(MailOut, verdict.data.get("failed", ""))
    if letter is None or letter.state != "sent":  # what has not left yet cannot have come back
        return
    letter.state, letter.error = "failed", verdict.say[:MOST_WORDS]
    tell_moderator(house, session, letter)


def may_be_a_bounce(mail: Incoming) -> bool:
    """By its headers: sent to a return address, by a postmaster, or as a delivery report."""
    if mail.message is None:
        return False
    report = mail.message.get_content_type() == "multipart/report"
    if report and str(mail.message.get_param("report-type", "")).lower() == "delivery-status":
        return True
    if mail.sender.partition("@")[0] in POSTMASTERS:
        return True
    empty = any(str(value).strip() == "<>" for value in mail.message.get_all("Return-Path", []))
    return bool(_returned(mail)) and (empty or "Auto-Submitted" not in mail.message)


def _returned(mail: Incoming) -> str:
    """The letter that the return address names."""
    return next((found for tag in mail.tags if (found := bounced_mail(tag))), "")


def _for_good(message: Message) -> tuple[str, ...]:
    """The addresses that the report gives up on."""
    try:
        _, permanent = all_failures(message)
    except Exception:  # a report that its reader chokes on says nothing
        return ()
    return tuple(sorted(" ".join(address.decode("ascii", "replace").split()) for address in permanent))


def _letter(arrival: Arrival) -> MailOut | None:
    """By the return address; failing that, by the Message-ID of what was sent back."""
    if id_ := _returned(arrival.mail):
        return arrival.session.get(MailOut, id_)
    if message_id := _enclosed(arrival.mail):
        return arrival.session.exec(select(MailOut).where(MailOut.message_id == message_id)).first()
    return None


def _enclosed(mail: Incoming) -> str:
    """The Message-ID of the mail inside the report."""
    assert mail.message is not None
    for part in mail.message.walk():
        inside = part.get_payload() if part.get_content_type() == "message/rfc822" else None
        if isinstance(inside, list) and inside and isinstance(inside[0], Message):
            return str(inside[0].get("Message-ID", "")).strip()
    return ""
