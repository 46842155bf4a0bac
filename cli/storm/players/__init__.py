"""Who sits at a seat: the interface that a match knows, and the players that are no persons."""
