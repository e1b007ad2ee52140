"""The counters: units with values by step, and the roster that finds them by the names players write."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from rapidfuzz import process
from rapidfuzz.distance import OSA


class BadCounters(ValueError):
    """A counters file that cannot be read: which file, which unit (or type), what is wrong."""

    def __init__(self, file: str, unit: str, problem: str) -> None:
        super().__init__(f"{file}: {unit}: {problem}")
        self.file, self.unit, self.problem = file, unit, problem


class NoSuchUnit(KeyError):
    """No unit has this id."""

    def __init__(self, unit: str) -> None:
        super().__init__(unit)
        self.unit = unit

    def __str__(self) -> str:
        return f"no unit is called {self.unit}"


class NoSuchValue(LookupError):
    """The unit has no such value on that step."""

    def __init__(self, unit: str, key: str, lost: int) -> None:
        super().__init__(f"{unit} has no {key} with {lost} steps lost")
        self.unit, self.key, self.lost = unit, key, lost


@dataclass(frozen=True, slots=True)
class Unit:
    """One counter (or two, where its lower steps are printed on a second one)."""

    id: str
    side: str
    kind: str
    size: str
    name: str
    steps: tuple[Mapping[str, int], ...] = field(hash=False)
    formation: str = ""
    classes: frozenset[str] = frozenset()
    nicknames: tuple[str, ...] = ()
    setup: str = ""
    sources: tuple[str, ...] = ()
    note: str = ""
    of: str = ""  # the unit that this counter is a part of: a battalion of a regiment that has come apart

    def value(self, key: str, lost: int = 0) -> int:
        """The value printed on the step that is up after `lost` losses; raises NoSuchValue."""
        if not 0 <= lost < len(self.steps) or key not in self.steps[lost]:
            raise NoSuchValue(self.id, key, lost)
        return self.steps[lost][key]

    def has(self, key: str) -> bool:
        """Whether such a value is printed on the unit's full-strength side."""
        return key in self.steps[0]


@dataclass(frozen=True, slots=True)
class Formation:
    """A parent formation that some units share; its kind is the game's own word."""

    id: str
    name: str
    kind: str = ""
    parent: str = ""  # the formation that it belongs to: a division's corps


@dataclass(frozen=True)
class Words:
    """How names are compared: case, spaces, hyphens and dots do not count; abbreviations are alike."""

    alike: Mapping[str, str] = field(default_factory=dict)

    def tokens(self, text: str) -> tuple[str, ...]:
        """The words, numbers and slashes of a name, in one spelling."""
        plain = text.casefold().translate(_PLAIN)
        plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", plain)
        # Other marks stay, so that a list with commas never runs together into one name.
        found = re.findall(r"\d+|[^\W\d_]+|[^\s._\-\u2013\w]", plain)
        return tuple(_ROMAN.get(word) or self.alike.get(word, word) for word in found)


# Corps are numbered so; a single letter is a word of its own.
_ONES, _TENS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"), ("", "x", "xx", "xxx", "xl")
_ROMAN = {tens + ones: str(10 * t + n) for t, tens in enumerate(_TENS) for n, ones in enumerate(_ONES)
          if len(tens + ones) > 1}  # fmt: skip
_PLAIN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "é": "e", "'": ""})
Key = tuple[str, ...]
_LEFT_OUT = (("inf", "infantry"), ("div", "division"), ("inf", "infantry", "div", "division"))
TOKENS_KEPT = 4096  # names taken apart before


def _without_slashes(key: Key) -> Key:
    return tuple(word for word in key if word != "/")


class _Units(dict[str, Unit]):
    """The units by their ids."""

    def __missing__(self, unit: str) -> Unit:
        raise NoSuchUnit(unit)


class Roster:
    """All units of a game, found by id or by any name a player may write."""

    def __init__(self, units: Iterable[Unit], formations: Iterable[Formation] = (), words: Words | None = None) -> None:
        self._units = _Units((unit.id, unit) for unit in units)
        # The unit with exactly this id; raises NoSuchUnit. Rules ask nothing more often: no method of our own between.
        self.get: Callable[[str], Unit] = self._units.__getitem__
        self._formations = {formation.id: formation for formation in formations}
        self._words = words or Words()
        self._tokens = lru_cache(maxsize=TOKENS_KEPT)(self._words.tokens)  # the same names come in every mail
        self._strict: dict[Key, list[Unit]] = {}
        self._loose: dict[Key, list[Unit]] = {}
        self._spellings: dict[str, str] = {}
        for unit in self._units.values():
            self._index(unit)
        ids: dict[Key, list[Unit]] = {}
        for unit in self._units.values():
            ids.setdefault(self._tokens(unit.id), []).append(unit)
        # A unit's own id beats a nickname of another: 3/3 is the unit with that id and no other.
        self._strict |= ids
        self._longest = max((len(key) for key in self._strict), default=0)
        self._by_formation: dict[str, list[Unit]] = {}
        self._parts_of: dict[str, list[Unit]] = {}
        self._by_side: dict[str, list[Unit]] = {}
        self._bodies: dict[Key, dict[str, Unit]] = {}
        for unit in self._units.values():
            self._by_side.setdefault(unit.side, []).append(unit)
            levels = self.levels(unit.formation)
            if unit.of:
                self._parts_of.setdefault(unit.of, []).append(unit)
            for formation in levels:
                self._by_formation.setdefault(formation.id, []).append(unit)
            for name in {*self._parts(unit), *(n for formation in levels for n in (formation.id, formation.name))}:
                for key in self._short(name):
                    self._bodies.setdefault(key, {})[unit.id] = unit
        self.longest_body = max(map(len, self._bodies), default=0)

    @staticmethod
    def _parts(unit: Unit) -> list[str]:
        """What a unit's own names say of the body that it is a part of: `110/11Pz`, `29TC-1`, `..., 11th Division`."""
        corps, _, counter = unit.id.rpartition("-")
        parts = [*unit.name.split(", "), unit.id.partition("/")[2], corps if counter.isdigit() else ""]
        return [part for part in parts if part and part != unit.name and not part.isdigit()]

    def _short(self, name: str) -> set[Key]:
        """A body's name, and without the words that people leave out."""
        key = self._tokens(name)
        shorter = [tuple(word for word in key if word not in left_out) for left_out in _LEFT_OUT]
        return {key, *(short for short in shorter if len(short) > 1)}

    def body(self, text: str) -> list[Unit]:
        """The units of the division, corps or army that this text names, in the order of the file."""
        return list(self._bodies.get(self._tokens(text), {}).values())

    def _index(self, unit: Unit) -> None:
        for name in (unit.id, unit.name, *unit.nicknames):
            key = self._tokens(name)
            for spelling in (" ".join(key), name.casefold()):
                self._spellings.setdefault(spelling, unit.id)
            for names, words in ((self._strict, key), (self._loose, _without_slashes(key))):
                same = names.setdefault(words, [])
                if unit not in same:
                    same.append(unit)

    def __iter__(self) -> Iterator[Unit]:
        return iter(self._units.values())

    def __len__(self) -> int:
        return len(self._units)

    def __contains__(self, unit: object) -> bool:
        return unit in self._units

    def by_side(self, side: str) -> list[Unit]:
        """The units of a side, in the order of the file."""
        return list(self._by_side.get(side, ()))

    def by_formation(self, formation: str) -> list[Unit]:
        """The units of a formation and of all that belong to it, in the order of the file."""
        return list(self._by_formation.get(formation, ()))

    def parts(self, unit: str) -> list[Unit]:
        """The counters that a unit may come apart into, in the order of the file."""
        return list(self._parts_of.get(unit, ()))

    def by_kind(self, kind: str) -> list[Unit]:
        """The units of a kind, in the order of the file."""
        return [unit for unit in self if unit.kind == kind]

    def formation(self, name: str) -> Formation | None:
        """The formation with this id, if the file names it."""
        return self._formations.get(name)

    def levels(self, formation: str) -> list[Formation]:
        """A formation and those above it, the nearest first."""
        found: list[Formation] = []
        while formation:
            found.append(self._formations.get(formation) or Formation(formation, formation))
            formation = found[-1].parent
        return found

    def formations_named(self, text: str) -> list[Formation]:
        """Every formation this text may name, by id or by name."""
        key = self._tokens(text)
        return [f for f in self.formations if key in (self._tokens(f.id), self._tokens(f.name))]

    @property
    def formations(self) -> tuple[Formation, ...]:
        """All formations the file names."""
        return tuple(self._formations.values())

    def reprinted(self, steps: Mapping[str, Sequence[Mapping[str, int]]]) -> Roster:
        """The same units, some with other values on their steps."""
        units = [replace(unit, steps=tuple(steps.get(unit.id, unit.steps))) for unit in self]
        return Roster(units, self.formations, self._words)

    def find(self, text: str) -> list[Unit]:
        """Every unit this text may name; none if it names nothing. It never guesses."""
        return self._named(self._tokens(text))

    def _named(self, key: Key) -> list[Unit]:
        if not key:
            return []
        return list(self._strict.get(key) or self._loose.get(key) or ())

    def longest(self, words: Sequence[str]) -> tuple[list[Unit], int]:
        """The units named by the longest run of words from the start, and how many words that took."""
        for count in range(min(len(words), self._longest), 0, -1):
            if units := self.find(" ".join(words[:count])):
                return units, count
        return [], 0

    def suggest(self, text: str, limit: int = 3) -> list[str]:
        """Ids of units whose names look like the text; only ever to be shown to the writer."""
        wanted = " ".join(self._tokens(text))
        names = list(self._spellings)
        near = process.extract(wanted, names, scorer=OSA.normalized_similarity, limit=limit * 4, score_cutoff=0.6)
        return list(dict.fromkeys(self._spellings[name] for name, _, _ in near))[:limit]


# --- reading a counters file ---

Table = Mapping[str, Any]


def load_roster(path: Path) -> Roster:
    """Read a counters file, and the ladders it refers to; raises BadCounters."""
    sheet = _Sheet.read(path)
    units = [unit for row in sheet.data.get("units", []) for unit in sheet.whole(row)]
    seen: set[str] = set()
    for unit in units:
        if unit.id in seen:
            raise BadCounters(path.name, unit.id, "two units have this id")
        seen.add(unit.id)
    return Roster(units, sheet.formations.values(), sheet.words)


@dataclass(frozen=True)
class _Sheet:
    """A counters file while it is being read."""

    file: str
    data: Table
    ladders: Table
    formations: Mapping[str, Formation]
    words: Words

    @classmethod
    def read(cls, path: Path) -> _Sheet:
        data = _with_parent(_toml(path), path)
        ladders = _toml(path.parent / data["ladders"]).get("ladders", {}) if "ladders" in data else {}
        formations = {
            name: Formation(name, row.get("name", name), row.get("kind", ""), row.get("parent", ""))
            for name, row in data.get("formations", {}).items()
        }
        _check_levels(path.name, formations)
        alike = {word: short for short, words in data.get("words", {}).items() for word in words}
        return cls(path.name, data, ladders, formations, Words(alike))

    def bad(self, unit: str, problem: str) -> BadCounters:
        return BadCounters(self.file, unit, problem)

    def whole(self, row: Table) -> list[Unit]:
        """A unit, and the counters that units of its type come apart into: a name and a type each."""
        unit = self.unit(row)
        parts = {**self.data["types"][unit.kind], **row}.get("parts", ())
        rows = [{key: text.format(id=unit.id, name=unit.name) for key, text in part.items()} for part in parts]
        return [unit, *(self.unit({"formation": unit.formation, **part, "of": unit.id}) for part in rows)]

    def unit(self, row: Table) -> Unit:
        unit = str(row.get("id", ""))
        if not unit:
            raise self.bad(str(dict(row)), "a unit needs an id")
        kind = row.get("type", "")
        if kind not in self.data.get("types", {}):
            raise self.bad(unit, f"there is no type {kind!r}: add [types.{kind!r}] or correct the unit's type")
        merged: dict[str, Any] = {**self.data["types"][kind], **row}
        for needed in ("side", "size"):
            if needed not in merged:
                raise self.bad(unit, f"its type {kind!r} has no {needed}")
        formation = merged.get("formation", "")
        if formation and formation not in self.formations:
            raise self.bad(unit, f"there is no formation {formation!r}")
        steps = self.steps(unit, merged)
        sources = tuple(merged.get("sources", ["text"] * len(steps)))
        if len(sources) != len(steps):
            raise self.bad(unit, f"{len(steps)} steps but {len(sources)} sources")
        names = self.names(unit, merged, formation)
        return Unit(
            id=unit,
            side=merged["side"],
            kind=kind,
            size=merged["size"],
            name=names[0],
            steps=steps,
            formation=formation,
            classes=frozenset(merged.get("classes", ())),
            nicknames=names[1:],
            setup=merged.get("setup", ""),
            sources=sources,
            note=merged.get("note", ""),
            of=merged.get("of", ""),
        )

    def names(self, unit: str, row: Table, formation: str) -> tuple[str, ...]:
        number = str(row.get("number", unit.partition("/")[0] if formation else unit))
        parent = self.formations[formation].name if formation else ""
        blanks = {"number": number, "nth": nth(number), "formation": formation, "parent": parent}
        patterns = [row.get("name", unit), *row.get("names", ()), *row.get("nicknames", ())]
        try:
            return tuple(dict.fromkeys(pattern.format(**blanks) for pattern in patterns))
        except (KeyError, IndexError, ValueError) as error:
            raise self.bad(unit, f"cannot fill in one of its names: {error}") from None

    def steps(self, unit: str, row: Table) -> tuple[Mapping[str, int], ...]:
        keys = row.get("values", self.data.get("values", "attack-defence-move")).split("-")
        printed = row["steps"] if "steps" in row else self.rungs(unit, row)
        steps = []
        for step in printed:
            figures = str(step).split("-")
            if len(figures) != len(keys) or not all(figure.isdigit() for figure in figures):
                raise self.bad(unit, f"step {step!r} should read like {'-'.join(keys)}")
            steps.append(dict(zip(keys, map(int, figures), strict=True)))
        if not steps:
            raise self.bad(unit, "it has no steps")
        return tuple(steps)

    def rungs(self, unit: str, row: Table) -> list[str]:
        """The steps of a unit that stands on a ladder: from its `rung` down, at most `rungs` of them."""
        name = row.get("ladder", "")
        if name not in self.ladders:
            problem = f"there is no ladder {name!r}" if name else "it has neither steps nor a ladder"
            raise self.bad(unit, problem)
        ladder = self.ladders[name]
        printed = self.ladders.get(ladder.get("like", name), {}).get("rungs", [])
        first = row.get("rung", 1) - 1
        chosen = printed[first : first + row.get("rungs", len(printed))]
        move = row.get("move", 0) + ladder.get("extra_move", 0)
        return [f"{rung}-{move}" for rung in chosen]


def _check_levels(file: str, formations: Mapping[str, Formation]) -> None:
    """Every formation's parent is there, and none is above itself. Raises BadCounters."""
    for name in formations:
        above, met = formations[name].parent, {name}
        while above:
            if above not in formations or above in met:
                raise BadCounters(file, name, f"it cannot belong to {above!r}")
            met.add(above)
            above = formations[above].parent


def _with_parent(data: Table, path: Path) -> Table:
    """A file that extends another may use its types, formations and words; the units are its own."""
    if "extends" not in data:
        return data
    parent = _toml(path.parent / data["extends"])
    shared = {key: {**parent.get(key, {}), **data.get(key, {})} for key in ("types", "formations", "words")}
    return {**{key: parent[key] for key in ("ladders", "values") if key in parent}, **data, **shared}


def _toml(path: Path) -> Table:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadCounters(path.name, "file", "there is no such file") from None
    except tomllib.TOMLDecodeError as error:
        raise BadCounters(path.name, "file", str(error)) from None


def nth(number: str) -> str:
    """6 as 6th, 21 as 21st; what is no number stays as it is."""
    if not number.isdigit():
        return number
    teens = 10 <= int(number) % 100 <= 20
    return number + ("th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(int(number) % 10, "th"))
