"""What every part of the program needs of its process: streams and exit codes, time, signals, tasks, terminal."""
