"""What every verb needs: files found, known errors turned into one sentence, progress on a terminal."""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

import games
from engine.refusals import either
from pbem.wording.columns import columns
from pbem.wording.option_values import read_options

if TYPE_CHECKING:  # what a verb does not need it does not load
    from engine.campaign import Campaign
    from engine.game import Game

WRONG = 2  # the command could not be carried out, and nothing was changed
NOT_ALL = 1  # it was carried out, and something in it was refused or found wrong


class CannotDo(Exception):
    """The command cannot be carried out, and this sentence says why."""


class OneSentence(TyperGroup):
    """The commands; whatever is wrong with their arguments or files is one sentence and exit status 2."""

    def main(self, *args: Any, standalone_mode: bool = True, **how: Any) -> Any:
        try:
            status = super().main(*args, **{**how, "standalone_mode": False})
        except typer.Abort:
            status = NOT_ALL
        except Exception as error:
            from pbem.wording.known_errors import sentence

            said = sentence(error)
            if said is None:
                raise
            sys.stderr.write(f"pbem: {said}\n")
            status = WRONG
        if standalone_mode:
            sys.exit(status or 0)
        return status


def say(text: str = "") -> None:
    """A line on stdout, whole: what a pipe reads must not be wrapped or coloured."""
    sys.stdout.write(text + "\n")


def existing(path: Path) -> Path:
    """The path, if there is a file. Raises CannotDo."""
    if not path.exists():
        raise CannotDo(f"there is no file {path}")
    if path.is_dir():
        raise CannotDo(f"{path} is a folder, not a file")
    return path


def new_file(path: Path) -> Path:
    """The path, if a log can be made there. Raises CannotDo."""
    if path.exists():
        raise CannotDo(f"there is a game at {path.name} already, and it stays")
    return file_to_write(path)


def file_to_write(path: Path) -> Path:
    """The path, if a file can be written there. Raises CannotDo."""
    if path.is_dir():
        raise CannotDo(f"{path} is a folder, not a file")
    if not path.parent.is_dir():
        raise CannotDo(f"there is no folder {path.parent}")
    return path


def folder_to_write(path: Path) -> Path:
    """The path, if files can be written there. Raises CannotDo."""
    if path.exists() and not path.is_dir():
        raise CannotDo(f"{path} is a file, not a folder")
    return path


def open_log(path: Path) -> Campaign:
    """The campaign whose log that is; raises CannotDo for what lies beside it and cannot be read."""
    from engine.campaign import Campaign
    from pbem.wording.known_errors import sentence

    try:
        return Campaign.open(existing(path), games.find_game)
    except ValueError as problem:
        if sentence(problem) is not None:
            raise
        raise CannotDo(f"{path} cannot be opened: {problem}") from None


def now() -> str:
    """The time that a line written now carries."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def chosen_game(name: str, scenario: str, options: Sequence[str] | None) -> Game:
    """The game that the arguments name, with its options read. Raises NoSuchGame and the like."""
    played = games.title(name).scenario(scenario)
    return games.find_game(name, played.id, read_options(options or (), played.choices))


def named_side(game: Game, name: str) -> str:
    """One of the sides that somebody plays, however its case. Raises CannotDo."""
    wanted = name.strip().casefold()
    for side in game.setting.chairs:
        if side.casefold() == wanted:
            return side
    raise CannotDo(f"there is no side {name!r}; there is {either(game.setting.chairs)}")


def read_orders(source: str) -> str:
    """The order lines in a file, or from standard input for `-`."""
    text = sys.stdin.read() if source == "-" else existing(Path(source)).read_text(encoding="utf-8")
    if not text.strip():
        raise CannotDo("there are no orders in it" if source == "-" else f"there are no orders in {source}")
    return text


@contextmanager
def progress(what: str, clock: Callable[[], float] = time.monotonic) -> Iterator[Callable[[int, int], None]]:
    """While long work lasts: a bar where somebody is looking, else a line a minute on stderr; gives `(done, of)`."""
    if not sys.stderr.isatty():
        began, told = clock(), 0

        def tell(done: int, of: int) -> None:
            nonlocal told
            minutes = int((clock() - began) // 60)
            if minutes > told:
                told = minutes
                typer.echo(f"{what}: {done} of {of} after {minutes} min", err=True)

        yield tell
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def table(rows: Sequence[Sequence[str]], indent: int = 2) -> str:
    """Rows in columns, as wide as they must be; the last column runs on."""
    return columns(rows, indent, width=10_000)


def wrapped(text: str, indent: int = 2) -> str:
    """A paragraph that runs on two columns further in."""
    return textwrap.fill(text, 100, initial_indent=" " * indent, subsequent_indent=" " * (indent + 2))
