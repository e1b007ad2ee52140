"""The shapes of tables.toml, scenarios.toml and setup.toml: what the rules read of each table."""

from typing import Literal, NotRequired, get_args

from typing_extensions import TypedDict

Action = Literal["overrun", "delay", "disengage", "reinforcement"]
ACTIONS: tuple[Action, ...] = get_args(Action)
Spots = dict[str, list[str]]  # by hex, the units that are set up there

# 9.5 to 10.4
Results = TypedDict("Results", {"case": str, "columns": list[str], "die": dict[str, list[str]]})
HexRow = TypedDict("HexRow", {
    "mech": NotRequired[float], "inf": NotRequired[float], "defence": int, "supply": str,
    "prohibited": NotRequired[bool],
})  # fmt: skip
SideRow = TypedDict("SideRow", {"defence": int, "zoc": bool, "supply": str, "prohibited": NotRequired[bool]})
Road = TypedDict("Road", {"mech": float})
Ways = TypedDict("Ways", {"road": Road})
Terrain = TypedDict("Terrain", {
    "case": str, "most_defence": int, "hex": dict[str, HexRow], "way": Ways, "hexside": dict[str, SideRow],
})  # fmt: skip
Rivers = TypedDict("Rivers", {"case": str, "minor": dict[str, int], "major": dict[str, int]})
Cost = TypedDict("Cost", {"points": float, "case": str})
Costs = TypedDict("Costs", {"overrun": Cost, "delay": Cost, "disengage": Cost, "reinforcement": Cost})
Stacking = TypedDict("Stacking", {"units": int, "headquarters": int, "corps_counts": int})
Around = TypedDict("Around", {"code": str, "hexes": int})
Units = TypedDict("Units", {"units": int})
SetUp = TypedDict("SetUp", {"around": Around, "most_in_hex": Units})

# Turns and weather
TurnRow = TypedDict("TurnRow", {"turn": int, "date": str, "weather": str, "reinforcements": NotRequired[str]})
TurnTrack = TypedDict("TurnTrack", {"turns": list[TurnRow]})
Weather = TypedDict("Weather", {
    "case": str, "source": str, "air_points": int, "allowance": NotRequired[int],
    "allowance_classes": NotRequired[list[str]],
})  # fmt: skip
WeatherDie = TypedDict("WeatherDie", {"first_turn": int, "die": dict[str, str]})
ZoneRow = TypedDict("ZoneRow", {"turns": list[int], "north": int, "south": int})
ZoneDie = TypedDict("ZoneDie", {"first_turn": int, "die": dict[str, str], "modifiers": list[ZoneRow]})

# Headquarters, corps, German limits
ActiveRow = TypedDict("ActiveRow", {"turns": list[int], "active": int})
Forced = TypedDict("Forced", {"turn": int, "units": list[str], "case": str})
Active = TypedDict("Active", {"case": str, "schedule": list[ActiveRow], "forced": Forced})
Operations = TypedDict("Operations", {"first_turn": int, "rating_divisor": int})
Supported = TypedDict("Supported", {"by_turn": list[int], "hexes": list[str], "attack_factor": int})
Limit = TypedDict("Limit", {"codes": list[str], "from": str, "hexes": int, "turns": list[int], "case": str})
Limits = TypedDict("Limits", {"limits": list[Limit]})
Effect = TypedDict("Effect", {"steps": NotRequired[int], "retreat": NotRequired[int]})
Modifier = TypedDict("Modifier", {"name": str, "add": int})
Leave = TypedDict("Leave", {
    "case": str, "sides": list[str], "first_turn": int, "least": NotRequired[int], "most": NotRequired[int],
    "die": NotRequired[dict[str, Effect]], "modifiers": NotRequired[list[Modifier]],
})  # fmt: skip
Integrity = TypedDict("Integrity", {"units": int, "panzer_factor": int, "infantry_shift": int})
StarIntegrity = TypedDict("StarIntegrity", {"two_units": list[str]})
Isolation = TypedDict("Isolation", {"hexes": int})
Equipment = TypedDict("Equipment", {"defence_factor": int})
HqDefence = TypedDict("HqDefence", {"half": int, "full": int})
Rail = TypedDict("Rail", {"units": int, "hexes": int})

# Reinforcements and victory
Arrival = TypedDict("Arrival", {
    "case": str, "turn": int, "side": str, "area": str, "units": NotRequired[dict[str, int]], "code": NotRequired[str],
})  # fmt: skip
StarArrivals = TypedDict("StarArrivals", {"turns": list[int], "units": dict[str, list[int]]})
ByKind = dict[str, int]
Destroyed = TypedDict("Destroyed", {"destroyed": ByKind, "destroyed_isolated": ByKind})
AtEnd = TypedDict("AtEnd", {"heavy_equipment_under": ByKind, "isolated": ByKind})
Killed = TypedDict("Killed", {"brigade": int, "division": int, "corps_step": int, "corps": int, "hq": int})
Points = TypedDict("Points", {"soviet": Destroyed, "soviet_at_end": AtEnd, "german": Killed})
Level = TypedDict("Level", {"from": NotRequired[int], "level": str, "winner": str})
Levels = TypedDict("Levels", {"case": str, "levels": list[Level]})
Tables = TypedDict("Tables", {
    "combat_results": Results, "terrain": Terrain, "river_costs": dict[str, Rivers], "costs": Costs,
    "stacking": Stacking, "setup": SetUp, "turn_track": TurnTrack, "weather": dict[str, Weather],
    "variable_weather": WeatherDie, "rostov_weather": ZoneDie, "active_headquarters": Active,
    "headquarters_operations": Operations, "headquarters_defence": HqDefence, "supported_corps": Supported,
    "radius_limits": Limits, "disengagement": dict[str, Leave], "integrity": Integrity, "star_integrity": StarIntegrity,
    "isolation": Isolation, "heavy_equipment": Equipment, "rail": Rail, "reinforcements": list[Arrival],
    "star_reinforcements": StarArrivals, "victory_points": Points, "victory_levels": Levels,
})  # fmt: skip

# Scenarios: a set-up is a file of its own, or the units by side and hex.
Source = TypedDict("Source", {"edges": NotRequired[list[str]], "area": NotRequired[str]})
Scenario = TypedDict("Scenario", {
    "turns": int, "first": str, "setup": str | dict[str, Spots], "setup_order": NotRequired[list[str]],
    "sources": dict[str, Source], "pool": NotRequired[dict[str, str]], "entry": NotRequired[dict[str, str]],
})  # fmt: skip
Switches = TypedDict("Switches", {
    "rail": list[str], "river_costs": str, "supply_rivers": str, "hq_defence": Literal["half", "full"], "untried": bool,
    "air_phase": bool, "weather": str, "reinforcements": str, "disengage": str, "delay": bool, "integrity": str,
    "radius_limits": bool, "headquarters": str, "supported_corps": bool, "isolation": bool, "disruption": str,
    "no_hq": str, "city_is_town": bool, "air_relieves": bool, "variable_weather": bool,
})  # fmt: skip

# judgement/weights.toml
Objective = TypedDict("Objective", {"west": str, "east": str, "parted_at": int, "meeting": str})
ByName = dict[str, float]
Figures = TypedDict("Figures", {"objectives": dict[str, Objective], "soviet": ByName, "german": ByName})
