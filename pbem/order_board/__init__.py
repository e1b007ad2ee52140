"""The order board: one page on which a player finds his orders by tapping, and which writes them as text."""
