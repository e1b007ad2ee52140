"""What must be true of every position (for fuzzing and for whoever corrects one by hand)."""

from games.kharkov.data import Table


def faults(table: Table) -> list[str]:
    return []
