"""The layers stay apart: engine and post office know no rulebook, the engine knows no outside world."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import games

ROOT = Path(__file__).parent.parent
RULEBOOK_WORDS = re.compile(r"korsun|manstein|jaws|kharkov|vae[ _]?victis", re.I)
OUTSIDE = {"email", "http", "imaplib", "smtplib", "socket", "sqlite3", "ssl", "urllib"}
VAGUE = {"utils", "helpers", "manager", "base", "misc", "common"}


def sources(*packages: str) -> Iterator[Path]:
    for package in packages:
        yield from (path for path in (ROOT / package).rglob("*") if path.suffix in (".py", ".toml", ".txt"))


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("package", ["engine", "pbem"])
def test_no_rulebook_is_named_outside_its_own_folder(package: str) -> None:
    books = [*games.titles(), *games.drafts()]
    named = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sources(package)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if RULEBOOK_WORDS.search(line) or any(book in line for book in books)
    ]
    assert not named


def test_the_engine_knows_no_mail_no_database_and_no_network() -> None:
    found = {
        str(path.relative_to(ROOT)): OUTSIDE & set(imported(path)) for path in sources("engine") if path.suffix == ".py"
    }
    assert not {path: names for path, names in found.items() if names}


def test_every_module_is_named_for_what_it_holds() -> None:
    vague = [path for path in sources("engine", "games", "pbem") if path.stem in VAGUE]
    assert not vague


def twice(named: Iterator[tuple[str, Path]]) -> dict[str, list[str]]:
    """The names that more than one place has."""
    places: dict[str, list[str]] = {}
    for name, path in named:
        places.setdefault(name, []).append(str(path.relative_to(ROOT)))
    return {name: found for name, found in places.items() if len(found) > 1}


def modules(*packages: str) -> Iterator[tuple[str, Path]]:
    """Rooms and modules; one that is called like its room is the heart of it."""
    for path in (path for package in packages for path in (ROOT / package).rglob("*.py")):
        if path.stem == "__init__":
            yield path.parent.name, path.parent
        elif path.stem not in ("__main__", path.parent.name):
            yield path.stem, path


def classes(*packages: str) -> Iterator[tuple[str, Path]]:
    for path in (path for package in packages for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, path


def test_no_two_modules_have_one_name() -> None:
    assert not twice(modules("engine", "pbem"))


def test_no_two_classes_have_one_name() -> None:
    assert not twice(classes("engine", "pbem"))
