"""An order: one small class each, with the line a player writes as its usage."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict

from engine.orders.fields import Field


class Order(BaseModel):
    """One thing a player may say. Subclasses give `usage`, and a field for every {name} in it.

    `usage` is the verb, then {fields} by position, then `word {field}` groups that may be typed in any order;
    groups in [brackets] may be left out, and a bracketed word alone is a flag.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    usage: ClassVar[str]
    also: ClassVar[tuple[str, ...]] = ()  # other words for the verb
    about: ClassVar[str] = ""  # one sentence for the help page
    example: ClassVar[str] = ""  # the verb, where it can stand alone
    forecastable: ClassVar[bool] = False  # the game can work out what it would come to
    season: ClassVar[str] = ""  # the case that says when it may be given, named when it is not the time
    opens: ClassVar[bool] = False  # it names the stage that it leads to
    sides: ClassVar[tuple[str, ...]] = ()  # who ever has it; none named: every side
    verb: ClassVar[str]
    shape: ClassVar[Shape]

    clauses: tuple[Order, ...] = ()  # answers to what carrying this order out will ask
    then: tuple[Order, ...] = ()  # what follows if it succeeds
    otherwise: tuple[Order, ...] = ()  # what follows if it does not
    proviso: str = ""  # of a clause: the condition under which it answers

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        if "usage" in cls.__dict__:
            cls.shape = Shape(cls)
            cls.verb = cls.shape.verb
            cls.example = cls.example or ("" if cls.shape.required else cls.verb)

    @property
    def aim(self) -> str:
        """The hex whose clearing makes the order a success, for `then` and `else`: its first target, if it has one."""
        found: str = getattr(self, "target", "") or next(iter(getattr(self, "targets", ())), "")
        return found

    def by_all(self, units: tuple[str, ...]) -> Self:
        """The order as it is meant where these units are asked about: a way that names nobody is everybody's."""
        update = {
            name: tuple((unit, way) for named, way in getattr(self, name) for unit in ((named,) if named else units))
            for name, kind in self.shape.fields.items()
            if kind.kind == "paths" and any(not named for named, _ in getattr(self, name))
        }
        return self.model_copy(update=update) if update else self

    def said_of(self, kind: str) -> list[Any]:
        """What its fields of a kind hold."""
        found = [(getattr(self, name), field.plural) for name, field in self.shape.fields.items() if field.kind == kind]
        return [each for value, plural in found for each in (value if plural else (value,))]

    @property
    def bare(self) -> bool:
        """Whether it is the verb alone."""
        return all(getattr(self, name) == type(self).model_fields[name].default for name in self.shape.fields)

    def line(self) -> str:
        """The order as a player would write it: reading it gives the same order."""
        proviso = ["if", self.proviso] if self.proviso else []
        parts = [" ".join([self.verb, *self.shape.write(self), *proviso])]
        parts += [clause.line() for clause in self.clauses]
        parts += [f"then {order.line()}" for order in self.then]
        parts += [f"else {order.line()}" for order in self.otherwise]
        return "; ".join(parts)

    def alone(self) -> Self:
        """The order without what is tied to it, which may never happen, and without its proviso, which held."""
        tied = [name for name in FOLLOWERS if getattr(self, name)]
        return self.model_copy(update={**dict.fromkeys(tied, ()), "proviso": ""}) if tied or self.proviso else self

    def dump(self) -> dict[str, Any]:
        """The order as the log keeps it."""
        body: dict[str, Any] = {"verb": self.verb}
        for name in self.shape.fields:
            value = getattr(self, name)
            if value != type(self).model_fields[name].default:
                body[name] = _plain(value)
        if self.proviso:
            body["proviso"] = self.proviso
        for name in FOLLOWERS:
            inner: tuple[Order, ...] = getattr(self, name)
            if inner:
                body[name] = [order.dump() for order in inner]
        return body


FOLLOWERS = ("clauses", "then", "otherwise")

_PART = re.compile(r"\[([^\]]+)\]|\{(\w+)\}|([\w-]+)")


def _plain(value: Any) -> Any:
    return [_plain(v) for v in value] if isinstance(value, tuple) else value


class Shape:
    """A usage line taken apart: the verb, the fields by position, the groups by their words."""

    def __init__(self, order: type[Order]) -> None:
        self.positional: list[str] = []
        self.groups: dict[str, str] = {}  # the word that opens a group, and its field
        self.required: set[str] = set()
        self.fields: dict[str, Field] = {}
        head = re.match(r"[\w -]+", order.usage)
        assert head, order
        self.verb = head.group(0).strip()
        word = ""
        for optional, name, plain in _PART.findall(order.usage[head.end() :]):
            if optional:
                self._group(order, optional.split())
            elif name:
                self._field(order, name)
                self.required.add(name)
                if word:
                    self.groups[word] = name
                else:
                    self.positional.append(name)
                word = ""
            else:
                word = plain

    def _group(self, order: type[Order], words: list[str]) -> None:
        name = words[-1].strip("{}")
        self._field(order, name)
        if len(words) == 1 and words[0].startswith("{"):
            self.positional.append(name)
        else:
            self.groups[words[0]] = name

    def _field(self, order: type[Order], name: str) -> None:
        found = [kind for kind in order.model_fields[name].metadata if hasattr(kind, "read")]
        if not found:
            raise TypeError(f"{order.__name__}.{name} has no kind of field")
        self.fields[name] = found[0]

    def write(self, order: Order) -> list[str]:
        """The fields as words after the verb."""
        said = {name: getattr(order, name) for name in self.fields}
        default = type(order).model_fields
        return self._words({n: v for n, v in said.items() if n in self.required or v != default[n].default})

    def begun(self, given: Mapping[str, Any], following: str) -> str:
        """An order as far as it is said, up to the word that opens the field to follow."""
        opener = next((word for word, name in self.groups.items() if name == following and name not in given), "")
        return " ".join(part for part in (self.verb, *self._words(given), opener) if part)

    def gapped(self, given: Mapping[str, Any], following: str, gap: str) -> str:
        """An order as far as it is said, with a sign where the field to follow stands."""
        places = [*((None, name) for name in self.positional), *self.groups.items()]
        written = [(opener, gap if name == following else self.fields[name].write(given[name]))
                   for opener, name in places if name in given or name == following]  # fmt: skip
        return " ".join([self.verb, *(part for pair in written for part in pair if part)])

    def _words(self, given: Mapping[str, Any]) -> list[str]:
        places = [*((None, name) for name in self.positional), *self.groups.items()]
        written = [(opener, self.fields[name].write(given[name])) for opener, name in places if name in given]
        return [part for pair in written for part in pair if part]

    def printed(self, usage: str) -> str:
        """The usage line as a person reads it: fields in capitals."""
        return re.sub(r"\{(\w+)\}", lambda m: self.fields[m.group(1)].label, usage)
