"""Queueing letters: each once, whatever happens."""

import hashlib
import re
from dataclasses import replace

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from pbem.house import House
from pbem.letters import REPORT, Letter, enclose, octets, printed
from pbem.letters.letter_printing import settled
from pbem.outbox.keeping_letters import keep
from pbem.store import MailOut
from pbem.wording.rulings import Refused

UNDER_KEY = select(MailOut.id).where(col(MailOut.key) == bindparam("key"))
_TOKEN = re.compile(r"\b[0-9a-f]{32}\b", re.I)  # by itself, as somebody may have put it into his subject


def queue(house: House, session: Session, letter: Letter, key: str) -> MailOut | None:
    """Puts a letter into the outbox unless one with this key is there."""
    if session.exec(UNDER_KEY, params={"key": key}).first() is not None:
        return None
    letter, at = _fit_to_read(house, letter), house.clock()
    # By its moment too: after a restore a key may be another letter's, and mailboxes know the first by its id.
    id_ = hashlib.sha256(f"{key} {at.isoformat()}".encode()).hexdigest()[:32]
    twins = printed(letter)
    mail = enclose(letter, id_=id_, address=house.settings.address, at=at, twins=twins)
    row = MailOut(
        id=id_,
        key=key,
        to=letter.to,
        game_id=letter.game,
        message_id=str(mail["Message-ID"]),
        subject=str(mail["Subject"]),
        raw=octets(mail),
        pictures=[dict(file.sketch) for file in letter.enclosures if file.sketch is not None],
        tells=letter.tells,
        next_try=at,
        queued=at,
    )
    session.add(row)
    if letter.reply_to:
        keep(session, row, (settled(twins[0]), settled(twins[1])), letter.key)
    return row


def _fit_to_read(house: House, letter: Letter) -> Letter:
    """A letter whose words name no seat's address, not even where somebody quoted one: the reply address is enough."""
    blot = house.without_tokens
    sections = [
        replace(section, heading=blot(section.heading), lines=tuple(map(blot, section.lines)))
        for section in letter.sections
    ]
    box = letter.box
    if box is not None and box.refused:
        box = replace(
            box,
            refused=tuple(
                Refused(blot(line), blot(why), tuple(map(blot, others))) for line, why, others in box.refused
            ),
        )
    files = [
        replace(file, data=blot(file.data.decode()).encode()) if file.name == REPORT else file
        for file in letter.enclosures
    ]
    return replace(
        letter,
        box=box,
        enclosures=files,
        about=_TOKEN.sub("...", blot(letter.about)),
        greeting=blot(letter.greeting),
        sections=sections,
        template=blot(letter.template),
    )
