"""Look after the house itself: its database, where it is, whether it is sound, who works there."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import typer
from sqlalchemy import text

from engine.log.sidecar import replace_file
from pbem.cli.acting import at_home, opened, settings_in_force
from pbem.cli.terminal import NOT_ALL, CannotDo, existing, progress, say
from pbem.house import House, now
from pbem.house.alone import ServedAlready, nobody_serves, sole_writer
from pbem.house.archive import SETTINGS, back_up, packed_in
from pbem.house.moving import export as write_files
from pbem.house.moving import faults, is_url, whole
from pbem.house.moving import move as take
from pbem.house.owner_only import private_file, private_folder
from pbem.house.settings import Settings, settings_file
from pbem.service import Service
from pbem.service.recovering import rebuild as make_again
from pbem.service.recovering import restore as bring_back
from pbem.store.database import upgrade as bring_up
from pbem.store.schema import newest

WORKERS = """SELECT application_name, coalesce(host(client_addr), 'this machine'), max(state_change),
bool_or(state = 'idle' AND EXISTS (SELECT 1 FROM pg_locks WHERE pg_locks.pid = a.pid AND locktype = 'advisory'))
FROM pg_stat_activity a WHERE datname = current_database() AND pid <> pg_backend_pid()
AND application_name LIKE 'fieldpost/%' GROUP BY 1, 2 ORDER BY 1"""

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True, help=__doc__)


@app.command()
def upgrade(database: str = "") -> None:
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
def move(to: str) -> None:
    """Take the whole house to a PostgreSQL, or from there to files in a new folder; stop the service first.

    Everything is compared there, byte for byte, before the house here is closed. The database must be empty and
    brought to this program's version: `pbem house upgrade --database URL`.

    Example: pbem house move postgresql://fieldpost@db.example/fieldpost
    """
    if not is_url(to) and settings_in_force().database_file is not None:
        raise CannotDo("this house lies in files: `pbem house export FOLDER` makes another of them")
    with _filed(moves=True) as house, nobody_serves(house.settings.home, ServedAlready):
        place = opened(lambda found: take(house.database, found.home, to), house.settings)
    how = "its URL as `database`" if is_url(to) else f'home = "{place}", and no database'
    say(f"The house has moved to {place}, and is the same there. In the settings: {how}.")


@app.command()
def export(folder: Path) -> None:
    """Write the whole house as it is now into a new folder, as a house on files; the service may go on meanwhile.

    It is compared before it gets its name. `pbem verify` takes its logs, `pbem house move` the whole of it.

    Example: pbem house export backup
    """
    with _filed() as house, whole(house.database, house.settings.home) as found:
        write_files(found, folder)
    say(f"{folder} holds the whole house.")


@app.command()
def check() -> None:
    """Look through the house: every log and its secret, every mail, and whether mails and lines agree.

    Example: pbem house check
    """
    with _filed() as house, whole(house.database, house.settings.home) as found:
        games, wrong = found.cabinet.games(found.session), list(faults(found))
    for fault in wrong:
        say(fault)
    say(f"{len(games)} games, {len(wrong) or 'no'} faults.")
    if wrong:
        raise typer.Exit(NOT_ALL)


@app.command()
def backup(to: Path) -> None:
    """Pack the whole house as it is now into one file, for you alone; the service may go on meanwhile.

    Rows, logs, secrets, mails and settings: whoever has it has everything. It is checked before it gets its name.

    Example: pbem house backup /var/backups
    """
    with _filed() as house, progress("packing") as bar:
        place, number = back_up(house.database, house.settings, to, now(), bar)
    say(f"{place} holds the whole house: {number} files, {place.stat().st_size:,} bytes, checked.")


@app.command()
def restore(archive: Path, nothing_lost: bool = False) -> None:
    """Put a backup into an empty house, on files or on PostgreSQL, as the settings say; stop the service first.

    Everything is checked first. What was thrown after the backup may have been seen: so all dice of games that go on
    are others from here on, hidden piles are shuffled anew, and all players are told from which line they go on.

    Example: pbem house restore /var/backups/fieldpost-20260105-120000.tar.gz
    """
    kept = _settings_from(existing(archive))
    settings = settings_in_force()
    with progress("restoring") as bar:
        made = opened(lambda found: bring_back(archive, found, now, skips=not nothing_lost, progress=bar), settings)
    say(f"The house is as it was at {made['made']}. {kept}".strip())
    if not nothing_lost:
        say("Games that go on have other dice from here on, and their players have letters that say so.")
        say("Games set up since then are gone, and so are mails that were dealt with since: ask for them once more.")


def _settings_from(archive: Path) -> str:
    """Where there are no settings at all those of the archive are put; gives what to say of it."""
    place = settings_file()
    if place.exists() or (found := packed_in(archive, SETTINGS)) is None:
        return ""
    private_folder(place.parent)
    replace_file(place, found, alone=True)
    return f"Its settings are in {place}."


@app.command()
def rebuild() -> None:
    """Make a lost, damaged or empty database again, from the games' folders in the home; stop the service first.

    Chairs, addresses, tokens, terms and deadlines come from each `game.json`, mails from their files. A damaged
    database is set aside, not deleted. Letters that were not sent yet are lost: all players are told how they stand.

    Example: pbem house rebuild
    """
    settings = settings_in_force()
    with progress("reading mails") as bar:
        told = opened(lambda found: make_again(found, now(), bar), settings)
    for line in told:
        say(line)


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
def _filed(*, moves: bool = False) -> Iterator[House]:
    """The house when every line that was decided is in its log; nobody writes here while it moves."""
    with at_home() as house, ExitStack() as turn:
        turn.enter_context(sole_writer(house))
        Service(house).file_lines_due()
        house.cabinet.close()
        if not moves:
            turn.close()
        yield house
