"""Before play (21.3): where every counter is, bridges that are down, and Alarm units drawn in secret (4.8.1)."""

from collections.abc import Iterator

from engine import hexset
from engine.asks import Procedure, Roll
from engine.facts import Counted, Fact, Marked, Noted, Placed, Pooled, StageBegan
from engine.game import Game
from engine.hexes import Hex
from games.jaws.data import GERMAN, SOVIET, Data, Table
from games.jaws.rules.allowance import ALARM_UP
from games.jaws.rules.barrage.components import HOLDING
from games.jaws.rules.depots import BOX, KORSUN
from games.jaws.rules.front_line import let_go
from games.jaws.rules.ground import BRIDGE, DOWN, MINES, POSITION
from games.jaws.rules.korsun import AIRFIELD, ISOLATED, POCKET, POCKET_KORPS, TRACK
from games.jaws.rules.mines import FIELD, LAID
from games.jaws.rules.partisans import homes
from games.jaws.rules.parts import UNUSED
from games.jaws.rules.pocket import COUNTED, STEPS, at_start
from games.jaws.rules.reinforcements import waiting
from games.jaws.rules.strength import DRAWN, STRENGTHS


def opening(game: Game[Data]) -> list[Fact]:
    """21.3: the scenario as it begins."""
    data, roster = game.data, game.setting.roster
    bodies = {f.id: [u.id for u in roster.by_formation(f.id) if not u.of] for f in roster.formations}
    due = waiting(data, bodies, {unit.id for unit in roster})
    alarms = dict(zip((u.id for u in roster if "alarm" in u.classes), _alarm_hexes(data), strict=False))
    held = {
        unit
        for name in data.scenario["state"]["barrage"]["formed"]
        for unit in data.tables["barrage"]["components"][name]
    }
    bands, found = homes(data), list[Fact]()  # 18.1.1
    for unit in roster:
        at = data.placed.get(unit.id) or alarms.get(unit.id) or due.get(unit.id) or bands.get(unit.id)
        if "sdm" in unit.classes and unit.id != KORSUN and _serves(data, bodies, unit.id):
            at = BOX
        if at is None and (unit.id in held or _can_form(data, unit.id)):
            at = HOLDING
        lost = data.start["lost"].get(unit.id, 0) if unit.id in data.placed or unit.id in due else None
        # 11.3-5: on the map a unit is seen only as it lies there
        only = (unit.side,) if data.board.grid.has(at or UNUSED) and "sdm" not in unit.classes else None
        found.append(Placed(unit=unit.id, at=at or UNUSED, lost=lost or None, because="21.3", only=only))
    found += [Marked(subject=unit, mark=ALARM_UP, because="4.8.1", only=(GERMAN,)) for unit in alarms]
    found += [Marked(subject=f"@{side}", mark=BRIDGE, value=DOWN, because="22.2") for side in blown(data)]
    state = data.scenario["state"]
    found += [Counted(track=f"sp {sdm}", value=n, because="21.3") for sdm, n in state["supply"]["points"].items()]
    counts = {
        "air drops": state["air"]["drops"],
        "korsun missions": state["air"]["korsun"],
        "minefields": state["minefields"]["markers"],
    }
    found += [Counted(track=track, value=n, because="21.3") for track, n in counts.items() if n]  # nobody reads of none
    found += works(data)
    found += _points(data)
    found += _pocket(game)
    if state["ground"]["is"] != "rolled":
        found.append(Marked(subject="game", mark="ground", value=state["ground"]["is"], because="21.3"))
    found.append(StageBegan(stage="setup", turn=data.first, side=SOVIET))
    return found


def _pocket(game: Game[Data]) -> Iterator[Fact]:
    """13.1.3, 14.5.1, 16.1: Korsun as the scenario states it; if it is isolated, who is of Gruppe Stemmermann, and with
    how many steps."""
    data, roster, state = game.data, game.setting.roster, game.data.scenario["state"]["korsun"]
    for korps in state["released"]:
        yield from let_go(korps, "21.3")
    if not state["isolated"]:
        return
    yield Marked(subject="game", mark=ISOLATED, value=str(state["isolated"]), because="21.3")
    yield Counted(track=TRACK, value=state["points"], because="21.3")
    if state["airfield"]:
        yield Marked(subject="game", mark=AIRFIELD, value=str(state["airfield"]), because="21.3")
        yield Placed(unit=KORSUN, at=BOX, because="13.2.3")
    placed = [unit for unit in roster if unit.id in data.placed]
    own = [unit for unit in placed if any(f.id in POCKET_KORPS for f in roster.levels(unit.formation))]
    for unit in own:
        yield Marked(subject=unit.id, mark=POCKET, because="21.3", only=(GERMAN,))
    kinds = [unit for unit in own if unit.classes & set(COUNTED)]
    steps = at_start(data, {unit.id: len(unit.steps) for unit in kinds})
    yield Counted(track=STEPS, value=steps, because="21.3", only=(GERMAN,))


def _can_form(data: Data, unit: str) -> bool:
    """17.1.1: a Barrage unit whose components stand on the sheets in play."""
    parts = data.tables["barrage"]["components"].get(unit, [])
    return bool(parts) and all(part in data.placed for part in parts)


def _serves(data: Data, bodies: dict[str, list[str]], sdm: str) -> bool:
    """Whether anybody whom an SDM serves stands on the sheets in play."""
    command = sdm.removeprefix("SDM-").partition("-")[0]
    return any(unit in data.placed for unit in bodies.get(command, ()))


def _alarm_hexes(data: Data) -> list[str]:
    """4.8.1: one entry for each Alarm unit on the sheets in play."""
    grid = data.board.grid
    return [h for h, count in data.start["alarm"].items() if data.land >> grid.hex(h) & 1 for _ in range(count)]


def works(data: Data) -> Iterator[Fact]:
    """21.3: the improved positions (15.1) and minefields (15.3) that stand when the scenario begins."""
    state, grid = data.scenario["state"], data.board.grid
    for spot in state["positions"]["hexes"]:
        yield Marked(subject=f"@{spot}", mark=POSITION, because="21.3")
    sides: dict[str, list[str]] = {}
    for spot, faced in state["minefields"]["laid"].items():
        yield Marked(subject=f"@{spot}", mark=FIELD, value=LAID, because="21.3")
        for other in faced:
            sides.setdefault(grid.hexside(grid.hex(spot), grid.hex(other)), []).append(spot)
    for side, spots in sides.items():
        yield Marked(subject=f"@{side}", mark=MINES, value="+".join(spots), because="21.3")


def _points(data: Data) -> Iterator[Fact]:
    """8.1.1: the replacement points in hand, by account and kind, where there are any."""
    rows = data.tables["replacements"]
    for accounts in (rows["accounts"]["soviet"], rows["accounts"]["german"]):
        for account in accounts:
            said = data.scenario["state"]["rp"]["points"].get(account, "")
            for letter, kind in (("i", "infantry"), ("a", "armor")):
                number = next((int(word[1:]) for word in said.split() if word[0] == letter), 0)
                if number:
                    yield Counted(track=f"rp {account} {kind}", value=number, because="21.3")


def blown(data: Data) -> list[str]:
    """22.2: the river bridges that have units of both sides beside them are down when the scenario begins."""
    grid, said = data.board.grid, data.scenario["state"]["bridges"]["down"]
    if said != "by the line":
        return said
    sides = {
        side: hexset.of(grid.hex(h) for u, h in data.placed.items() if u in _units(data, side))
        for side in (GERMAN, SOVIET)
    }

    def beside(a: Hex, b: Hex) -> bool:
        near = hexset.spread(grid, 1 << a | 1 << b)
        return bool(near & sides[GERMAN]) and bool(near & sides[SOVIET])

    rivers = data.sides("river")
    found = [(a, b) for a, b in data.bridge_list if rivers[grid.direction(a, b) or 0] >> a & 1 and beside(a, b)]
    return [grid.hexside(a, b) for a, b in found]


def _units(data: Data, side: str) -> set[str]:
    rows = data.start["german"] if side == GERMAN else data.start["soviet"]
    return {unit for units in rows.values() for unit in units}


def set_up(table: Table) -> Procedure:
    """4.8.1: the strength of each Alarm unit is drawn, and only the Germans see it."""
    alarms = [u for u in table.position.on_map(GERMAN) if table.position.mark(u, ALARM_UP) is not None]
    left = [str(n) for n in table.data.tables["alarm"]["strengths"]]
    for unit in alarms:
        die: int = yield Roll("Alarm unit", sides=len(left), stream="alarm", only=(GERMAN,))
        value = sorted(left)[die - 1]
        left.remove(value)
        yield Noted(subject=unit, mark=DRAWN, value=int(value), because="4.8.1", only=(GERMAN,))
    if alarms:
        yield Pooled(pool=STRENGTHS, items=tuple(sorted(left)), because="4.8.1", only=())
