"""Errors that are told in a sentence: whoever typed or wrote something can put it right."""

from errno import EACCES, ENOSPC, EROFS
from pathlib import Path
from traceback import extract_tb

from engine.bots import Endless, Stuck
from engine.campaign import CannotResume, LogExists, NoSecret
from engine.drawing import BadMap
from engine.facts import UnknownFact
from engine.folder import NoSuchScenario
from engine.game import NoSuchOption
from engine.hexes import NoSuchHex
from engine.ledger import BadLedger, NoSuchCase
from engine.log import DamagedLog, LogMoved, NoWayBack, PackedLog
from engine.pieces import BadCounters, NoSuchUnit
from engine.refusals import Refusal

KNOWN = (
    *(BadCounters, BadLedger, BadMap, CannotResume, DamagedLog, Endless, LogExists, LogMoved, NoSecret, NoSuchCase),
    *(NoSuchHex, NoSuchOption, NoSuchScenario, NoSuchUnit, NoWayBack, PackedLog, Refusal, Stuck, UnknownFact),
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
    if isinstance(error, KNOWN) or type(error).__module__.partition(".")[0] in OWN:
        said = str(error)
    elif isinstance(error, OSError):
        where = f" {error.filename}" if error.filename else ""
        said = f"cannot use{where}: {(error.strerror or str(error)).lower()}{WAYS_OUT.get(error.errno or 0, '')}"
    elif isinstance(error, UnicodeDecodeError):
        said = "the file is not plain text in UTF-8"
    elif hasattr(error, "format_message"):  # what typer says of bad arguments, whichever click it stands on
        said = error.format_message()
    else:
        return None
    said = " ".join(said.split())
    return said if said.endswith((".", "?", "!")) else said + "."
