"""The command line: one module for each command, imported when it runs, so that each starts as fast as it can."""
