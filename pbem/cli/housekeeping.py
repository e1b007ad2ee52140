"""Look after the house itself: its database, where it is, whether it is sound, who works there."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import text

from pbem.cli.acting import at_home, opened, settings_in_force
from pbem.cli.terminal import NOT_ALL, CannotDo, say
from pbem.house import House
from pbem.house.moving import export as write_files
from pbem.house.moving import faults, is_url, whole
from pbem.house.moving import move as take
from pbem.house.owner_only import private_file, private_folder
from pbem.house.settings import Settings
from pbem.house.sole_server import ServedAlready, nobody_serves
from pbem.house.sole_writer import sole_writer
from pbem.service import Service
from pbem.store import Database
from pbem.store.database import upgrade as bring_up
from pbem.store.schema import newest

WORKERS = """SELECT application_name, coalesce(host(client_addr), 'this machine'), max(state_change),
bool_or(state = 'idle' AND EXISTS (SELECT 1 FROM pg_locks WHERE pg_locks.pid = a.pid AND locktype = 'advisory'))
FROM pg_stat_activity a WHERE datname = current_database() AND pid <> pg_backend_pid()
AND application_name LIKE 'fieldpost/%' GROUP BY 1, 2 ORDER BY 1"""

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True, help=__doc__)


@app.command()
def upgrade(
    database: Annotated[
        str, typer.Option("--database", metavar="URL", help="Another database than the settings name.")
    ] = "",
) -> None:
    """Bring the database to the version that this program needs; stop the service first.

    A database in the home folder is brought there by whatever opens it, after a copy; any other waits for this.

    Example: pbem house upgrade
    """
    settings = settings_in_force()
    if database:
        settings = settings.model_copy(update={"database": database})
    before = opened(_upgraded, settings)
    if before == newest():
        say(f"The database is at version {before}, as it should be.")
    else:
        say(f"The database is at version {newest()} now; before, it had {before or 'none'}.")


def _upgraded(settings: Settings) -> str:
    home = private_folder(settings.home)
    if settings.database_file is not None:
        private_file(settings.database_file)
    return bring_up(settings.database_url(), lambda: nobody_serves(home))


@app.command()
def move(
    to: Annotated[str, typer.Argument(metavar="URL|FOLDER", help="A PostgreSQL, or a new folder.", show_default=False)],
) -> None:
    """Take the whole house to a PostgreSQL, or from there to files in a new folder; stop the service first.

    Everything is compared there, byte for byte, before the house here is closed. The database must be empty and
    brought to this program's version: `pbem house upgrade --database URL`.

    Example: pbem house move postgresql://fieldpost@db.example/fieldpost
    """
    settings = settings_in_force()
    if not is_url(to) and settings.database_file is not None:
        raise CannotDo("this house lies in files: `pbem house export FOLDER` makes another of them")
    with _filed(settings) as database, nobody_serves(settings.home, ServedAlready):
        place = take(database, settings.home, to)
    how = "its URL as `database`" if is_url(to) else f'home = "{place}", and no database'
    say(f"The house has moved to {place}, and is the same there. In the settings: {how}.")


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that is not there.", show_default=False)],
) -> None:
    """Write the whole house as it is now into a new folder, as a house on files; the service may go on meanwhile.

    It is compared before it gets its name. `pbem verify` takes its logs, `pbem house move` the whole of it.

    Example: pbem house export backup
    """
    settings = settings_in_force()
    with _filed(settings) as database, whole(database, settings.home) as found:
        write_files(found, folder)
    say(f"{folder} holds the whole house.")


@app.command()
def check() -> None:
    """Look through the house: every log and its secret, every mail, and whether mails and lines agree.

    Example: pbem house check
    """
    settings = settings_in_force()
    with _filed(settings) as database, whole(database, settings.home) as found:
        games, wrong = found.stock.games(), list(faults(found))
    for fault in wrong:
        say(fault)
    say(f"{len(games)} games, {len(wrong) or 'no'} faults.")
    if wrong:
        raise typer.Exit(NOT_ALL)


@app.command()
def workers() -> None:
    """List who is at work in a house on PostgreSQL, and which of them reads the mailbox.

    Example: pbem house workers
    """
    with at_home() as house:
        if not house.cabinet.shared:
            raise CannotDo("a house on files has one service: `pbem health` says how it does")
        with house.database.reading() as session:
            found = session.execute(text(WORKERS)).all()
    for name, machine, since, leads in found:
        say(f"{name} at {machine}, last heard {since:%Y-%m-%d %H:%M:%S %Z}{', reads the mailbox' if leads else ''}")
    if not found:
        say("Nobody is at work.")


@contextmanager
def _filed(settings: Settings) -> Iterator[Database]:
    """The house's database, when every line that was decided is in its log; nobody writes here meanwhile."""
    house = opened(House, settings)
    try:
        with sole_writer(house):
            Service(house).file_lines_due()
            house.cabinet.close()
            yield house.database
    finally:
        house.close()
