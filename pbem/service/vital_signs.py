"""How the service does, in figures and in one line: for who is not there to see it."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from pbem.house import House
from pbem.house.disk_space import nearly_full
from pbem.mail_servers.oauth.consent_state import consent_trouble
from pbem.store import Due, GameRow, MailIn, MailOut, Pulse
from pbem.store.database import utc

LONGEST = timedelta(minutes=5)  # between two signs of life, or three of its own rounds
POLL = 60  # seconds, where the settings name no mailbox


@dataclass(frozen=True)
class VitalSigns:
    """What the database tells; counts are of what needs somebody's hand, or of games."""

    pulse: Pulse | None
    mails: dict[str, int] = field(default_factory=dict)  # stored, shunted
    letters: dict[str, int] = field(default_factory=dict)  # queued, failed
    games: dict[str, int] = field(default_factory=dict)  # by state
    overdue: int = 0  # asks whose deadline has passed, in games under way

    def in_words(self) -> str:
        return (
            f"{self.mails['stored']} mails to deal with, {self.letters['queued']} letters to send, "
            f"{self.mails['shunted']} set aside, {self.letters['failed']} not delivered, "
            f"{self.games.get('playing', 0)} games under way"
        )


def vital_signs(house: House) -> VitalSigns:
    """Counted by indexes: it is asked at every wake."""
    with house.database.reading() as session:
        late = select(func.count(col(Due.id))).join(GameRow).where(GameRow.state == "playing")
        return VitalSigns(
            session.get(Pulse, 1),
            _counted(session, MailIn, "stored", "shunted"),
            _counted(session, MailOut, "queued", "failed"),
            dict(session.exec(select(GameRow.state, func.count(col(GameRow.id))).group_by(GameRow.state)).all()),
            session.exec(late.where(col(Due.due) < house.clock())).one(),
        )


def _counted(session: Session, table: type[MailIn] | type[MailOut], *states: str) -> dict[str, int]:
    found = select(table.state, func.count(col(table.id))).where(col(table.state).in_(states)).group_by(table.state)
    return dict.fromkeys(states, 0) | dict(session.exec(found).all())


def ailments(house: House, signs: VitalSigns) -> list[str]:
    """What is wrong, each in a few words; nothing, if mail comes in, is dealt with and goes out."""
    said = [str(trouble) for trouble in (nearly_full(house.settings), consent_trouble(house.settings)) if trouble]
    pulse, now = signs.pulse, house.clock()
    if pulse is None:
        return [*said, "the service has never run here; `pbem serve` starts it"]
    poll = house.settings.mailbox.poll_seconds if house.settings.mailbox is not None else POLL
    if now - utc(pulse.ran) > max(LONGEST, timedelta(seconds=3 * poll)):
        return [*said, f"the service has shown no life since {_moment(pulse.ran)}; its journal says why"]
    for what, last in (("fetched", pulse.fetched), ("sent", pulse.sent)):
        if last is None or last < pulse.ran:
            since = f"since {_moment(last)}" if last is not None else "yet"
            said.append(f"no mail could be {what} {since}; the journal says why")
    return said


def _moment(moment: datetime) -> str:
    return f"{utc(moment):%Y-%m-%d %H:%M} UTC"
