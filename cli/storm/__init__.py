"""All that knows a unit: what one seat sees, what an action would cost, words and sentences of the game."""
