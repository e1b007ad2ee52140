"""Facts, rolls, orders and positions in words, for letters and the terminal alike."""
