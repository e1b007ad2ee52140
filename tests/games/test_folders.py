"""What holds for every rulebook's folder: its map is sound ground, and its files agree with one another."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import games
from engine import hexset
from engine.board import Board, Course, load_board, write_map_text
from engine.ledger import load_ledger

SOURCES = {"text", "inferred", "derived", "reconstructed", "invented"}
FOLDERS = sorted(file.parent for file in Path(games.__path__[0]).glob("*/rules.toml"))
MAPS = [
    (folder, name)
    for folder in FOLDERS
    for name in sorted(
        {
            row["map"]
            for row in tomllib.loads((folder / "scenarios.toml").read_text())["scenarios"].values()
            if "map" in row
        }
    )
]
every_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
every_map = pytest.mark.parametrize(("folder", "name"), MAPS, ids=[f"{f.name}-{name}" for f, name in MAPS])


@cache
def board(folder: Path, name: str) -> Board:
    return load_board(folder, name)


def toml(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


# --- The ground ---


def joined(on: Board, one: tuple[int, int], two: tuple[int, int]) -> bool:
    """Two hexsides meet: they share a hex, and their other hexes touch."""
    three = set(one) | set(two)
    return len(three) == 3 and all(a == b or on.grid.direction(a, b) is not None for a in three for b in three)


@every_map
def test_a_river_is_one_unbroken_run_of_hexsides(folder: Path, name: str) -> None:
    found = board(folder, name)
    for course in found.courses:
        assert all(joined(found, one, two) for one, two in pairwise(course.sides)), course.name


def ends(on: Board, course: Course) -> bool:
    """In another river, in a hex of water, or at the edge of the map; a lake stands."""
    first, second = course.sides[-1]
    into = any(joined(on, course.sides[-1], side) for other in on.courses if other != course for side in other.sides)
    beside = hexset.spread(on.grid, 1 << first) & hexset.spread(on.grid, 1 << second)
    water = hexset.union(on.terrain.get(kind, 0) for kind in ("river", "water", "sea"))
    rim = hexset.union(on.edges.values())
    return course.feature == "lake" or into or bool(beside & water) or bool(hexset.of((first, second)) & rim)


@every_map
def test_a_river_ends_in_another_in_water_or_at_the_edge_of_the_map(folder: Path, name: str) -> None:
    found = board(folder, name)
    assert [course.name for course in found.courses if not ends(found, course)] == []


@every_map
def test_no_hexside_belongs_to_two_rivers(folder: Path, name: str) -> None:
    sides = [frozenset(side) for course in board(folder, name).courses for side in course.sides]
    assert len(set(sides)) == len(sides)


@every_map
def test_every_place_bears_a_name_of_its_own(folder: Path, name: str) -> None:
    found = board(folder, name)
    for place in found.places.values():
        assert all(found.find(spelling) == [place] for spelling in (place.name, *place.also)), place.name


@every_folder
def test_every_item_of_the_map_says_where_it_comes_from(folder: Path) -> None:
    data = toml(folder / "map.toml")
    named = [*data.get("lines", {}).values(), *data.get("areas", {}).values()]
    items = [*data["places"], *data["sides"], *data["ways"], *named]
    assert {item["source"] for item in items} <= SOURCES


@every_map
def test_the_drawing_is_written_back_as_it_was_read(folder: Path, name: str) -> None:
    assert write_map_text(board(folder, name)) == (folder / f"{name}.txt").read_text(encoding="utf-8")


# --- The files ---


def figures(value: Any) -> Iterator[dict[str, Any]]:
    """Every table that names a case or a source, however deep."""
    if isinstance(value, dict):
        if "case" in value or "source" in value:
            yield value
        for inner in value.values():
            yield from figures(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from figures(inner)


@every_folder
@pytest.mark.parametrize("file", ["tables.toml", "scenarios.toml"])
def test_every_case_that_a_table_names_is_in_the_ledger(folder: Path, file: str) -> None:
    ledger = load_ledger(folder / "rules.toml")
    found = list(figures(toml(folder / file)))
    assert [row["case"] for row in found if "case" in row and row["case"] not in ledger] == []
    assert {row["source"] for row in found if "source" in row} <= SOURCES


@every_folder
def test_every_reading_that_offers_an_option_names_the_switch_of_its_case(folder: Path) -> None:
    switches = toml(folder / "scenarios.toml")["switches"]
    for entry in load_ledger(folder / "rules.toml"):
        for name in re.findall(r"[Oo]ption (\w+):", entry.reading):
            assert switches[name]["case"] == entry.id


@every_folder
def test_the_readme_lists_every_reading_of_the_ledger_and_no_other(folder: Path) -> None:
    _, _, after = (folder / "README.md").read_text(encoding="utf-8").partition("\n## Readings\n")
    listed = [line for line in after.partition("\n## ")[0].splitlines() if line.startswith("| ")][2:]
    read = [entry for entry in load_ledger(folder / "rules.toml") if entry.reading]
    assert listed == [f"| {entry.id} {entry.title} | {entry.reading.replace('|', 'or')} |" for entry in read]
