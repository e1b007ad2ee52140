"""A mail that is in the house, as if it had been fetched: under an id of the test's own if one is given."""

from __future__ import annotations

from pbem.house import House
from pbem.house.crash_points import AFTER_STORE, reached
from pbem.inbox.storing import row_of


def receive(house: House, raw: bytes, *, id_: str = "") -> str:
    """A mail is stored, before anything else is done about it; gives its id."""
    with house.database.begin() as session:
        row = row_of(house, session, "", 0, raw, *house.cabinet.keep_raw(session, raw))
        row.id = id_ or row.id
        session.add(row)
    reached(AFTER_STORE)
    return row.id
