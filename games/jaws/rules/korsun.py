"""Korsun as a special source (14.5): when it feeds, what its depot holds, and who belongs to the pocket."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Counted, Fact, Marked, Told
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal, passes
from engine.rules.marks import game_mark, set_game
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.rules.ground import owner
from games.jaws.rules.units import korps, standing

TRACK = "korsun"  # 14.5.1-a: the Korsun Supply Track
DROPS, LIFT = "air drops", "korsun missions"  # 14.6: the Uman Airfield Track
ISOLATED = "korsun isolated"  # 13.1.3: the game's mark: on which turn it was declared
AIRFIELD = "airfield"  # 14.5.1-c: the game's mark: on which turn it was activated, the last time
LOST = "korsun lost"  # 14.5.2-2: the game's mark: the turn at whose end Soviets stood in the town
FIELD_LOST = "airfield lost"  # 14.5.2-1: the same of the airfield, in use or not
ABANDONED = "airfield abandoned"  # 8.6.4-p1: the game's mark: on which turn
DECLARED = "declared"  # in the German Declaration Segment; its effects are the Replacement Segment's
POCKET = "stemmermann"  # 14.5.1-a: a unit's mark
POCKET_KORPS = ("11K", "42K")


def town(table: Table) -> Hex:
    return table.board.find("Korsun")[0].hex


def stock(table: Table) -> int:
    return table.position.tracks.get(TRACK, 0)


def isolated(table: Table) -> int:
    """13.1.3: the turn on which Korsun was declared isolated; 0 if it was not."""
    return int(game_mark(table, ISOLATED) or 0)


def airfield_since(table: Table) -> int:
    """14.5.1: the turn on which the airfield was activated; 0 if it is not."""
    return int(game_mark(table, AIRFIELD) or 0)


def special_source(table: Table) -> HexSet:
    """14.5.1-b: the town, from the turn after the declaration, while it is not lost."""
    said, here = isolated(table), town(table)
    held = table.data.land >> here & 1 and not town_lost(table)
    return 1 << here if said and table.position.turn > said and held else 0


def stocked(table: Table, value: int, case: str) -> Iterator[Fact]:
    """14.6.3-p5: what the track cannot hold is lost."""
    value = max(0, min(value, table.data.tables["supply"]["korsun"]["most"]))
    if value != stock(table):
        yield Counted(track=TRACK, value=value, because=case)


def joins_pocket(table: Table, unit: str, case: str) -> Iterator[Fact]:
    """14.5.1-a: a unit of Gruppe Stemmermann from now on."""
    if table.position.mark(unit, POCKET) is None:
        yield Marked(subject=unit, mark=POCKET, because=case)


def of_the_pocket(table: Table, unit: str) -> bool:
    """14.5.1-a: of the korps whose units join when Korsun feeds them."""
    return korps(table, table.unit(unit)) in POCKET_KORPS


def captured(table: Table) -> Iterator[Fact]:
    """14.5.2: at the end of a turn Soviets in the airfield close it, and in the town empty its depot."""
    soviets, field = standing(table, SOVIET), table.data.area("Korsun airfield")
    if airfield_since(table) and soviets & field:
        yield from set_game(table, AIRFIELD, None, "14.5.2-1")
        yield Told(text="Soviet units hold the Korsun airfield: no air supply reaches it.", because="14.5.2-1")
        if table.position.tracks.get(LIFT, 0):
            yield Counted(track=LIFT, value=0, because="14.5.2-1")
    yield from _taken(table, FIELD_LOST, field, "14.5.2-1")
    yield from _taken(table, LOST, 1 << town(table), "14.5.2-2")
    if isolated(table) and soviets >> town(table) & 1 and stock(table):
        yield from stocked(table, 0, "14.5.2-2")
        yield Told(text="Soviet units hold Korsun: its depot is lost.", because="14.5.2-2")


def _taken(table: Table, mark: str, spots: HexSet, case: str) -> Iterator[Fact]:
    """14.5.2: on which turn Soviets stood there at its end, until a turn ends on which it is German."""
    if standing(table, SOVIET) & spots:
        if not game_mark(table, mark):
            yield from set_game(table, mark, str(table.position.turn), case)
    elif game_mark(table, mark) and not _lost(table, mark, spots):
        yield from set_game(table, mark, None, case)


def _lost(table: Table, mark: str, spots: HexSet) -> bool:
    """14.5.2: whether Soviets have taken a place, and no German has been there since."""
    return bool(game_mark(table, mark)) and any(owner(table, h) != GERMAN for h in hexset.members(spots))


def town_lost(table: Table) -> bool:
    """14.5.2-2: whether Soviets have taken the town: until it is German again it feeds nobody, and nothing is flown to
    Korsun. Who only went through it has left what was there."""
    return _lost(table, LOST, 1 << town(table))


def field_lost(table: Table) -> bool:
    """14.5.2-1: whether Soviets have taken the airfield: until it is German again it is not opened."""
    return _lost(table, FIELD_LOST, table.data.area("Korsun airfield"))


def check_abandoned(table: Table) -> None:
    """8.6.4, 8.6.4-p1: once a game, while the airfield is active. Raises Illegal."""
    if game_mark(table, ABANDONED):
        raise Illegal("8.6.4-p1", "the airfield was abandoned already")
    if not airfield_since(table):
        raise Illegal("8.6.4", "the airfield of Korsun is not active")


def may_abandon(table: Table) -> bool:
    return passes(check_abandoned, table)


def retaken(table: Table) -> bool:
    """14.5.2-1: whether town and airfield are German again, and nothing flies there."""
    spots = hexset.members((table.data.area("Korsun airfield") | 1 << town(table)) & table.data.land)
    shut = bool(airfield_since(table)) or bool(game_mark(table, ABANDONED))  # 8.6.4-p4
    return bool(isolated(table)) and not shut and all(owner(table, h) == GERMAN for h in spots)
