"""How the service does: in figures, in one line, and in a file for Prometheus, for who is not there to see it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import structlog
from sqlmodel import Session, col, func, select

from pbem.house import House
from pbem.house.disk_space import free_bytes, nearly_full
from pbem.mail_servers.oauth.consent_keeper import consent_trouble
from pbem.store import Due, GameRow, MailIn, MailOut, Pulse, utc
from pbem.store.database_troubles import HouseTrouble
from pbem.store.schema import newest

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


EVERY = timedelta(seconds=15)  # at most so often
READABLE = 0o644  # by the collector, which is another user
Figure = tuple[str, str, str, Mapping[str, float]]  # its name, type, what it is, and its values by label

_log = structlog.get_logger()


class MetricsFile:
    """Written anew at the daemon's wakes, whole or not at all."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.dealt_with = self.sent = 0  # since the start
        self._written: datetime | None = None
        self._trouble = ""

    def write(self, *, up: bool) -> None:
        """A file that cannot be written hinders nobody: it is told once in the journal."""
        place, now = self.house.settings.metrics_file, self.house.clock()
        if not place or (self._written is not None and self._written <= now < self._written + EVERY):
            return
        self._written = now
        try:
            _replace(Path(place), "".join(self._lines(up, now)))
        except OSError as problem:
            if str(problem) != self._trouble:
                _log.warning("the metrics cannot be written", why=str(problem))
            self._trouble = str(problem)
        else:
            self._trouble = ""

    def _lines(self, up: bool, now: datetime) -> Iterator[str]:
        for name, kind, told, values in self._figures(up, now):
            yield f"# HELP fieldpost_{name} {told}\n# TYPE fieldpost_{name} {kind}\n"
            for labels, value in values.items():
                yield f"fieldpost_{name}{labels} {value:.15g}\n"

    def _figures(self, up: bool, now: datetime) -> Iterator[Figure]:
        """Without a database there is nothing to count, and that is told by `up`."""
        yield "up", "gauge", "Whether mail came in, was dealt with and went out.", {"": float(up)}
        yield "last_round_timestamp_seconds", "gauge", "When the service last looked.", {"": now.timestamp()}
        yield "mails_dealt_with_total", "counter", "Mails since the start.", {"": self.dealt_with}
        yield "letters_sent_total", "counter", "Letters since the start.", {"": self.sent}
        yield "free_bytes", "gauge", "Room on the disk of the home folder.", {"": free_bytes(self.house.settings)}
        if (file := self.house.settings.database_file) is not None:
            yield "database_bytes", "gauge", "The size of the database file.", {"": file.stat().st_size}
        yield "schema_version", "gauge", "The version of the tables.", {"": int(newest())}
        try:
            signs = vital_signs(self.house)
        except HouseTrouble:
            return
        yield "mails", "gauge", "Mails to deal with, and set aside.", _by_state(signs.mails)
        yield "letters", "gauge", "Letters to send, and not delivered.", _by_state(signs.letters)
        yield "games", "gauge", "Games by their state.", _by_state(signs.games)
        yield "overdue", "gauge", "Asks whose deadline has passed.", {"": signs.overdue}
        yield "last_success_timestamp_seconds", "gauge", "When mail was last fetched and sent.", _pulse(signs)


def _by_state(counts: Mapping[str, int]) -> dict[str, float]:
    return {f'{{state="{state}"}}': count for state, count in sorted(counts.items())}


def _pulse(signs: VitalSigns) -> dict[str, float]:
    pulse = signs.pulse
    last = {"fetched": pulse.fetched, "sent": pulse.sent} if pulse is not None else {}
    return {f'{{what="{what}"}}': utc(at).timestamp() for what, at in last.items() if at is not None}


def _replace(place: Path, text: str) -> None:
    """Under another name first, which the collector does not read."""
    new = place.with_name(f"{place.name}.new")
    new.write_text(text, encoding="utf-8")
    new.chmod(READABLE)
    new.replace(place)
