"""What must be true of every position (for fuzzing and for whoever corrects one by hand)."""

from engine import audit, hexset
from engine.rules.ground import number
from engine.rules.marks import marked
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.rules.allowance import RESERVE
from games.jaws.rules.barrage.batteries import barrages
from games.jaws.rules.barrage.components import HOLDING, held
from games.jaws.rules.barrage.markers import BARRAGE
from games.jaws.rules.breakout.declaring import declared_on
from games.jaws.rules.breakout.phase import PHASE_MARKS as BREAKOUT_MARKS
from games.jaws.rules.combat.attack import PHASE_MARKS as COMBAT_MARKS
from games.jaws.rules.combat.battle import BREAKTHROUGH, BROKE_OUT
from games.jaws.rules.depots import sdms
from games.jaws.rules.engineering import PHASE_MARKS as ENGINEERING_MARKS
from games.jaws.rules.escorts import beside, guards
from games.jaws.rules.extension import markers
from games.jaws.rules.flipping import VISITED
from games.jaws.rules.korsun import POCKET
from games.jaws.rules.movement import PHASE_MARKS as MOVEMENT_MARKS
from games.jaws.rules.option_audit import option_faults
from games.jaws.rules.parts import DOT, in_play, is_broken, parts_of
from games.jaws.rules.pocket import ESCAPED
from games.jaws.rules.replacements.special import ABANDONED
from games.jaws.rules.strength import DRAWN
from games.jaws.rules.units import DISORGANIZED, OOS, REGROUP, is_cadre, shared, units_in
from games.jaws.rules.withdrawal import WITHDREW

COMBAT_STAGES = ("declaration", "combat", "breakthrough", "reserves", "withdrawal")


def faults(table: Table) -> list[str]:
    """Everything wrong with a position, in words."""
    waiting = {at for at in table.position.where.values() if at.startswith("turn ")}  # 7.2, 12.16.1: as it enters
    found = audit.pieces(table, keep_losses={ESCAPED, *waiting})
    found += audit.marks(table, keep_marks=(HOLDING, ESCAPED, ABANDONED, *waiting))
    checks = (
        _ground,
        _breakout,
        _gone,
        _status,
        _phase_marks,
        _reserves,
        _depots,
        _escorts,
        _barrages,
        _parts,
        _extensions,
    )
    return found + [fault for check in (*checks, option_faults) for fault in check(table)]


def _ground(table: Table) -> list[str]:
    """9.10.4: no hex holds combat units of both sides before a Breakout (16.5.3-p6), and nobody stands where nobody
    can."""
    both = 0 if declared_on(table) else shared(table)
    out = (table.position.held(GERMAN) | table.position.held(SOVIET)) & ~table.data.land
    found = ["both sides stand in one hex"] if both else []
    return found + (["units stand where none can be"] if out else [])


def _breakout(table: Table) -> list[str]:
    """16.5: what its phase notes is gone after it; 16.5.3-p6: only Gruppe Stemmermann shares hexes with the enemy."""
    marks = () if table.position.stage.endswith(".breakout") else BREAKOUT_MARKS
    found = [f"{subject} is marked {mark!r} in {table.position.stage}" for mark in marks
             for subject in marked(table, mark)]  # fmt: skip
    for h in hexset.members(shared(table)):
        others = [u for u in units_in(table, h, GERMAN) if table.position.mark(u, POCKET) is None]
        found += [f"{unit} shares {number(table, h)} with Soviets" for unit in others]
    return found


def _gone(table: Table) -> list[str]:
    """8.6.3: whoever is out of the game keeps no mark but an Alarm unit's strength, which nobody draws again."""
    kept = ((unit, table.position.marks.get(unit, {})) for unit in table.position.in_box(ABANDONED))
    return [f"{unit} is out of the game and marked {mark!r}" for unit, marks in kept for mark in marks if mark != DRAWN]


def _status(table: Table) -> list[str]:
    """12.17: a unit is Disorganized or in Regroup, not both; 13.4: out of supply by one or two."""
    found = [f"{u} is Disorganized and in Regroup" for u in marked(table, REGROUP) if u in marked(table, DISORGANIZED)]
    wrong = [u for u in marked(table, OOS) if table.position.mark(u, OOS) not in (1, 2)]
    return found + [f"{unit} is out of supply by no known level" for unit in wrong]


def _phase_marks(table: Table) -> list[str]:
    """What lasts for a Movement or Combat Phase is gone after it."""
    stage = table.position.stage
    _, _, phase = stage.rpartition(".")
    fighting = (*COMBAT_MARKS, BREAKTHROUGH, BROKE_OUT, WITHDREW)
    works = ENGINEERING_MARKS if phase == "engineering" else ()
    lasting = MOVEMENT_MARKS if phase == "movement" else fighting if phase in COMBAT_STAGES else works
    lasting = (*lasting, *MOVEMENT_MARKS) if phase == "reserves" else lasting
    lasting = (*lasting, VISITED) if phase in ("declarations", "events") else lasting  # 16.2-p4
    gone = sorted({*MOVEMENT_MARKS, *fighting} - set(lasting))
    return [f"{subject} is marked {mark!r} in {stage}" for mark in gone for subject in marked(table, mark)]


def _reserves(table: Table) -> list[str]:
    """9.6, 12.1.6-5: markers of the phasing side alone, from its Movement Phase to the end of the Reserve Combat."""
    side, _, phase = table.position.stage.rpartition(".")
    holding = phase in ("movement", *COMBAT_STAGES) and phase != "withdrawal"
    wrong = [u for u in marked(table, RESERVE) if not holding or table.unit(u).side != side]
    return [f"{unit} is in Reserve in {table.position.stage}" for unit in wrong]


def _depots(table: Table) -> list[str]:
    """13.2.1: an SDM on the map lies on a road; 14.1: it has no more SPs than it can."""
    found = []
    for side in (GERMAN, SOVIET):
        for sdm in sdms(table, side):
            h = table.position.hex_of(sdm)
            if h is not None and not table.data.road_hexes >> h & 1:
                found.append(f"{sdm} lies in {number(table, h)}, where no road is")
            left = table.position.tracks.get(f"sp {sdm}", 0)
            if not 0 <= left <= table.unit(sdm).value("capacity"):
                found.append(f"{sdm} has {left} SPs")
    return found


def _barrages(table: Table) -> list[str]:
    """17.1.2-c: a Barrage unit on the map has as many steps as components in its box; 17.1.3-8: no marker outlasts the
    Soviet Combat Phase."""
    found = [f"{unit} has other steps than components" for unit in barrages(table) if _out_of_step(table, unit)]
    fire = marked(table, BARRAGE) if table.position.stage.partition(".")[0] != SOVIET else []
    return found + [f"{spot} lies under a barrage in {table.position.stage}" for spot in fire]


def _out_of_step(table: Table, unit: str) -> bool:
    there = table.position.hex_of(unit) is not None
    return there and table.position.steps_left(unit) != len(held(table, unit))


def _escorts(table: Table) -> list[str]:
    """11.0-s5: Sherman units stand with theirs."""
    tanks = [unit for unit in table.data.tables["integral"]["pairs"] if table.position.hex_of(unit) is not None]
    apart = [unit for unit in tanks if guards(table, unit) and not beside(table, unit)]
    return [f"{unit} stands apart from its unit" for unit in apart]


def _parts(table: Table) -> list[str]:
    """4.6: a unit is on the map whole or in parts, of no more steps than it has; it waits in its box while they are."""
    position, found = table.position, list[str]()
    for unit in table.roster:
        if not parts_of(table, unit.id) and not is_broken(table, unit.id):
            continue
        parts = in_play(table, unit.id)
        if is_broken(table, unit.id) != bool(parts):
            found.append(f"{unit.id} is in {position.where[unit.id]}, and {', '.join(parts) or 'no part'} on the map")
        if sum(position.steps_left(part) for part in parts) > len(unit.steps):
            found.append(f"the parts of {unit.id} have more steps than it")
        if sum(position.mark(part, DOT) is not None for part in parts) > 1:
            found.append(f"two parts of {unit.id} have its black dot")
    return found


def _extensions(table: Table) -> list[str]:
    """4.7: an Extended marker lies beside its division, which is no cadre and is on the map; 4.7.4: fed as one."""
    position, found = table.position, list[str]()
    for division, marker in markers(table).items():
        here, there = position.hex_of(division), position.hex_of(marker)
        if there is None:
            continue
        if here is None:
            found.append(f"{marker} is on the map without {division}")
        elif table.grid.distance(here, there) != 1:
            found.append(f"{marker} does not lie beside {division}")
        elif is_cadre(table, division):
            found.append(f"{division} is a cadre, and extended")
        elif position.mark(division, OOS) != position.mark(marker, OOS):
            found.append(f"{division} and {marker} are not out of supply alike")
    return found
