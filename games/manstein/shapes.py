"""The shapes of the rulebook's files: what tables.toml, setup.toml and a scenario must hold for the rules to read."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

Strength = Literal["attack", "defence"]


class Points(TypedDict):
    points: int
    case: str


class Hexes(TypedDict):
    hexes: int
    case: str


class Turn(TypedDict):
    turn: int
    date: str
    axis_com: int


# T1 to T6


class CpRow(TypedDict):
    cp: tuple[int, int]
    markers: NotRequired[int]
    points: NotRequired[float]
    units: NotRequired[int]


class ByCp(TypedDict):
    case: str
    by_cp: list[CpRow]


class Zhukov(TypedDict):
    case: str
    by_turn: dict[str, tuple[int, int]]


class Results(TypedDict):
    case: str
    columns: tuple[str, ...]
    die: dict[str, list[str]]


class Cities(TypedDict):
    hexes: list[str]
    case: str


class AbsoluteOrder(TypedDict):
    case: str
    steps: dict[str, int]
    cities: Cities


# Terrain: of a chart's row, what a hex, a place or a hexside has


class Ground(TypedDict):
    move: NotRequired[int]
    shift: NotRequired[int]
    extra: NotRequired[int]
    shut: NotRequired[bool]
    one_step: NotRequired[bool]
    halves_attack: NotRequired[bool]  # fmt: skip


class Road(TypedDict):
    move: int
    strategic: float


class Ways(TypedDict):
    road: Road


class Terrain(TypedDict):
    case: str
    hex: dict[str, Ground]
    place: dict[str, Ground]
    hexside: dict[str, Ground]
    way: Ways


# Figures in the rules


class Movement(TypedDict):
    leave_zoc: Points
    enter_zoc: Points


class Stacking(TypedDict):
    units: int
    headquarters: int


class River(TypedDict):
    by: int


class NoDefence(TypedDict):
    column: str
    case: str


class Advance(TypedDict):
    hexes: int
    mech: int


class Combat(TypedDict):
    river_divisor: River
    zero_defence: NoDefence
    advance: Advance


class Supply(TypedDict):
    combat_case: str
    attack: int
    defence: int
    move: int
    halved_divisor: NotRequired[int]


class Conversion(TypedDict):
    turn: int
    backs: dict[str, str]


class Headquarters(TypedDict):
    relocation: Hexes
    conversion: Conversion


class Airborne(TypedDict):
    unit: str
    range: int


class Pair(TypedDict):
    city: str
    points: list[str]


class Late(TypedDict):
    turn: int


class Crossings(TypedDict):
    near: Hexes
    kremencuk: Pair
    late: Late
    airborne: Points


class Markers(TypedDict):
    markers: dict[str, str]


class Stuka(TypedDict):
    columns: int
    case: str


class Ace(TypedDict):
    die: int
    least: int
    case: str


class Air(TypedDict):
    stuka: Stuka
    ace: Ace


class Chit(TypedDict):
    count: int
    hq: NotRequired[str]
    front: NotRequired[bool]
    first: NotRequired[int]
    once: NotRequired[bool]
    also: NotRequired[list[str]]
    case: NotRequired[str]  # fmt: skip


class Number(TypedDict):
    chits: int


class Selection(TypedDict):
    soviet: Number


class Track(TypedDict):
    case: str
    turns: list[Turn]


class Pools(TypedDict):
    codes: list[str]


class Reinforcements(TypedDict):
    groups: list[str]
    converts: dict[str, str]
    pools: Pools


class Race(TypedDict):
    case: str
    turn: int
    crossing_point: float
    mech_with_line: float
    other_with_line: float
    mech_without_line: float
    other_without_line: float
    win: Points  # fmt: skip


class Victory(TypedDict):
    major_city: Points
    german_armour: Points
    german_other: Points
    axis_ally: Points
    german_relocation: Points
    soviet_relocation: Points
    breakthrough: Points
    win: Points
    race: Race  # fmt: skip


class Tables(TypedDict):
    negotiation_cost: dict[str, float | str]
    air_reorganization: ByCp
    negotiation: ByCp
    special_activation: ByCp
    zhukov: Zhukov
    combat_results: Results
    absolute_order: AbsoluteOrder
    terrain: Terrain
    movement: Movement
    stacking: Stacking
    combat: Combat
    supply: dict[str, Supply]
    headquarters: Headquarters
    airborne: Airborne
    crossing_points: Crossings
    air_markers: Markers
    air: Air
    chits: dict[str, dict[str, Chit | str]]
    selection: Selection
    turn_track: Track
    reinforcements: Reinforcements
    victory: Victory  # fmt: skip


# The scenario and its switches


class Setup(TypedDict):
    soviet: dict[str, list[str]]
    axis: dict[str, list[str]]


class Source(TypedDict):
    area: str


class Reserve(TypedDict):
    code: str


class Scenario(TypedDict):
    turns: int
    setup: str
    sources: dict[str, Source]
    reserve: dict[str, Reserve]


class Switches(TypedDict):
    bid: bool
    hq_conversion: bool
    front_chits: int
    opening_attack: str
    hq_alone: str
    isolated_movement: str
    crossing_control: str
    kremencuk: str
    breakthrough: str
    cut_off: str
    voluntary_relocation: str
    placement: str
    late_entry: str  # fmt: skip
