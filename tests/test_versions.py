"""Rules that change have a new version: a log says under which it was written, and that must mean something.

`versions.toml` holds what every rulebook's rules came to when its version was noted; `make versions` notes it anew.
Code that is written otherwise and rules the same keeps its version: `make versions SAME=RULEBOOK` notes it, if every
stored campaign of the rulebook comes out the same.
"""

from __future__ import annotations

import hashlib
import shutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import games
from engine.campaign import verify
from engine.campaign.verify import FindGame
from engine.game import Game
from tests.stored import FOLDER as CAMPAIGNS

NOTED = Path(__file__).parent / "versions.toml"
# What a log cannot notice: how the rulebook is explained, drawn, and played by bots.
BESIDE = {
    "README.md",
    "judgement",
    "look.toml",
    "marks.toml",
    "questions.toml",
    "reference.py",
    "rules.toml",
    "standing.py",
}


def rules_in(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".toml", ".txt") and path.relative_to(folder).parts[0] not in BESIDE:
            yield path


def digest(folder: Path) -> str:
    """Of every line that rules and figures are made of; comments and empty lines count for nothing."""
    found = hashlib.sha256()
    for path in rules_in(folder):
        found.update(f"\n{path.relative_to(folder).as_posix()}\n".encode())
        for line in path.read_text(encoding="utf-8").splitlines():
            if path.suffix == ".txt" or (line.strip() and not line.lstrip().startswith("#")):
                found.update(f"{line.rstrip()}\n".encode())
    return found.hexdigest()


def number(name: str, version: str) -> int:
    book, _, said = version.partition("/")
    assert book == name, f"the version of {name} is written {name}/NUMBER, not {version}"
    return int(said)


def unproved(name: str, logs: Sequence[Path], find_game: FindGame = games.find_game) -> str:
    """Why stored campaigns do not show that the rules are the same; empty if they do."""
    if not logs:
        return f"no campaign of {name} is stored that could show its rules to be the same: raise its version"
    for log in logs:
        if faults := verify(log, find_game).faults:
            why = f"line {faults[0].line} of {log.name}: {faults[0].what}"
            return f"the rules of {name} are not the same, so that its version must be raised: {why}"
    return ""


@pytest.mark.parametrize("name", games.titles())
def test_rules_that_changed_have_a_new_version(name: str, request: pytest.FixtureRequest) -> None:
    title = games.title(name)
    noted = tomllib.loads(NOTED.read_text(encoding="utf-8"))
    before, now = noted.get(name), {"version": title.version, "digest": digest(title.folder)}
    if before is not None and before["digest"] != now["digest"] and before["version"] == now["version"]:
        assert request.config.getoption("--same-rules") == name, (
            f"the rules of {name} changed: raise the version in its scenarios.toml, then `make versions`; "
            f"if they are the same and only their code changed, `make versions SAME={name}`"
        )
        why_not = unproved(name, sorted((CAMPAIGNS / name).glob("*.jsonl")))
        assert not why_not, why_not
    if before is not None and before["version"] != now["version"]:
        assert number(name, title.version) > number(name, before["version"]), f"the version of {name} went back"
    if request.config.getoption("--update-golden"):
        noted[name] = now
        rows = (f'[{book}]\nversion = "{row["version"]}"\ndigest = "{row["digest"]}"\n' for book, row in noted.items())
        NOTED.write_text("\n".join(rows), encoding="utf-8")
        return
    assert before == now, f"{name} has a new version: `make versions` notes it"


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    first = next(iter(games.titles().values()))
    return Path(shutil.copytree(first.folder, tmp_path / first.id, ignore=shutil.ignore_patterns("__pycache__")))


@pytest.mark.parametrize("file", ["game.py", "orders.py", "rules/supply.py", "tables.toml", "counters.toml", "map.txt"])
def test_a_changed_rule_or_figure_is_noticed(copied: Path, file: str) -> None:
    before = digest(copied)
    with (copied / file).open("a", encoding="utf-8") as rules:
        rules.write("six = 6\n")
    assert digest(copied) != before


def test_other_code_keeps_its_version_only_if_every_stored_campaign_comes_out_the_same(tmp_path: Path) -> None:
    (log,) = (CAMPAIGNS / "korsun_spi").glob("proving-german-strategic-random-7.jsonl")
    assert unproved("korsun_spi", [log]) == ""
    assert unproved("korsun_spi", []).startswith("no campaign of korsun_spi is stored")

    def with_other_rules(name: str, scenario: str, options: Mapping[str, Any]) -> Game:
        return games.find_game(name, scenario.replace("proving", "proving-rail"), options)

    refused = unproved("korsun_spi", [log], with_other_rules)
    assert refused.startswith("the rules of korsun_spi are not the same, so that its version must be raised: line ")
    assert log.name in refused


@pytest.mark.parametrize("file", ["README.md", "look.toml", "judgement/worth.py", "reference.py"])
def test_what_no_log_can_notice_needs_no_new_version(copied: Path, file: str) -> None:
    before = digest(copied)
    for changed, line in ((file, "six = 6\n"), ("game.py", "\n# why\n")):
        with (copied / changed).open("a", encoding="utf-8") as text:
            text.write(line)
    assert digest(copied) == before
