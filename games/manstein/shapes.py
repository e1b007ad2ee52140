"""The shapes of the rulebook's files: what tables.toml, setup.toml and a scenario must hold for the rules to read."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

Strength = Literal["attack", "defence"]
Points = TypedDict("Points", {"points": int, "case": str})
Hexes = TypedDict("Hexes", {"hexes": int, "case": str})

# T1 to T6

CpRow = TypedDict("CpRow", {
    "cp": tuple[int, int], "markers": NotRequired[int], "points": NotRequired[float], "units": NotRequired[int],
})  # fmt: skip
ByCp = TypedDict("ByCp", {"case": str, "by_cp": list[CpRow]})
Zhukov = TypedDict("Zhukov", {"case": str, "by_turn": dict[str, tuple[int, int]]})
Results = TypedDict("Results", {"case": str, "columns": tuple[str, ...], "die": dict[str, list[str]]})
Cities = TypedDict("Cities", {"hexes": list[str]})
AbsoluteOrder = TypedDict("AbsoluteOrder", {"steps": dict[str, int], "cities": Cities})

# Terrain: a row of the chart has what a hex, a place or a hexside needs

Ground = TypedDict("Ground", {
    "move": NotRequired[int], "shift": NotRequired[int], "extra": NotRequired[int], "shut": NotRequired[bool],
    "one_step": NotRequired[bool], "halves_attack": NotRequired[bool],
})  # fmt: skip
Road = TypedDict("Road", {"move": int, "strategic": float})
Ways = TypedDict("Ways", {"road": Road})
Terrain = TypedDict("Terrain", {
    "case": str, "hex": dict[str, Ground], "place": dict[str, Ground], "hexside": dict[str, Ground], "way": Ways,
})  # fmt: skip

# Figures in the rules

Movement = TypedDict("Movement", {"leave_zoc": Points, "enter_zoc": Points})
Stacking = TypedDict("Stacking", {"units": int, "headquarters": int})
River = TypedDict("River", {"by": int})
NoDefence = TypedDict("NoDefence", {"column": str, "case": str})
Advance = TypedDict("Advance", {"hexes": int, "mech": int})
Combat = TypedDict("Combat", {"river_divisor": River, "zero_defence": NoDefence, "advance": Advance})
Supply = TypedDict("Supply", {
    "combat_case": str, "attack": int, "defence": int, "move": int, "halved_divisor": NotRequired[int],
})  # fmt: skip
Conversion = TypedDict("Conversion", {"turn": int, "backs": dict[str, str]})
Headquarters = TypedDict("Headquarters", {"relocation": Hexes, "conversion": Conversion})
Airborne = TypedDict("Airborne", {"unit": str, "range": int})
Pair = TypedDict("Pair", {"city": str, "points": list[str]})
Late = TypedDict("Late", {"turn": int})
Crossings = TypedDict("Crossings", {"near": Hexes, "kremencuk": Pair, "late": Late, "airborne": Points})
Markers = TypedDict("Markers", {"markers": dict[str, str]})
Stuka = TypedDict("Stuka", {"columns": int, "case": str})
Ace = TypedDict("Ace", {"die": int, "least": int, "case": str})
Air = TypedDict("Air", {"stuka": Stuka, "ace": Ace})
Chit = TypedDict("Chit", {
    "count": int, "hq": NotRequired[str], "front": NotRequired[bool], "first": NotRequired[int],
    "once": NotRequired[bool], "also": NotRequired[list[str]], "case": NotRequired[str],
})  # fmt: skip
Number = TypedDict("Number", {"chits": int})
Selection = TypedDict("Selection", {"soviet": Number})
Turn = TypedDict("Turn", {"turn": int, "date": str, "axis_com": int})
Track = TypedDict("Track", {"case": str, "turns": list[Turn]})
Pools = TypedDict("Pools", {"codes": list[str]})
Converts = dict[str, str | list[str]]
Reinforcements = TypedDict("Reinforcements", {"groups": list[str], "converts": Converts, "pools": Pools})
Race = TypedDict("Race", {
    "case": str, "turn": int, "crossing_point": float, "mech_with_line": float, "other_with_line": float,
    "mech_without_line": float, "other_without_line": float, "win": Points,
})  # fmt: skip
Victory = TypedDict("Victory", {
    "major_city": Points, "german_armour": Points, "german_other": Points, "axis_ally": Points,
    "german_relocation": Points, "soviet_relocation": Points, "breakthrough": Points, "win": Points, "race": Race,
})  # fmt: skip
Tables = TypedDict("Tables", {
    "negotiation_cost": dict[str, float | str], "air_reorganization": ByCp, "negotiation": ByCp,
    "special_activation": ByCp, "zhukov": Zhukov, "combat_results": Results, "absolute_order": AbsoluteOrder,
    "terrain": Terrain, "movement": Movement, "stacking": Stacking, "combat": Combat, "supply": dict[str, Supply],
    "headquarters": Headquarters, "airborne": Airborne, "crossing_points": Crossings, "air_markers": Markers,
    "air": Air, "chits": dict[str, dict[str, Chit | str]], "selection": Selection, "turn_track": Track,
    "reinforcements": Reinforcements, "victory": Victory,
})  # fmt: skip

# The scenario and its switches

Setup = TypedDict("Setup", {"soviet": dict[str, list[str]], "axis": dict[str, list[str]]})
Source = TypedDict("Source", {"area": str})
Reserve = TypedDict("Reserve", {"code": str})
Scenario = TypedDict("Scenario", {
    "turns": int, "counters": str, "setup": str, "sources": dict[str, Source], "reserve": dict[str, Reserve],
})  # fmt: skip
Switches = TypedDict("Switches", {
    "bid": bool, "hq_conversion": bool, "front_chits": int, "opening_attack": str, "hq_alone": str,
    "isolated_movement": str, "crossing_control": str, "breakthrough": str, "cut_off": str,
    "voluntary_relocation": str, "placement": str, "late_entry": str,
})  # fmt: skip
