"""Rules that more than one rulebook has; what differs between them is an argument."""
