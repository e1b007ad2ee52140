"""Orders: from a line that a person typed to one of the orders in a game's book, and back."""
