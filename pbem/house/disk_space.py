"""Room on the disk: with too little of it no mail is begun, for half of what it brings about could not be written."""

import shutil

from pbem.house.settings import Settings
from pbem.store.database_troubles import HouseTrouble, NearlyFull

MEGABYTE = 1_000_000


def free_bytes(settings: Settings) -> int:
    return shutil.disk_usage(settings.home).free


def nearly_full(settings: Settings) -> HouseTrouble | None:
    """What is wrong, if less is left than the settings ask for."""
    left = free_bytes(settings)
    if left >= settings.limits.free_megabytes * MEGABYTE:
        return None
    return NearlyFull(f"{left / MEGABYTE:.0f} MB are left at {settings.home}")
