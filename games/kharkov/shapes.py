"""The shapes of the rulebook's files: what tables.toml, setup.toml, arrows.toml and a scenario must hold."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

# Cards

GermanKind = Literal["corps", "kg", "army", "group", "manstein"]
GermanCard = TypedDict("GermanCard", {
    "title": str, "kind": GermanKind, "formation": str, "value": int, "primary": bool, "turn": int, "replace": int,
    "event": NotRequired[str], "event_turns": NotRequired[str], "tactics": list[str], "source": str,
})  # fmt: skip
CommandKind = TypedDict("CommandKind", {"range": int, "deploys": int})
GermanEvent = TypedDict("GermanEvent", {"turns": str, "most": int, "case": str})
EventFigures = TypedDict("EventFigures", {"lone": int, "engineered": int, "scattered": int})
TacticHits = TypedDict("TacticHits", {"own": int, "enemy": int})
Tactic = TypedDict("Tactic", {"strength": int, "attack": TacticHits, "defence": TacticHits})
Command = TypedDict("Command", {
    "do": str, "turns": NotRequired[str], "event": NotRequired[str], "special": NotRequired[bool],
})  # fmt: skip
CardTactic = TypedDict("CardTactic", {"tactic": str, "turns": NotRequired[str]})
SovietCard = TypedDict("SovietCard", {
    "title": str, "formation": str, "value": int, "primary": bool, "reuse": bool, "turn": int,
    "commands": list[Command], "tactics": list[CardTactic], "source": str,
})  # fmt: skip

# Chits

ChitSide = TypedDict("ChitSide", {
    "when": str, "ratio": NotRequired[float], "terrain": NotRequired[list[str]], "value": NotRequired[int],
    "attacker": NotRequired[int], "defender": NotRequired[int], "soviet": NotRequired[int],
    "german": NotRequired[int],
})  # fmt: skip
Chit = TypedDict("Chit", {"front": ChitSide, "back": ChitSide, "priority": str, "dark": bool})

# Calendar and victory

LossLevel = TypedDict("LossLevel", {"above": int, "level": str})
WinLevel = TypedDict("WinLevel", {"below": int, "level": str})
CalendarRow = TypedDict("CalendarRow", {
    "turn": int, "dates": str, "supplementals": int, "hand": int, "far": int, "loss": NotRequired[list[LossLevel]],
    "win": NotRequired[list[WinLevel]],
})  # fmt: skip
Objectives = TypedDict("Objectives", {
    "first": dict[str, tuple[str, str, str]], "second": dict[str, tuple[str, str, str]], "armies": dict[str, list[str]],
})  # fmt: skip

# Ground

HexCost = TypedDict("HexCost", {"foot": int, "mech": int})
SideCost = TypedDict("SideCost", {"foot": int, "mech": int, "mud_foot": int, "mud_mech": int})
Terrain = TypedDict("Terrain", {"hex": dict[str, HexCost], "hexside": dict[str, SideCost]})
Movement = TypedDict("Movement", {
    "case": str, "road": int, "strategic_road": float, "leave_zoc": int, "infantry_strategic": int,
    "out_of_supply_mech": int, "isolated_foot": int,
})  # fmt: skip
Stacking = TypedDict("Stacking", {"case": str, "units": int, "steps": int})
Supply = TypedDict("Supply", {
    "case": str, "path": int, "dnieper_path": int, "support_marker": int, "support_markers": int,
})  # fmt: skip
Deployment = TypedDict("Deployment", {
    "case": str, "strategic": int, "edge": int, "friends": int, "delay": int,
})  # fmt: skip

# Combat

Large = TypedDict("Large", {"soviet": int, "german": int})
ChitsDrawn = TypedDict("ChitsDrawn", {
    "case": str, "attacker": int, "three_steps": int, "tactic": int, "out_of_supply": int, "isolated": int,
    "screen": int, "mud_cap": int, "large": Large, "weak": int,
})  # fmt: skip
Overwhelming = TypedDict("Overwhelming", {"case": str, "ratio": int, "large_ratio": int, "unready_ratio": int})
AttackCheck = TypedDict("AttackCheck", {
    "case": str, "ladder": list[float], "attack_at": float, "no_attack_below": float, "value_needed": int, "ip": int,
    "adjacent": int, "river": int, "unsupported": int, "dispersed": int, "out_of_supply": int, "good_ratio": float,
    "good_ratio_value": int, "few_cards": int, "target_vp": int, "late_turn": int, "late_vp": int,
})  # fmt: skip
Hold = TypedDict("Hold", {
    "case": str, "steps": int, "vp": int, "cover": int, "river": int, "no_supply": int, "costly_retreat": int,
    "retreated": int,
})  # fmt: skip
HitsRow = TypedDict("HitsRow", {"steps": int, "results": list[str]})
AttackerHits = TypedDict("AttackerHits", {"case": str, "rows": list[HitsRow]})
SovietAdvance = TypedDict("SovietAdvance", {"case": str, "good": list[int], "fair": list[int], "other": list[int]})

Soviet = TypedDict("Soviet", {
    "stacks": int, "front_armies": dict[str, str], "stavka_armies": dict[str, str], "spearheads": list[str],
    "near_objective": int, "held_by": int, "kharkov_held_by": int, "weakly_held": int, "lead_from_vp": int,
    "leaves_vp": int, "touching_inside": int, "touching_outside": int,
})  # fmt: skip

# The turn

Levels = TypedDict("Levels", {"limit": int, "support": int, "desperation": int})
GroundMarkers = TypedDict("GroundMarkers", {
    "case": str, "markers": list[str], "mixed": int, "mixed_again": int, "mud_supplementals": int,
    "mud_replacements": int,
})  # fmt: skip
InitialAssault = TypedDict("InitialAssault", {"most": int})
LevelRow = TypedDict("LevelRow", {"least": int, "level": str, "won": bool})
StarAndGallop = TypedDict("StarAndGallop", {"at_once": int, "levels": list[LevelRow]})
VictoryTable = TypedDict("VictoryTable", {"initial_assault": InitialAssault, "star_and_gallop": StarAndGallop})
Start = TypedDict("Start", {
    "case": str, "points": int, "owners": list[str], "hand_card": str, "draw": int, "supplementals": int,
    "kharkov": str, "stavka_tie": str,
})  # fmt: skip
Tables = TypedDict("Tables", {
    "german_cards": dict[str, GermanCard], "german_commands": dict[GermanKind, CommandKind],
    "german_events": dict[str, GermanEvent], "event_figures": EventFigures, "tactics": dict[str, Tactic],
    "soviet_cards": dict[str, SovietCard], "chits": dict[str, Chit],
    "calendar": list[CalendarRow], "victory_points": dict[str, int], "objectives": Objectives, "terrain": Terrain,
    "movement": Movement, "stacking": Stacking, "supply": Supply, "deployment": Deployment,
    "chits_drawn": ChitsDrawn, "overwhelming": Overwhelming, "attack_check": AttackCheck, "hold": Hold,
    "attacker_hits": AttackerHits, "soviet_advance": SovietAdvance, "soviet": Soviet,
    "switches_by_turn": dict[str, str], "levels": Levels, "ground": GroundMarkers, "victory": VictoryTable,
    "start": Start,
})  # fmt: skip

# Set-up, arrows, the scenario and its switches

Adjustment = TypedDict("Adjustment", {
    "title": str, "case": str, "die": tuple[int, int], "eliminated": list[str], "moved": dict[str, str],
    "placed": dict[str, str], "reduced": list[str], "dispersed": list[str], "objectives": dict[str, str],
    "points": int, "discards": list[str],
})  # fmt: skip
Setup = TypedDict("Setup", {"adjustments": dict[str, Adjustment]})
Arrows = TypedDict("Arrows", {
    "primary": dict[str, str], "secondary": dict[str, str], "southwest_primary": dict[str, str],
    "southwest_secondary": dict[str, str],
})  # fmt: skip
Scenario = TypedDict("Scenario", {"turns": int, "counters": str, "setup": str, "victory": str})
Switches = TypedDict("Switches", {"adjustment": str, "deployment_distance": int, "infantry_clause": str})
