"""Replacement points (8.1, 8.3): whose they are, what the Turn Record Track brings, and how many can be held."""

from collections.abc import Iterator
from typing import Literal

from engine.facts import Counted, Fact, Told
from engine.rules.ground import is_a
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.rules.units import front, korps

Kind = Literal["infantry", "armor"]
KINDS: dict[str, Kind] = {"i": "infantry", "a": "armor"}


def rp_track(account: str, kind: Kind) -> str:
    """8.1.2: armor and infantry are counted apart in each command."""
    return f"rp {account} {kind}"


def accounts(table: Table, side: str) -> list[str]:
    """8.1.1: the two Fronts, or the five korps."""
    row = table.data.tables["replacements"]["accounts"]
    return row["german"] if side == GERMAN else row["soviet"]


def account_of(table: Table, unit: str) -> str:
    """8.1.2-c2: the Front or korps whose points a unit takes."""
    row = table.unit(unit)
    return front(table, row) if row.side == SOVIET else korps(table, row)


def kind_of(table: Table, unit: str) -> Kind:
    return "armor" if is_a(table, unit, "armor") else "infantry"


def points(table: Table, account: str, kind: Kind) -> int:
    return table.position.tracks.get(rp_track(account, kind), 0)


def added(table: Table, account: str, kind: Kind, number: int, case: str) -> Iterator[Fact]:
    """8.1.2-c4: up to what the track holds; what is more is lost."""
    row = table.data.tables["replacements"]
    most = row["most"][kind] if kind == "infantry" or account not in row["no_armor"] else 0
    have = points(table, account, kind)
    value = min(most, have + number)
    if value != have:
        yield Counted(track=rp_track(account, kind), value=value, because=case)
    if have + number > most:
        lost = have + number - most
        yield Told(text=f"{account} cannot hold more than {most} {kind} points: {lost} lost.", because="8.1.2-c4")


def spent(table: Table, account: str, kind: Kind, number: int, case: str) -> Iterator[Fact]:
    """8.4: points taken off a track."""
    yield Counted(track=rp_track(account, kind), value=points(table, account, kind) - number, because=case)


def received(table: Table, side: str) -> Iterator[Fact]:
    """8.3, 8.1.2-c1: what the Turn Record Track brings, at the beginning of the side's Replacement Segment."""
    row = table.data.turn(table.position.turn).get("rp", {})
    for account in accounts(table, side):
        for word in row.get(account, "").split():
            yield from added(table, account, KINDS[word[0]], int(word[1:]), "8.3")
