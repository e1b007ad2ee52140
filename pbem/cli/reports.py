"""Reports and reference pages, written as files."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

import games
from engine.referee import Differs
from pbem.cli.logs import read_log
from pbem.cli.terminal import CannotDo, GameName, LogOption, ScenarioOption, folder_to_write, named_side, say
from pbem.report.illustrating import illustrate
from pbem.report.making import make_report, moment, span_of, upto
from pbem.report.printing import as_html, as_text, reference_page

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
    folder_to_write(out)
    try:
        told = upto(lines, line)
        now = moment(told, game, reader)
        made = make_report(span_of(told, since), now, deadline=deadline)
        drawn = list(illustrate(now, made))
    except Differs as problem:
        raise CannotDo(f"these rules do not lead where {log} goes: {problem}") from None
    made = replace(made, pictures=tuple(picture for picture, _ in drawn))
    files = {"report.html": as_html(made).encode(), "report.txt": as_text(made).encode()}
    out.mkdir(parents=True, exist_ok=True)
    for name, data in {**files, **{picture.source: png for picture, png in drawn}}.items():
        (out / name).write_bytes(data)
        say(str(out / name))


def reference(game: GameName, out: Folder, scenario: ScenarioOption = "") -> None:
    """Write the reference pages of a game: orders, charts and marks, as Markdown and as plain text.

    Example: pbem reference GAME -o docs/reference
    """
    book = games.rulebook(game)
    played = book.game(scenario)
    folder_to_write(out)
    out.mkdir(parents=True, exist_ok=True)
    for kind in ("md", "txt"):
        path = out / f"{book.id}.{kind}"
        path.write_text(reference_page(kind, book, played), encoding="utf-8")
        say(str(path))
