"""The shape of tables.toml and of a scenario: what must stand there for the rules to read it."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

Figures = dict[str, int | str]  # numbers beside the case and the source they come from
Row = TypedDict("Row", {  # a few figures, whichever its table needs
    "points": int, "units": int, "hexes": int, "die": int, "stars": int, "columns": int, "by": int, "limit": int,
    "times": int, "turns": int, "turn": int, "side": str, "formations": int, "dice": int, "least": int,
    "from_sequence": int, "armour_counts": int, "in_command": bool, "unit": str, "hq": str, "area": str, "case": str,
}, total=False)  # fmt: skip
Armies = TypedDict("Armies", {  # the same for some formations
    "formations": list[str], "points": int, "units": int, "fewer_than": int, "free_from_turn": int,
}, total=False)  # fmt: skip
Units = TypedDict("Units", {"units": list[str]})

# Combat.
CombatResults = TypedDict("CombatResults", {"case": str, "columns": list[str], "die": dict[str, list[str]]})
Armour = TypedDict("Armour", {
    "case": str, "lowest": int, "highest": int, "most_stars": Row, "difference": dict[str, list[str]],
})  # fmt: skip
AttackRow = TypedDict("AttackRow", {
    "case": str, "points": int, "supports": int, "must_lose": int, "must_advance": bool,
})  # fmt: skip
Attacks = TypedDict("Attacks", {"normal": AttackRow, "prepared": AttackRow})
Combat = TypedDict("Combat", {"from_a_hex": Row, "combined_arms": Row, "improved_position": Row, "halved": Row})

# Ground and movement.
Costs = dict[str, float]  # by weather; none: closed off the road
Ground = TypedDict("Ground", {"foot": Costs, "mobile": Costs, "shift": int, "free": bool})
Way = TypedDict("Way", {"foot": Costs, "mobile": Costs})
Ways = TypedDict("Ways", {"road": Way})
Hexside = TypedDict("Hexside", {
    "foot": NotRequired[Costs], "mobile": NotRequired[Costs], "shift": NotRequired[int], "zoc": bool,
    "shut": NotRequired[bool],
})  # fmt: skip
Terrain = TypedDict("Terrain", {
    "case": str, "hex": dict[str, Ground], "place": dict[str, Ground], "way": Ways, "hexside": dict[str, Hexside],
})  # fmt: skip
Movement = TypedDict("Movement", {"foot": Row, "mobile": Row, "leave_zoc": Row, "zoc_to_zoc": Row})
Stacking = TypedDict("Stacking", {"german": Row, "russian": Row, "size": dict[str, Figures]})

# Activations.
Kind = Literal["hq", "armour", "mechanised", "cavalry", "infantry"]
ActionPoints = TypedDict("ActionPoints", {
    "case": str, "infantry": int, "cavalry": int, "mechanised": int, "armour": int, "hq": int, "alarm": Row,
    "cap": dict[str, Row], "less": dict[str, Row],
})  # fmt: skip
Actions = TypedDict("Actions", {"move": Row, "recover": Row, "enter_position": Row, "leave_position": Row})
Doctrine = TypedDict("Doctrine", {"general": Row, "independents": Row, "another_hq": Row})
Activation = TypedDict("Activation", {"most": Row, "surprise": Row, "held": Armies, "turn_end": Row})

# Supply, support, the calendar.
Mud = TypedDict("Mud", {"unit": Row, "hq": Row})
Supply = TypedDict("Supply", {"mud": Mud})
AirRoll = TypedDict("AirRoll", {"most": int, "mobile": int, "foot": int, "fate": int})
AirSupply = TypedDict("AirSupply", {"case": str, "mud": int, "rolls": list[AirRoll], "mobile": list[str]})
Pocket = TypedDict("Pocket", {"headquarters": Row, "airfield": Row})
Replacements = TypedDict("Replacements", {"first_turn": int, "armour": int, "infantry": int})
Marker = TypedDict("Marker", {
    "title": str, "shift": int, "used": int, "track": int, "case": str, "armour": NotRequired[bool],
    "step": NotRequired[bool], "stars": NotRequired[int], "natural": NotRequired[int],
})  # fmt: skip
Support = TypedDict("Support", {
    "german": list[str], "returns": Row, "mud": Row, "marker": dict[str, Marker], "start": dict[str, Figures],
    "arrivals": dict[str, dict[str, Figures]],
})  # fmt: skip
Turn = TypedDict("Turn", {"turn": int, "date": str, "weather": str})
TurnTrack = TypedDict("TurnTrack", {"case": str, "turns": list[Turn]})

# Who comes when, and what it is all for.
AtStart = TypedDict("AtStart", {"free": list[Row], "alarm": Units, "reduced": dict[str, Units]})
Arrival = TypedDict("Arrival", {
    "turn": int, "units": list[str], "entry": dict[str, str], "less": NotRequired[int], "option": NotRequired[str],
    "switch": NotRequired[str], "otherwise": NotRequired[dict[str, str]],
})  # fmt: skip
Later = TypedDict("Later", {"units": list[str], "entry": Row, "turns_after": NotRequired[int], "case": str})
ByPocket = TypedDict("ByPocket", {"german": Later, "russian": Later})
Reinforcements = TypedDict("Reinforcements", {"german": list[Arrival], "russian": list[Arrival], "pocket": ByPocket})
Level = TypedDict("Level", {"points": int, "winner": str, "title": str, "case": str})
Encirclement = TypedDict("Encirclement", {
    "case": str, "pocket": Row, "destroyed": Armies, "airfield": Row, "levels": list[Level],
})  # fmt: skip
Battle = TypedDict("Battle", {
    "case": str, "pocket": Row, "pocket_destroyed": Row, "never_formed": Row, "korsun": Row, "armour": Row,
    "few_destroyed": Armies, "levels": list[Level],
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
