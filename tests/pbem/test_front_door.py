"""The front door: a verb loads what it needs and no more, and all but `serve` work without the locks of POSIX."""

from __future__ import annotations

import json
import os
import re
import resource
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import games
from pbem.cli import VERBS

ROOT = Path(__file__).parents[2]
HEAVY = {"PIL", "sqlalchemy", "sqlmodel", "imapclient", "aiosmtpd", "pymap", "jinja2", "pbem.workshop", "pbem.service"}
HEAVY |= {"alembic", "mako"}
BOOK, OTHER = sorted(book for book in games.titles() if len(games.find_game(book).setting.chairs) > 1)[:2]
TYPING = """
import json, sys
for name in {without!r}:
    sys.modules[name] = None
from pbem.cli import app
status = max(app(words, standalone_mode=False) or 0 for words in json.loads(sys.argv[1]))
sys.stderr.write(json.dumps(sorted(sys.modules)))
sys.exit(status)
"""
WINDOWS = ("fcntl", "grp", "pwd", "resource", "termios")  # what it lacks
Typed = Callable[..., tuple[int, str, set[str]]]


def run(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    inside = {**os.environ, "PYTHONPATH": str(ROOT), "PBEM_HOME": str(cwd / "home")}
    return subprocess.run([sys.executable, *words], cwd=cwd, env=inside, capture_output=True, text=True, check=False)


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    """Commands in a process of their own: its status, what they said, and the modules they loaded."""

    def type_in(*lines: str, without: tuple[str, ...] = ()) -> tuple[int, str, set[str]]:
        wanted = json.dumps([shlex.split(line) for line in lines])
        done = run("-c", TYPING.format(without=without), wanted, cwd=tmp_path)
        said, _, loaded = done.stderr.rpartition("[")
        return done.returncode, done.stdout + said, set(json.loads("[" + loaded))

    return type_in


def seconds(*words: str) -> float:
    """Processor time at its best: what else the machine does is no part of it."""
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(*words)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


@pytest.mark.parametrize("verb", ["--help", "games"])
def test_looking_around_costs_at_most_five_times_the_bare_libraries(verb: str) -> None:
    assert seconds("-c", "from pbem.cli import app; app()", verb) <= 5 * seconds("-c", "import typer, rich")


def test_help_is_given_without_rules_and_mail(typed: Typed) -> None:
    status, said, loaded = typed("--help")
    assert status == 0
    assert "bench" in said
    assert not {name for name in loaded if name.startswith(("games.", "engine.game", "engine.campaign"))}
    assert not loaded & HEAVY


def test_titles_are_told_without_any_rules(typed: Typed) -> None:
    status, said, loaded = typed("games")
    assert status == 0
    assert BOOK in said
    assert OTHER in said
    assert not {name for name in loaded if name.startswith(("games.", "engine.game"))}


def test_a_verb_loads_its_own_rulebook_and_no_mail(typed: Typed) -> None:
    typed(f"new {BOOK} --log a.jsonl --seed 1")
    status, said, loaded = typed(
        "ask --log a.jsonl", "check --log a.jsonl --side german --help", "log a.jsonl --side german"
    )
    assert status == 0, said
    assert f"games.{BOOK}" in loaded
    assert f"games.{OTHER}" not in loaded
    assert not loaded & HEAVY


def test_a_house_of_this_version_is_opened_without_its_migrations(typed: Typed) -> None:
    assert "alembic" in typed("game list")[2]
    status, said, loaded = typed("game list", "watch --once")
    assert status == 0, said
    assert not loaded & {"alembic", "mako"}


def test_it_says_its_version(typed: Typed) -> None:
    stated = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.M)
    assert stated is not None
    assert typed("--version")[:2] == (0, f"Fieldpost {stated[1]}\n")


def test_without_locks_games_are_played_and_moderated_but_not_served(typed: Typed) -> None:
    status, said, _ = typed(
        *(f"{verb} --help" for verb in VERBS),
        f"new {BOOK} --log a.jsonl --seed 1",
        "init --address post@club.example --moderator me@club.example",
        f"game new {BOOK} --soviet vatutin@front.example --german bot:sensible",
        "watch --once",
        without=WINDOWS,
    )
    assert status == 0, said
    assert "vatutin@front.example" in said
    status, said, _ = typed("serve", without=WINDOWS)
    assert status == 2
    assert said == "pbem: this system has no locks on files (Windows has none), so that games cannot be served here.\n"
