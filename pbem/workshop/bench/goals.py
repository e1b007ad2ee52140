"""Figures: on what each was measured, what it should come to, and what a rulebook states for itself."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from engine.folder import SCENARIOS
from engine.rulebook import BadTables

TABLE: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("figures.toml").read_text(encoding="utf-8"))
WORKLOADS = {name: words for part in TABLE.values() for name, words in part.items() if isinstance(words, str)}
Figures = list[tuple[str, float, str]]  # a name, a number, the workload in words


def figure(name: str, value: float, **blanks: object) -> tuple[str, float, str]:
    """A number with what it was measured on."""
    return name, value, WORKLOADS[name].format(**blanks)


class Goals(BaseModel):
    """The table `bench` of a rulebook's scenarios: which one is played, and goals, its own before the usual ones."""

    scenario: str = ""  # the first, if it says nothing
    at_least: dict[str, float] = {}
    at_most: dict[str, float] = {}

    @classmethod
    def of(cls, stated: Mapping[str, Any]) -> Goals:
        """With what the head of a rulebook's scenarios says. Raises BadTables."""
        try:
            said = cls.model_validate(stated)
        except ValidationError as error:
            first = error.errors()[0]
            raise BadTables(SCENARIOS, ".".join(map(str, ("bench", *first["loc"]))), first["msg"]) from None
        usual = TABLE["usual"]
        own = {"at_least": usual["at_least"] | said.at_least, "at_most": usual["at_most"] | said.at_most}
        return said.model_copy(update=own)

    def said(self, name: str) -> str:
        """The goal of a figure in words; empty if it has none."""
        if name in self.at_least:
            return f"at least {self.at_least[name]:,g}"
        return f"at most {self.at_most[name]:,g}" if name in self.at_most else ""

    def met(self, name: str, value: float) -> bool:
        return self.at_least.get(name, value) <= value <= self.at_most.get(name, value)

    def held_against(self, figures: Iterable[tuple[str, float, str]]) -> dict[str, Any]:
        """Figures with their workloads as they are told: which have a goal, and which miss it."""
        found = list(figures)
        return {
            **{name: value for name, value, _ in found},
            "workloads": {name: work for name, _, work in found},
            "goals": {name: aim for name, _, _ in found if (aim := self.said(name))},
            "missed": [name for name, value, _ in found if not self.met(name, value)],
        }
