"""Clocks: what the terms of a match say about time, what each seat has used, and how it is measured."""
