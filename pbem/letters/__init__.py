"""Letters: what we write to people."""

from pbem.letters.envelope import LOOP, SENDER, enclose, one_line
from pbem.letters.letter import Enclosure, Kind, Letter, Section

__all__ = ["LOOP", "SENDER", "Enclosure", "Kind", "Letter", "Section", "enclose", "one_line"]
