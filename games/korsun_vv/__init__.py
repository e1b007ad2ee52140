"""Vae Victis's Korsun 1944."""

from games.korsun_vv.game import RULEBOOK

__all__ = ["RULEBOOK"]
