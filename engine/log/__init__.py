"""A game's log: one input, one line, sealed and chained."""

from engine.log.chain import Fault, verify_chain
from engine.log.checkpoint import State, load_checkpoint, store_checkpoint
from engine.log.file import DamagedLog, LogFile, LogMoved, LogRead, PackedLog, TornTail, as_written, content_of, packed
from engine.log.history import NoWayBack, dice_used, effective, items_in_force
from engine.log.lines import (
    ALL,
    NOBODY,
    Back,
    Item,
    Line,
    audience_of,
    entries,
    items,
    position_seal,
    seal_header,
    seal_line,
)
from engine.log.reader import check_reader, export, for_reader
from engine.log.sidecar import read_secret, write_secret

__all__ = [
    "ALL",
    "NOBODY",
    "Back",
    "DamagedLog",
    "Fault",
    "Item",
    "Line",
    "LogFile",
    "LogMoved",
    "LogRead",
    "NoWayBack",
    "PackedLog",
    "State",
    "TornTail",
    "as_written",
    "audience_of",
    "check_reader",
    "content_of",
    "dice_used",
    "effective",
    "entries",
    "export",
    "for_reader",
    "items",
    "items_in_force",
    "load_checkpoint",
    "packed",
    "position_seal",
    "read_secret",
    "seal_header",
    "seal_line",
    "store_checkpoint",
    "verify_chain",
    "write_secret",
]
