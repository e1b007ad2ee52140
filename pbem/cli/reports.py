"""Reports and reference pages, written as files."""

from pathlib import Path
from typing import Annotated

import typer

import games
from engine.referee import Differs
from pbem.cli.logs import read_log
from pbem.cli.terminal import CannotDo, GameName, LogOption, ScenarioOption, named_side, say
from pbem.report.files import write_report
from pbem.report.making import upto
from pbem.report.reference_pages import as_markdown, as_plain

Folder = Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="The folder to write to.", show_default=False)]


def report(
    log: LogOption,
    side: Annotated[str, typer.Option("--side", help="The side that reads it.", show_default=False)],
    out: Folder,
    line: Annotated[int | None, typer.Option("--line", help="The line it tells of; the last one.")] = None,
    since: Annotated[int | None, typer.Option("--since", help="All lines after this one, up to --line.")] = None,
    deadline: Annotated[str, typer.Option("--deadline", help="By when an answer is wanted, in words.")] = "",
) -> None:
    """Write a side's report of a line as files: HTML, its plain twin, and the pictures.

    Example: pbem report --log first.jsonl --line 5 --side red -o report
    """
    lines, game = read_log(log)
    reader = named_side(game, side)
    _check_folder(out)
    try:
        written = write_report(out, upto(lines, line), game, reader, since=since, deadline=deadline)
    except Differs as problem:
        raise CannotDo(f"these rules do not lead where {log} goes: {problem}") from None
    for path in written:
        say(str(path))


def reference(game: GameName, out: Folder, scenario: ScenarioOption = "") -> None:
    """Write the reference pages of a game: orders, charts and marks, as Markdown and as plain text.

    Example: pbem reference GAME -o docs/reference
    """
    book = games.rulebook(game)
    played = book.game(scenario)
    _check_folder(out)
    out.mkdir(parents=True, exist_ok=True)
    for name, text in ((f"{book.id}.md", as_markdown(book, played)), (f"{book.id}.txt", as_plain(book, played))):
        (out / name).write_text(text, encoding="utf-8")
        say(str(out / name))


def _check_folder(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise CannotDo(f"{path} is a file, not a folder")
