"""The breakout (16.4, 16.5): declared in the Event Phase, made at the end of the German turn."""
