"""Clocks: what the terms of a match say about time, and what each seat has used."""
