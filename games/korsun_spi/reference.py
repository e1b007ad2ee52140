"""The charts of the reference pages, all read from the game's own tables."""

from collections.abc import Iterator

from engine.game import Game
from engine.reference import Chart
from games.korsun_spi.data import Data
from games.korsun_spi.shapes import ACTIONS, Active, Arrival, Costs, Results, Tables, Terrain, TurnTrack, Weather

SUPPLY = {"free": "yes", "into": "may end there", "blocked": "no"}
# By the switch supply_rivers; lines between units and HQs cross anywhere (10.15).
MAJOR = {"korsun": "soviet by road (19.71), german yes (19.72)", "city or way": "by city, road or railroad (10.15)"}

# 4.2; what each phase is for. The sequence itself is played by `game.stages`.
PHASES = {
    "command": ("Command", "the Soviet player chooses his active HQs", "23.1"),
    "initial": ("Initial movement", "reinforcements are placed; all units move, overrun, slip away", "4.2-a"),
    "combat": ("Combat", "attacks, one after another", "4.2-b"),
    "mechanised": ("Mechanised movement", "mechanised units, cavalry and HQs move and overrun", "4.2-c"),
    "removal": ("Disruption removal", "disruption comes off the player's own units", "4.2-d"),
    "air": ("Air supply", "the German player flies supply to towns", "25.2"),
}

NAMES = {"corps_step": "corps, each step", "corps": "corps, instead of its steps", "hq": "HQ"}


def charts(game: Game[Data]) -> list[Chart]:
    """Everything that a player would have on the edge of the map."""
    tables = game.data.tables
    return [
        _sequence(game),
        _combat(tables["combat_results"]),
        _terrain(tables["terrain"]),
        _hexsides(game),
        _costs(tables["costs"]),
        _turns(tables["turn_track"]),
        _weather(tables["weather"]),
        _headquarters(tables["active_headquarters"]),
        _reinforcements(tables["reinforcements"]),
        *_victory(tables),
    ]


def _sequence(game: Game[Data]) -> Chart:
    first = game.data.scenario["first"]
    rows = []
    for side in (first, *(side for side in game.sides if side != first)):
        for phase, (name, about, case) in PHASES.items():
            if (phase, side) not in (("command", "german"), ("air", "soviet")):
                rail = "; rail" if phase == "initial" and side in game.data.switch["rail"] else ""
                rows.append((side, name, about + rail, case))
    return Chart("Sequence of play", ("player-turn", "phase", "what is done", "case"), rows, "4.2")


def _combat(table: Results) -> Chart:
    rows = [(die, *results) for die, results in table["die"].items()]
    notes = (
        "Left of the stroke the attacker, right of it the defender: steps or hexes, as the owner chooses (9.66).",
        "E eliminates; eng is engaged; - is no effect.",
        "Odds are rounded for the defender (9.4); an Air Point shifts one column (14.14).",
    )
    return Chart("Combat Results", ("die", *table["columns"]), rows, table["case"], notes)


def _terrain(table: Terrain) -> Chart:
    rows = []
    for name, row in table["hex"].items():
        if row.get("prohibited"):
            rows.append((name, "no", "no", "-", SUPPLY[row["supply"]]))
        else:
            rows.append((name, _points(row["mech"]), _points(row["inf"]), f"x{row['defence']}", SUPPLY[row["supply"]]))
    rows.append(("road", _points(table["way"]["road"]["mech"]), "as terrain", "as terrain", "as terrain"))
    notes = (
        "Movement Points to enter a hex. Towns are as the other terrain in the hex (10.21, 10.24).",
        f"Two bonuses for the defence make x{table['most_defence']}, never more (10.32).",
    )
    return Chart("Terrain", ("hex", "mechanised", "infantry", "defence", "supply passes"), rows, table["case"], notes)


def _hexsides(game: Game[Data]) -> Chart:
    sides = game.data.tables["terrain"]["hexside"]
    rows = []
    for name, row in sides.items():
        cost = game.data.rivers.get(name, {})
        paid = [f"+{cost[side]}" if side in cost else "no" for side in game.sides]
        zoc = "yes" if row["zoc"] else "no"
        supply = MAJOR[game.data.switch["supply_rivers"]] if name == "major" else SUPPLY[row["supply"]]
        rows.append((name, *paid, f"x{row['defence']}", zoc, supply))
    header = ("hexside", *game.sides, "defence", "zone of control", "supply passes")
    notes = ("The defence counts only if every attacker comes across.",)
    case = game.data.tables["river_costs"][game.data.switch["river_costs"]]["case"]
    return Chart("Hexsides", header, rows, case, notes)


def _costs(table: Costs) -> Chart:
    rows = [(name, _points(table[name]["points"]), table[name]["case"]) for name in ACTIONS]
    return Chart("Other costs in Movement Points", ("what", "points", "case"), rows, "5.1")


def _turns(table: TurnTrack) -> Chart:
    rows = [(str(r["turn"]), r["date"], r["weather"], r.get("reinforcements", "")) for r in table["turns"]]
    return Chart("Game-turns", ("turn", "date", "weather", "reinforcements"), rows, "20.0")


def _weather(table: dict[str, Weather]) -> Chart:
    rows = [
        (name, str(row["air_points"]), str(row.get("allowance", "as printed")), row["case"])
        for name, row in table.items()
        if row["source"] == "text"
    ]
    header = ("weather", "Air Points each", "allowance of mechanised, cavalry, HQs", "case")
    return Chart("Weather", header, rows, "20.1")


def _headquarters(table: Active) -> Chart:
    rows = [(f"{row['turns'][0]} to {row['turns'][1]}", str(row["active"])) for row in table["schedule"]]
    forced = table["forced"]
    note = f"On turn {forced['turn']} {' and '.join(forced['units'])} must be among them ({forced['case']})."
    return Chart("Active Soviet HQs", ("turns", "active"), rows, table["case"], (note,))


def _reinforcements(rows: list[Arrival]) -> Chart:
    found = []
    for row in rows:
        units = ", ".join(f"{number} {kind}" for kind, number in row.get("units", {}).items())
        found.append((str(row["turn"]), row["side"], row["area"], units or f"all with set-up code {row['code']}"))
    return Chart("Reinforcements", ("turn", "side", "area", "units"), found, "26.0")


def _victory(tables: Tables) -> Iterator[Chart]:
    points = tables["victory_points"]
    at_once, at_end = points["soviet"], points["soviet_at_end"]
    fates = (
        (at_once["destroyed"], "destroyed", "at once"),
        (at_once["destroyed_isolated"], "destroyed while isolated", "at once"),
        (at_end["heavy_equipment_under"], "that left its heavy equipment", "at the end"),
        (at_end["isolated"], "isolated", "at the end"),
    )
    rows = [
        ("soviet", f"German {'unit of any other kind' if kind == 'other' else kind} {fate}", str(number), when)
        for by_kind, fate, when in fates
        for kind, number in by_kind.items()
    ]
    rows += [("german", f"Soviet {NAMES.get(kind, kind)}", str(n), "at once") for kind, n in points["german"].items()]
    yield Chart("Victory Points", ("to", "for", "points", "when"), rows, "27.1, 27.2")
    levels = tables["victory_levels"]
    found = [(f"{row['from']} or more" if "from" in row else "less", row["level"]) for row in levels["levels"]]
    yield Chart("Levels of victory", ("Soviet less German points", "level"), found, levels["case"])


def _points(number: float) -> str:
    whole, half = divmod(number, 1)
    return f"{int(whole) or ''}½" if half else str(int(whole))
