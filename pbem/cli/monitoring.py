"""Whether the service is well, for who runs a monitor."""

import typer

from pbem.cli.acting import at_home
from pbem.cli.terminal import NOT_ALL, say
from pbem.service.vital_signs import ailments, vital_signs


def health() -> None:
    """Say in one line how the service does: status 0 if it is well, 1 if not, 2 if that cannot be told.

    It looks at the house and at the service's own notes; no mail server is asked.

    Example: pbem health
    """
    with at_home() as house:
        signs = vital_signs(house)
        found = ailments(house, signs)
    say(f"{'; '.join(found) if found else 'well'}: {signs.in_words()}")
    if found:
        raise typer.Exit(NOT_ALL)
