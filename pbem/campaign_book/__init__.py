"""The campaign book: what two friends keep when the game is over, told turn by turn and made to be printed."""
