"""The shape of tables.toml and of a scenario: what must stand there for the rules to read it."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

Figures = dict[str, int | str]  # numbers beside the case and the source they come from
Points = TypedDict("Points", {"points": int, "case": NotRequired[str]})
Hexes = TypedDict("Hexes", {"hexes": int})
Number = TypedDict("Number", {"units": int})
Die = TypedDict("Die", {"die": int})
Named = TypedDict("Named", {"units": list[str]})

# Combat.
CombatResults = TypedDict("CombatResults", {"case": str, "columns": list[str], "die": dict[str, list[str]]})
Stars = TypedDict("Stars", {"stars": int})
Armour = TypedDict("Armour", {
    "case": str, "lowest": int, "highest": int, "most_stars": Stars, "difference": dict[str, list[str]],
})  # fmt: skip
AttackRow = TypedDict("AttackRow", {
    "case": str, "points": int, "supports": int, "must_lose": int, "must_advance": bool,
})  # fmt: skip
Attacks = TypedDict("Attacks", {"normal": AttackRow, "prepared": AttackRow})
Columns = TypedDict("Columns", {"columns": int})
Halved = TypedDict("Halved", {"by": int})
Combat = TypedDict("Combat", {
    "from_a_hex": Number, "combined_arms": Die, "improved_position": Columns, "halved": Halved,
})  # fmt: skip

# Ground and movement.
Costs = dict[str, float]  # by weather; none: closed off the road
Ground = TypedDict("Ground", {"foot": Costs, "mobile": Costs, "shift": int, "free": bool})
Way = TypedDict("Way", {"foot": Costs, "mobile": Costs})
Hexside = TypedDict("Hexside", {
    "foot": NotRequired[Costs], "mobile": NotRequired[Costs], "shift": NotRequired[int], "zoc": bool,
    "shut": NotRequired[bool],
})  # fmt: skip
Ways = TypedDict("Ways", {"road": Way})
Terrain = TypedDict("Terrain", {
    "case": str, "hex": dict[str, Ground], "place": dict[str, Ground], "way": Ways, "hexside": dict[str, Hexside],
})  # fmt: skip
Movement = TypedDict("Movement", {"foot": Points, "mobile": Points, "leave_zoc": Points, "zoc_to_zoc": Points})
Limit = TypedDict("Limit", {"limit": int})
Stacking = TypedDict("Stacking", {"german": Limit, "russian": Limit, "size": dict[str, Figures]})

# Activations.
Kind = Literal["hq", "armour", "mechanised", "cavalry", "infantry"]
ActionPoints = TypedDict("ActionPoints", {
    "case": str, "infantry": int, "cavalry": int, "mechanised": int, "armour": int, "hq": int, "alarm": Points,
    "cap": dict[str, Points], "less": dict[str, Points],
})  # fmt: skip
Actions = TypedDict("Actions", {"move": Points, "recover": Points, "enter_position": Points, "leave_position": Points})
Another = TypedDict("Another", {"in_command": bool})
Doctrine = TypedDict("Doctrine", {"general": Number, "independents": Number, "another_hq": Another})
Times = TypedDict("Times", {"times": int})
Surprise = TypedDict("Surprise", {"turn": int, "side": str, "formations": int, "case": str})
Held = TypedDict("Held", {"formations": list[str], "free_from_turn": int})
TurnEnd = TypedDict("TurnEnd", {"dice": int, "least": int, "from_sequence": int})
Activation = TypedDict("Activation", {"most": Times, "surprise": Surprise, "held": Held, "turn_end": TurnEnd})

# Supply, support, the calendar.
Mud = TypedDict("Mud", {"unit": Hexes, "hq": Hexes})
Supply = TypedDict("Supply", {"mud": Mud})
AirRoll = TypedDict("AirRoll", {"most": int, "mobile": int, "foot": int, "fate": int})
AirSupply = TypedDict("AirSupply", {"case": str, "mud": int, "rolls": list[AirRoll], "mobile": list[str]})
Chief = TypedDict("Chief", {"unit": str})
Area = TypedDict("Area", {"area": str})
Pocket = TypedDict("Pocket", {"headquarters": Chief, "airfield": Area})
Replacements = TypedDict("Replacements", {"first_turn": int, "armour": int, "infantry": int})
Returns = TypedDict("Returns", {"turns": int})
Marker = TypedDict("Marker", {
    "title": str, "shift": int, "used": int, "track": int, "case": str, "armour": NotRequired[bool],
    "step": NotRequired[bool], "stars": NotRequired[int], "natural": NotRequired[int],
})  # fmt: skip
Support = TypedDict("Support", {
    "german": list[str], "returns": Returns, "mud": Die, "marker": dict[str, Marker], "start": dict[str, Figures],
    "arrivals": dict[str, dict[str, Figures]],
})  # fmt: skip
Turn = TypedDict("Turn", {"turn": int, "date": str, "weather": str})
TurnTrack = TypedDict("TurnTrack", {"case": str, "turns": list[Turn]})

# Who comes when, and what it is all for.
Free = TypedDict("Free", {"unit": str, "hq": str})
AtStart = TypedDict("AtStart", {"free": list[Free], "alarm": Named, "reduced": dict[str, Named]})
Arrival = TypedDict("Arrival", {
    "turn": int, "units": list[str], "entry": dict[str, str], "less": NotRequired[int], "option": NotRequired[str],
    "switch": NotRequired[str], "otherwise": NotRequired[dict[str, str]],
})  # fmt: skip
Later = TypedDict("Later", {"units": list[str], "entry": Area, "turns_after": NotRequired[int], "case": str})
ByPocket = TypedDict("ByPocket", {"german": Later, "russian": Later})
Reinforcements = TypedDict("Reinforcements", {"german": list[Arrival], "russian": list[Arrival], "pocket": ByPocket})
Level = TypedDict("Level", {"points": int, "winner": str, "title": str, "case": str})
Full = TypedDict("Full", {"points": int, "units": int})
Dead = TypedDict("Dead", {"points": int, "units": int, "formations": list[str]})
Tanks = TypedDict("Tanks", {"points": int, "units": int, "armour_counts": int})
Few = TypedDict("Few", {"points": int, "fewer_than": int, "formations": list[str]})
Encirclement = TypedDict("Encirclement", {
    "case": str, "pocket": Full, "destroyed": Dead, "airfield": Points, "levels": list[Level],
})  # fmt: skip
Battle = TypedDict("Battle", {
    "case": str, "pocket": Points, "pocket_destroyed": Points, "never_formed": Points, "korsun": Points,
    "armour": Tanks, "few_destroyed": Few, "levels": list[Level],
})  # fmt: skip
Victory = TypedDict("Victory", {"encirclement": Encirclement, "battle": Battle})

Tables = TypedDict("Tables", {
    "combat_results": CombatResults, "armour_superiority": Armour, "attack": Attacks, "combat": Combat,
    "loss_marker": Figures, "terrain": Terrain, "movement": Movement, "stacking": Stacking,
    "action_points": ActionPoints, "actions": Actions, "command_range": Figures, "doctrine": dict[str, Doctrine],
    "activation": Activation, "supply": Supply, "air_supply": AirSupply, "pocket": Pocket,
    "replacements": Replacements, "support": Support, "turn_track": TurnTrack, "at_start": AtStart,
    "reinforcements": Reinforcements, "victory": Victory,
})  # fmt: skip

Edges = TypedDict("Edges", {"edges": list[str]})
Scenario = TypedDict("Scenario", {
    "turns": int, "setup": str, "victory": Literal["encirclement", "battle"], "sources": dict[str, Edges],
})  # fmt: skip
