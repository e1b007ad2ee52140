"""The Soviet side as the rules play it (8.0, 9.0): no bot, and nobody is asked."""
