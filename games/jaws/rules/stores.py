"""The depots of the pocket (14.5.1-b, 18.8-c4, 18.9): which there are, which feed SDMs now, and what each holds."""

from collections.abc import Iterator

from engine.facts import Counted, Fact, Marked, Told
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.table import kept_while_marked
from games.jaws.data import SOVIET, Table
from games.jaws.rules.korsun import TRACK, special_source, town
from games.jaws.rules.units import standing

FIELD, DEPOT = "second airfield", "second depot"  # marks of their hexes, and tracks of their SPs
BUILDING = "building"  # 18.8-p2: until it is done; then the mark says on which turn it was
STORES = {"korsun": TRACK, "airfield": FIELD}  # what orders call those that SPs are taken from
SITES = {"airfield": FIELD, "depot": DEPOT}  # and those that Korsun's stock may go to (8.6.4-p3)


@kept_while_marked
def _site(table: Table, mark: str) -> tuple[Hex, str] | None:
    found = ((subject, marks[mark]) for subject, marks in table.position.marks.items() if mark in marks)
    return next(((table.grid.hex(subject[1:]), str(value)) for subject, value in found), None)


def site(table: Table, mark: str) -> tuple[Hex, str] | None:
    """Where the second airfield or depot is, and on which turn it was done; None if there is none."""
    on = table.data.switch["second_airfield"] if mark == FIELD else table.data.switch["second_depot"]
    return _site(table, mark) if on else None


def at_work(table: Table, mark: str) -> HexSet:
    """18.8-p4, 18.9-p3: its hex, from the turn after it was done."""
    found = site(table, mark)
    done = found is not None and found[1] != BUILDING and int(found[1]) < table.position.turn
    return 1 << found[0] if found is not None and done else 0


def stores(table: Table) -> dict[str, HexSet]:
    """By their tracks, Korsun and the options' depots that are sources now."""
    found = {TRACK: special_source(table)}
    if table.data.switch["second_airfield"] or table.data.switch["second_depot"]:
        found |= {mark: at_work(table, mark) for mark in (FIELD, DEPOT)}
    return {track: hexes for track, hexes in found.items() if hexes}


def held(table: Table, track: str) -> int:
    return table.position.tracks.get(track, 0)


def put(table: Table, track: str, value: int, case: str) -> Iterator[Fact]:
    """14.6.3-p5: what the track cannot hold is lost."""
    value = max(0, min(value, table.data.tables["supply"]["korsun"]["most"]))
    if value != held(table, track):
        yield Counted(track=track, value=value, because=case)


def near_korsun(table: Table, h: Hex, far: int) -> bool:
    return table.grid.distance(h, town(table)) <= far


def overrun(table: Table) -> Iterator[Fact]:
    """18.8-c4: Soviets in their hex at the end of a turn destroy them, with all that they hold (14.5.2)."""
    for mark, case in ((FIELD, "18.8-c4"), (DEPOT, "18.9")):
        found = site(table, mark)
        if found is not None and standing(table, SOVIET) >> found[0] & 1:
            spot = table.grid.number_of(found[0])
            yield Marked(subject=f"@{spot}", mark=mark, value=None, because=case)
            yield from put(table, mark, 0, case)
            yield Told(text=f"Soviet units hold {spot}: the {mark} is lost.", because=case)
