"""The order that closes a stage (3.2)."""

from engine.orders import usual


class End(usual.End):
    about = "Close this stage."
