"""The command line: a command's module is imported when it runs, so that each starts as fast as it can."""
