"""The charts of the reference pages, all read from the game's own tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import Game
from engine.reference import Chart
from games.korsun_vv.data import FOOT, MOBILE, MUD, SNOW

PHASES = (
    ("Supply and Command", "the pocket, lines of supply and command, air supply, replacements, HQs return", "2.1-a"),
    ("Support", "markers arrive and are allotted to HQs, by both sides in secret", "2.1-b"),
    ("Initiative", "a die each; on turn 1 the Russian", "2.1-c"),
    ("Operations", "the sides activate formations or single units in turn, until both pass", "2.1-d"),
    ("Administrative", "markers come off; the last turn decides", "2.1-g"),
)


def charts(game: Game) -> list[Chart]:
    """Everything that a player would have on the edge of the map."""
    tables = game.data.tables
    return [
        Chart("Sequence of play", ("phase", "what is done", "case"), PHASES, "2.1"),
        _combat(tables["combat_results"]),
        _armour(tables["armour_superiority"]),
        _attacks(tables["attack"]),
        _terrain(tables["terrain"]),
        _points(tables["action_points"]),
        _actions(tables["actions"]),
        _markers(tables["support"]),
        _air(tables["air_supply"]),
        _turns(tables["turn_track"]),
        *_victory(tables["victory"]),
    ]


def _combat(table: Mapping[str, Any]) -> Chart:
    rows = [(die, *results) for die, results in table["die"].items()]
    notes = (
        "Attacker's part / defender's part: steps and hexes of retreat in any mix; - is nothing.",
        "*: at least one step. !: a breakthrough if the hex is vacated.",
        "Dice below and above the table use its first and last row.",
    )
    return Chart("Combat Results", ("die", *table["columns"]), rows, table["case"], notes)


def _armour(table: Mapping[str, Any]) -> Chart:
    rows = [(difference, *cells) for difference, cells in table["difference"].items()]
    notes = ("Columns to the right; A1, D1: the unit named by that side loses a step at once.",)
    return Chart("Armour Superiority", ("stars", *(str(die) for die in range(1, 7))), rows, table["case"], notes)


def _attacks(table: Mapping[str, Any]) -> Chart:
    rows = [
        (name, str(row["points"]), str(row["supports"]), str(row["must_lose"]), "yes" if row["must_advance"] else "no")
        for name, row in table.items()
    ]
    header = ("attack", "action points", "supports of each side", "least loss", "must advance")
    return Chart("Attacks", header, rows, "7.3-a")


def _cost(row: Mapping[str, Any], kind: str) -> str:
    figures = row.get(kind, {})
    return " / ".join(f"{figures[sky]:g}" if sky in figures else "road" for sky in (SNOW, MUD))


def _terrain(table: Mapping[str, Any]) -> Chart:
    rows = []
    for name, row in (*table["hex"].items(), *table["place"].items()):
        duty = "no" if row["free"] else "yes"
        if row["foot"]:
            rows.append((name, _cost(row, FOOT), _cost(row, MOBILE), str(row["shift"]), duty))
        else:
            rows.append((name, "closed", "closed", "-", "-"))
    road, river = table["way"]["road"], table["hexside"]["river"]
    rows.append(("road", _cost(road, FOOT), _cost(road, MOBILE), "as the hex", "as the hex"))
    rows.append(("river", "+" + _cost(river, FOOT), "bridge", str(river["shift"]), "-"))
    notes = (
        "Snow / mud; `road`: only along one. Armoured and mechanized units and HQs use a road only alone (6.2).",
        "A river moves the column only if every attacker comes across one.",
    )
    return Chart("Terrain", ("ground", "foot", "mobile", "columns left", "must attack"), rows, table["case"], notes)


def _points(table: Mapping[str, Any]) -> Chart:
    rows = [(name, str(points), table["case"]) for name, points in table.items() if isinstance(points, int)]
    rows.append(("alarm battalion", str(table["alarm"]["points"]), table["alarm"]["case"]))
    caps = {name: row for name, row in table["cap"].items() if isinstance(row, Mapping)}
    rows += [(f"at most, {name.replace('_', ' ')}", str(row["points"]), row["case"]) for name, row in caps.items()]
    less = {name: row for name, row in table["less"].items() if isinstance(row, Mapping)}
    rows += [(f"less, {name}", str(row["points"]), row["case"]) for name, row in less.items()]
    return Chart("Action points", ("unit", "points", "case"), rows, table["case"])


def _actions(table: Mapping[str, Any]) -> Chart:
    rows = [
        (name.replace("_", " "), str(row["points"]), row["case"])
        for name, row in table.items()
        if isinstance(row, Mapping)
    ]
    return Chart("Actions", ("action", "points", "case"), rows, "3.4.1-a")


def _markers(table: Mapping[str, Any]) -> Chart:
    rows = []
    for name, row in table["marker"].items():
        owner = "German" if name in table["german"] else "Russian"
        gone = f"{row['natural']} eliminated" if "natural" in row else ""
        fate = f"1-{row['used']} next turn, to {row['track']} in {table['returns']['turns']} turns"
        rows.append((owner, row["title"], str(row["shift"]), str(row.get("stars", 0)), f"{fate} {gone}".strip()))
    notes = (f"Mud adds {table['mud']['die']} to the fate roll; only an unmodified die eliminates.",)
    return Chart("Support markers", ("side", "marker", "columns", "stars", "fate"), rows, "1.6-d", notes)


def _air(table: Mapping[str, Any]) -> Chart:
    rows = [(f"to {row['most']}", str(row["mobile"]), str(row["foot"]), f"+{row['fate']}") for row in table["rolls"]]
    header = ("roll", "points of mobile units", "of others", "on fate rolls")
    return Chart("Air supply", header, rows, table["case"], (f"In mud {table['mud']} on the roll.",))


def _turns(table: Mapping[str, Any]) -> Chart:
    rows = [(str(row["turn"]), row["date"], row["weather"]) for row in table["turns"]]
    return Chart("Turns", ("turn", "date", "weather"), rows, table["case"])


def _victory(table: Mapping[str, Any]) -> list[Chart]:
    found = []
    for name, scenario in table.items():
        items = [(what, row) for what, row in scenario.items() if isinstance(row, Mapping)]
        rows = [(what.replace("_", " "), f"{row['points']:+}", _terms(row)) for what, row in items]
        levels = tuple(f"{row['points']}: {row['title']}" for row in scenario["levels"])
        title = f"Russian victory points: {name}"
        found.append(Chart(title, ("for", "points", "terms"), rows, scenario["case"], levels))
    return found


def _terms(row: Mapping[str, Any]) -> str:
    said = [
        f"{what.replace('_', ' ')} {value}"
        for what, value in row.items()
        if isinstance(value, int) and what != "points"
    ]
    return ", ".join([*said, *(row.get("formations", ()))])
