"""The charts of the reference pages, all read from the game's own tables."""

from engine.game import Game
from engine.reference import Chart
from games.manstein.data import Data
from games.manstein.shapes import Results, Tables, Terrain, Track, Victory, Zhukov

PHASES = (
    ("Selection", "both sides choose chits in secret; the Axis may hold some", "5.1"),
    ("Draw", "a chit is drawn and carried out, until the cup is empty", "5.2"),
    ("Activation", "an HQ and the units in its range, or units that Manstein names", "5.3"),
    ("Mode", "movement then combat, or combat then movement", "5.4"),
    ("Action", "the two segments, each once", "5.5"),
    ("End of turn", "air markers, victory check", "5.6"),
)


def charts(game: Game[Data]) -> list[Chart]:
    """Everything that a player would have on the edge of the map."""
    tables = game.data.tables
    return [
        Chart("Sequence of play", ("phase", "what is done", "case"), PHASES, "5.0"),
        _combat(tables["combat_results"]),
        _terrain(tables["terrain"]),
        _hexsides(tables["terrain"]),
        _by_crossing_points(tables),
        _costs(tables["negotiation_cost"]),
        _zhukov(tables["zhukov"]),
        _chits(game),
        _turns(tables["turn_track"]),
        *_victory(tables["victory"]),
    ]


def _combat(table: Results) -> Chart:
    rows = [(die, *results) for die, results in table["die"].items()]
    notes = (
        "A and a number: the attackers lose so many steps.",
        "R, RR: the defenders retreat one or two hexes; a number before it: so many steps first.",
        "Under an Absolute Order R costs one step and RR two, and nobody goes (16.2).",
    )
    return Chart("Combat Results", ("die", *table["columns"]), rows, table["case"], notes)


def _terrain(table: Terrain) -> Chart:
    rows = []
    for name, row in table["hex"].items():
        if row.get("shut"):
            rows.append((name, "no", "-"))
        else:
            alone = ", first and only step" if row.get("one_step") else ""
            rows.append((name, f"{row['move']}{alone}", str(row["shift"])))
    rows += [(name, "as the hex", f"+{row['shift']}") for name, row in table["place"].items() if row["shift"]]
    road = table["way"]["road"]
    rows.append(("road", f"{road['move']}, strategic {road['strategic']}", "as the hex"))
    return Chart("Terrain", ("hex", "Movement Points", "columns for the defence"), rows, table["case"])


def _hexsides(table: Terrain) -> Chart:
    rows = []
    for name, row in table["hexside"].items():
        cost = "no" if row.get("shut") else f"+{row['extra']}" if "extra" in row else "first and only step"
        rows.append((name, cost, "halved" if row.get("halves_attack") else "no" if row.get("shut") else "-"))
    notes = ("A road or railroad over the hexside is a bridge: no cost, but the attack is halved all the same.",)
    return Chart("Hexsides", ("hexside", "to cross", "attack"), rows, "9.2.1", notes)


def _by_crossing_points(tables: Tables) -> Chart:
    rows = []
    for air, points, units in zip(
        tables["air_reorganization"]["by_cp"],
        tables["negotiation"]["by_cp"],
        tables["special_activation"]["by_cp"],
        strict=True,
    ):
        low, high = air["cp"]
        span = str(low) if low == high else f"{low}-{high}"
        rows.append((span, str(air["markers"]), f"{points['points']:g}", str(units["units"])))
    header = ("crossing points in Soviet hands", "air markers", "negotiation points", "units Manstein may name")
    return Chart("By crossing points", header, rows, "T2, T3, T4")


def _costs(table: dict[str, float | str]) -> Chart:
    names = {"cancel": "lift an Absolute Order", "PR": "a PR unit", "IR": "an IR unit", "AR": "an AR unit"}
    rows = [(said, f"{table[name]:g}") for name, said in names.items()]
    return Chart("Negotiation", ("for", "points"), rows, str(table["case"]))


def _zhukov(table: Zhukov) -> Chart:
    rows = [(turn, f"{low} to {high}") for turn, (low, high) in table["by_turn"].items()]
    return Chart("Zhukov", ("turn", "crossing points in Soviet hands"), rows, table["case"])


def _chits(game: Game[Data]) -> Chart:
    rows = []
    for side in ("soviet", "axis", "common"):
        for name, row in game.data.chits[side].items():
            count = game.data.switch["front_chits"] if row.get("front") else row["count"]
            comes = f"turn {row['first']}" if "first" in row else "see T5" if name == "Zhukov" else "always"
            rows.append((side, name, str(count), comes))
    return Chart("Chits", ("side", "chit", "number", "from"), rows, "6.2")


def _turns(table: Track) -> Chart:
    rows = [(str(row["turn"]), row["date"], str(row["axis_com"])) for row in table["turns"]]
    return Chart("Turns", ("turn", "date", "Axis chits"), rows, table["case"])


def _victory(table: Victory) -> list[Chart]:
    named = (
        ("a major city in Soviet hands", table["major_city"]),
        ("a German armoured unit destroyed or cut off", table["german_armour"]),
        ("another German unit destroyed or cut off", table["german_other"]),
        ("a Romanian or Hungarian unit destroyed", table["axis_ally"]),
        ("a German HQ relocated", table["german_relocation"]),
        ("a Soviet HQ relocated", table["soviet_relocation"]),
        ("a Soviet unit in a breakthrough hex", table["breakthrough"]),
    )
    rows = [(said, str(row["points"]), row["case"]) for said, row in named]
    race = table["race"]
    extra = [(name.replace("_", " "), f"{each:g}") for name, each in race.items() if isinstance(each, float)]
    return [
        Chart("Soviet victory points", ("for", "points", "case"), rows, "17.1", (f"{table['win']['points']} win.",)),
        Chart("Race to the Dnieper: added at the end", ("for", "points"), extra, race["case"],
              (f"{race['win']['points']} win.",)),
    ]  # fmt: skip
