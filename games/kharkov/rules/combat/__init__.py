"""Combat (12.0): chits, tactics, hits, retreats and advances of both sides."""
