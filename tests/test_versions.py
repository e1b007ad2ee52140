"""Rules that change have a new version: a log says under which it was written, and that must mean something.

`versions.toml` holds what every rulebook's rules came to when its version was noted; `make versions` notes it anew.
"""

from __future__ import annotations

import hashlib
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import games

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


@pytest.mark.parametrize("name", games.titles())
def test_rules_that_changed_have_a_new_version(name: str, request: pytest.FixtureRequest) -> None:
    title = games.title(name)
    noted = tomllib.loads(NOTED.read_text(encoding="utf-8"))
    before, now = noted.get(name), {"version": title.version, "digest": digest(title.folder)}
    if before is not None and before["digest"] != now["digest"]:
        raised = number(name, title.version) > number(name, before["version"])
        assert raised, f"the rules of {name} changed: raise the version in its scenarios.toml, then `make versions`"
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


@pytest.mark.parametrize("file", ["README.md", "look.toml", "judgement/worth.py", "reference.py"])
def test_what_no_log_can_notice_needs_no_new_version(copied: Path, file: str) -> None:
    before = digest(copied)
    for changed, line in ((file, "six = 6\n"), ("game.py", "\n# why\n")):
        with (copied / changed).open("a", encoding="utf-8") as text:
            text.write(line)
    assert digest(copied) == before
