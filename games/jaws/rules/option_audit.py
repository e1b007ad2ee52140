"""What must be true of every position of what the options of section 18 bring."""

from engine import hexset
from engine.rules.ground import number
from engine.rules.marks import marked
from games.jaws.data import SOVIET, Table, without
from games.jaws.rules.depots import RELAYED, command_of
from games.jaws.rules.fords import fordable, tries_left
from games.jaws.rules.ground import BRIDGE, FORD, SOUND, bridged, ground, marked_sides
from games.jaws.rules.partisans import AWAY, homes, wild
from games.jaws.rules.rail_capacity import CAPACITY, SHORTAGE
from games.jaws.rules.relays import BEFORE
from games.jaws.rules.second_depot import HAULED
from games.jaws.rules.stalin import STALIN
from games.jaws.rules.stores import DEPOT, FIELD
from games.jaws.rules.units import levels

OWN_MARKS = {
    "bridge_collapse": (SOUND,),
    "rail_capacity": (CAPACITY, SHORTAGE),
    "second_airfield": (FIELD,),
    "second_depot": (DEPOT, HAULED),
    "stalin": (STALIN,),
    "relay": (RELAYED, BEFORE),
}


def option_faults(table: Table) -> list[str]:
    """Everything wrong with it, in words."""
    return [fault for check in (_off, _partisans, _bridges, _fords, _sites, _relays) for fault in check(table)]


def _off(table: Table) -> list[str]:
    """Nothing bears a mark of an option that is not played with."""
    off = [mark for name, marks in OWN_MARKS.items() if not table.data.switch[name] for mark in marks]  # type: ignore[literal-required]
    return [f"{subject} is marked {mark!r} without the option" for mark in off for subject in marked(table, mark)]


def _partisans(table: Table) -> list[str]:
    """18.1.2, 18.1.4-3: in woods and forest, in no Reserve, on the track or not there at all."""
    found = []
    for unit in (unit.id for unit in table.roster.by_side(SOVIET) if "partisan" in unit.classes):
        h, box = table.position.hex_of(unit), table.position.where.get(unit, "")
        if h is None:
            away = box.startswith(AWAY) if unit in homes(table.data) else box == "unused"
            found += [] if away else [f"{unit} is in {box}"]
        elif not wild(table) >> h & 1:
            found.append(f"{unit} is in the open, in {number(table, h)}")
    return found


def _bridges(table: Table) -> list[str]:
    """18.3-p3: only a bridge that stands is sound."""
    down = without(marked_sides(table, SOUND), bridged(table, BRIDGE))
    return ["a bridge is sound, and does not stand"] if any(down) else []


def _fords(table: Table) -> list[str]:
    """18.6, 18.6-c1: fords are in the rivers that have them, and nobody has looked too often."""
    if not table.data.switch["fords"]:
        return []
    found = ["there is a ford where none can be"] if any(without(marked_sides(table, FORD), fordable(table))) else []
    often = [side for side in table.game.sides if tries_left(table, side) < 0]
    return found + [f"{side} has looked for fords too often" for side in often]


def _sites(table: Table) -> list[str]:
    """18.8, 18.9: one airfield and one depot, on roads; what they hold is held somewhere."""
    found = []
    for mark in (FIELD, DEPOT):
        spots = marked(table, mark)
        roads = hexset.of(table.grid.hex(spot[1:]) for spot in spots) & ~table.data.road_hexes
        found += [f"there is more than one {mark}"] if len(spots) > 1 else []
        found += [f"the {mark} is on no road"] if roads else []
        if not spots and table.position.tracks.get(mark, 0):
            found.append(f"there is no {mark}, and it holds SPs")
    return found


def _relays(table: Table) -> list[str]:
    """18.14: in mud, one for each army or korps."""
    relays = [str(table.position.mark(user, RELAYED)) for user in marked(table, RELAYED)]
    names = [command_of(table, relay) for relay in relays]
    found = [f"{name} has two relays" for name in sorted(set(names)) if names.count(name) > 1]
    found += [f"{relay} is no relay" for relay in relays if levels(table, command_of(table, relay))[0].kind == "panzer"]
    laid = table.position.stage not in ("supply", "setup")
    return found + (["there are relays on frozen ground"] if relays and laid and ground(table) != "mud" else [])
