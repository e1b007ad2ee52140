"""SPI's Army Group South: Korsun."""

from games.korsun_spi.game import RULEBOOK

__all__ = ["RULEBOOK"]
