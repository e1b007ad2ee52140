"""The veil: one layer around the whole of play that says for whom every fact and every answer is (11.3).

A stack that moves is lifted counter by counter; what the enemy sees of it is looked at only when it has come down, that
is before anybody is asked anything or a die is cast.
"""

from collections.abc import Iterator

from engine import hexset
from engine.asks import Ask, Procedure, Step
from engine.facts import (
    Doubted,
    Eliminated,
    Fact,
    Fought,
    GameEnded,
    Marked,
    Moved,
    Placed,
    Sighted,
    StageBegan,
    StepGained,
    StepLost,
    Turned,
    Wiped,
    type_of,
)
from engine.hexes import Hex
from engine.rules.marks import marked
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.rules.allowance import ALARM_UP, MOVING
from games.jaws.rules.extension import halves
from games.jaws.rules.reserves import UNDER_WAY
from games.jaws.rules.sight import settled, shown_of
from games.jaws.rules.top import COVERS, TOP, put_right
from games.jaws.rules.units import UPSET, has_chit, is_sdm, units_in

STIRRING = (Moved, Placed, Eliminated, StepLost, StepGained, Turned)
SHOWING = (*UPSET, ALARM_UP)  # marks of a unit that change its zone or its face
LYING = (*COVERS.values(), TOP)  # marks of a hex that change what is seen there
MOVERS = (MOVING, UNDER_WAY)  # marks of the game that tell that somebody has moved, be it unseen
FIGHTING = ("declaration", "combat", "breakthrough", "reserves", "withdrawal")  # the stages of a Combat Phase
# The field in which each kind of fact names whom or what it is about.
NAMED_BY = {kind: name for kind in type_of.values() for name in ("unit", "subject") if name in kind.model_fields}


class Veil:
    """What has been touched since all was last at rest, and who lay open then."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.touched: dict[Hex, None] = {}
        self.open: dict[str, bool] = {}
        self.fighting: set[str] = set()  # those shown for the odds of their combat

    def lies_open(self, unit: str) -> bool:
        """Whether the enemy was looking at a unit when all was last at rest; or sees it in its combat."""
        if unit in self.fighting:
            return True
        h = self.table.position.hex_of(unit)
        if unit not in self.open and h is not None:
            self._remember(h)
        return self.open.get(unit, True)  # off the map everything lies open

    def _remember(self, h: Hex) -> None:
        for side in (SOVIET, GERMAN):
            units = units_in(self.table, h, side)
            shown = shown_of(self.table, h, side, units)
            for unit in units:
                self.open.setdefault(unit, unit in shown and h not in self.touched)

    def touch(self, h: Hex | None) -> None:
        if h is not None and h not in self.touched:
            self._remember(h)
            self.touched[h] = None

    def at_rest(self) -> Iterator[Fact]:
        """Every hex that was touched is looked at."""
        hexes = sorted(self.touched)
        self.touched.clear()
        self.open.clear()
        for h in hexes:
            yield from settled(self.table, h, self.fighting)

    def over(self, fact: Fact) -> Fact:
        """A fact as it may be known."""
        if isinstance(fact, Marked) and fact.mark in LYING and fact.subject.startswith("@"):
            self.touch(self.table.grid.find(fact.subject[1:]))
        if fact.only is not None:
            self._note(fact)
            return fact
        if isinstance(fact, Wiped):
            self._wiped(fact)
            return fact
        field = NAMED_BY.get(type(fact))
        name = getattr(fact, field) if field is not None else ""
        if name in self.table.roster:
            return fact if is_sdm(self.table, name) else self._of_unit(fact, name)
        if isinstance(fact, Marked):
            return self._of_ground(fact)
        return fact

    def _note(self, fact: Fact) -> None:
        if isinstance(fact, Sighted):
            self.fighting.add(fact.unit)
        elif isinstance(fact, Doubted):
            self.fighting.discard(fact.unit)

    def _wiped(self, fact: Wiped) -> None:
        for mark in set(SHOWING) & set(fact.marks):
            for subject in marked(self.table, mark):
                self.touch(self.table.position.hex_of(subject))

    def _of_unit(self, fact: Fact, unit: str) -> Fact:
        """What happens to a unit that the enemy does not see is its owner's business; the boxes are everybody's."""
        table = self.table
        lies_open = self.lies_open(unit)
        if isinstance(fact, STIRRING) or (isinstance(fact, Marked) and fact.mark in SHOWING):
            for half in halves(table, (unit,)):  # 4.7.2-1: the two have one chit
                self.touch(table.position.hex_of(half))
        there = table.grid.find(_to(fact))
        self.touch(there)
        if isinstance(fact, Placed) and there is not None:
            self.open[unit] = lies_open = False  # it is looked at when it lies there
        elif isinstance(fact, Moved):
            self.open[unit] = lies_open
        elif isinstance(fact, StepGained) and has_chit(table, unit):
            lies_open = False  # 4.4.4: a cadre that is none any more has a chit under it
        if lies_open or (isinstance(fact, Eliminated | Placed) and there is None):
            return fact
        return fact.model_copy(update={"only": (table.unit(unit).side,)})

    def _of_ground(self, fact: Marked) -> Fact:
        """A mark on a hex or the game; one that names units whom the enemy does not see is their owner's."""
        if fact.mark in MOVERS:
            return fact.model_copy(update={"only": (self.table.position.side,)})
        named = [word for word in str(fact.value).split() if word in self.table.roster]
        hidden = [word for word in named if not is_sdm(self.table, word) and not self.lies_open(word)]
        return fact.model_copy(update={"only": (self.table.unit(hidden[0]).side,)}) if hidden else fact


def _to(fact: Fact) -> str:
    """Where a fact puts a unit."""
    return fact.path[-1] if isinstance(fact, Moved) else fact.at if isinstance(fact, Placed | Turned) else ""


def veiled(table: Table, play: Procedure) -> Procedure:
    """Play as it is, but for whom its facts and answers are."""
    veil, value = Veil(table), None
    if table.position.stage == "setup":
        veil.touched.update(dict.fromkeys(hexset.members(table.position.held(SOVIET) | table.position.held(GERMAN))))
    while True:
        try:
            step: Step = play.send(value)
        except StopIteration:
            return
        value = None
        if isinstance(step, Fact):
            yield from _happened(veil, step)
            continue
        yield from veil.at_rest()
        if isinstance(step, Ask):
            if step.top:
                veil.fighting.clear()
            step.hidden = True
        value = yield step


def _happened(veil: Veil, fact: Fact) -> Iterator[Fact]:
    if isinstance(fact, StageBegan | GameEnded | Fought):
        yield from veil.at_rest()
    if isinstance(fact, StageBegan):
        veil.fighting.clear()
        yield from _phase_ended(veil, fact)
        yield from veil.at_rest()
    yield veil.over(fact)


def _phase_ended(veil: Veil, began: StageBegan) -> Iterator[Fact]:
    """11.3: stacks are put in order at the end of their owner's Movement and Combat Phases."""
    table = veil.table
    side, _, phase = table.position.stage.rpartition(".")
    fights_on = began.stage.rpartition(".")[2] in FIGHTING and began.stage.startswith(side)
    if phase == "movement" or (phase in FIGHTING and not fights_on):
        for h, _ in table.position.stacks():
            for fact in put_right(table, h, side):
                yield veil.over(fact)
