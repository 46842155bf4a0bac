"""Everything of the program that knows Fight for Olympus."""
