"""The case ledger: what a rulebook asks, how it was read, and where the code does it."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from rapidfuzz import fuzz, process

Kind = Literal["mechanic", "table", "setup", "scenario", "optional", "definition", "component", "example", "history"]
COUNTED: frozenset[Kind] = frozenset({"mechanic", "table", "setup", "scenario", "optional"})


class BadLedger(ValueError):
    """A ledger file that cannot be read: which file, which case, what is wrong."""

    def __init__(self, file: str, case: str, problem: str) -> None:
        super().__init__(file, case, problem)
        self.file, self.case, self.problem = file, case, problem

    def __str__(self) -> str:
        return f"{self.file}: case {self.case}: {self.problem}"


class NoSuchCase(KeyError):
    """No case has this number; the suggestions are cases with numbers like it."""

    def __init__(self, case: str, suggestions: list[str]) -> None:
        super().__init__(case, suggestions)
        self.case, self.suggestions = case, suggestions

    def __str__(self) -> str:
        near = f"; near it: {', '.join(self.suggestions)}" if self.suggestions else ""
        return f"there is no case {self.case}{near}"


class Case(BaseModel):
    """One numbered case of a rulebook."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1)
    kind: Kind
    title: str
    requires: str
    reading: str = ""
    decides: str = ""
    hidden: str = ""
    see: tuple[str, ...] = ()
    done: tuple[str, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether the rulebook asks something of the code here."""
        return self.kind in COUNTED

    @cached_property
    def prose(self) -> str:
        """Everything a reader may search for, in one lower-case text."""
        return f"{self.title} {self.requires} {self.reading}".casefold()


class Ledger:
    """All cases of a rulebook, in its own order."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self._cases = {case.id: case for case in cases}

    def __iter__(self) -> Iterator[Case]:
        return iter(self._cases.values())

    def __len__(self) -> int:
        return len(self._cases)

    def __contains__(self, number: object) -> bool:
        return number in self._cases

    def get(self, number: str) -> Case:
        """The case with this number; raises NoSuchCase."""
        try:
            return self._cases[number]
        except KeyError:
            raise NoSuchCase(number, self._near(number)) from None

    def _near(self, number: str) -> list[str]:
        near = process.extract(number, list(self._cases), scorer=fuzz.ratio, limit=3, score_cutoff=60)
        return [name for name, _, _ in near]

    def by_kind(self, kind: Kind) -> list[Case]:
        """The cases of one kind."""
        return [case for case in self if case.kind == kind]

    @property
    def counted(self) -> list[Case]:
        """The cases that ask something of the code."""
        return [case for case in self if case.counts]

    def find(self, text: str) -> list[Case]:
        """The case with this number and its parts, or else every case that has all the words."""
        wanted = text.strip().casefold()
        if wanted in self._cases or re.fullmatch(r"(?:[a-z]+-)?\d[\w.\-]*", wanted):
            return [case for case in self if _is_part_of(case.id.casefold(), wanted)]
        words = wanted.split()
        return [case for case in self if words and all(word in case.prose for word in words)]


def _is_part_of(number: str, whole: str) -> bool:
    """9.61 and 9.6-a are parts of 9.6, and all of these of 9.0 or 9; 19.6 is not."""
    section = whole.removesuffix(".0")
    if section != whole or "." not in whole:
        return number == section or number.startswith((f"{section}.", f"{section}-"))
    return number == whole or number.startswith(f"{whole}-") or _is_subcase(number, whole)


def _is_subcase(number: str, whole: str) -> bool:
    return number.startswith(whole) and number[len(whole) :][:1].isdigit() and len(whole.partition(".")[2]) == 1


def load_ledger(path: Path) -> Ledger:
    """Read a ledger file; raises BadLedger."""
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8")).get("case", [])
    except tomllib.TOMLDecodeError as error:
        raise BadLedger(path.name, "?", str(error)) from None
    cases: dict[str, Case] = {}
    for row in rows:
        number = str(row.get("id", "?"))
        try:
            case = Case.model_validate(row)
        except ValidationError as error:
            first = error.errors()[0]
            raise BadLedger(path.name, number, f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
        if number in cases:
            raise BadLedger(path.name, number, "it stands in the ledger twice")
        cases[number] = case
    return _checked(path.name, cases)


def _checked(file: str, cases: dict[str, Case]) -> Ledger:
    for case in cases.values():
        for other in case.see:
            if other not in cases:
                raise BadLedger(file, case.id, f"it points to {other}, which is no case")
    return Ledger(cases.values())
