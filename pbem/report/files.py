"""A report as files in a folder: both twins and the pictures."""

from collections.abc import Sequence
from pathlib import Path

from engine.game import Game
from engine.log import Line
from pbem.report.illustrating import illustrate
from pbem.report.making import make_report, moment, span_of, with_pictures
from pbem.report.printing import as_html, as_text


def write_report(
    folder: Path, lines: Sequence[Line], game: Game, side: str, *, since: int | None = None, deadline: str = ""
) -> list[Path]:
    """Writes report.html, report.txt and the pictures; raises NothingSince, NoWayBack, Differs, BadLook, OSError."""
    now = moment(lines, game, side)
    report = make_report(span_of(lines, since), now, deadline=deadline)
    drawn = list(illustrate(now, report))
    report = with_pictures(report, [one.picture for one in drawn])
    content = {
        "report.html": as_html(report).encode(),
        "report.txt": as_text(report).encode(),
        **{one.picture.source: one.png for one in drawn},
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in content.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in content]
