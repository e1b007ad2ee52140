"""What the figures should come to: usual goals, and those that a rulebook states for itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from engine.folder import SCENARIOS
from engine.rulebook import BadTables

AT_LEAST = {"replay_facts_per_s": 25_000.0, "verify_facts_per_s": 10_000.0}
AT_MOST = {"legal_listing_ms": 100.0, "resume_ms": 50.0, "twice_ratio": 2.2, "mail_growth": 1.2}


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
        return cls(scenario=said.scenario, at_least=AT_LEAST | said.at_least, at_most=AT_MOST | said.at_most)

    def said(self, name: str) -> str:
        """The goal of a figure in words; empty if it has none."""
        if name in self.at_least:
            return f"at least {self.at_least[name]:,g}"
        return f"at most {self.at_most[name]:,g}" if name in self.at_most else ""

    def met(self, name: str, value: float) -> bool:
        return self.at_least.get(name, value) <= value <= self.at_most.get(name, value)

    def held_against(self, figures: Mapping[str, tuple[float, str]]) -> dict[str, Any]:
        """Figures with their workloads as they are told: which have a goal, and which miss it."""
        aims = {name: aim for name in figures if (aim := self.said(name))}
        return {
            **{name: value for name, (value, _) in figures.items()},
            "workloads": {name: work for name, (_, work) in figures.items()},
            "goals": aims,
            "missed": [name for name in aims if not self.met(name, figures[name][0])],
        }
