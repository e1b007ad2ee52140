"""Duels: two who play the same game for one, each in a room of his own, and are measured against each other."""
