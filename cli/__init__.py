"""The console: commands, the prompt and every sentence a person reads."""

__version__ = "1.0.0"
"""The version of the program; the packages are built with it."""
