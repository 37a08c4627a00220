"""Games described in GDL: the description as data, its ground rules, their network, the game."""
