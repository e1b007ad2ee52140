"""Errors that are told in a sentence: whoever typed or wrote something can put it right."""

import sqlite3
from errno import EACCES, ENOSPC, EROFS
from pathlib import Path
from traceback import extract_tb

from engine import bots, campaign, drawing, facts, folder, game, hexes, ledger, log, pieces
from engine.refusals import Refusal

KNOWN = (
    *(bots.Endless, bots.Stuck, campaign.CannotResume, campaign.LogExists, campaign.NoSecret, drawing.BadMap),
    *(facts.UnknownFact, folder.NoSuchScenario, game.NoSuchOption, hexes.NoSuchHex, ledger.BadLedger),
    *(ledger.NoSuchCase, log.DamagedLog, log.LogMoved, log.NoWayBack, log.PackedLog),
    *(pieces.BadCounters, pieces.NoSuchUnit, Refusal),
)
WAYS_OUT = {
    ENOSPC: "; make room on its disk, then try again",
    EROFS: "; its disk is mounted for reading only: mount it for writing, then try again",
    EACCES: "; see who owns it, and run this as that user",
}
OWN = ("games", "pbem")  # their errors are sentences; of the engine's some are our own mistakes


def told(error: Exception) -> str:
    """Any error: in its own sentence, or with where it happened, for whoever mends the program."""
    known = sentence(error)
    if known is not None:
        return known
    place = extract_tb(error.__traceback__)[-1]
    return f"A mistake in the program, {place.name} in {Path(place.filename).name}, line {place.lineno}: {error!r}."


def sentence(error: Exception) -> str | None:
    """A known error in one sentence; None for one that is our own mistake."""
    if isinstance(error, sqlite3.Error):  # a copy of the database, made without what opens a house
        from pbem.store.database_troubles import trouble_of  # whoever has no house does not load what opens one

        error = trouble_of(error) or error
    if isinstance(error, KNOWN) or type(error).__module__.partition(".")[0] in OWN:
        said = str(error)
    elif isinstance(error, OSError):
        what, way_out = (error.strerror or str(error)).lower(), WAYS_OUT.get(error.errno or 0, "")
        said = f"cannot use {error.filename or 'a file'}: {what}{way_out}"
    elif isinstance(error, UnicodeDecodeError):
        said = "the file is not plain text in UTF-8"
    elif hasattr(error, "format_message"):  # what typer says of bad arguments, whichever click it stands on
        said = error.format_message()
    else:
        return None
    said = " ".join(said.split())
    return said if said.endswith((".", "?", "!")) else said + "."
