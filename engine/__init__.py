"""The table: hexes, pieces, dice, log and the referee. It knows no rulebook, no mail, no clock."""
