"""What happens by itself when phases, player-turns and game-turns begin and end (4.0)."""

from collections.abc import Iterator

from engine.asks import Procedure, Roll
from engine.facts import Counted, Fact, Marked, Noted, Placed, Told
from engine.rules.ground import is_a, place
from engine.rules.marks import marked, set_game, wipe
from engine.rules.reinforcement import waiting_box
from games.korsun_spi.data import Table
from games.korsun_spi.rules.ground import SOVIET, enemy_zoc, is_hq
from games.korsun_spi.rules.supply import commanders, ground_supplied, lines, supplied, through_active

PHASE_MARKS = (
    "spent", "from", "covering", "stopped", "disengaged", "command", "no hq", "unsupplied", "unfed", "no rail",
    "moving", "together", "placed",
)  # fmt: skip
COMBAT_MARKS = ("attacked", "hit", "advanced", "fell back")


# Game-turns


def begin_turn(table: Table) -> Procedure:
    """Weather and Air Points (20.0, 19.8, 28.0)."""
    yield from _weather(table)
    for side in table.game.sides:
        if table.data.switch["air_phase"]:
            yield from _count(table, f"air_{side}", _air_points(table), "19.8")
        if side in table.data.switch["rail"]:
            yield from _count(table, f"rail_{side}", 0, "5.32")
    if table.data.switch["reinforcements"] == "star":
        yield from _star_chart(table)


def _count(table: Table, track: str, value: int, case: str) -> Iterator[Fact]:
    if table.position.tracks.get(track) != value:
        yield Counted(track=track, value=value, because=case)


def _weather(table: Table) -> Procedure:
    how, turn = table.data.switch["weather"], table.position.turn
    tables = table.data.tables
    if how == "rostov":
        yield from _rostov_weather(table)
    elif how == "none":
        yield from set_game(table, "weather", "clear", "20.0")
    elif how == "variable" and turn >= tables["variable_weather"]["first_turn"]:
        die = yield Roll("weather")
        yield from set_game(table, "weather", tables["variable_weather"]["die"][str(die)], "28.0")
    else:
        row = next(row for row in tables["turn_track"]["turns"] if row["turn"] == turn)
        yield from set_game(table, "weather", row["weather"], "turn-track")


def _rostov_weather(table: Table) -> Procedure:
    """rostov-20.34: one die, each zone with its own modifier; none on the first turn."""
    row = table.data.tables["rostov_weather"]
    turn = table.position.turn
    if turn < row["first_turn"]:
        for zone in ("north", "south"):
            yield from set_game(table, f"weather {zone}", "moderate", "rostov-20.34")
        return
    die = yield Roll("weather")
    added = next(m for m in row["modifiers"] if m["turns"][0] <= turn <= m["turns"][1])
    for zone, more in (("north", added["north"]), ("south", added["south"])):
        weather = row["die"][str(max(1, min(6, die + more)))]
        yield from set_game(table, f"weather {zone}", weather, "rostov-20.34")


def _air_points(table: Table) -> int:
    """19.8: by the weather; where it differs by zone the worse one counts."""
    marks = table.position.marks.get("game", {})
    found = [str(value) for mark, value in marks.items() if mark.startswith("weather")]
    return min(table.data.tables["weather"][weather]["air_points"] for weather in found)


def _star_chart(table: Table) -> Iterator[Fact]:
    """star-23.11: how many units of each type become available this turn."""
    chart = table.data.tables["star_reinforcements"]
    turn = table.position.turn
    if turn not in chart["turns"]:
        return
    area = table.data.scenario["entry"]["soviet"]
    for kind, counts in chart["units"].items():
        waiting = [u.id for u in table.roster.by_kind(kind) if table.position.where.get(u.id) == "chart"]
        for unit in waiting[: counts[chart["turns"].index(turn)]]:
            yield Placed(unit=unit, at=waiting_box(turn, area), because="star-23.11")


# Player-turns


def begin_player_turn(table: Table, side: str) -> Iterator[Fact]:
    """23.11, 24.22, 24.23 for the Soviets; 25.35 for the Germans."""
    if side == SOVIET:
        yield from wipe(table, ("operations",), "23.2")
        if table.data.switch["supported_corps"]:
            yield from _support(table)
        return
    for unit in marked(table, "heavy"):
        if table.position.mark(unit, "heavy") in (1, 2) and ground_supplied(table, unit):
            yield Marked(subject=unit, mark="heavy", value=None, because="25.35")


def _support(table: Table) -> Iterator[Fact]:
    """24.22: markers on unsupplied corps go on turn 2; 24.23: all of them on turn 3."""
    for unit in marked(table, "supported"):
        if table.data.supported(table.position.turn) == 0:
            yield Marked(subject=unit, mark="supported", value=None, because="24.23")
        elif table.position.turn > 1 and not supplied(table, unit):
            yield Marked(subject=unit, mark="supported", value=None, because="24.22")


def end_player_turn(table: Table, side: str) -> Iterator[Fact]:
    """4.2-d: disruption comes off the phasing player's units (6.33); reinforcements are like all others."""
    yield from wipe(table, ("disrupted", "entered"), "4.2-d", side)


# Movement phases


def begin_movement(table: Table, side: str) -> Iterator[Fact]:
    """12.21: supply, and for the Soviets command, as they are when the phase begins."""
    second = table.position.stage.endswith("mechanised")
    found: list[Fact] = []
    for unit in table.position.on_map(side):
        fed = supplied(table, unit)
        strikes = fed and through_active(table, unit)
        if not (strikes if second else fed):
            found.append(Marked(subject=unit, mark="unsupplied", because="12.21"))
        elif not strikes:
            found.append(Noted(subject=unit, mark="unfed", because="23.13"))
        if side in table.data.switch["rail"] and enemy_zoc(table, side) >> place(table, unit) & 1:
            found.append(Noted(subject=unit, mark="no rail", because="5.33"))
        if side == SOVIET and not is_hq(table, unit):
            hqs = commanders(table, unit)
            if hqs and (is_a(table, unit, "mech") or not second):
                found.append(Noted(subject=unit, mark="command", value=" ".join(hqs), because="23.14"))
            elif not hqs and not any(reach >> place(table, unit) & 1 for reach in lines(table, side).radius.values()):
                found.append(Marked(subject=unit, mark="no hq", because="23.14"))
    yield from found


def end_movement(table: Table, side: str) -> Iterator[Fact]:
    """25.34: units that moved have moved their heavy equipment; then the phase's marks come off."""
    for unit in marked(table, "heavy"):
        state = table.position.mark(unit, "heavy")
        if table.unit(unit).side == side and table.position.mark(unit, "spent") is not None and state != "under":
            after = 2 if state == 1 else "under"
            yield Marked(subject=unit, mark="heavy", value=after, because="25.34")
    yield from wipe(table, PHASE_MARKS, "5.12")


def end_combat(table: Table) -> Iterator[Fact]:
    yield from wipe(table, COMBAT_MARKS, "9.14")


# Air Power Phase


def begin_air(table: Table) -> Iterator[Fact]:
    """25.27: the markers of the turn before come off; 25.23: on the last turn their supply lasts to the end."""
    last = table.position.turn >= table.data.turns
    yield from wipe(table, ("air",) if last else ("air", "air supplied"), "25.27")


def tell_turn(table: Table) -> Iterator[Fact]:
    dated = table.data.switch["weather"] in ("track", "variable")  # the proving ground has no calendar
    rows = table.data.tables["turn_track"]["turns"] if dated else []
    date = next((row["date"] for row in rows if row["turn"] == table.position.turn), "")
    weather = table.position.mark("game", "weather")
    yield Told(text=f"Turn {table.position.turn}" + (f", {date}" if date else "") + (f": {weather}" if weather else ""))
