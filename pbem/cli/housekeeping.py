"""Look after the house itself: its database."""

from typing import Annotated

import typer

from pbem.cli.acting import opened, settings_in_force
from pbem.cli.terminal import say
from pbem.house.owner_only import private_file, private_folder
from pbem.house.settings import Settings
from pbem.house.sole_server import nobody_serves
from pbem.store.database import upgrade as bring_up
from pbem.store.schema import newest

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.callback(help=__doc__)
def _group() -> None:
    """So that one verb is a group, too."""


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
