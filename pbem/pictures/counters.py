"""Counters as printed ones look: band, designation, glyph, size, values of the step that is up, steps left, marks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.pieces import Unit
from engine.position import LAST_SEEN, UNKNOWN, Position
from pbem.pictures import lettering
from pbem.pictures.emblems import badge_shapes, emblem, glyph
from pbem.pictures.lettering import ink_on, mixed
from pbem.pictures.look import Badge, Look
from pbem.pictures.shapes import Box, Circle, Group, Point, Shape, Text, sized

INK = "#161616"
PALE = "#6a6257"  # of what is not known for sure
ONE_ROW = 7  # figures and signs that can be read in one row; those with more stand in two
COUNTED = 4  # from so many counters on, a stack says how many it has


@dataclass(frozen=True)
class Face:
    """All that a counter shows; two counters that show the same are painted once."""

    unit: str
    side: str
    size: str
    glyph: str
    band: str
    values: str
    steps: int
    lost: int
    ink: str


def face_of(unit: Unit, lost: int, look: Look, unsure: str = "") -> Face:
    """What a unit's counter shows with so many steps lost, or as far as its strength is known."""
    step = unit.steps[min(lost, len(unit.steps) - 1)]
    values = "?" if unsure == UNKNOWN else printed(step, look.faces)
    values, steps = (f"[{values}]" if unsure == LAST_SEEN else values), (1 if unsure == UNKNOWN else len(unit.steps))
    ink = PALE if unsure else INK
    return Face(unit.id, unit.side, unit.size, look.glyph(unit), look.band(unit), values, steps, lost, ink)


def printed(step: Mapping[str, int], faces: Sequence[str]) -> str:
    """The values as printed: in the first of the game's ways for which the unit has them all."""
    for way in faces:
        words = re.findall(r"\w+", way)
        if set(words) == step.keys():
            return re.sub(r"\w+", lambda word: str(step[word.group()]), way)
    return "-".join(str(value) for value in step.values())


@lru_cache(maxsize=4096)
def counter(face: Face, look: Look, size: float, small: bool) -> tuple[Shape, ...]:
    """A counter around (0, 0); a small picture leaves out what could not be read on it."""
    drawing = _small(face, look) if small else _large(face, look)
    return tuple(sized(shape, size) for shape in drawing)


def _large(face: Face, look: Look) -> Iterator[Shape]:
    """A counter 1 wide around (0, 0), every figure on it."""
    side = look.sides[face.side]
    band = face.band or mixed(side.fill, "#000000", 0.28)
    yield Box((-0.5, -0.5), (1.0, 1.0), 0.07, side.fill, INK, 0.03)
    yield Box((-0.485, -0.485), (0.97, 0.21), 0.05, band)
    yield Box((-0.485, -0.35), (0.97, 0.075), 0.0, band)
    name = lettering.fitting(face.unit, 0.2, 0.8, bold=True)
    yield Text((-0.44, -0.378), face.unit, name, ink_on(band), "start", bold=True)
    yield from emblem(side.emblem, (-0.37, 0.0), 0.095, side.deep)
    first, _, second = face.values.partition(" ")
    two = bool(second) and len(face.values) > ONE_ROW
    if face.size and face.size != "HQ":
        yield Text((0.0, -0.205), face.size, 0.125, INK, bold=True)
    at, wide = ((0.0, -0.045), 0.2) if two else ((0.0, 0.01), 0.29)
    yield from glyph(face.glyph, at, wide, INK, mixed(side.fill, "#ffffff", 0.45))
    yield from _steps(face, 0.385)
    if face.lost:
        top = 0.075 if two else 0.2
        yield Box((-0.485, top), (0.97, 0.47 - top), 0.03, "#ffffff")
        yield Box((-0.485, top - 0.005), (0.97, 0.03), 0.0, side.deep)
    rows = ((first, 0.18, 0.25), (second, 0.385, 0.25)) if two else ((face.values, 0.34, 0.29),)
    for text, y, size in rows:
        yield Text((0.0, y), text, lettering.fitting(text, size, 0.92, bold=True), face.ink, bold=True)


def _steps(face: Face, x: float) -> Iterator[Shape]:
    """A pip for every step, hollow for those that are lost; none where there is only one."""
    if face.steps < 2:
        return
    apart = min(0.1, 0.3 / face.steps)
    top = 0.0 - apart * (face.steps - 1) / 2
    for step in range(face.steps):
        gone = step >= face.steps - face.lost
        yield Circle((x, top + apart * step), 0.034, "" if gone else face.ink, face.ink, 0.016)


def _small(face: Face, look: Look) -> Iterator[Shape]:
    """A counter of few pixels: band, emblem, glyph, and the first two values."""
    side = look.sides[face.side]
    band = face.band or mixed(side.fill, "#000000", 0.28)
    yield Box((-0.5, -0.5), (1.0, 1.0), 0.05, side.fill, INK, 0.05)
    yield Box((-0.46, -0.46), (0.92, 0.15), 0.0, band)
    yield from emblem(side.emblem, (-0.34, -0.08), 0.13, side.deep)
    yield from glyph(face.glyph, (0.1, -0.07), 0.34, INK, mixed(side.fill, "#ffffff", 0.45))
    if face.lost:
        yield Box((-0.46, 0.14), (0.92, 0.33), 0.0, "#ffffff")
    values = face.values.strip("[]").partition(" ")[0].rstrip(":").split("-")
    short = "-".join(values[: 2 if len(values) > 2 else 1])
    short = f"[{short}]" if face.values.startswith("[") else short
    yield Text((0.0, 0.31), short, lettering.fitting(short, 0.46, 0.92, bold=True), face.ink, bold=True)


# ---- stacks


def stack(
    position: Position, units: Sequence[str], at: Point, look: Look, small: bool, losses: Mapping[str, int]
) -> Iterator[Shape]:
    """The counters in a hex, fanned so that the band of each can be read; the strongest lies on top."""
    roster = position.setting.roster
    lost, unsure = position.lost, position.unsure
    faces = [(roster.get(u), face_of(roster.get(u), lost.get(u, 0), look, unsure.get(u, ""))) for u in reversed(units)]
    size, rise, drift = fan(len(units), look.counter)
    middle = (len(units) - 1) / 2
    for depth, (unit, face) in enumerate(sorted(faces, key=lambda one: strength(one[0], one[1].lost))):
        above = len(units) - 1 - depth
        spot = (at[0] + drift * (above - middle), at[1] - rise * (above - middle))
        title = f"{unit.name} ({face.values})"
        yield Group(counter(face, look, size, small), spot, name=unit.id, title=title, kept=True)
        badges = badges_of(position, unit, look)
        yield from _badges(spot, size, badges, losses.get(unit.id, 0), top=above == 0, small=small)
    if len(units) >= COUNTED:
        yield from badge_shapes((at[0] - 0.44, at[1] + 0.3), 0.11, Badge(str(len(units)), "disc", "#ffffff"))


def strength(unit: Unit, lost: int) -> int:
    step = unit.steps[min(lost, len(unit.steps) - 1)]
    return sum(value for name, value in step.items() if name != "move") if "hq" not in unit.classes else 0


def fan(number: int, alone: float) -> tuple[float, float, float]:
    """The size of the counters in a stack, and how far each rises above the one before it and drifts aside."""
    if number == 1:
        return alone, 0.0, 0.0
    size = max(0.5, alone - 0.05 * (number - 1))
    rise = min(size * 0.21, (0.98 - size) / (number - 1))
    return size, rise, min(0.03, 0.12 / number)


def badges_of(position: Position, unit: Unit, look: Look) -> list[Badge]:
    """The badges of the marks a unit bears, and of those it lacks while others have them."""
    found = [look.badge(mark, value, position.noted) for mark, value in position.marks.get(unit.id, {}).items()]
    badges = [badge for badge in found if badge is not None]
    for mark, (lacking, badge) in look.lacking.items():
        lacks = lacking in unit.classes and position.mark(unit.id, mark) is None
        if lacks and any(mark in marks for marks in position.marks.values()):
            badges.append(badge)
    return badges


def _badges(at: Point, size: float, badges: list[Badge], lost: int, top: bool, small: bool) -> Iterator[Shape]:
    """Badges down the right edge of the counter on top, along the band of one that lies under others."""
    r = 0.105 if small else 0.085
    x, y = at[0] + size / 2, at[1] - size / 2 + 0.02
    losses = [Badge(f"-{lost}", "disc", "#c0261c")] if lost else []
    for number, badge in enumerate([*losses, *badges]):
        spot = (x + 0.02, y + number * 2.1 * r) if top else (x + 0.02 + number * 2.0 * r, y + 0.03)
        yield Group(token(badge, r), spot, kept=True)


@lru_cache(maxsize=512)
def token(badge: Badge, r: float) -> tuple[Shape, ...]:
    """A badge around (0, 0)."""
    return tuple(badge_shapes((0.0, 0.0), r, badge))
