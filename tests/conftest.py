"""Which rule cases the tests try: every `case` mark must name a case that a ledger knows."""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

import games
from engine.ledger import Ledger, NoSuchCase, load_ledger

PROPERTY = "case"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--coverage-json", metavar="FILE", help="write which rule cases the passed tests try")
    parser.addoption("--cases-of", metavar="RULEBOOK", help="run only tests that name cases of this rulebook")
    parser.addoption("--update-golden", action="store_true", help="write the golden answers anew; read them after")
    parser.addoption("--same-rules", metavar="RULEBOOK", help="its code changed, its rules did not: see test_versions")


def pytest_configure(config: pytest.Config) -> None:
    file = config.getoption("--coverage-json")
    if file and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Tried(Path(file)), "tried-cases")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if game := config.getoption("--cases-of"):
        wanted = [item for item in items if any(mark.args[0] == game for mark in item.iter_markers("case"))]
        config.hook.pytest_deselected(items=[item for item in items if item not in wanted])
        items[:] = wanted


@cache
def ledger(game: str) -> Ledger:
    return load_ledger(Path(games.__path__[0]) / game / "rules.toml")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("case"):
        game, *numbers = mark.args
        try:
            known = ledger(game)
            for number in numbers:
                known.get(number)
        except (FileNotFoundError, NoSuchCase) as problem:
            pytest.fail(f"the mark case{mark.args} is wrong: {problem}", pytrace=False)
        item.user_properties.append((PROPERTY, [game, *numbers]))


class Tried:
    """Collects the cases of all tests that passed, from every worker, and writes them down."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.marks: dict[str, list[list[str]]] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.marks[report.nodeid] = [value for name, value in report.user_properties if name == PROPERTY]
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        tried: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for test in sorted(self.marks.keys() - self.failed):
            for game, *numbers in self.marks[test]:
                for number in numbers:
                    tried[game][number].append(test)
        self.file.write_text(json.dumps(tried, indent=1, sort_keys=True) + "\n", encoding="utf-8")
