"""A match on the disk: its journal, its log, and the keys of its player."""
