"""The shapes of the rulebook's files: what tables.toml, setup.toml and a scenario must hold for the rules to read."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

Going = Literal["foot", "motor", "armor"]  # the three movement classes (9.1)
Ground = Literal["frozen", "mud"]
Visibility = Literal["clear", "overcast", "storm"]
Points = int | str  # movement points: 2, or "1/3"
Pair = tuple[Points, Points]  # on frozen ground, in mud
Source = Literal["text", "inferred", "reconstructed"]

# 2.4-g: terrain

Costs = TypedDict("Costs", {"foot": NotRequired[Pair], "motor": NotRequired[Pair], "armor": NotRequired[Pair]})
HexRow = TypedDict("HexRow", {
    "foot": NotRequired[Pair], "motor": NotRequired[Pair], "armor": NotRequired[Pair], "shut": NotRequired[bool],
    "blind": NotRequired[bool],
})  # fmt: skip
PlaceRow = TypedDict("PlaceRow", {"blind": NotRequired[bool]})
SideRow = TypedDict("SideRow", {
    "foot": NotRequired[Pair], "motor": NotRequired[Pair], "armor": NotRequired[Pair], "shut": NotRequired[bool],
    "zones": NotRequired[bool], "supply": NotRequired[bool],
})  # fmt: skip
WayRow = TypedDict("WayRow", {"foot": Pair, "motor": Pair, "armor": Pair, "strategic": NotRequired[Costs]})
ZoneRow = TypedDict("ZoneRow", {"foot": tuple[int, int], "motor": tuple[int, int], "armor": tuple[int, int]})
CombatRow = TypedDict("CombatRow", {
    "halves": NotRequired[Literal["armor", "all"]], "bonus": NotRequired[int], "per_step": NotRequired[int],
    "combined": NotRequired[int], "superiority": NotRequired[bool], "no_retreat": NotRequired[bool], "advance": int,
})  # fmt: skip
Terrain = TypedDict("Terrain", {
    "case": str, "source": Source, "hex": dict[str, HexRow], "place": dict[str, PlaceRow],
    "hexside": dict[str, SideRow], "way": dict[str, WayRow], "zone": dict[Literal["zoc", "zoi"], ZoneRow],
    "combat": dict[str, CombatRow | Source],
})  # fmt: skip

# 9 to 11

ByGoing = TypedDict("ByGoing", {"foot": int, "motor": int, "armor": int, "case": str})
Number = TypedDict("Number", {"points": int, "case": str})
Hexes = TypedDict("Hexes", {"hexes": int, "case": str})
Divisor = TypedDict("Divisor", {"divisor": int, "case": str})
Rail = TypedDict("Rail", {"units": int, "displacement": int, "case": str})
ArmorPoints = TypedDict("ArmorPoints", {"armor": int, "case": str})
Movement = TypedDict("Movement", {
    "mud": ByGoing, "on_foot": Number, "strategic": Hexes, "rail": Rail, "reserve": ByGoing, "oos1": Divisor,
    "oos2": Divisor, "disorganized": Divisor, "minefield": ArmorPoints, "entry": Hexes,
})  # fmt: skip
Interception = TypedDict("Interception", {"caution": int, "case": str})
Zones = TypedDict("Zones", {"steps": int, "case": str})
Stacking = TypedDict("Stacking", {
    "units": int, "forest": int, "divisions": int, "brigades": int, "regiments": int, "case": str,
})  # fmt: skip
Integral = TypedDict("Integral", {"pairs": dict[str, str], "case": str})
Breakdown = TypedDict("Breakdown", {"counters": int, "case": str, "source": Source})

# 5, 6

Weather = TypedDict("Weather", {"frozen": int, "clear": int, "overcast": int, "case": str, "source": Source})
Missions = TypedDict("Missions", {"frozen": list[int], "mud": list[int], "case": str})
AirCounters = TypedDict("AirCounters", {"german": list[str], "soviet": list[str], "case": str})
Air = TypedDict("Air", {
    "visibility": dict[Visibility, int], "case": str, "source": Source, "missions": dict[str, Missions],
    "counters": AirCounters,
})  # fmt: skip
Alarm = TypedDict("Alarm", {"strengths": list[int], "points": int, "case": str, "source": Source})

# 13, 14

ByGround = TypedDict("ByGround", {"frozen": int, "mud": int})
Range = TypedDict("Range", {"soviet": ByGround, "german": ByGround, "case": str, "source": Source})
Extended = TypedDict("Extended", {"times": int, "price": int, "units": int, "case": str})
Resupply = TypedDict("Resupply", {"front": int, "ammo": int, "both": int, "case": str})
Korsun = TypedDict("Korsun", {"points": int, "trickle": int, "most": int, "case": str})
Isolation = TypedDict("Isolation", {"points": int, "case": str})
Loss = TypedDict("Loss", {
    "points": list[int], "antiair": int, "antiair_hexes": int, "mud": int, "guns": int, "many_guns": int, "many": int,
    "case": str, "source": Source,
})  # fmt: skip
Drop = TypedDict("Drop", {"sdm": list[int], "hex": list[int], "case": str, "source": Source})
Airlift = TypedDict("Airlift", {"missions": int, "drops": int, "case": str, "loss": Loss, "drop": Drop})
SovietDrop = TypedDict("SovietDrop", {"works": int, "case": str})
Cut = TypedDict("Cut", {"sizes": list[str], "case": str})
Supply = TypedDict("Supply", {
    "range": Range, "extended": Extended, "resupply": Resupply, "korsun": Korsun, "isolation": Isolation,
    "airlift": Airlift, "cut": Cut, "soviet_drop": SovietDrop, "sources": dict[str, list[str] | str],
})  # fmt: skip

# 8

Most = TypedDict("Most", {"infantry": int, "armor": int})
Accounts = TypedDict("Accounts", {"soviet": list[str], "german": list[str]})
SovietPoints = TypedDict("SovietPoints", {"distance": int, "left": int, "steps": int, "case": str})
GermanPoints = TypedDict("GermanPoints", {"steps": int, "case": str})
ArmorTypes = TypedDict("ArmorTypes", {
    "stug": list[int], "pz4": list[int], "pz5": list[int], "pz6": list[int], "case": str, "source": Source,
})  # fmt: skip
Special = TypedDict("Special", {
    "within": int, "cadre": int, "regiment": int, "battalion": int, "sdm": int, "alarms": int, "transfer": int,
    "case": str, "source": Source,
})  # fmt: skip
Replacements = TypedDict("Replacements", {
    "most": Most, "accounts": Accounts, "no_armor": list[str], "case": str, "source": Source, "soviet": SovietPoints,
    "german": GermanPoints, "armor_types": ArmorTypes, "special": Special,
})  # fmt: skip

# 12, 17

Results = TypedDict("Results", {"columns": list[str], "case": str, "source": Source, "dice": dict[str, list[str]]})
Guns = TypedDict("Guns", {"points": list[int], "case": str, "source": Source, "die": dict[str, list[int]]})
Artillery = TypedDict("Artillery", {"german": Guns, "soviet": Guns})
Die = TypedDict("Die", {"die": int, "case": str})
FieldShift = TypedDict("FieldShift", {"die": int, "shift": int, "case": str})
GunLimit = TypedDict("GunLimit", {"offensive": int, "defensive": int, "case": str})
Superiority = TypedDict("Superiority", {"by": list[int], "shifts": list[int], "behind": int, "case": str})
Oos2 = TypedDict("Oos2", {"all": int, "mixed": int, "case": str})
Shift = TypedDict("Shift", {"shift": int, "case": str})
DivisionShift = TypedDict("DivisionShift", {"shift": int, "steps": int, "case": str})
Combat = TypedDict("Combat", {
    "storm": Die, "minefield": FieldShift, "barrage": Die, "guns": GunLimit, "superiority": Superiority, "oos2": Oos2,
    "hilltop": Shift, "engineer": Shift, "division": DivisionShift,
})  # fmt: skip
Wanda = TypedDict("Wanda", {"turn": int, "missions": int, "length": int, "die": int, "case": str})
Breakout = TypedDict("Breakout", {
    "near": int, "korps": list[str], "steps": int, "waves": list[int], "hexes": int, "armor": int, "surprise": int,
    "stacks": int, "case": str,
})  # fmt: skip
Barrage = TypedDict("Barrage", {
    "range": int, "shifts": dict[str, int], "markers": int, "away": int, "strength": int, "case": str,
    "source": Source, "components": dict[str, list[str]],
})  # fmt: skip

# 15, 22

Bridges = TypedDict("Bridges", {
    "reach": int, "destroyed": int, "rail": int, "occupied": int, "repaired": int, "price": int, "case": str,
})  # fmt: skip
Minefields = TypedDict("Minefields", {"hexsides": int, "loss": int, "price": int, "case": str})
Price = TypedDict("Price", {"price": int, "case": str})
Positions = TypedDict("Positions", {"price": int, "bonus": int, "case": str})
Release = TypedDict("Release", {
    "turn": int, "least": int, "isolated": int, "near": int, "near_hexes": int, "case": str, "source": Source,
})  # fmt: skip
Front = TypedDict("Front", {
    "bound": dict[str, list[str]], "gap": int, "case": str, "source": Source, "release": Release,
})  # fmt: skip
Boundary = TypedDict("Boundary", {"beyond": int, "case": str, "source": Source, "line": list[str]})

# 18: the options

Partisans = TypedDict("Partisans", {"homes": dict[str, str], "away": int, "case": str, "source": Source})
Reliability = TypedDict("Reliability", {"pz5": list[int], "pz6": list[int], "case": str})
Collapse = TypedDict("Collapse", {"holds": int, "price": int, "case": str})
Line = TypedDict("Line", {"name": str, "hexes": list[str], "beyond": list[list[str]]})
RailCapacity = TypedDict("RailCapacity", {"lines": list[Line], "case": str, "source": Source})
Trucks = TypedDict("Trucks", {"move": int, "price": int, "case": str, "source": Source})
Fords = TypedDict("Fords", {
    "rivers": list[str], "found": int, "one_map": int, "two_maps": int, "foot": Pair, "armor": Pair, "case": str,
    "source": Source,
})  # fmt: skip
Panzer24 = TypedDict("Panzer24", {
    "turn": int, "hex": str, "units": int, "arrives": int, "depot": int, "case": str, "source": Source,
})  # fmt: skip
SecondAirfield = TypedDict("SecondAirfield", {"price": int, "hexes": int, "most": int, "case": str})
SecondDepot = TypedDict("SecondDepot", {"price": int, "hexes": int, "hauled": int, "case": str})
Bands = TypedDict("Bands", {"least": list[int], "bonus": list[int], "case": str})
FlakIntercepts = TypedDict("FlakIntercepts", {"dots": int, "case": str})
Stalin = TypedDict("Stalin", {
    "turn": int, "hexes": int, "pocket": list[str], "relief": list[str], "groups": list[list[str]], "case": str,
})  # fmt: skip
Options = TypedDict("Options", {
    "partisans": Partisans, "reliability": Reliability, "collapse": Collapse, "rail_capacity": RailCapacity,
    "trucks": Trucks, "fords": Fords, "panzer_24": Panzer24, "second_airfield": SecondAirfield,
    "second_depot": SecondDepot, "strengths_by_size": Bands, "flak_intercepts": FlakIntercepts, "stalin": Stalin,
})  # fmt: skip

# 7, 23, and the track

Turn = TypedDict("Turn", {
    "turn": int, "date": str, "ground": int, "rp": NotRequired[dict[str, str]], "engines": NotRequired[bool],
})  # fmt: skip
Track = TypedDict("Track", {"case": str, "source": Source, "turns": list[Turn]})
Group = TypedDict("Group", {
    "turn": int, "side": str, "hex": str, "rail": NotRequired[bool], "formations": NotRequired[list[str]],
    "units": NotRequired[list[str]],
})  # fmt: skip
Reinforcements = TypedDict("Reinforcements", {"case": str, "source": Source, "groups": list[Group]})
Towns = TypedDict("Towns", {
    "hexes": dict[str, int], "brigade": int, "brigade_columns": tuple[int, int], "cadre": int,
    "levels": tuple[int, int, int], "case": str,
})  # fmt: skip
Ring = TypedDict("Ring", {"decisive": int, "towns": list[str], "case": str})
Thrust = TypedDict("Thrust", {"formations": list[str], "goal": str, "korps": str, "row": int, "draw": int, "case": str})
Relief = TypedDict("Relief", {"hex": str, "korps": str, "case": str})
Share = TypedDict("Share", {"levels": list[int], "case": str, "source": Source})
Adjust = TypedDict("Adjust", {
    "towns": list[str], "panzers": int, "corps": int, "turn": int, "case": str, "source": Source,
})  # fmt: skip
Victory = TypedDict("Victory", {
    "konev": Towns, "vatutin": Towns, "ring": Ring, "vormann": Thrust, "wanda": Relief, "share": Share,
    "campaign": Adjust,
})  # fmt: skip
Tables = TypedDict("Tables", {
    "terrain": Terrain, "movement": Movement, "interception": Interception, "zones": Zones,
    "stacking": Stacking, "integral": Integral, "breakdown": Breakdown,
    "weather": Weather, "air": Air, "alarm": Alarm, "supply": Supply, "replacements": Replacements,
    "combat_results": Results, "artillery": Artillery, "combat": Combat, "wanda": Wanda,
    "breakout": Breakout, "barrage": Barrage, "bridges": Bridges,
    "minefields": Minefields, "rail_repair": Price, "positions": Positions, "front": Front, "boundary": Boundary,
    "turn_track": Track, "reinforcements": Reinforcements, "victory": Victory, "options": Options,
})  # fmt: skip

# The set-up, the scenario and its switches

Start = TypedDict("Start", {
    "source": Source, "german": dict[str, list[str]], "soviet": dict[str, list[str]], "alarm": dict[str, int],
    "lost": dict[str, int],
})  # fmt: skip
StatedGround = TypedDict("StatedGround", {"is": Literal["rolled", "frozen", "mud"], "source": Source})
StatedPoints = TypedDict("StatedPoints", {"points": dict[str, int], "source": Source})
StatedAir = TypedDict("StatedAir", {"drops": int, "korsun": int, "source": Source})
StatedRp = TypedDict("StatedRp", {"points": dict[str, str], "source": Source})
StatedBridges = TypedDict("StatedBridges", {
    "control": Literal["by the line"], "down": Literal["by the line"] | list[str], "source": Source,
})  # fmt: skip
StatedFields = TypedDict("StatedFields", {
    "markers": int, "from": NotRequired[int], "laid": dict[str, list[str]], "source": Source,
})  # fmt: skip
StatedHexes = TypedDict("StatedHexes", {"hexes": list[str], "source": Source})
StatedUnits = TypedDict("StatedUnits", {"units": list[str], "source": Source})
StatedQuiet = TypedDict("StatedQuiet", {"fronts": list[str], "turns": list[int], "source": Source})
StatedBarrage = TypedDict("StatedBarrage", {"formed": dict[str, str], "source": Source})
StatedKorsun = TypedDict("StatedKorsun", {
    "isolated": int, "airfield": int, "points": int, "released": list[str], "inside": list[str], "source": Source,
})  # fmt: skip
StatedBoundary = TypedDict("StatedBoundary", {"runs": bool, "source": Source})
State = TypedDict("State", {
    "ground": StatedGround, "supply": StatedPoints, "air": StatedAir, "rp": StatedRp, "bridges": StatedBridges,
    "minefields": StatedFields, "positions": StatedHexes, "isolated": StatedUnits, "quiet": StatedQuiet,
    "barrage": StatedBarrage, "korsun": StatedKorsun, "boundary": StatedBoundary,
})  # fmt: skip
Won = Literal["konev", "vatutin", "ring", "vormann", "wanda", "hells_gate", "campaign"]
Scenario = TypedDict("Scenario", {
    "title": str, "about": str, "case": str, "first": int, "turns": int, "map": str, "counters": str, "setup": str,
    "start": str, "sheets": tuple[int, int], "victory": Won,
    "switches": dict[str, str], "state": State, "like": NotRequired[str],
})  # fmt: skip
Switches = TypedDict(
    "Switches",
    {
        "cavalry_front": Literal["2Uk", "1Uk"],
        "partisans": bool,
        "reliability": bool,
        "bridge_collapse": bool,
        "rail_capacity": bool,
        "trucks": bool,
        "fords": bool,
        "panzer_24": bool,
        "second_airfield": bool,
        "second_depot": bool,
        "strengths_by_size": bool,
        "flak_intercepts": bool,
        "stalin": bool,
        "relay": bool,
    },
)
