"""How fast it is, how well tested, a campaign shown, a rulebook begun. The post office needs none of it."""
