"""Letters: what we write to people."""

from pbem.letters.envelope import LOOP, enclose, one_line
from pbem.letters.letter import Enclosure, Letter, Section

__all__ = ["LOOP", "Enclosure", "Letter", "Section", "enclose", "one_line"]
