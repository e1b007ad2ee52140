"""The charts of the reference pages, all read from the game's own tables."""

from collections.abc import Iterator

from engine.game import Game
from engine.reference import Chart
from games.kharkov.data import Data
from games.kharkov.shapes import ChitSide, Tables

PHASES = (
    ("I Reserve", "units of the turn come to the Reserve boxes; from turn 3 delayed ones may deploy", "4.I"),
    ("II Cards", "both draw piles are made anew, the hand is drawn", "4.II"),
    ("III Supply", "garrisons from turn 4; supply of both sides; surrender; the support line from turn 8", "4.III"),
    ("IV Command", "Soviet and German impulses in turn until all cards are out", "4.IV.1"),
    ("- Soviet impulse", "two cards: the command is carried out, the other may follow it", "8.1"),
    ("- German impulse", "one card for one command: activate, deploy, replace, or an event", "4.IV.2"),
    ("V End of turn", "victory, chits to the cup, markers off, the ground of the next turn", "4.V"),
)


def charts(game: Game[Data]) -> list[Chart]:
    """Everything that a player would have on the edge of the map."""
    tables = game.data.tables
    return [
        Chart("Sequence of play", ("phase", "what is done", "case"), PHASES, "4.0"),
        _calendar(tables),
        _german_cards(tables),
        _soviet_cards(tables),
        _terrain(tables),
        _hexsides(tables),
        _chits(tables),
        _attack_check(tables),
        _hold(tables),
        _attacker_hits(tables),
        _advance(tables),
        _points(game),
        _adjustments(game),
    ]


def _calendar(tables: Tables) -> Chart:
    rows = []
    for row in tables["calendar"]:
        loss = ", ".join(f"above {level['above']} {level['level']}" for level in row.get("loss", ())) or "-"
        win = ", ".join(f"below {level['below']} {level['level']}" for level in row.get("win", ())) or "-"
        rows.append((str(row["turn"]), row["dates"], str(row["supplementals"]), str(row["hand"]), loss, win))
    header = ("turn", "dates", "supplementals", "hand", "campaign lost", "campaign won")
    return Chart("Calendar", header, rows, "CAL", ("It is won only with Kharkov in German hands (18.35).",))


def _german_cards(tables: Tables) -> Chart:
    rows = []
    for card, row in tables["german_cards"].items():
        event = " ".join(part for part in (row.get("event", "-"), row.get("event_turns", "")) if part)
        kind = "Primary" if row["primary"] else "supplemental"
        replaced = str(row["replace"] or "-")
        rows.append((card, row["title"], kind, str(row["turn"]), event, ", ".join(row["tactics"]), replaced))
    header = ("card", "title", "kind", "from turn", "event", "tactics", "steps")
    return Chart("German cards", header, rows, "DECK.G", ("A wild card stands for any tactic but two (12.33).",))


def _soviet_cards(tables: Tables) -> Chart:
    rows = []
    for card, row in tables["soviet_cards"].items():
        done = "; ".join(_boxed(c.get("event") or c["do"], c.get("turns", "")) for c in row["commands"])
        tactics = ", ".join(_boxed(t["tactic"], t.get("turns", "")) for t in row["tactics"])
        marks = ", ".join(m for m, is_so in (("Primary", row["primary"]), ("re-use", row["reuse"])) if is_so)
        rows.append((card, row["title"], str(row["value"]), marks or "-", str(row["turn"]), done, tactics))
    header = ("card", "title", "value", "marks", "from turn", "commands in order", "tactics")
    return Chart("Soviet cards", header, rows, "DECK.S")


def _boxed(what: str, turns: str) -> str:
    return f"{what} [{turns}]" if turns else what


def _terrain(tables: Tables) -> Chart:
    rows = [(name, str(row["foot"]), str(row["mech"])) for name, row in tables["terrain"]["hex"].items()]
    moves = tables["movement"]
    rows.append(("road", str(moves["road"]), f"{moves['road']}, strategic {moves['strategic_road']}"))
    return Chart("Terrain", ("hex", "infantry, cavalry", "mechanized"), rows, "TEC")


def _hexsides(tables: Tables) -> Chart:
    rows: list[tuple[str, ...]] = []
    for name, row in tables["terrain"]["hexside"].items():
        rows.append((name, f"+{row['foot']}", f"+{row['mech']}", f"+{row['mud_foot']}", f"+{row['mud_mech']}"))
    rows.append(("dnieper", *["the whole allowance"] * 4))
    rows.append(("dnieper, blocked", *["no"] * 4))
    notes = ("A road over the hexside is a bridge: the river costs nothing.",)
    header = ("hexside", "infantry", "mechanized", "infantry in light mud", "mechanized in light mud")
    return Chart("Rivers", header, rows, "10.31", notes)


def _chits(tables: Tables) -> Chart:
    rows = [(name, _side(chit["front"]), _side(chit["back"]), chit["priority"], "dark" if chit["dark"] else "")
            for name, chit in tables["chits"].items()]  # fmt: skip
    notes = ("Of two sides that apply the one with priority counts; a dark chit brings earlier ones back to the cup.",)
    return Chart("Combat chits", ("chit", "front", "back", "priority", ""), rows, "CHT", notes)


def _side(side: ChitSide) -> str:
    """When a side applies, and whom it hits."""
    what = [str(side[key]) for key in ("ratio", "value") if key in side]
    what += side.get("terrain", [])
    hits = [f"{who} {side[who]}" for who in ("attacker", "defender", "soviet", "german") if who in side]
    return f"{' '.join((side['when'], *what))}: {', '.join(hits) or 'nothing'}"


def _numbers(title: str, row: object, case: str, notes: tuple[str, ...] = ()) -> Chart:
    """A table of figures, each by its name."""
    return Chart(title, ("what", "figure"), list(_named(row)), case, notes)


def _named(row: object) -> Iterator[tuple[str, str]]:
    assert isinstance(row, dict)
    for name, value in row.items():
        if name != "case":
            said = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield name.replace("_", " "), said


def _attack_check(tables: Tables) -> Chart:
    notes = ("Ratios go up or down the ladder by the adjustments; at the last the Soviets attack in any case.",)
    return _numbers("Soviet attack check", tables["attack_check"], "9.4", notes)


def _hold(tables: Tables) -> Chart:
    return _numbers("Soviet hold check", tables["hold"], "12.55")


def _attacker_hits(tables: Tables) -> Chart:
    rows = [(str(row["steps"]), *row["results"]) for row in tables["attacker_hits"]["rows"]]
    width = max(len(row) for row in rows)
    header = ("steps", *(f"{hits} hits" for hits in range(1, width)))
    return Chart("Hits on Soviet attackers", header, rows, tables["attacker_hits"]["case"])


def _advance(tables: Tables) -> Chart:
    return _numbers("Soviet advance", tables["soviet_advance"], "12.83")


def _points(game: Game[Data]) -> Chart:
    rows = []
    for spot, value in game.data.tables["victory_points"].items():
        place = game.board.places.get(game.board.grid.hex(spot))
        fronts = [of for of, hexes in game.data.targets.items() if hexes >> game.board.grid.hex(spot) & 1]
        rows.append((place.name if place else "map edge", spot, str(value), ", ".join(fronts) or "-"))
    return Chart("Victory points", ("place", "hex", "points", "target of"), rows, "VPT")


def _adjustments(game: Game[Data]) -> Chart:
    rows = [(f"{row['die'][0]}-{row['die'][1]}", row["title"], ", ".join(row["eliminated"]),
             ", ".join(f"{of} {spot}" for of, spot in row["objectives"].items()), ", ".join(row["discards"]))
            for row in game.data.adjustments.values()]  # fmt: skip
    header = ("die", "set-up adjustment", "lost", "objectives", "Soviet discards")
    return Chart("Set-up adjustments", header, rows, "3.0-f")
