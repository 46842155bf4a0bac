"""The console on the terminal: the applications of prompt_toolkit around pure values."""
