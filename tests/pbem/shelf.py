"""Shelves for tests: one with a single small game on it, and a copy of the source with none."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import games
from engine.game import Rulebook

ROOT = Path(__file__).parents[2]
TESTS = ("conftest.py", "test_cases.py", "test_ledgers.py", "games/conftest.py", "games/test_folders.py")
SHARED = ("engine", "pbem", "templates", "pyproject.toml", *(f"tests/{name}" for name in TESTS))

# Typed one after another in one process, for most of a command's time is spent on starting.
TYPING = """
import json, shlex, subprocess, sys
from typer.testing import CliRunner
from pbem.cli import app

said = []
for line in json.loads(sys.argv[1]):
    tool, *words = shlex.split(line)
    if tool == "pbem":
        done = CliRunner().invoke(app, words)
        status, told = done.exit_code, done.output
    else:
        done = subprocess.run([sys.executable, "-m", tool, *words], capture_output=True, text=True)
        status, told = done.returncode, done.stdout + done.stderr
    said.append(told)
    if status:
        sys.exit(f"{line}: {told}")
json.dump(said, sys.__stdout__)
"""


def only(monkeypatch: pytest.MonkeyPatch, book: Rulebook) -> None:
    """The library has this rulebook and no other."""
    monkeypatch.setattr(games, "_shelved", lambda: ({book.id: book}, []))
    monkeypatch.setattr(games, "rulebook", games.title)


def empty_shelf(root: Path) -> Path:
    for folder in ("games", "tests/games"):
        (root / folder).mkdir(parents=True)
    for name in SHARED:
        (root / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "games" / "__init__.py", root / "games")
    return root


def typed(root: Path, *lines: str, inside: Path | None = None) -> list[str]:
    """Commands typed in a folder, with its own copy of the source or that one; all must succeed. What each said."""
    around = {**os.environ, "PYTHONPATH": str(inside or root), "PYTHONDONTWRITEBYTECODE": "1"}
    words = [sys.executable, "-c", TYPING, json.dumps(lines)]
    done = subprocess.run(words, cwd=root, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    said: list[str] = json.loads(done.stdout)
    return said
