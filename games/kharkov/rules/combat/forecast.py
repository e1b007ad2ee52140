"""To be written."""

from engine.forecast import Forecast
from games.kharkov.data import Table
from games.kharkov.orders import Attack


def forecast_attack(table: Table, order: Attack) -> Forecast:
    raise NotImplementedError
