"""A deadline as calendars read it (RFC 5545): one event, published, moved or cancelled under the same name."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from jinja2 import Environment

from pbem.report.printing import paper

WIDEST = 75  # octets of a line
KIND = "text/calendar; method=PUBLISH"


@dataclass(frozen=True)
class CalendarEvent:
    """One moment in a reader's calendar."""

    uid: str  # the same for as long as it is the same event
    sequence: int  # higher each time it has changed
    made: datetime
    at: datetime
    title: str
    about: str
    organizer: str
    cancelled: bool = False


def calendar_text(event: CalendarEvent) -> bytes:
    """The file; the same event gives the same bytes."""
    lines = _paper().get_template("mail/deadline.ics").render(event=event).splitlines()
    return b"".join(_folded(line) + b"\r\n" for line in lines)


@cache
def _paper() -> Environment:
    found = paper("ics").overlay()
    found.filters = {"escaped": _escaped, "moment": _moment}
    return found


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    plain = "".join(c for c in text if c == "\n" or c.isprintable())
    for mark in ("\\", ";", ","):
        plain = plain.replace(mark, f"\\{mark}")
    return plain.replace("\n", "\\n")


def _folded(line: str) -> bytes:
    """Long lines are broken, never within a character; what goes on begins with a space."""
    if len(line) <= WIDEST and line.isascii():
        return line.encode()
    rows, row = [], b""
    for character in line:
        octets = character.encode()
        if len(row) + len(octets) > WIDEST:
            rows.append(row)
            row = b" "
        row += octets
    return b"\r\n".join([*rows, row])
