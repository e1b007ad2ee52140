"""A rulebook's folder: its tables, each file read once, and what it says of itself before its rules are loaded."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

SCENARIOS = "scenarios.toml"


@dataclass(frozen=True)
class Switch:
    """What the players of a scenario may choose: its values, the one it has by itself, and the case it comes from."""

    name: str
    values: tuple[Any, ...]
    default: Any
    case: str
    about: str
    own: tuple[Any, ...] = ()  # values that leave it to each player, so that two would not play the same game


@dataclass(frozen=True)
class Scenario:
    id: str
    title: str
    about: str
    turns: int
    choices: tuple[Switch, ...] = ()


class NoSuchScenario(ValueError):
    def __init__(self, game: str, name: str, known: Sequence[str]) -> None:
        super().__init__(f"{game} has no scenario {name!r}; it has {', '.join(known)}")
        self.game, self.name, self.known = game, name, tuple(known)


@dataclass(frozen=True)
class Title:
    """A published game as its folder announces it."""

    id: str
    title: str
    about: str
    folder: Path
    version: str  # of its rules: raised with every change that a stored log could notice
    scenarios: tuple[Scenario, ...]
    draft: bool = field(default=False, kw_only=True)  # still being written: found by its name, and offered to nobody
    bench: Mapping[str, Any] = field(default_factory=dict, kw_only=True, compare=False)  # goals of its own speed

    def scenario(self, name: str) -> Scenario:
        """The scenario of that name; the first one for none. Raises NoSuchScenario."""
        if not name:
            return self.scenarios[0]
        for scenario in self.scenarios:
            if scenario.id == name:
                return scenario
        raise NoSuchScenario(self.id, name, tuple(s.id for s in self.scenarios))


@cache
def read_toml(folder: Path, name: str) -> dict[str, Any]:
    return tomllib.loads((folder / name).read_text(encoding="utf-8"))


@cache
def read_title(folder: Path) -> Title:
    """What `scenarios.toml` says at its head, and what can be played. Raises OSError, KeyError, TOMLDecodeError."""
    said = read_toml(folder, SCENARIOS)
    draft = said.get("draft", False)
    bench = said.get("bench", {})
    head = said["title"], said["about"], folder, said["version"]
    return Title(folder.name, *head, _scenarios(folder), draft=draft, bench=bench)


def scenario_table(folder: Path, name: str) -> dict[str, Any]:
    """A scenario's table with what it takes over from the one it is like."""
    found: dict[str, Any] = read_toml(folder, SCENARIOS)["scenarios"][name]
    if "like" not in found:
        return found
    parent = scenario_table(folder, found["like"])
    return {**parent, **found, "switches": {**parent["switches"], **found["switches"]}}


def switches(folder: Path, scenario: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Every switch at its value: the rulebook's, then the scenario's, then the players'."""
    values = {name: row["default"] for name, row in read_toml(folder, SCENARIOS)["switches"].items()}
    return {**values, **scenario["switches"], **options}


def _scenarios(folder: Path) -> tuple[Scenario, ...]:
    """What can be played, each with the switches that its players may choose."""
    table = read_toml(folder, SCENARIOS)
    found = []
    for name in table["scenarios"]:
        row = scenario_table(folder, name)
        offered = tuple(
            Switch(
                key,
                tuple(s["choices"]),
                row["switches"].get(key, s["default"]),
                s["case"],
                s["about"],
                tuple(s.get("own", ())),
            )
            for key, s in table["switches"].items()
            if s.get("option")
        )
        found.append(Scenario(name, row["title"], row.get("about", row["title"]), row["turns"], offered))
    return tuple(found)
