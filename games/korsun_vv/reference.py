"""The charts of the reference pages, all read from the game's own tables."""

from collections.abc import Mapping

from engine.game import Game
from engine.reference import Chart
from games.korsun_vv.data import FOOT, MOBILE, MUD, SNOW, Data, Going
from games.korsun_vv.shapes import Battle, Costs, Encirclement, Ground, Hexside, Tables, Way

PHASES = (
    ("Supply and Command", "the pocket, lines of supply and command, air supply, replacements, HQs return", "2.1-a"),
    ("Support", "markers arrive and are allotted to HQs, by both sides in secret", "2.1-b"),
    ("Initiative", "a die each; on turn 1 the Russian", "2.1-c"),
    ("Operations", "the sides activate formations or single units in turn, until both pass", "2.1-d"),
    ("Administrative", "markers come off; the last turn decides", "2.1-g"),
)


def charts(game: Game[Data]) -> list[Chart]:
    """Everything that a player would have on the edge of the map."""
    tables = game.data.tables
    return [
        Chart("Sequence of play", ("phase", "what is done", "case"), PHASES, "2.1"),
        _combat(tables),
        _armour(tables),
        _attacks(tables),
        _terrain(tables),
        _points(tables),
        Chart("Actions", ("action", "points", "case"), _priced(tables["actions"]), "3.4.1-a"),
        _markers(tables),
        _air(tables),
        _turns(tables),
        _victory("encirclement", tables["victory"]["encirclement"]),
        _victory("battle", tables["victory"]["battle"]),
    ]


def _combat(tables: Tables) -> Chart:
    table = tables["combat_results"]
    rows = [(die, *results) for die, results in table["die"].items()]
    notes = (
        "Attacker's part / defender's part: steps and hexes of retreat in any mix; - is nothing.",
        "*: at least one step. !: a breakthrough if the hex is vacated.",
        "Dice below and above the table use its first and last row.",
    )
    return Chart("Combat Results", ("die", *table["columns"]), rows, table["case"], notes)


def _armour(tables: Tables) -> Chart:
    table = tables["armour_superiority"]
    rows = [(difference, *cells) for difference, cells in table["difference"].items()]
    notes = ("Columns to the right; A1, D1: the unit named by that side loses a step at once.",)
    return Chart("Armour Superiority", ("stars", *(str(die) for die in range(1, 7))), rows, table["case"], notes)


def _attacks(tables: Tables) -> Chart:
    rows = [
        (name, str(row["points"]), str(row["supports"]), str(row["must_lose"]), "yes" if row["must_advance"] else "no")
        for name, row in (("normal", tables["attack"]["normal"]), ("prepared", tables["attack"]["prepared"]))
    ]
    header = ("attack", "action points", "supports of each side", "least loss", "must advance")
    return Chart("Attacks", header, rows, "7.3-a")


def _cost(row: Ground | Way | Hexside, kind: Going) -> str:
    none: Costs = {}
    figures = row.get(kind, none)
    return " / ".join(f"{figures[sky]:g}" if sky in figures else "road" for sky in (SNOW, MUD))


def _terrain(tables: Tables) -> Chart:
    table = tables["terrain"]
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


def _priced(table: Mapping[str, object], said: str = "") -> list[tuple[str, str, str]]:
    """Every row of a table that has points and a case."""
    rows = [(name.replace("_", " "), row) for name, row in table.items() if isinstance(row, Mapping)]
    return [(said + name, str(row["points"]), row["case"]) for name, row in rows if "points" in row]


def _points(tables: Tables) -> Chart:
    table = tables["action_points"]
    rows = [(name, str(points), table["case"]) for name, points in table.items() if isinstance(points, int)]
    rows += _priced({"alarm battalion": table["alarm"]})
    rows += _priced(table["cap"], "at most, ") + _priced(table["less"], "less, ")
    return Chart("Action points", ("unit", "points", "case"), rows, table["case"])


def _markers(tables: Tables) -> Chart:
    table, rows = tables["support"], []
    for name, row in table["marker"].items():
        owner = "German" if name in table["german"] else "Russian"
        gone = f"{row['natural']} eliminated" if "natural" in row else ""
        fate = f"1-{row['used']} next turn, to {row['track']} in {table['returns']['turns']} turns"
        rows.append((owner, row["title"], str(row["shift"]), str(row.get("stars", 0)), f"{fate} {gone}".strip()))
    notes = (f"Mud adds {table['mud']['die']} to the fate roll; only an unmodified die eliminates.",)
    return Chart("Support markers", ("side", "marker", "columns", "stars", "fate"), rows, "1.6-d", notes)


def _air(tables: Tables) -> Chart:
    table = tables["air_supply"]
    rows = [(f"to {row['most']}", str(row["mobile"]), str(row["foot"]), f"+{row['fate']}") for row in table["rolls"]]
    header = ("roll", "points of mobile units", "of others", "on fate rolls")
    return Chart("Air supply", header, rows, table["case"], (f"In mud {table['mud']} on the roll.",))


def _turns(tables: Tables) -> Chart:
    rows = [(str(row["turn"]), row["date"], row["weather"]) for row in tables["turn_track"]["turns"]]
    return Chart("Turns", ("turn", "date", "weather"), rows, tables["turn_track"]["case"])


def _victory(name: str, table: Encirclement | Battle) -> Chart:
    items = [(what, row) for what, row in table.items() if isinstance(row, Mapping)]
    rows = [(what.replace("_", " "), f"{row['points']:+}", _terms(row)) for what, row in items]
    levels = tuple(f"{row['points']}: {row['title']}" for row in table["levels"])
    return Chart(f"Russian victory points: {name}", ("for", "points", "terms"), rows, table["case"], levels)


def _terms(row: Mapping[str, object]) -> str:
    figures = {what.replace("_", " "): value for what, value in row.items() if isinstance(value, int)}
    said = [f"{what} {value}" for what, value in figures.items() if what != "points"]
    return ", ".join([*said, *(part for value in row.values() if isinstance(value, list) for part in value)])
