"""How a Soviet unit picks where it goes (9.2): a method's options, preferences, tiebreakers and restrictions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as part
from functools import cached_property

from engine import hexset
from engine.facts import Chose
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.chooser import Chosen, choose
from engine.rules.ground import number, place
from engine.table import kept
from games.kharkov.data import GERMAN, SOVIET, Data, Table
from games.kharkov.rules.fields import Field, field, supposed
from games.kharkov.rules.ground import (
    army,
    front,
    germans,
    is_active,
    is_isolated,
    is_mech,
    soviets,
    strength,
)
from games.kharkov.rules.soviet.objectives import compass, objective
from games.kharkov.rules.soviet.terms import (
    around,
    distance,
    exposes,
    nearest,
    proximate,
    ringed,
    southward,
    surrounded,
    westward,
)
from games.kharkov.rules.supply import limit, supplied, supported

Option = tuple[Hex, Hex | None]  # where to, and the German or VP hex that it is about
Preference = tuple[str, Callable[[Option], float]]
OTHER = {"VF": "SWF", "SWF": "VF"}


@dataclass(eq=False)
class Mover:
    """A unit about to move, with what every method asks of it."""

    table: Table
    unit: str
    _then: dict[Hex, Field] = part(default_factory=dict)
    _allowed: dict[Hex, bool] = part(default_factory=dict)

    @property
    def data(self) -> Data:
        return self.table.data

    @cached_property
    def here(self) -> Hex:
        return place(self.table, self.unit)

    @cached_property
    def now(self) -> Field:
        return field(self.table)

    @cached_property
    def front(self) -> str:
        return front(self.table, self.unit)

    @cached_property
    def can(self) -> HexSet:
        """The hexes that it can get to, its own left out."""
        return proximate(self.table, self.unit) & ~(1 << self.here)

    @cached_property
    def goal(self) -> Hex | None:
        """9.24: its army's objective while that is in play, else its front's."""
        return objective(self.table, army(self.table, self.unit)) or objective(self.table, self.front)

    @cached_property
    def front_goal(self) -> Hex | None:
        return objective(self.table, self.front)

    @cached_property
    def targets(self) -> HexSet:
        return self.data.targets[self.front]

    @cached_property
    def others_only(self) -> HexSet:
        """Hexes that only the other front targets."""
        return self.data.targets[OTHER[self.front]] & ~self.targets

    @cached_property
    def limit(self) -> HexSet:
        return limit(self.table, self.front)

    def then(self, h: Hex) -> Field:
        """The field with this unit in a hex."""
        if h not in self._then:
            self._then[h] = supposed(self.table, self.unit, h)
        return self._then[h]

    def may_end(self, h: Hex) -> bool:
        """9.23"""
        if h not in self._allowed:
            self._allowed[h] = allowed(self, h)
        return self._allowed[h]

    def beside_germans(self, h: Hex) -> HexSet:
        """The German-occupied hexes next to one (9.25-b)."""
        return around(self.data, h) & self.now.german

    def beside_soviets(self, h: Hex) -> bool:
        """Whether a Soviet unit other than this one stands next to a hex."""
        others = self.now.soviet if len(soviets(self.table, self.here)) > 1 else self.now.soviet & ~(1 << self.here)
        return bool(around(self.data, h) & others)

    def empty(self, h: Hex) -> bool:
        """9.3-empty: no unit, no garrison."""
        return not (self.now.soviet | self.now.german | self.now.garrisons) >> h & 1

    def occupied(self, h: Hex) -> bool:
        return bool((self.now.soviet | self.now.german) >> h & 1)

    def strength(self, h: Hex) -> int:
        return strength(self.table, germans(self.table, h))


@kept
def mover_of(table: Table, unit: str) -> Mover:
    """A unit about to move; as long as nothing happens, each method is given the same."""
    return Mover(table, unit)


@dataclass(frozen=True)
class Plan:
    """What a method offers a unit; `stays` freezes it where it is, but for a shift by 9.25."""

    method: str
    case: str
    options: Sequence[Option] = ()
    preferences: Sequence[Preference] = ()
    fixed: bool = False  # the hex is what the method is about: 9.25 does not shift it
    about: bool = False  # the method names its German target, which stays (9.25)
    stays: bool = False


# 9.24, 9.25


def tiebreakers(mover: Mover) -> list[Preference]:
    """9.24"""
    data, table = mover.data, mover.table
    goal, side, helped = mover.goal, compass(table, mover.front), supported(table)

    def far(option: Option) -> float:
        return {"W": westward, "S": southward}[side](data, option[0]) if side else 0.0

    return [
        ("9.24a", lambda option: -distance(data, option[0], goal) if goal is not None else 0),
        ("9.24b", lambda option: mover.empty(option[0])),
        ("9.24c", far),
        ("9.24d", lambda option: -nearest(data, option[0], helped)),
        ("9.24e", lambda option: int(number(table, option[0]))),
    ]


def tactical(mover: Mover, about: HexSet) -> list[Preference]:
    """9.25, next to these German hexes."""
    table, data = mover.table, mover.data
    helped = supported(table)

    def rings(option: Option) -> bool:
        then = mover.then(option[0])
        near = around(data, option[0]) & about
        return any(surrounded(data, then, h, GERMAN) for h in hexset.members(near))

    def quiet(option: Option) -> bool:
        others = [unit for unit in soviets(table, option[0]) if unit != mover.unit]
        return not any(is_active(table, unit) for unit in others)

    return [
        ("9.25a", lambda option: mover.limit >> option[0] & 1),
        ("9.25b", rings),
        ("9.25c", lambda option: helped >> option[0] & 1),
        ("9.25d", lambda option: not mover.beside_soviets(option[0])),
        ("9.25e", lambda option: _free(mover, option[0])),
        ("9.25f", quiet),
    ]


def _free(mover: Mover, h: Hex) -> bool:
    """Empty or garrisoned, the unit itself apart."""
    return not [unit for unit in soviets(mover.table, h) if unit != mover.unit]


# 9.23


def allowed(mover: Mover, h: Hex) -> bool:
    """9.23: whether a move may end in a hex."""
    if h == mover.here:
        return True
    data, table, turn = mover.data, mover.table, mover.table.position.turn
    now, then = mover.now, mover.then(h)
    if data.on("no_marsh", turn) and data.marsh >> h & 1 and is_mech(table, mover.unit):
        return False  # e
    vacated = not then.soviet >> mover.here & 1
    if vacated and data.edge_vp >> mover.here & 1 and supplied(data, now, SOVIET) >> mover.here & 1:
        return False  # c
    if mover.limit >> mover.here & 1 and _breaks_surround(mover, then):
        return False  # a
    if data.on("keep_supply", turn) and not now.german_towns >> h & 1 and _cuts_supply(mover, then, h):
        return False  # d
    return not exposes(table, now, then)  # b


def _breaks_surround(mover: Mover, then: Field) -> bool:
    """9.23.a: a German that is not isolated would no longer be surrounded."""
    freed = ringed(mover.data, mover.now) & ~ringed(mover.data, then)
    table = mover.table
    return any(not all(is_isolated(table, unit) for unit in germans(table, h)) for h in hexset.members(freed))


def _cuts_supply(mover: Mover, then: Field, h: Hex) -> bool:
    """9.23.d: a Soviet unit, the mover too if it could trace at the start, would be unable to trace."""
    before, after = supplied(mover.data, mover.now, SOVIET), supplied(mover.data, then, SOVIET)
    others = then.soviet & ~(1 << h) & before
    own = before >> mover.here & 1 and not after >> h & 1
    return bool(others & ~after) or bool(own)


# Picking.


def picked(mover: Mover, plan: Plan) -> Chosen[Option] | None:
    """Where a unit goes by a plan: the most preferred option that 9.23 allows, shifted by 9.25, if there is one."""
    if plan.stays:
        return _shifted_at_home(mover, plan)
    preferences = [*plan.preferences, *tiebreakers(mover)]
    best = _best(mover, plan.options, preferences, aims=plan.about)
    if best is None:
        return None
    to, target = best.best
    about = mover.beside_germans(to)
    if plan.about and target is not None and about >> target & 1:
        about = 1 << target
    if not about:
        return best
    near = _next_to(mover, about)
    if plan.fixed:  # the hex is what the method is about: 9.25 tells only between those that it names
        shifted = [option for option in plan.options if near >> option[0] & 1]
    else:
        shifted = [(h, target) for h in hexset.members((mover.can | 1 << mover.here) & near)]
    end = _best(mover, shifted, [*tactical(mover, about), *preferences])
    return replace(end, trace=(*best.trace, *end.trace)) if end and plan.about else end


def _shifted_at_home(mover: Mover, plan: Plan) -> Chosen[Option] | None:
    """9.25, third example: a unit that a method freezes shifts only to a hex that 9.25 itself likes better."""
    about = mover.beside_germans(mover.here)
    if plan.about:
        about &= hexset.of(target for _, target in plan.options if target is not None) or about
    if plan.fixed or not about:
        return None
    targets = [*hexset.members(about)]
    shifted = [
        (h, next(target for target in targets if around(mover.data, h) >> target & 1))
        for h in hexset.members((mover.can | 1 << mover.here) & _next_to(mover, about))
    ]
    stays: Preference = ("stays", lambda option: option[0] == mover.here)
    return _best(mover, shifted, [*tactical(mover, about), stays, *plan.preferences, *tiebreakers(mover)])


def _next_to(mover: Mover, germans_: HexSet) -> HexSet:
    return hexset.union(around(mover.data, h) for h in hexset.members(germans_))


def _best(
    mover: Mover, options: Sequence[Option], preferences: Sequence[Preference], *, aims: bool = False
) -> Chosen[Option] | None:
    """The most preferred option that passes 9.23; those that do not are struck out one by one.

    `aims` names the hex that an end is about, so that the trace shows how that was chosen.
    """
    table, left = mover.table, list(dict.fromkeys(options))

    def name(option: Option) -> str:
        end, about = option
        return f"{number(table, end)} for {number(table, about)}" if aims and about is not None else number(table, end)

    while left:
        chosen = choose(left, preferences, name=name)
        if mover.may_end(chosen.best[0]):
            return chosen
        left = [option for option in left if option[0] != chosen.best[0]]
    return None


def told(mover: Mover, plan: Plan, chosen: Chosen[Option]) -> Chose:
    """The fact that tells a move with its reasons, so that the player can audit it."""
    plain = replace(chosen, name=lambda option: number(mover.table, option[0]))
    return plain.told(mover.unit, f"method {plan.method}: to", plan.case)


def hexes(options: HexSet, about: Hex | None = None) -> Iterator[Option]:
    return ((h, about) for h in hexset.members(options))
