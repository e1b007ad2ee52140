"""A file of figures for Prometheus: its node exporter's textfile collector reads it, nobody calls us."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import structlog

from pbem.house import House
from pbem.house.disk_space import free_bytes
from pbem.service.vital_signs import VitalSigns, vital_signs
from pbem.store.database import utc
from pbem.store.database_troubles import HouseTrouble
from pbem.store.schema import newest

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
        for name, kind, told, values in (*self._own(up, now), *self._counted()):
            yield f"# HELP fieldpost_{name} {told}\n# TYPE fieldpost_{name} {kind}\n"
            for labels, value in values.items():
                yield f"fieldpost_{name}{labels} {value:.15g}\n"

    def _own(self, up: bool, now: datetime) -> Iterator[Figure]:
        yield "up", "gauge", "Whether mail came in, was dealt with and went out.", {"": float(up)}
        yield "last_round_timestamp_seconds", "gauge", "When the service last looked.", {"": now.timestamp()}
        yield "mails_dealt_with_total", "counter", "Mails since the start.", {"": self.dealt_with}
        yield "letters_sent_total", "counter", "Letters since the start.", {"": self.sent}
        yield "free_bytes", "gauge", "Room on the disk of the home folder.", {"": free_bytes(self.house.settings)}
        file = self.house.settings.database_file
        if file is not None:
            yield "database_bytes", "gauge", "The size of the database file.", {"": file.stat().st_size}
        yield "schema_version", "gauge", "The version of the tables.", {"": int(newest())}

    def _counted(self) -> Iterator[Figure]:
        """Without a database there is nothing to count, and that is told by `up`."""
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
