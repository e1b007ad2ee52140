"""The charts of the reference pages, all read from the game's own tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Game
from engine.reference import Chart
from games.jaws.data import Data
from games.jaws.shapes import Tables, Towns

PHASES = (
    ("A Weather, B Air", "dice for the ground, the sky, and the air missions of each command", "3.2-A"),
    ("C Supply", "both sides lay their SDMs unseen; SPs are received, supply is determined, and extended", "3.2-C"),
    ("D Airlift", "German missions to Korsun and Air-Drops", "3.2-D"),
    (
        "E Soviet player-turn",
        "events and replacements, reserves held back, movement with reinforcements, declared attacks, combat, "
        "breakthrough, reserves, engineering, recovery",
        "3.2-E3B",
    ),
    (
        "F German player-turn",
        "the same for the Germans, isolation, Wanda and Breakout declared first; armor withdraws by night; the "
        "Breakout at the end, if it was declared",
        "3.2-F3",
    ),
    ("G Game-turn", "victory on the last turn, or after the Soviet turn that follows a Breakout; the next turn", "3.1"),
)
RESULTS = (
    "Attacker / defender. A number: steps lost; D: disorganized; R: retreats a hex; R>: two, in a breakthrough.",
)
CLASSES = ("foot", "motor", "armor")


def charts(game: Game[Data]) -> list[Chart]:
    """Everything that a player would have on the edge of the map."""
    tables = game.data.tables
    return [
        Chart("Sequence of play", ("phase", "what is done", "case"), PHASES, "3.1"),
        _victory(game),
        _track(tables),
        _terrain(tables),
        *_results(tables),
    ]


def _victory(game: Game[Data]) -> Chart:
    """23: what the scenarios are won by."""
    chart = game.data.tables["victory"]
    ring, vormann, wanda, more = chart["ring"], chart["vormann"], chart["wanda"], chart["campaign"]
    german, marginal, draw, soviet = chart["share"]["levels"]
    share = (
        f"German decisive from {german} %, marginal from {marginal}; draw from {draw}; Soviet marginal from {soviet}; "
        "else decisive"
    )
    rows = (
        _by_points(game, "konev", chart["konev"]),
        _by_points(game, "vatutin", chart["vatutin"], "; a Breakout: Soviet marginal at least"),
        (
            "ring",
            "at the end of a turn no German supply path of any length leads from Korsun to an edge",
            f"Soviet decisive up to turn {ring['decisive']}, marginal later; never: a draw if "
            f"{_named(game, ring['towns'])} are Soviet, else German; a Breakout: Soviet marginal",
        ),
        (
            "vormann",
            f"at the end: a path of any length from a unit of {', '.join(vormann['formations'])} to {vormann['goal']}; "
            f"a unit of {vormann['korps']} north of row {vormann['row']}; north of row {vormann['draw']}",
            "German decisive; German marginal; draw; none of it: Soviet",
        ),
        (
            "wanda",
            f"at the end: a path of any length from the pocket to a unit of {wanda['korps']}; "
            f"{_named(game, [wanda['hex']])} German and in supply",
            "German decisive; German marginal; neither: Soviet",
        ),
        ("hells_gate", "the share of the pocket's steps that got out", share),
        (
            "campaign",
            f"the same; one level toward the Soviets for {_named(game, more['towns'])} both Soviet, and for "
            f"{more['panzers']} panzer divisions without armor; one toward the Germans for Korsun German, and for "
            f"{more['corps']} Soviet tank or mechanized corps spent",
            f"{share}; no pocket by the end of turn {more['turn']}, and both korps in supply: German decisive at once; "
            "a Breakout that is declared while the share would win as it stands: a draw at best",
        ),
    )
    return Chart("Who wins", ("scenario", "what counts", "levels"), rows, "23.1")


def _by_points(game: Game[Data], scenario: str, row: Towns, more: str = "") -> tuple[str, str, str]:
    """23.1, 23.2: points against points on the last turn."""
    first, last = row["brigade_columns"]
    towns = ", ".join(f"{_named(game, [spot])} {worth}" for spot, worth in row["hexes"].items())
    decisive, marginal, draw = row["levels"]
    return (
        scenario,
        f"at the end, Soviet: {towns}, {row['brigade']} for each brigade in supply in columns {first:02} to {last:02}; "
        f"German: {row['cadre']} for each Soviet unit of three steps or more at cadre or gone",
        f"the Soviets ahead by {decisive} or more: decisive; {marginal}: marginal; {draw}: draw; less: German{more}",
    )


def _named(game: Game[Data], spots: Sequence[str]) -> str:
    """Hexes by name, where they are on the sheets of the game."""
    names = {game.board.grid.number_of(place.hex): place.name for place in game.board.places.values()}
    return " and ".join(f"{names[spot]} {spot}" if spot in names else spot for spot in spots)


def _track(tables: Tables) -> Chart:
    rows = []
    for row in tables["turn_track"]["turns"]:
        points = ", ".join(f"{account} {said}" for account, said in row.get("rp", {}).items()) or "-"
        rows.append((str(row["turn"]), row["date"], f"{row['ground']:+d}", points))
    note = ("Ground: added to the die for it (5.1). Points: i infantry, a armor.",)
    return Chart("Turn Record Track", ("turn", "date", "ground", "replacement points"), rows, "2.4-n", note)


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    found = []
    for name in CLASSES:
        pair = row.get(name)
        found.append(f"{pair[0]} / {pair[1]}" if pair else "-")
    return tuple(found)


def _terrain(tables: Tables) -> Chart:
    chart = tables["terrain"]
    rows = [(kind, *_cells(row)) for kind, row in chart["hex"].items() if not row.get("shut")]
    rows += [(f"{kind} hexside, more", *_cells(row)) for kind, row in chart["hexside"].items() if not row.get("shut")]
    rows += [(f"{kind} way", *_cells(row)) for kind, row in chart["way"].items()]
    rows += [
        (f"{kind} way, strategic", *_cells(row["strategic"]))
        for kind, row in chart["way"].items()
        if "strategic" in row
    ]
    rows += [(f"{kind.upper()}: enter / leave", *_cells(row)) for kind, row in chart["zone"].items()]
    note = ("On frozen ground / in mud. Infantry crosses an unbridged river with its whole allowance (9.2.1).",)
    return Chart("Terrain Effects Chart, movement", ("terrain", *CLASSES), rows, "2.4-g", note)


def _results(tables: Tables) -> list[Chart]:
    """The table in two halves, each as wide as a mail."""
    columns = tables["combat_results"]["columns"]
    half = len(columns) // 2
    low, high = slice(half), slice(half, None)
    return [_results_of(tables, part, f"{columns[part][0]} to {columns[part][-1]}") for part in (low, high)]


def _results_of(tables: Tables, part: slice, named: str) -> Chart:
    table = tables["combat_results"]
    rows = [(dice, *row[part]) for dice, row in table["dice"].items()]
    return Chart(f"Combat Results Table, {named}", ("two dice", *table["columns"][part]), rows, "2.4-a", RESULTS)
