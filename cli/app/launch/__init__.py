"""What the commands share that start a match: who sits, at which clock, and how its end becomes an exit code."""
