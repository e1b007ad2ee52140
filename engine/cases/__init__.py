"""Case files: a position, some orders and what must come of them, in plain text that a player can write."""

from engine.cases.case_file import CaseFile, read_case
from engine.cases.failures import BadCase, CaseFailed
from engine.cases.run_case import run_case

__all__ = ["BadCase", "CaseFailed", "CaseFile", "read_case", "run_case"]
