"""This one is played by mail in its tests, as there is nobody on the other side."""

from __future__ import annotations

from tests.pbem.new_database import quick_databases

__all__ = ["quick_databases"]
